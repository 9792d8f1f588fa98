"""The proof of one board's minimum, as plain values that can be written down and checked by someone else.

A certificate holds X, the number of optimal placements, one of them as a witness, and the root bound: the weight of
every line by its first and last cell, and the strips' costs. Where the bound, rounded up, is X, the certificate is a
complete proof that no fewer stones suffice. Where it is less, the proof is the search; the certificate then says so
and gives the states it met. :mod:`boardspace.kernels.five_in_a_row.checker` verifies it with code of its own.

Cells are numbered in C order on the board with its sides in descending order (``shape``).
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from boardspace.kernels.five_in_a_row.bound import SCALE
from boardspace.kernels.five_in_a_row.diagram import paths_to_go, placements_by_rank
from boardspace.kernels.five_in_a_row.minimum import Solution


def certificate(solution: Solution) -> Mapping[str, Any]:
    """The certificate of a solution, of JSON values only; ``count`` is a decimal string. Needs the solution's
    diagram."""
    prepared = solution.prepared
    board, bound = prepared.board, prepared.bound
    weighted = np.flatnonzero(bound.weights)
    ends = board.lines[weighted][:, [0, -1]]
    lines = np.column_stack([ends, bound.weights[weighted]])
    strips = zip(prepared.strips.starts, bound.costs.tolist(), strict=True) if prepared.strips else ()
    return {
        "shape": list(board.shape),
        "k": board.k,
        "minimum": solution.minimum,
        "count": str(solution.count),
        "proof": solution.proof,
        "empty_budgets": [sweep.stones for sweep in solution.sweeps[:-1]],
        "states": solution.states,
        "witness": _witness(solution),
        "scale": SCALE,
        "floor": prepared.floor,
        "lines": lines.tolist(),
        "strips": [{"start": start, "costs": costs} for start, costs in strips],
    }


def _witness(solution: Solution) -> str:
    """The first optimal placement of the swept board: '#' for a stone, '.' for a free cell, in the cells' order."""
    diagram = solution.diagram
    first = placements_by_rank(diagram, paths_to_go(diagram), np.zeros(1, dtype=np.uint64))[0]
    return "".join(".#"[stone] for stone in first)
