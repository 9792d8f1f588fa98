"""Statements about every layout, looked at layout by layout and step by step over a whole class.

*Codes.* The layouts of a class have addresses (see :mod:`.patterns`) and codes. Each address is taken to its block, its
masks of dominoes and singles; these are written as a code, the code is read again and looked through for faults. If all
that agrees, and every address occurs once, codes and layouts are one to one.

*Names.* Each pair of group_num and group_index is put at its place among all places of the class, which it may only
take once.

*Steps.* In the graph of a class rows ascend. Go through the layouts u in ascending order, and through the later
neighbours v of each. If steps can be taken back, the earlier neighbours that v has are met in the order in which they
stand in its row; so a pointer into each row, which moves on by one each time, stands on u exactly if the step from u to
v is met by one from v to u. That takes one look for each pair of steps and no search.

*Groups.* Steps have to join everything in a group to its smallest layout, and nothing else; they can be taken back, as
was seen, so what is joined can be reached.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from boardspace_kernels.bits import popcount
from boardspace_kernels.jit import kernel
from boardspace_kernels.klotski.board import (
    BLOCK_ITEMS,
    CELLS,
    DIGITS,
    decode_code,
    encode_layout,
    is_code,
)
from boardspace_kernels.klotski.classes import ClassLayouts, ClassName, class_numbers
from boardspace_kernels.klotski.group_graphs import GroupGraphs
from boardspace_kernels.klotski.groups import root
from boardspace_kernels.klotski.patterns import Fillings, Patterns, layout_at
from boardspace_kernels.klotski.step_graph import Graph


class Survey(NamedTuple):
    """Numbers of layouts of a class that fulfil what is stated of all, and of steps.

    coded: layouts with one code, which is without fault and leads back to them.
    counted: layouts whose items, counted by kind, are those of the class.
    named: names that occur.
    reached: layouts that steps join to the first of their group.
    steps: steps, each way counted.
    returned: steps that can be taken back.
    leaving: steps that leave a group.
    items: items of the longest code.
    digits: (0 .. 9) layouts by the number of digits that are left without the zeros at the end.
    blocks: (cells) layouts by the block's place.
    """

    coded: int
    counted: int
    named: int
    reached: int
    steps: int
    returned: int
    leaving: int
    items: int
    digits: list[int]
    blocks: list[int]


def survey(name: ClassName, layouts: ClassLayouts, graphs: GroupGraphs) -> Survey:
    """Look at all layouts and steps of a class."""
    groups, tables = layouts.groups, layouts.tables
    coded, items, digits, blocks = _survey_codes(tables.patterns, tables.fillings, layouts.codes, layouts.addresses)
    inside = groups.group_num < len(groups.sizes)
    # A name outside its group would be counted in another one's places.
    inside[inside] = groups.group_index[inside] < groups.sizes[groups.group_num[inside]]
    named = np.zeros(groups.sizes.sum(), dtype=np.bool_)
    starts = np.cumsum(groups.sizes) - groups.sizes
    named[starts[groups.group_num[inside]] + groups.group_index[inside]] = True
    reached, leaving = _follow_steps(graphs.graph, graphs.starts)
    counted = [numbers == number for numbers, number in zip(class_numbers(layouts.codes), name, strict=True)]
    return Survey(
        coded=int(coded),
        counted=int(np.count_nonzero(np.logical_and.reduce(counted))),
        named=int(np.count_nonzero(named)),
        reached=int(reached),
        steps=len(graphs.graph.indices),
        returned=int(count_returned(graphs.graph)),
        leaving=int(leaving),
        items=int(items),
        digits=digits.tolist(),
        blocks=blocks.tolist(),
    )


@kernel
def _survey_codes(
    patterns: Patterns, fillings: Fillings, codes: npt.NDArray[np.uint64], addresses: npt.NDArray[np.uint32]
) -> tuple[int, int, npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """``coded``, ``items``, ``digits`` and ``blocks`` of a :class:`Survey`."""
    coded = longest = 0
    digits = np.zeros(DIGITS + 1, dtype=np.int64)
    blocks = np.zeros(CELLS, dtype=np.int64)
    met = np.zeros(len(addresses), dtype=np.bool_)
    for i in range(len(codes)):
        address = np.int64(addresses[i])
        pattern, singles = layout_at(patterns, fillings, address)
        block, lying = np.int64(patterns.block[pattern]), np.int64(patterns.lying[pattern])
        standing = np.int64(patterns.standing[pattern])
        written = encode_layout(block, lying, standing, singles)
        read = decode_code(codes[i])
        same = read[0] == block and read[1] == lying and read[2] == standing and read[3] == singles
        coded += same and written == codes[i] and is_code(codes[i]) and not met[address]
        met[address] = True
        blocks[block] += 1
        dominoes = np.int64(popcount(np.uint64(lying | standing)))
        longest = max(longest, CELLS - BLOCK_ITEMS - dominoes)
        left = DIGITS
        # The lowest digit is the last of the text.
        while left and not (codes[i] >> np.uint64(4 * (DIGITS - left))) & np.uint64(15):
            left -= 1
        digits[left] += 1
    return coded, longest, digits, blocks


@kernel
def count_returned(graph: Graph) -> int:
    """Number of steps of a graph with ascending rows that meet their counterpart; all of them exactly if every step can
    be taken back and none occurs twice."""
    pointer = graph.indptr[:-1].copy()
    returned = 0
    for vertex in range(len(pointer)):
        first, i = graph.indptr[vertex], graph.indptr[vertex + 1]
        # From the end of the row: the later neighbours stand there.
        while i > first and graph.indices[i - 1] > vertex:
            i -= 1
            other = graph.indices[i]
            # What occurs twice, or out of order, counts for nothing, so that the sum falls short.
            if i > first and graph.indices[i - 1] >= other:
                continue
            place = pointer[other]
            if place < graph.indptr[other + 1] and graph.indices[place] == vertex:
                pointer[other] += 1
                returned += 2
    return returned


@kernel
def _follow_steps(graph: Graph, starts: npt.NDArray[np.int64]) -> tuple[int, int]:
    """``reached`` and ``leaving`` of a :class:`Survey`; groups are the vertices between two of ``starts`` int64
    (groups + 1)."""
    above = np.arange(starts[-1]).astype(np.int32)
    reached = leaving = 0
    for group in range(len(starts) - 1):
        first, end = starts[group], starts[group + 1]
        for vertex in range(first, end):
            for i in range(graph.indptr[vertex], graph.indptr[vertex + 1]):
                other = graph.indices[i]
                if not first <= other < end:
                    leaving += 1
                elif other < vertex and above[other] != above[vertex]:
                    # The smaller one is on top, so the first vertex of a group is never hung on another.
                    one, two = root(above, vertex), root(above, other)
                    above[max(one, two)] = min(one, two)
        for vertex in range(first, end):
            reached += root(above, vertex) == first
    return reached, leaving
