"""The 203 classes: what moves never change, and all layouts of one.

A class is named jiang-bing-style: the number of dominoes, of singles, and of dominoes that lie. (The public definition
calls style the number of "2 x 1", which in its table of codes is the standing domino; but it also states that class
7-0-0 does not exist. Seven lying dominoes fit beside the block and seven standing ones do not, since every column has
an odd number of cells. So style counts the lying ones.)
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from boardspace_kernels.bits import popcount
from boardspace_kernels.jit import kernel
from boardspace_kernels.klotski.board import BLOCK, CELLS, EMPTIES_WANTED, FOOTPRINT
from boardspace_kernels.klotski.enumeration import enumerate_class
from boardspace_kernels.klotski.groups import Groups, join_distributions, label_layouts, number_distributions
from boardspace_kernels.klotski.patterns import Fillings, Patterns, fillings, patterns
from boardspace_kernels.klotski.scan import Scan, class_scan

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
