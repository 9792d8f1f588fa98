"""The 203 classes: what moves never change, and all layouts of one.

A class is named jiang-bing-style: the number of dominoes, of singles, and of dominoes that lie. (The public definition
calls style the number of "2 x 1", which in its table of codes is the standing domino; but it also states that class
7-0-0 does not exist. Seven lying dominoes fit beside the block and seven standing ones do not, since every column has
an odd number of cells. So style counts the lying ones.)

All layouts of a class are made pattern by pattern, with every filling of each, so in order of their addresses; the rank
of its code among those of the class tells where a layout stands in their order. Cost: 25 ns a layout.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from boardspace_kernels.bits import lowest_bit
from boardspace_kernels.jit import kernel
from boardspace_kernels.klotski.board import (
    BLOCK,
    BLOCK_SHIFT,
    CELLS,
    EMPTIES_WANTED,
    EXIT,
    FOOTPRINT,
    ITEM_BITS,
    SINGLE,
    encode_layout,
)
from boardspace_kernels.klotski.groups import Groups, join_distributions, label_layouts, number_distributions
from boardspace_kernels.klotski.patterns import Fillings, Patterns, fillings, patterns
from boardspace_kernels.klotski.scan import Scan, class_scan, rank_code


@kernel
def enumerate_class(
    scan: Scan, patterns: Patterns, fillings: Fillings
) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint32]]:
    """Codes uint64 (layouts), ascending, of all words of a class's ``scan``, and their addresses uint32 (layouts)."""
    size = len(fillings.cells)
    codes = np.empty(scan.blocks[CELLS], dtype=np.uint64)
    addresses = np.empty(scan.blocks[CELLS], dtype=np.uint32)
    single = np.empty(CELLS, dtype=np.uint64)
    for pattern in range(len(patterns.free)):
        lying, standing = np.int64(patterns.lying[pattern]), np.int64(patterns.standing[pattern])
        without = encode_layout(np.int64(patterns.block[pattern]), lying, standing, 0)
        free = 0
        # Without singles each free cell has the item 00 and no domino has. Items behind scan.items are padding.
        for item in range(1, scan.items + 1):
            # An empty cell and a single take an item each, so a single on a free cell changes two bits of the code.
            bits = np.uint64(SINGLE) << np.uint64(BLOCK_SHIFT - ITEM_BITS * item)
            if not without & bits:
                single[free] = bits
                free += 1
        for filling in range(size):
            code, cells = without, np.uint64(fillings.cells[filling])
            while cells:
                code |= single[lowest_bit(cells)]
                cells &= cells - np.uint64(1)
            # Ranks have no gaps, so each layout has its own place and nothing is left to sort.
            place = rank_code(scan, code)
            codes[place], addresses[place] = code, pattern * size + filling
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

    @property
    def at_exit(self) -> npt.NDArray[np.bool_]:
        """True for layouts with the block at the exit, bool (layouts), in order of codes."""
        return self.codes >> np.uint64(BLOCK_SHIFT) == EXIT

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
    codes, addresses = enumerate_class(*tables)
    distributions = number_distributions(tables.patterns)
    roots = join_distributions(tables.patterns, distributions, name.bing)
    return ClassLayouts(tables, codes, addresses, label_layouts(distributions, roots, tables.fillings, addresses))


def class_numbers(
    codes: npt.NDArray[np.uint64],
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8], npt.NDArray[np.uint8]]:
    """jiang, bing and style of the layouts with these codes, uint8 (n) each: their items are counted by kind."""
    # The mask takes one bit of each item and none of the block: 01 is lying, 10 standing, 11 a single.
    low, high = codes & _LOW_BITS, codes >> np.uint64(1) & _LOW_BITS
    return np.bitwise_count(low ^ high), np.bitwise_count(low & high), np.bitwise_count(low & ~high)
