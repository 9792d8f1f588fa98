"""Sums of rows: each row becomes one number, and the numbers of all rows are added up.

A row is a word of 64 bits in each column. Its number is the bijective hash (:func:`.bits.mix`) of a salt plus the sum
over all columns of a word times the column's odd multiplier, modulo 2^64. A lane has a salt and multipliers of its own.

Cost: one multiplication for each lane and value, and two for each lane and row; processors without multiplications of
several words at a time do one a cycle. Columns are gone through one after the other, so that what a block of rows needs
stays in the nearest cache.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardspace_kernels.bits import mix
from boardspace_kernels.jit import kernel

Words = NDArray[np.uint64]


@kernel
def add_rows(words: Words, rows: Any, salts: Words, multipliers: Words, workspace: Words, sums: Words) -> None:
    """Add the numbers of a block of rows to ``sums``, lane by lane, modulo 2^64.

    Args:
        words: uint64 (columns, rows or more), of which the first ``rows`` of every column count.
        rows: how many rows there are.
        salts: uint64 (lanes).
        multipliers: uint64 (lanes, columns), odd.
        workspace: uint64 (rows or more), overwritten.
        sums: uint64 (lanes), changed in place.
    """
    for lane in range(len(salts)):
        for row in range(rows):
            workspace[row] = salts[lane]
        for column in range(words.shape[0]):
            multiplier = multipliers[lane, column]
            for row in range(rows):
                workspace[row] += words[column, row] * multiplier
        total = np.uint64(0)
        for row in range(rows):
            total += mix(workspace[row])
        sums[lane] += total
