"""All layouts of a class in the order of their codes, each with its address.

A depth-first walk of the automaton of the class takes the items in ascending order, so that the codes come out sorted.
Beside it walks the automaton of the patterns, which reads an empty cell and a single alike as a free cell: its rank,
summed on the way, is the number of the pattern, and the free cells met on the way spell the filling. The automaton
leads only to states from which a word is left, so no walk is in vain. Cost: some 2 nodes a layout.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from boardspace_kernels.jit import kernel
from boardspace_kernels.klotski.board import CELLS, SINGLE
from boardspace_kernels.klotski.codes import BLOCK_SHIFT, EMPTY, ITEM_BITS
from boardspace_kernels.klotski.patterns import Fillings
from boardspace_kernels.klotski.scan import ITEMS, Scan


class Stack(NamedTuple):
    """The walk at each depth, the number of items read; all arrays are int64 (items + 1).

    state: of the class's automaton.
    pattern_state: of the patterns' automaton.
    pattern: rank of the pattern as far as it is read.
    filling: the free cells met that hold a single, as a set of bits.
    free: how many free cells were met.
    word: the block's place and the items, ITEM_BITS each.
    next_item: the item to be tried next.
    """

    state: npt.NDArray[np.int64]
    pattern_state: npt.NDArray[np.int64]
    pattern: npt.NDArray[np.int64]
    filling: npt.NDArray[np.int64]
    free: npt.NDArray[np.int64]
    word: npt.NDArray[np.int64]
    next_item: npt.NDArray[np.int64]


@kernel
def _stack(depths: int) -> Stack:
    """A stack of zeros."""
    return Stack(
        np.zeros(depths, dtype=np.int64),
        np.zeros(depths, dtype=np.int64),
        np.zeros(depths, dtype=np.int64),
        np.zeros(depths, dtype=np.int64),
        np.zeros(depths, dtype=np.int64),
        np.zeros(depths, dtype=np.int64),
        np.zeros(depths, dtype=np.int64),
    )


@kernel
def enumerate_class(
    scan: Scan, pattern_scan: Scan, fillings: Fillings
) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint32]]:
    """Codes uint64 (layouts), ascending, of all words of a class's ``scan``, and their addresses uint32 (layouts)."""
    codes = np.empty(scan.blocks[CELLS], dtype=np.uint64)
    addresses = np.empty(scan.blocks[CELLS], dtype=np.uint32)
    dead = np.int64(len(scan.after) // ITEMS) - 1
    state, pattern_state, pattern, filling, free, word, next_item = _stack(scan.items + 1)
    padding = BLOCK_SHIFT - ITEM_BITS * scan.items
    found = 0
    for block in range(CELLS):
        state[0], pattern_state[0] = scan.start[block], pattern_scan.start[block]
        pattern[0], word[0], next_item[0] = pattern_scan.blocks[block], block, EMPTY
        depth = 0 if state[0] != dead else -1
        while depth >= 0:
            item = next_item[depth]
            if item == ITEMS:
                depth -= 1
                continue
            next_item[depth] += 1
            left = np.int64(scan.after[ITEMS * state[depth] + item])
            if left == dead:
                continue
            is_free = item in (EMPTY, SINGLE)
            step = ITEMS * pattern_state[depth] + (EMPTY if is_free else item)
            below = depth + 1
            filling[below] = filling[depth] | (np.int64(item == SINGLE) << free[depth])
            word[below] = (word[depth] << ITEM_BITS) | item
            pattern[below] = pattern[depth] + pattern_scan.before[step]
            if below == scan.items:
                codes[found] = word[below] << padding
                addresses[found] = pattern[below] * len(fillings.cells) + fillings.number[filling[below]]
                found += 1
                continue
            state[below], pattern_state[below] = left, pattern_scan.after[step]
            free[below], next_item[below] = free[depth] + np.int64(is_free), EMPTY
            depth = below
    return codes, addresses
