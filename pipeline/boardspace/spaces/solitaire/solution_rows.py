"""Listed solutions as rows, which two parts publish."""

from collections.abc import Mapping
from typing import Any

from boardspace_kernels.solitaire.solutions import Solutions


def solution_rows(name: Mapping[str, Any], solutions: Solutions) -> list[dict[str, Any]]:
    """A row for each solution up to order and symmetries, beginning with ``name``."""
    return [
        {
            **name,
            "number": solution.number,
            "moves": ", ".join(solutions.play.format(move) for move in solution.moves),
            "length": len(solution.moves),
            "orders": solution.orders,
            "images": solution.images,
            "sweeps": solution.sweeps,
        }
        for solution in solutions.essential
    ]
