"""Random walks on a graph: how many moves one takes, on an average, until it is first at a goal.

From a position each of its moves is as likely. The expected moves x satisfy x = 0 at goals and x_i = 1 + the mean of x
over the neighbours of i elsewhere. Times the number of neighbours d_i, where moves can be taken back, these are
symmetric equations with a positive definite matrix, L x = d; conjugate gradients solve them, preconditioned by d.

**Error.** Let r be the residual, r_i = 1 - x_i + mean of the neighbours, and e its greatest absolute value. The error
satisfies the same equations with r instead of 1; their solution grows with the right side, so the error of x_i is at
most e times the true value. The residual is computed from the result, not carried on by the iteration.

All sums are taken in one order, no product is fused with a sum: every machine finds the same bits.
"""

import numpy as np
from numpy.typing import NDArray

from boardspace_kernels.jit import inlined, kernel


@kernel("float64(int64[::1], uint32[::1], boolean[::1], float64, int64, float64[::1])")
def expected_moves(
    rows: NDArray[np.int64],
    ends: NDArray[np.uint32],
    goals: NDArray[np.bool_],
    enough: float,
    most: int,
    found: NDArray[np.float64],
) -> float:
    """Write the expected moves of each position to ``found``, float64 (positions); return a bound of their relative
    error.

    rows, ends: the graph in compressed sparse rows, with a goal that all positions lead to.
    enough, most: end at a bound as small as this, or after so many rounds.
    """
    positions = len(goals)
    residual, along, image = np.empty(positions), np.empty(positions), np.empty(positions)
    product = 0.0
    for i in range(positions):
        degree = 0.0 if goals[i] else np.float64(rows[i + 1] - rows[i])
        # From x = 0 the residual of L x = d is d itself, and divided by d it is 1.
        found[i], residual[i] = 0.0, degree
        along[i] = 1.0 if degree else 0.0
        product += degree
    for _ in range(most):
        length, greatest = 0.0, 0.0
        for i in range(positions):
            if goals[i]:
                continue
            # Goals have 0 in `along` for good, so they need no test here.
            image[i] = np.float64(rows[i + 1] - rows[i]) * along[i] - _sum_beside(rows, ends, along, i)
            length += along[i] * image[i]
        # L is positive definite, so with exact sums this is above 0 as long as anything is left to do.
        if length <= 0.0:
            break
        step, after = product / length, 0.0
        for i in range(positions):
            if goals[i]:
                continue
            degree = np.float64(rows[i + 1] - rows[i])
            found[i] += step * along[i]
            residual[i] -= step * image[i]
            greatest = max(greatest, abs(residual[i]) / degree)
            after += residual[i] * residual[i] / degree
        # The residual that is carried on drifts from the true one. Half the bound leaves something for that.
        if greatest <= enough / 2:
            break
        ratio, product = after / product, after
        for i in range(positions):
            if not goals[i]:
                along[i] = residual[i] / np.float64(rows[i + 1] - rows[i]) + ratio * along[i]
    greatest = 0.0
    for i in range(positions):
        if not goals[i]:
            mean = _sum_beside(rows, ends, found, i) / np.float64(rows[i + 1] - rows[i])
            greatest = max(greatest, abs(1.0 - found[i] + mean))
    return greatest


@inlined
def _sum_beside(rows: NDArray[np.int64], ends: NDArray[np.uint32], values: NDArray[np.float64], i: int) -> float:
    """The sum of the values of a position's neighbours."""
    total = 0.0
    for edge in range(rows[i], rows[i + 1]):
        total += values[ends[edge]]
    return total
