"""The rule of a puzzle: the states one move away from a state.

A rule is a kernel ``rule(size, state, out)``: it writes the neighbours of ``state`` to the beginning of ``out`` and
returns their number. ``size`` holds the numbers that one rule may depend on, such as the sides of a board, int64 in the
order in which the puzzle writes them. It is given its signature, so that one pointer stands for it::

    @kernel(RULE)
    def flips(size, state, out):
        for place in range(size[0]):
            out[place] = state ^ (np.uint64(1) << np.uint64(place))
        return size[0]
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Rule = Callable[[NDArray[np.int64], Any, NDArray[np.uint64]], int]
RULE = "int64(int64[::1], uint64, uint64[::1])"
POINTER = f"FunctionType({RULE})"
"""How the signatures of kernels that take a rule name its type."""
SPARE = 64
"""Numbers that a faulty rule may write beyond those it should: they are refused, and do no harm."""
Goal = Callable[[NDArray[np.int64], Any], bool]
GOAL = "boolean(int64[::1], uint64)"
"""The signature of a kernel ``goal(size, state)`` that says which states are goals."""
GOAL_POINTER = f"FunctionType({GOAL})"
