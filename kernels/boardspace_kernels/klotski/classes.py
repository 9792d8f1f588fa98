"""The 203 classes: what moves never change, and all layouts of one.

A class is named jiang-bing-style: the number of dominoes, of singles, and of dominoes that lie. (The public definition
calls style the number of "2 x 1", which in its table of codes is the standing domino; but it also states that class
7-0-0 does not exist. Seven lying dominoes fit beside the block and seven standing ones do not, since every column has
an odd number of cells. So style counts the lying ones.)

All layouts of a class are found in the order of their codes, each with its address: a depth-first walk of the automaton
of the class takes the items in ascending order, so that the codes come out sorted. Beside it walks the automaton of the
patterns, which reads an empty cell and a single alike as a free cell: its rank, summed on the way, is the number of the
pattern, and the free cells met on the way spell the filling. The automaton leads only to states from which a word is
left, so no walk is in vain. Cost: some 2 nodes a layout.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from boardspace_kernels.bits import popcount
from boardspace_kernels.jit import kernel
from boardspace_kernels.klotski.board import (
    BLOCK,
    BLOCK_SHIFT,
    CELLS,
    EMPTIES_WANTED,
    EMPTY,
    FOOTPRINT,
    ITEM_BITS,
    SINGLE,
)
from boardspace_kernels.klotski.groups import Groups, join_distributions, label_layouts, number_distributions
from boardspace_kernels.klotski.patterns import Fillings, Patterns, fillings, patterns
from boardspace_kernels.klotski.scan import ITEMS, Scan, class_scan


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


_FREE_CELLS = CELLS - int(FOOTPRINT[BLOCK, 0]).bit_count()
_LOW_BITS = np.uint64(0x55555555)
MOST_DOMINOES = (_FREE_CELLS - EMPTIES_WANTED) // 2


class ClassName(NamedTuple):
    """A class by its three numbers."""

    jiang: int
    bing: int
    style: int

    @property
    def free(self) -> int:
        """Number of cells that neither the block nor a domino covers."""
        return _FREE_CELLS - 2 * self.jiang

    def __str__(self) -> str:
        return f"{self.jiang}-{self.bing}-{self.style}"


class ClassTables(NamedTuple):
    """Tables that the kernels need to work inside a class."""

    scan: Scan
    patterns: Patterns
    fillings: Fillings


class ClassLayouts(NamedTuple):
    """All layouts of a class in order of codes: ``codes`` uint64 (layouts), ``addresses`` uint32 (layouts)."""

    tables: ClassTables
    codes: npt.NDArray[np.uint64]
    addresses: npt.NDArray[np.uint32]
    groups: Groups

    def name_order(self) -> npt.NDArray[np.int64]:
        """The layouts, as numbers in order of codes, sorted by (group_num, group_index): int64 (layouts)."""
        return np.argsort(self.groups.group_num, kind="stable")


def class_names() -> list[ClassName]:
    """All classes, in order of their numbers; of these 7-0-0 has no layout."""
    return [
        ClassName(jiang, bing, style)
        for jiang in range(MOST_DOMINOES + 1)
        for bing in range(_FREE_CELLS - 2 * jiang - EMPTIES_WANTED + 1)
        for style in range(jiang + 1)
    ]


def class_tables(name: ClassName) -> ClassTables:
    """The tables of a class; ValueError where its numbers name none."""
    if not (0 <= name.style <= name.jiang and 0 <= name.bing <= name.free):
        raise ValueError(
            f"{name} is no class: style goes from 0 to jiang, and {_FREE_CELLS} cells are left for two cells of each "
            "jiang and one of each bing"
        )
    lying, standing = name.style, name.jiang - name.style
    return ClassTables(
        class_scan(lying, standing, name.bing), patterns(lying, standing), fillings(name.free, name.bing)
    )


def enumerate_layouts(name: ClassName) -> ClassLayouts:
    """All layouts of a class with their groups."""
    tables = class_tables(name)
    codes, addresses = enumerate_class(tables.scan, tables.patterns.scan, tables.fillings)
    distributions = number_distributions(tables.patterns)
    roots = join_distributions(tables.patterns, distributions, name.bing)
    return ClassLayouts(tables, codes, addresses, label_layouts(distributions, roots, tables.fillings, addresses))


@kernel
def class_numbers(
    codes: npt.NDArray[np.uint64],
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8], npt.NDArray[np.uint8]]:
    """jiang, bing and style of the layouts with these codes, uint8 (n) each: their items are counted by kind."""
    jiang = np.empty(len(codes), dtype=np.uint8)
    bing = np.empty(len(codes), dtype=np.uint8)
    style = np.empty(len(codes), dtype=np.uint8)
    for i in range(len(codes)):
        low = codes[i] & _LOW_BITS
        high = (codes[i] >> np.uint64(1)) & _LOW_BITS
        bing[i] = popcount(low & high)
        style[i] = popcount(low & ~high)
        jiang[i] = popcount(low ^ high)
    return jiang, bing, style
