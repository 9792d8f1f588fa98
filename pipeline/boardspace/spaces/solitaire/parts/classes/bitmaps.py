"""Bitmaps of a class in order of the positions' numbers, and what they hold by pegs.

A shard takes a range of high parts out of the blocks of all weights. Positions that can be reduced to one peg in the
hole that was vacant at the start are complements of reachable ones, in the range opposite.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardspace.spaces.solitaire.config import SolitaireConfig
from boardspace.spaces.solitaire.parts.classes.arrays import part_of
from boardspace.spaces.solitaire.parts.classes.sweeps import GOALS, bands, pieces
from boardspace.spaces.solitaire.parts.classes.tables import BITMAPS
from boardspace.spaces.solitaire.parts.classes.vacancy import Vacancy
from boardspace.spec.space import Inputs, Output
from boardspace_kernels.solitaire.classes.census import complemented, count_by_pegs, count_fixed, dead_ends
from boardspace_kernels.solitaire.classes.sweep import bitmap


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
    facts = {name: _by_symmetry(vacancy, blocks, begin) for name, blocks in sets.items()}
    survivors = [vacancy.board.pegs(peg)[0] for peg in vacancy.single_pegs if vacancy.has(reached, peg, begin)]
    arrays = [
        part_of(vacancy, BITMAPS, goal, params, blocks.reshape(-1).view(np.uint64))
        for goal, blocks in zip(GOALS, (reached, can_win), strict=True)
    ]
    return Output(arrays=arrays, facts={**facts, "survivors": survivors})


def _by_symmetry(vacancy: Vacancy, blocks: NDArray[Any], begin: int) -> list[list[int]]:
    """Positions that a symmetry leaves as they are, by symmetry that keeps the start, identity first, and by pegs."""
    group = vacancy.board.stabiliser(vacancy.start)
    fixed = [count_fixed(vacancy.order, symmetry, blocks, begin) for symmetry in group[1:]]
    return [count_by_pegs(vacancy.order, blocks, begin).tolist(), *(counts.tolist() for counts in fixed)]
