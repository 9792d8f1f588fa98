"""Best cells again, their operations, and the fewest stones of their windows."""

import numpy as np

from boardspace.spaces.five_in_a_row import rules
from boardspace.spaces.five_in_a_row.config import FiveInARowConfig
from boardspace.spaces.five_in_a_row.proved import Row
from boardspace.spec.equations import ReadColumns


def make_cells(config: FiveInARowConfig, name: str, read: ReadColumns) -> dict[str, list[Row]]:
    """All best cells of the orders of the config, and the fewest stones in every corner of them."""
    orders = sorted(set(config.cells))
    cells = [row for n in orders for row in _cells(n)]
    return {"cells": cells, "windows": [row for n in orders for row in _windows(n)]}


def _cells(n: int) -> list[Row]:
    cells = rules.best_cells(n)
    number = {cell: place for place, cell in enumerate(cells, 1)}
    return [
        {
            "n": n,
            "cell": number[cell],
            "columns": list(cell),
            "linear": all((cell[y] - cell[y - 1] - cell[0] + cell[-1]) % n == 0 for y in range(n)),
            "h_1": number[tuple((x + 1) % n for x in cell)],
            "s_1": number[cell[::-1]],
        }
        for cell in cells
    ]


def _windows(n: int) -> list[Row]:
    """Stones of corners, summed over the rows and columns of all cells laid out."""
    cells = rules.best_cells(n)
    if not cells:
        return []
    stones = (np.array(cells)[:, :, None] == np.arange(n)).cumsum(axis=1).cumsum(axis=2)
    fewest = np.zeros((n, n), int)
    fewest[1:, 1:] = stones.min(axis=0)[: n - 1, : n - 1]
    return [
        {"n": n, "i": i, "j": j, "stones": int(fewest[i, j]), "formula": i * j // n} for i in range(n) for j in range(n)
    ]
