"""Positions of a class counted by pegs: on its bitmaps, or, where none are published, while they are made.

Without bitmaps, from where one peg can be reached is swept first, if that is asked for and the class has a single peg
at all. Then the positions that can be reached are made, and each shard counts its own, with what the first sweep left
of the same weight. Blocks that nothing reads any more are dropped at once: of the second sweep there is never more than
a window of weights on the disk. Of tiles that symmetries map to one another only one is made (see
:mod:`boardspace_kernels.solitaire.classes.fold`).

A position that can return to one peg in the vacancy is the complement of one that can be reached, of another weight; so
these are not counted then, where they are possible. Of bitmaps a shard takes a range of high parts out of the blocks of
all weights, and complements are in the range opposite.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardspace.spaces.solitaire.config import SolitaireConfig
from boardspace.spaces.solitaire.parts.classes.arrays import part_of
from boardspace.spaces.solitaire.parts.classes.part import BITMAPS
from boardspace.spaces.solitaire.parts.classes.sweeps import (
    GOALS,
    Band,
    bands,
    bands_with,
    blobs_of,
    make_band,
    make_pieces,
    pieces,
    stage_of,
)
from boardspace.spaces.solitaire.parts.classes.vacancy import Vacancy
from boardspace.spec.space import Inputs, Output, Stage
from boardspace_kernels.solitaire.classes.census import complemented, count_by_pegs, count_fixed, dead_ends
from boardspace_kernels.solitaire.classes.gather import Piece
from boardspace_kernels.solitaire.classes.piece_census import count_piece, count_piece_fixed, is_in, stuck_in
from boardspace_kernels.solitaire.classes.sweep import bitmap


def counted_stages(vacancy: Vacancy, shard_bytes: int, winning: bool) -> Iterator[Stage]:
    """The stages of both sweeps, or of the one that is needed."""
    both = winning and bool(vacancy.single_pegs)
    for band in bands(vacancy, "winning", shard_bytes, folded=True) if both else ():
        yield replace(stage_of(vacancy, band, shard_bytes, "winning positions", make_band), drops=True)
    for band in bands(vacancy, "reachable", shard_bytes, folded=True):
        make = partial(make_counted_run, both)
        stage = stage_of(vacancy, band, shard_bytes, "positions, and how many", make, counted=True)
        won = bands_with(vacancy, "winning", band, shard_bytes, folded=True) if both else []
        yield replace(stage, after=(*stage.after, *(other.stage(vacancy) for other in won)), drops=True)


def counting_stages(vacancy: Vacancy, shard_bytes: int) -> tuple[str, ...]:
    """The stages whose facts are the counts."""
    return tuple(band.stage(vacancy) for band in bands(vacancy, "reachable", shard_bytes, folded=True))


def make_counted_run(
    both: bool, band: Band, shard_bytes: int, config: SolitaireConfig, params: Mapping[str, Any], inputs: Inputs
) -> Output:
    """The blocks of some tiles of each weight of a band, and what is counted on them; ``both``: winning ones, too."""
    vacancy = Vacancy.of(params)
    made = make_pieces(vacancy, band, shard_bytes, (params["begin"], params["end"]), inputs)
    won = bands_with(vacancy, "winning", band, shard_bytes, folded=True) if both else []
    inputs.report("counting by pegs")
    facts = _counted(vacancy, made, [piece for other in won for piece in pieces(vacancy, other, inputs)])
    return Output(blobs=blobs_of(made), facts=facts)


def _counted(vacancy: Vacancy, made: list[Piece], won: list[Piece]) -> dict[str, Any]:
    """Counts by set, by symmetry that keeps the start, and by pegs: the positions that the symmetry leaves as they are,
    in tiles that are made, times their images. Over all symmetries the sum is that of all tiles."""
    order, fold = vacancy.order, vacancy.fold
    sets = {"positions": made, "dead_ends": [stuck_in(order, piece) for piece in made]}
    if won:
        sets["winning"] = [_common(piece, won) for piece in made]
    singles = [peg for peg in vacancy.single_pegs if any(is_in(order, fold, piece, peg) for piece in made)]
    survivors = [vacancy.board.pegs(peg)[0] for peg in singles]
    return {**{name: _by_symmetry(vacancy, some) for name, some in sets.items()}, "survivors": survivors}


def _common(piece: Piece, others: list[Piece]) -> Piece:
    """The positions of a piece that are in others, too, which together have all of its tiles."""
    blocks, starts = piece.blocks.copy(), piece.starts
    for other in (other for other in others if other.weight == piece.weight):
        begin, end = max(piece.begin, other.begin), min(piece.end, other.end)
        if begin < end:
            here = slice(starts[begin] - starts[piece.begin], starts[end] - starts[piece.begin])
            there = slice(starts[begin] - starts[other.begin], starts[end] - starts[other.begin])
            blocks[here] &= other.blocks[there]
    return piece._replace(blocks=blocks)


def _by_symmetry(vacancy: Vacancy, found: list[Piece]) -> list[list[int]]:
    order, fold, (_, *others) = vacancy.order, vacancy.fold, vacancy.board.stabiliser(vacancy.start)
    none = np.zeros(vacancy.board.holes + 1, np.int64)
    counts = [sum((count_piece(order, fold, piece) for piece in found), none)]
    counts += [sum((count_piece_fixed(order, fold, row, piece) for piece in found), none) for row in others]
    return [row.tolist() for row in counts]


def make_bitmaps(shard_bytes: int, config: SolitaireConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """A range of both bitmaps, and what they hold by pegs, for the counts up to symmetry."""
    vacancy, begin, end = Vacancy.of(params), params["begin"], params["end"]
    order = vacancy.order
    swept = {
        goal: [piece for band in bands(vacancy, goal, shard_bytes) for piece in pieces(vacancy, band, inputs)]
        for goal in GOALS
    }
    reached, can_win = (bitmap(order, swept[goal], begin, end) for goal in GOALS)
    sets = {"positions": reached, "winning": reached & can_win, "dead_ends": dead_ends(order, reached, begin)}
    if order.positions.contains(vacancy.board.full ^ vacancy.start):
        opposite = bitmap(order, swept["reachable"], order.highs - end, order.highs - begin)
        sets["winning_in_vacancy"] = reached & complemented(order.positions, opposite)
    facts = {name: _of_bitmap(vacancy, blocks, begin) for name, blocks in sets.items()}
    survivors = [vacancy.board.pegs(peg)[0] for peg in vacancy.single_pegs if vacancy.has(reached, peg, begin)]
    arrays = [
        part_of(vacancy, BITMAPS, goal, params, blocks.reshape(-1).view(np.uint64))
        for goal, blocks in zip(GOALS, (reached, can_win), strict=True)
    ]
    return Output(arrays=arrays, facts={**facts, "survivors": survivors})


def _of_bitmap(vacancy: Vacancy, blocks: NDArray[Any], begin: int) -> list[list[int]]:
    """Positions that a symmetry leaves as they are, by symmetry that keeps the start, identity first, and by pegs."""
    group = vacancy.board.stabiliser(vacancy.start)
    fixed = [count_fixed(vacancy.order, symmetry, blocks, begin) for symmetry in group[1:]]
    return [count_by_pegs(vacancy.order, blocks, begin).tolist(), *(counts.tolist() for counts in fixed)]
