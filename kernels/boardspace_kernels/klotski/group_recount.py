"""Groups counted anew from the rows of all layouts, for checks: it shares nothing with the walks that found them.

Layouts come in order of their codes. So the number of a layout in its group is how many of the group came before it,
the first of a group is its seed, and the first with the most steps is its hardest layout.

Cost: a look at each layout, and at what is known of its group.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardspace_kernels.jit import kernel

BLOCK_AT = np.uint64(32)
"""Bits of a code below those that say where the block is."""


class Recount(NamedTuple):
    """Counts of g groups, from the layouts seen so far.

    size: int64 (g), layouts.
    exits: int64 (g), layouts whose block is at the exit.
    seed: uint64 (g), smallest code.
    hardest_step: int64 (g), most steps to the exit.
    hardest_code: uint64 (g), smallest code of the layouts with so many.
    """

    size: NDArray[np.int64]
    exits: NDArray[np.int64]
    seed: NDArray[np.uint64]
    hardest_step: NDArray[np.int64]
    hardest_code: NDArray[np.uint64]


@kernel
def count_layouts(recount: Recount, exit_cell: Any, codes: Any, group: Any, index: Any, steps: Any) -> int:
    """Count layouts, in order of their codes.

    Args:
        recount: changed in place.
        exit_cell: uint64, where the block is at the exit.
        codes: uint64 (n).
        group: int64 (n), numbers of groups.
        index: integer (n), what the table says of their numbers in their groups.
        steps: integer (n), steps to the exit.

    Returns:
        The place of the first layout whose number in its group is another, where counting ends; -1 if there is none.
    """
    for row in range(len(codes)):
        number, code = group[row], codes[row]
        if index[row] != recount.size[number]:
            return row
        if recount.size[number] == 0:
            recount.seed[number] = code
        recount.size[number] += 1
        if code >> BLOCK_AT == exit_cell:
            recount.exits[number] += 1
        if steps[row] > recount.hardest_step[number]:
            recount.hardest_step[number] = steps[row]
            recount.hardest_code[number] = code
    return -1
