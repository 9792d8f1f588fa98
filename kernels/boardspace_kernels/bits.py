"""Bit operations on 64-bit words, shared by every space.

They are written as arithmetic so that they also run uncompiled; LLVM recognises each idiom and emits the single
instruction (``popcnt``, ``tzcnt``).
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardspace_kernels.jit import interpreted, kernel, shared

_EVERY_2 = np.uint64(0x5555555555555555)
_EVERY_4 = np.uint64(0x3333333333333333)
_EVERY_8 = np.uint64(0x0F0F0F0F0F0F0F0F)
_BYTES = np.uint64(0x0101010101010101)
_ONE = np.uint64(1)


@kernel
def popcount(word: np.uint64) -> np.uint64:
    """Number of set bits of a uint64."""
    # Counts of pairs of bits, then of fours, then of bytes, each beside the others in the word.
    word = word - ((word >> np.uint64(1)) & _EVERY_2)
    word = (word & _EVERY_4) + ((word >> np.uint64(2)) & _EVERY_4)
    word = (word + (word >> np.uint64(4))) & _EVERY_8
    # The product adds all bytes up in the highest one.
    return (word * _BYTES) >> np.uint64(56)


@kernel
def lowest_bit(word: np.uint64) -> np.uint64:
    """Index of the lowest set bit of a uint64; 64 where none is set."""
    # The lowest bit less one is all bits below it; without a bit, 0 less one is all 64.
    return popcount((word & (~word + _ONE)) - _ONE)


@shared
def mix(word: np.uint64) -> np.uint64:
    """A bijective hash of a uint64 (the finaliser of splitmix64, Steele, Lea and Flood 2014)."""
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))


def mixed(words: Any) -> NDArray[np.uint64]:
    """Each word of an array, uint64, hashed so: the kernel's own lines, which NumPy runs as well."""
    with interpreted(small=True):
        return np.asarray(mix(words))
