"""What is known of one board, found at once: by a rule, from a smaller board, or by search."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from boardspace.pipeline.spaces.five_in_a_row.config import SizedBoard

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from boardspace.kernels.five_in_a_row.board import Board

CARRIED_K = (5, 7)
DRAWN = 100_000
"""Placements that are listed at most."""


@dataclass(frozen=True)
class Answer:
    """The fewest stones of a board, why no fewer do (``proof`` in a word, ``reason`` in words), and in how many ways.

    ``witness`` gives one placement (rows, columns), ``everything`` all (placements, rows, columns); it raises
    BoardError where they are more than ``DRAWN``.
    """

    stones: int
    proof: str
    reason: str
    placements: int
    witness: "Callable[[], npt.NDArray[np.bool_]]"
    everything: "Callable[[], npt.NDArray[np.bool_]]"


def answer(board: SizedBoard) -> Answer:
    """X of a board. Raises BoardError for a board that does not exist, or that is too large to be searched."""
    from boardspace.kernels.five_in_a_row.board import Board

    sized = Board((board.rows, board.columns), board.k)
    return _by_rule(sized) or _carried(sized) or _by_search(sized)


def _by_rule(board: "Board") -> Answer | None:
    from boardspace.kernels.five_in_a_row.thin import is_thin, thin_placements, thin_rule, thin_witness

    if not is_thin(board):
        return None
    rule = thin_rule(board)
    one_way = f"lines of {board.k} fit in one direction only, and every {board.k} cells of it need a stone"
    reason = one_way if rule.minimum else f"no line of {board.k} fits on the board"
    return Answer(
        stones=rule.minimum,
        proof="rule",
        reason=reason,
        placements=rule.count,
        witness=lambda: thin_witness(board),
        everything=lambda: thin_placements(board, DRAWN),
    )


def _carried(board: "Board") -> Answer | None:
    """From the small board of its class modulo k, if all placements of that are lattice windows."""
    from boardspace.kernels.five_in_a_row.best_cells import best_cells
    from boardspace.kernels.five_in_a_row.board import Board
    from boardspace.kernels.five_in_a_row.lattice import lattice_placements, lattice_stones
    from boardspace.kernels.five_in_a_row.minimum import solve
    from boardspace.kernels.five_in_a_row.periodic import Computed, base_of, completeness_from

    rows, columns = board.shape
    base = base_of(board.k, (rows, columns))
    if board.k not in CARRIED_K or base == board.shape:
        return None
    cells = best_cells(board.k)
    small = solve(Board(base, board.k))
    optimal = small.minimum == lattice_stones(cells, *base)
    complete = optimal and small.count == len(lattice_placements(cells, *base))
    if completeness_from(board.k, (rows, columns), {base: Computed(optimal, complete)}) is None:
        return None
    windows = lattice_placements(cells, rows, columns)
    reason = (
        f"a search of {base[0]} x {base[1]} found lattice windows only; {board.k} rows or columns more cost a stone "
        "for each line they lengthen, and so the windows are all"
    )
    return Answer(
        stones=lattice_stones(cells, rows, columns),
        proof="carried",
        reason=reason,
        placements=len(windows),
        witness=lambda: windows[0],
        everything=lambda: windows,
    )


def _by_search(board: "Board") -> Answer:
    from boardspace.kernels.five_in_a_row.minimum import solve

    found = solve(board)
    reason = {
        "bound": "dual weights of the lines prove that fewer do not suffice; a search met every placement",
        "search": "searches with fewer stones found nothing; a search met every placement",
    }[found.proof]
    return Answer(
        stones=found.minimum,
        proof=found.proof,
        reason=reason,
        placements=found.count,
        witness=found.witness,
        everything=lambda: found.placements(DRAWN),
    )
