"""The search of a board made again with the weights of its certificate: how many states it makes.

No other means knows that, so here alone a check shares code with the writers. It is made where it takes the same steps
on every machine: where layers are so small that no linear program was aimed at them, and where all numbers of stones
were tried with the bound of the certificate (a search that outgrows its first bound goes on with a better one).
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from boardspace_kernels.five_in_a_row.board import Board, BoardTooLargeError
from boardspace_kernels.five_in_a_row.bound import SCALE, Bound
from boardspace_kernels.five_in_a_row.search import AIM_AT, AIM_GROWTH, DEFAULT_MEMORY, limits, prepare, sweep

UNLIMITED = 1 << 62


class Effort(NamedTuple):
    """States made in all sweeps, and in the largest layer of any."""

    states: int
    peak: int


def repeatable(certificate: Mapping[str, Any], peak: int) -> bool:
    """True for a search with so large a layer that takes the same steps on every machine."""
    least = -(-certificate["floor"] // SCALE)
    tried = list(range(least, certificate["minimum"]))
    return peak < AIM_AT * AIM_GROWTH and certificate["empty_budgets"] == tried


def search_again(certificate: Mapping[str, Any], most: int = UNLIMITED) -> Effort | None:
    """Sweep the board of a certificate with each number of stones that it names, and with the fewest; None where a
    sweep makes more than ``most`` states."""
    board = Board(tuple(certificate["shape"]), certificate["k"])
    by_ends = {(first, last): weight for first, last, weight in certificate["lines"]}
    weights = np.array([by_ends.get((line[0], line[-1]), 0) for line in board.lines.tolist()], dtype=np.int64)
    strips = certificate["strips"]
    costs = np.array([strip["costs"] for strip in strips], dtype=np.int64) if strips else np.empty((0, 0), np.int64)
    width = len(strips[0]["costs"]) // board.shape[0] if strips else 0
    prepared = prepare(board, width, Bound(weights, costs))
    bounds = limits(prepared, DEFAULT_MEMORY, most)
    try:
        sweeps = [sweep(prepared, stones, bounds) for stones in (*certificate["empty_budgets"], certificate["minimum"])]
    except BoardTooLargeError:
        if most == UNLIMITED:
            raise
        return None
    return Effort(sum(one.states for one in sweeps), max(one.peak for one in sweeps))
