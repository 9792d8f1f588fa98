"""Figures of classes of Rush Hour, and those of several added up."""

import numpy as np
from numpy.typing import NDArray

CLASSES, BOARDS, GROUPS, SOLVABLE_GROUPS, SOLVABLE, STEPS, STEP_STARTS, UNITS, UNIT_STARTS = range(9)
"""Figures of a set of pieces, or of a label."""
FIGURES = 9


def added(rows: NDArray[np.int64], keys: int) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Rows with the same first numbers, so many keys, added up, in the order of these; the rows in this order, and the
    first of each sum."""
    rows = rows[np.lexsort(rows[:, :keys].T[::-1])]
    first = np.flatnonzero(np.append(True, (rows[1:, :keys] != rows[:-1, :keys]).any(1))[: len(rows)])
    sums = np.add.reduceat(rows, first) if len(rows) else rows.copy()
    sums[:, :keys] = rows[first, :keys]
    return sums, rows, first


def merged(rows: NDArray[np.int64], keys: int) -> NDArray[np.int64]:
    """Figures of sets of pieces, or of labels, added up: the most moves, the starts that take so many, and where the
    rows have codes, the least of these starts."""
    sums, rows, first = added(rows, keys)
    if not len(rows):
        return sums
    of = np.repeat(np.arange(len(first)), np.diff(first, append=len(rows)))
    for number, metric in enumerate((keys + STEPS, keys + UNITS)):
        sums[:, metric] = np.maximum.reduceat(rows[:, metric], first)
        # Starts and codes count only where no row of the sum takes more moves.
        most = rows[:, metric] == sums[of, metric]
        sums[:, metric + 1] = np.add.reduceat(np.where(most, rows[:, metric + 1], 0), first)
        code = keys + FIGURES + number
        if code < rows.shape[1]:
            sums[:, code] = np.minimum.reduceat(np.where(most, rows[:, code], np.iinfo(np.int64).max), first)
    return sums
