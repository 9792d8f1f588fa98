"""Whole position classes of peg solitaire: sweeps, counts and least moves; one unit is one position found.

A sweep that is *folded* makes one of the tiles that symmetries of the start map to one another, which stands for all.
``copy_a_bitmap`` writes as many bytes as the sweep of the English board does, and nothing else: what memory allows.
"""

from collections.abc import Sequence

import numpy as np

from benchmarks.harness import Job, benchmark
from boardspace.spaces.solitaire.parts.classes.queries import single_vacancy
from boardspace.spaces.solitaire.parts.classes.vacancy import Vacancy
from boardspace_kernels.solitaire.classes.census import count_pieces, stuck_in
from boardspace_kernels.solitaire.classes.fold import unfolded
from boardspace_kernels.solitaire.classes.gather import Piece, sweep
from boardspace_kernels.solitaire.classes.layers import sweep_moves
from boardspace_kernels.solitaire.levels import first_level, step
from boardspace_kernels.solitaire.play import Problem

CENTRE = 19


def _positions(pieces: Sequence[Piece]) -> int:
    return sum(int(np.bitwise_count(piece.blocks).sum()) for piece in pieces)


def _sweep(vacancy: Vacancy, folded: bool = False) -> Job:
    found = _positions(list(sweep(vacancy.order, vacancy.steps(True), [vacancy.start]).values()))

    def job() -> int:
        sweep(vacancy.order, vacancy.steps(True), [vacancy.start], vacancy.fold if folded else None)
        return found

    return job


def _least_moves(vacancy: Vacancy, folded: bool) -> Job:
    found = _positions(list(sweep(vacancy.order, vacancy.steps(True), [vacancy.start]).values()))

    def job() -> int:
        for _ in sweep_moves(vacancy.order, vacancy.steps(True), [vacancy.start], vacancy.fold if folded else None):
            pass
        return found

    return job


@benchmark(unit="positions", runs=1)
def english_by_sorted_runs() -> Job:
    vacancy = single_vacancy("english", CENTRE)
    problem = Problem(vacancy.board, vacancy.start, vacancy.start ^ vacancy.board.full)

    def job() -> int:
        level, positions = first_level(problem.start), 0
        while len(level.positions):
            below = step(problem, level)
            positions += int(below.orbits.sum(dtype=np.int64))
            level = below.level
        return positions

    return job


@benchmark(unit="positions", baseline="english_by_sorted_runs", runs=1)
def english_class() -> Job:
    return _sweep(single_vacancy("english", CENTRE))


@benchmark(unit="positions", baseline="english_class")
def english_class_folded() -> Job:
    return _sweep(single_vacancy("english", CENTRE), folded=True)


@benchmark(unit="bytes", runs=5)
def copy_a_bitmap() -> Job:
    source = np.ones(single_vacancy("english", CENTRE).order.positions.bytes, np.uint8)
    target = np.empty_like(source)

    def job() -> int:
        target[:] = source
        return len(source)

    return job


@benchmark(unit="positions", baseline="english_class", runs=2)
def english_class_with_winning_levels_and_dead_ends() -> Job:
    vacancy = single_vacancy("english", CENTRE)
    order = vacancy.order

    def job() -> int:
        reached = sweep(order, vacancy.steps(True), [vacancy.start])
        won = sweep(order, vacancy.steps(False), vacancy.single_pegs)
        both = [piece._replace(blocks=piece.blocks & won[weight].blocks) for weight, piece in reached.items()]
        sets = (reached.values(), both, [stuck_in(order, piece) for piece in reached.values()])
        board = vacancy.board.symmetries[:1]
        counts = [count_pieces(order, unfolded(order), board, some)[0].sum() for some in sets]
        return int(counts[0])

    return job


@benchmark(unit="positions", baseline="english_by_sorted_runs", runs=1)
def english_least_moves() -> Job:
    """Sorted runs find the least moves, too, of one position of each orbit."""
    return _least_moves(single_vacancy("english", CENTRE), folded=True)


@benchmark(unit="positions", baseline="english_least_moves", runs=1)
def english_least_moves_of_all_tiles() -> Job:
    return _least_moves(single_vacancy("english", CENTRE), folded=False)


@benchmark(unit="positions", baseline="english_class", runs=2)
def class_of_37_holes() -> Job:
    return _sweep(single_vacancy("french", CENTRE))


@benchmark(unit="positions", baseline="class_of_37_holes", runs=2)
def class_of_37_holes_folded() -> Job:
    return _sweep(single_vacancy("french", CENTRE), folded=True)
