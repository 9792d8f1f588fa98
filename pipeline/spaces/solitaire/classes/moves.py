"""Least moves to all positions of a class: how many positions by pegs and moves, the hardest, and of each problem.

A class is swept by one shard, which counts the blocks of a weight when they are made and keeps them only while others
are made from them. From the centre of the board of 33 holes the process takes 0.6 GB, of 37 holes 5.4 GB.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardspace.pipeline.space import Inputs, Output, Shard, Stage
from boardspace.pipeline.spaces.solitaire.board_files import BoardFileError
from boardspace.pipeline.spaces.solitaire.classes.vacancy import Vacancy
from boardspace.pipeline.spaces.solitaire.config import SolitaireConfig
from boardspace.pipeline.spaces.solitaire.tables import CLASS_MOVES, HARDEST

MOST_BYTES = 1 << 30
SECONDS_PER_BYTE = 1e-7
MEMORY_PER_BYTE = 5
"""Of the bitmap: what both classes took, whose bitmaps are 128 MiB and 1 GiB."""


def moves_stages(vacancy: Vacancy) -> Iterator[Stage]:
    """One stage of one shard; BoardFileError for a class of more than 1 GiB."""
    size = vacancy.order.positions.bytes
    if size > MOST_BYTES:
        raise BoardFileError(
            f"{vacancy.board_name}: a bitmap of {size >> 20:,} MiB is too large for least moves, which are found "
            f"up to {MOST_BYTES >> 20:,} MiB; set moves = false for this board"
        )
    yield Stage(
        f"{vacancy.slug}.moves",
        f"{vacancy.board_name} from vacancy {vacancy.hole}: least moves to all positions",
        make_moves,
        partial(cut_moves, vacancy),
        memory=size * MEMORY_PER_BYTE,
    )


def cut_moves(vacancy: Vacancy, config: SolitaireConfig, inputs: Inputs) -> Sequence[Shard]:
    """A single shard."""
    return [Shard(vacancy.slug, vacancy.params, vacancy.order.positions.bytes * SECONDS_PER_BYTE)]


def make_moves(config: SolitaireConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """Positions by pegs and least moves; those of the most moves; as facts, the moves to each single peg."""
    from boardspace.kernels.solitaire.classes.moves import sweep_moves
    from boardspace.kernels.solitaire.classes.moves_census import count_fixed_moves, count_moves, moves_of, with_moves

    vacancy = Vacancy.of(params)
    fold = vacancy.fold
    group = vacancy.board.stabiliser(vacancy.start)
    survivors: dict[str, int] = {}
    most, last, labelled, fixed = -1, list[int](), np.zeros((1, 1), np.int64), np.zeros((1, 1), np.int64)
    for layer in sweep_moves(vacancy.order, vacancy.steps(True), [vacancy.start], fold):
        counts = count_moves(vacancy.order, layer, fold)
        labelled = labelled + counts
        fixed = fixed + counts + sum(count_fixed_moves(vacancy.order, row, layer, fold) for row in group[1:])
        here = max(np.flatnonzero(counts.any(axis=0)).tolist(), default=-1)
        if here >= max(most, 0):
            last = [*(last if here == most else []), *with_moves(vacancy.order, layer, here)]
            most = here
        for single in vacancy.single_pegs:
            moves = moves_of(vacancy.order, layer, fold, single)
            if moves is not None:
                survivors[str(vacancy.board.pegs(single)[0])] = moves
    name = {"board": vacancy.board_name, "vacancy": vacancy.hole}
    rows = [
        {
            **name,
            "pegs": pegs,
            "moves": moves,
            "positions": fixed[pegs, moves] // len(group),
            "labelled_positions": labelled[pegs, moves],
        }
        for pegs, moves in np.argwhere(labelled).tolist()
    ]
    hardest = [{**name, "position": p, "moves": most} for p in _least_images(group, last)]
    tables = {"class_moves": CLASS_MOVES.from_rows(rows), "hardest": HARDEST.from_rows(hardest)}
    return Output(tables, facts={"survivors": survivors, "most_moves": most})


def _least_images(group: NDArray[np.int64], positions: Sequence[int]) -> list[int]:
    """The least position of each orbit."""
    return sorted({min(_image(row, position) for row in group.tolist()) for position in positions})


def _image(symmetry: list[int], position: int) -> int:
    return sum(1 << image for hole, image in enumerate(symmetry) if position >> hole & 1)
