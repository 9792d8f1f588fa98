"""The groups of a class: its connected components under moves, found without looking at single layouts.

Take the layouts of one pattern, whose block and dominoes stand still. Its free cells fall into *regions*, connected
sets of cells. Inside a region with at least one empty cell any arrangement of the singles can be turned into any other
(singles are not told apart, and tokens on a connected graph can always be shifted to given places); between regions
nothing passes. So the layouts of a pattern that have the same number of singles in each region are connected. Call
such a set of layouts a *distribution*: a pattern and its singles shared out among the regions.

A group is then a component of the graph of distributions. The block or a domino can move by one cell in some layout of
a distribution exactly if the singles can be shared out among what the move leaves of the free cells; what is free
before and after the move falls into components, and every way to share the singles among these joins a distribution of
the one pattern to a distribution of the other. There are far fewer distributions than layouts, so that a union-find
over them costs next to nothing, and one pass over the class in order of codes labels, numbers and counts its layouts.

Groups are numbered by size, largest first, equal ones by their smallest code; ``group_index`` numbers the layouts of
a group by code. (group_num, group_index) in this order is the *name order* of the class.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from boardspace_kernels.jit import inlined, kernel
from boardspace_kernels.klotski.board import CELLS, DOWN, RIGHT, component_of, count_cells
from boardspace_kernels.klotski.patterns import Fillings, Patterns, gather


class Distributions(NamedTuple):
    """Numbers the distributions of a class; not every number is a distribution that occurs.

    The regions of pattern ``p`` but its largest are ``starts[p]`` .. ``starts[p + 1] - 1``: ``region`` uint16, as a set
    of filling bits, and ``weight`` int32. A distribution's number is ``base[p]`` + the sum of weight * singles in the
    region.
    """

    starts: npt.NDArray[np.int32]
    region: npt.NDArray[np.uint16]
    weight: npt.NDArray[np.int32]
    base: npt.NDArray[np.int32]


class Groups(NamedTuple):
    """The groups of a class. ``group_num`` uint16, ``group_index`` uint32 (layouts), in order of codes; ``sizes`` int64
    (groups), in order of group_num."""

    group_num: npt.NDArray[np.uint16]
    group_index: npt.NDArray[np.uint32]
    sizes: npt.NDArray[np.int64]


@kernel
def number_distributions(patterns: Patterns) -> Distributions:
    """The distributions of a class with these patterns, whatever its number of singles."""
    count = len(patterns.free)
    starts = np.zeros(count + 1, dtype=np.int32)
    region = np.empty(CELLS * count, dtype=np.uint16)
    weight = np.empty(CELLS * count, dtype=np.int32)
    base = np.empty(count + 1, dtype=np.int32)
    base[0] = 0
    used = 0
    for pattern in range(count):
        free = np.int64(patterns.free[pattern])
        largest = _largest_component(free)
        # The largest region needs no digit: it has the singles that the others leave.
        rest = free & ~largest
        distributions = 1
        while rest:
            part = component_of(rest)
            rest &= ~part
            # Mixed radix: a region of n cells has 0 to n singles.
            region[used], weight[used] = gather(free, part), distributions
            distributions *= count_cells(part) + 1
            used += 1
        starts[pattern + 1] = used
        base[pattern + 1] = base[pattern] + distributions
    return Distributions(starts, region[:used].copy(), weight[:used].copy(), base)


@kernel
def _largest_component(cells: int) -> int:
    """The largest connected part of a set of cells, as a set of bits; of parts of one size the first."""
    largest = 0
    while cells:
        part = component_of(cells)
        cells &= ~part
        if count_cells(part) > count_cells(largest):
            largest = part
    return largest


@kernel
def distribution_of(distributions: Distributions, pattern: int, filling: int) -> int:
    """The distribution of a pattern with a filling (a set of bits)."""
    distribution = np.int64(distributions.base[pattern])
    for i in range(distributions.starts[pattern], distributions.starts[pattern + 1]):
        # A region is a set of filling bits, so the singles in it are counted without going back to cells.
        distribution += distributions.weight[i] * count_cells(np.int64(distributions.region[i]) & filling)
    return distribution


@inlined
def root(parent: npt.NDArray[np.int32], member: int) -> int:
    """The root of the tree of a member, of which ``parent`` int32 (members) tells on whom it hangs; the path to it is
    halved on the way."""
    while parent[member] != member:
        parent[member] = parent[parent[member]]
        member = parent[member]
    return member


@kernel
def join_distributions(patterns: Patterns, distributions: Distributions, singles: int) -> npt.NDArray[np.int32]:
    """Root of every distribution's component, int32 (distributions), in the class with so many singles.

    Moves can be taken back, so those to the right and down are enough.
    """
    parent = np.arange(distributions.base[-1]).astype(np.int32)
    for pattern in range(len(patterns.free)):
        for cell in range(CELLS):
            for direction in (RIGHT, DOWN):
                target = patterns.move_to[pattern, cell, direction]
                if target >= 0:
                    _join_by_move(patterns, distributions, parent, singles, pattern, target)
    for distribution in range(len(parent)):
        parent[distribution] = root(parent, distribution)
    return parent


@kernel
def _join_by_move(
    patterns: Patterns,
    distributions: Distributions,
    parent: npt.NDArray[np.int32],
    singles: int,
    pattern: int,
    target: int,
) -> None:
    """Join what a move from ``pattern`` to ``target`` connects: one pair of distributions for every way to share
    the singles among the components of the cells that are free before and after."""
    common = np.int64(patterns.free[pattern]) & np.int64(patterns.free[target])
    size = np.empty(CELLS, dtype=np.int64)
    weights = np.empty((CELLS, 2), dtype=np.int64)
    parts = 0
    rest = common
    while rest:
        part = component_of(rest)
        rest &= ~part
        size[parts] = count_cells(part)
        weights[parts, 0] = _weight_at(patterns, distributions, pattern, part)
        weights[parts, 1] = _weight_at(patterns, distributions, target, part)
        parts += 1
    # The singles stand still while the piece moves, so they need cells that are free before and after.
    if count_cells(common) < singles:
        return
    share = np.zeros(CELLS, dtype=np.int64)
    _fill_from(share, size, 0, parts, singles)
    while True:
        # A part lies in one region of each pattern, so its singles count with that region's weight (0 in the largest).
        one, other = np.int64(distributions.base[pattern]), np.int64(distributions.base[target])
        for i in range(parts):
            one += share[i] * weights[i, 0]
            other += share[i] * weights[i, 1]
        parent[root(parent, one)] = root(parent, other)
        if not _next_share(share, size, parts):
            return


@kernel
def _weight_at(patterns: Patterns, distributions: Distributions, pattern: int, part: int) -> int:
    """Weight of the region of ``pattern`` that holds the cells of ``part``."""
    bits = gather(np.int64(patterns.free[pattern]), part)
    for i in range(distributions.starts[pattern], distributions.starts[pattern + 1]):
        if np.int64(distributions.region[i]) & bits:
            return np.int64(distributions.weight[i])
    return 0


@kernel
def _fill_from(share: npt.NDArray[np.int64], size: npt.NDArray[np.int64], first: int, parts: int, singles: int) -> None:
    """Give out singles to the parts from ``first`` on, as many as fit to each, in order."""
    for i in range(first, parts):
        share[i] = min(size[i], singles)
        singles -= share[i]


@kernel
def _next_share(share: npt.NDArray[np.int64], size: npt.NDArray[np.int64], parts: int) -> bool:
    """Turn ``share`` into the next smaller one in lexicographic order with the same sum; False where it is the last."""
    behind = 0
    capacity = 0
    for i in range(parts - 1, -1, -1):
        # `behind` singles are in the parts after i, which have `capacity` cells. One more moves there, and all of them
        # are given out again from the left, which is the largest way to do so.
        if share[i] > 0 and behind < capacity:
            share[i] -= 1
            _fill_from(share, size, i + 1, parts, behind + 1)
            return True
        behind += share[i]
        capacity += size[i]
    return False


def label_layouts(
    distributions: Distributions, roots: npt.NDArray[np.int32], fillings: Fillings, addresses: npt.NDArray[np.uint32]
) -> Groups:
    """Number the groups and their members; ``addresses`` uint32 (layouts) of the class in order of codes."""
    labels, index, counts = _count_members(distributions, roots, fillings, addresses)
    # Stable, so groups of one size stay in order of their smallest codes.
    order = np.argsort(-counts, kind="stable")
    number = np.empty(len(order), dtype=np.uint16)
    number[order] = np.arange(len(order))
    return Groups(number[labels], index, counts[order])


@kernel
def _count_members(
    distributions: Distributions, roots: npt.NDArray[np.int32], fillings: Fillings, addresses: npt.NDArray[np.uint32]
) -> tuple[npt.NDArray[np.uint16], npt.NDArray[np.uint32], npt.NDArray[np.int64]]:
    """For each layout a label of its group, in the order in which groups are met, and its number there; and how many
    layouts each group has."""
    label_of = np.full(len(roots), -1, dtype=np.int32)
    counts = np.zeros(len(roots), dtype=np.int64)
    labels = np.empty(len(addresses), dtype=np.uint16)
    index = np.empty(len(addresses), dtype=np.uint32)
    placements = np.uint32(len(fillings.cells))
    found = 0
    # Codes ascend, so groups are met in order of their smallest codes and members in order of codes.
    for i in range(len(addresses)):
        pattern = addresses[i] // placements
        filling = np.int64(fillings.cells[addresses[i] - pattern * placements])
        root = roots[distribution_of(distributions, np.int64(pattern), filling)]
        if label_of[root] < 0:
            label_of[root] = found
            found += 1
        label = label_of[root]
        labels[i] = label
        index[i] = counts[label]
        counts[label] += 1
    return labels, index, counts[:found].copy()
