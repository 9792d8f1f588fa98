"""The proof of one board's minimum, as plain values that can be written down and checked by someone else.

A certificate holds X, the number of optimal placements, one of them as a witness, and the root bound: the weight of
every line by its first and last cell, and the strips' costs. Where the bound, rounded up, is X, the certificate is a
complete proof that no fewer stones suffice. Where it is less, the proof is the search; the certificate then says so
and gives the states it met. :mod:`.checker` verifies its charges with code of its own, :mod:`.recount` repeats its
search. So that it can drop the states that the search dropped, ``aimed`` holds the weights that it aimed at the states
after so many ``cells``, one after another: they charge no stone on the other cells more than the scale. (Certificates
of version 1 have none.)

Boards that no search went over have certificates by weights alone. On a thin board every k-th window of a column has
the weight of one stone. On a board carried from a small one (:mod:`.periodic`) the small board's weights stand in its
corner, and the k cells in a row that tile the rest have the weight of one stone each.

Cells are numbered in C order on the board with its sides in descending order (``shape``).
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from boardspace_kernels.five_in_a_row.board import Board, BoardError, Ints
from boardspace_kernels.five_in_a_row.bound import SCALE, Bound, line_weights
from boardspace_kernels.five_in_a_row.diagram import Diagram, paths_to_go, placements_by_rank
from boardspace_kernels.five_in_a_row.minimum import Solution, thin_witness
from boardspace_kernels.five_in_a_row.search import DEFAULT_MEMORY, Prepared, prepare

Stones = npt.NDArray[np.bool_]

VERSION = 2


def certificate(solution: Solution) -> Mapping[str, Any]:
    """The certificate of a solution, of JSON values only; ``count`` is a decimal string. Needs the solution's
    diagram."""
    empty = [sweep.stones for sweep in solution.sweeps[:-1]]
    witness, aimed = first_placement(solution.diagram), solution.sweeps[-1].aimed
    found = Searched(solution.minimum, str(solution.count), empty, solution.states, witness, aimed)
    return searched_certificate(bound_of(solution.prepared), found)


def bound_of(prepared: Prepared) -> Mapping[str, Any]:
    """The part of a certificate that says the root bound of a board."""
    board, bound = prepared.board, prepared.bound
    strips = zip(prepared.strips.starts, bound.costs.tolist(), strict=True) if prepared.strips else ()
    given = [{"start": start, "costs": costs} for start, costs in strips]
    return _by_weights(board, _weighted_lines(board, bound.weights), prepared.floor) | {"strips": given}


def prepared_by(bound: Mapping[str, Any], memory: int = DEFAULT_MEMORY) -> Prepared:
    """The board made ready again of which a certificate, or :func:`bound_of`, says the root bound.

    Raises:
        BoardError: the bound does not hold, or its strips are none of the board's.
        BoardTooLargeError: the strips would take more than half of ``memory`` bytes.
    """
    board, strips = Board(tuple(bound["shape"]), bound["k"]), bound["strips"]
    costs = np.array([strip["costs"] for strip in strips], dtype=np.int64) if strips else np.empty((0, 0), np.int64)
    return prepare(board, costs.shape[1] // board.shape[0], Bound(line_weights(board, bound["lines"]), costs), memory)


class Searched(NamedTuple):
    """Findings of the searches of a board.

    stones: the minimum.
    placements: how many have it, in decimal digits; None where they were not counted.
    empty_budgets: numbers of stones with which no placement was found, ascending.
    states: how many were met.
    witness: one placement, as :func:`first_placement` writes it.
    aimed: as in :class:`.search.Sweep`.
    """

    stones: int
    placements: str | None
    empty_budgets: list[int]
    states: int
    witness: str
    aimed: Sequence[tuple[int, Ints]] = ()


def searched_certificate(bound: Mapping[str, Any], found: Searched) -> Mapping[str, Any]:
    """The certificate of a board that searches with the root bound of :func:`bound_of` went over, whole or in parts."""
    board = Board(tuple(bound["shape"]), bound["k"])
    return {
        "version": VERSION,
        "shape": bound["shape"],
        "k": bound["k"],
        "minimum": found.stones,
        "count": found.placements,
        "proof": "bound" if -(-bound["floor"] // SCALE) == found.stones else "search",
        "empty_budgets": found.empty_budgets,
        "states": found.states,
        "witness": found.witness,
        "scale": bound["scale"],
        "floor": bound["floor"],
        "lines": bound["lines"],
        "strips": [{"start": strip["start"], "costs": strip["costs"]} for strip in bound["strips"]],  # in this order
        "aimed": [{"cells": t, "lines": _weighted_lines(board, weights)} for t, weights in found.aimed],
    }


def _by_weights(board: Board, lines: Sequence[Sequence[int]], floor: int) -> dict[str, Any]:
    """The bound by weights of lines alone."""
    return {"shape": list(board.shape), "k": board.k, "scale": SCALE, "floor": floor, "lines": lines, "strips": []}


def _weighted_lines(board: Board, weights: Ints) -> Sequence[Sequence[int]]:
    """First cell, last cell and weight of the lines that have one."""
    weighted = np.flatnonzero(weights)
    found: list[list[int]] = np.column_stack([board.lines[weighted][:, [0, -1]], weights[weighted]]).tolist()
    return found


def thin_certificate(board: Board) -> Mapping[str, Any]:
    """The certificate of a thin board's rule: its columns' windows at distance k. No count."""
    swept = board.swept[0]
    rows, columns = swept.shape
    starts = range(0, rows - swept.k + 1, swept.k)
    lines = [[y * columns + x, (y + swept.k - 1) * columns + x, SCALE] for y in starts for x in range(columns)]
    return _uncounted(_by_weights(swept, lines, len(lines) * SCALE), thin_witness(swept))


def carried_certificate(
    base: Mapping[str, Any], board: Board, small: tuple[int, int], witness: Stones
) -> Mapping[str, Any]:
    """The certificate of a board N >= M that is carried from a smaller one of sides ``small``, whose certificate is
    ``base``: its weights in the corner, and pieces of k cells around it. No count.

    ``witness`` is (N, M). The certificate proves the minimum where ``base`` does by weights alone.

    Raises:
        BoardError: the certificate is of another board, or its bound is by strips or below its minimum.
    """
    (rows, columns), k = board.shape, board.k
    if tuple(base["shape"]) != tuple(sorted(small, reverse=True)) or base["k"] != k:
        raise BoardError(f"{board} is not carried from the certificate of {base['shape']}, k = {base['k']}")
    if base["proof"] != "bound" or base["strips"]:
        raise BoardError(f"the certificate of {base['shape']}, k = {k}, does not prove its minimum by weights of lines")
    turned = small[0] < small[1]
    lines = []
    for first, last, weight in base["lines"]:
        places = [divmod(cell, base["shape"][1]) for cell in (first, last)]
        # Turned over, an antidiagonal begins at what was its last cell: hence sorted.
        cells = sorted((x * columns + y) if turned else (y * columns + x) for y, x in places)
        lines.append([*cells, weight])
    for y in range(small[0]):
        for x in range(small[1], columns, k):
            lines.append([y * columns + x, y * columns + x + k - 1, SCALE])
    for y in range(small[0], rows, k):
        for x in range(columns):
            lines.append([y * columns + x, (y + k - 1) * columns + x, SCALE])
    return _uncounted(_by_weights(board, lines, sum(weight for _, _, weight in lines)), witness)


def _uncounted(bound: Mapping[str, Any], witness: Stones) -> Mapping[str, Any]:
    return searched_certificate(bound, Searched(int(witness.sum()), None, [], 0, _marks(witness.ravel())))


def first_placement(diagram: Diagram) -> str:
    """The first placement of a diagram: '#' for a stone, '.' for a free cell, in the cells' order."""
    return _marks(placements_by_rank(diagram, paths_to_go(diagram), np.zeros(1, dtype=np.uint64))[0])


def _marks(stones: npt.NDArray[Any]) -> str:
    return "".join(".#"[stone] for stone in stones.astype(int).tolist())
