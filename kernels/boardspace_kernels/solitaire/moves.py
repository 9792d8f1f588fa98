"""All moves from many positions: the step from one frontier to the next.

A *move* is one or more jumps in a row by the same peg, and every stop on the way is a possible end. From a position
the chains form a tree: its root has a branch for each possible jump of each peg, and below a jump only the peg that
just landed goes on. The kernel walks that tree depth first. At each depth it keeps the g images of the position, so
that the canonical form of every node costs g XORs and g minima (see ``tables``). A jump takes a peg off (or puts one
back), so no chain is longer than 63 jumps.

The nodes of the tree are the moves. Different moves may lead to equal or isomorphic positions: a closed loop can be
walked both ways, and play in different parts of the board commutes. So the children are written as they come and
sorted afterwards (``runs``), which is cheaper than looking each one up.

Cost: about 35 ns for a move and 25 ns to sort its result, on one core of 2023.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardspace_kernels.jit import inlined, kernel
from boardspace_kernels.runs import Run, merge, sorted_run
from boardspace_kernels.solitaire.tables import MoveTables, write_images, write_possible

LONGEST_CHAIN = 63
MOST_DIRECTIONS = 6
CHILDREN_AT_ONCE = 1 << 22


class Expansion(NamedTuple):
    """Result of one move from a run of parents.

    run: the children, canonical, ascending, distinct; with the ways to each where the parents came with ways.
    choices: int64 (p), how many moves each parent has; none means it is stuck.
    longest_chain: jumps of the longest move.
    """

    run: Run
    choices: NDArray[np.int64]
    longest_chain: int


def expand(tables: MoveTables, parents: Run, capacity: int = CHILDREN_AT_ONCE) -> Expansion:
    """Every position one move away from the parents, which need not be canonical.

    capacity: children held before they are sorted and repeats dropped; memory is about 16 bytes times that (50 where
    ways are counted) plus the result.
    """
    positions, ways = parents
    choices = np.empty(len(positions), dtype=np.int64)
    runs: list[Run] = []
    begin = longest = 0
    while begin < len(positions):
        children = np.empty(capacity, dtype=np.uint64)
        done, written, chain = write_children(tables, positions[begin:], children, choices[begin:])
        # Not even the first parent's children fit, and in a call a parent is done as a whole or not at all.
        if done == 0:
            capacity *= 2
            continue
        end = begin + done
        # Children come parent by parent, so each parent's ways are repeated for as many as it has.
        weights = None if ways is None else np.repeat(ways[begin:end], choices[begin:end])
        runs.append(sorted_run(children[:written], weights))
        begin, longest = end, max(longest, chain)
    return Expansion(merge(runs, weighted=ways is not None), choices, longest)


@kernel
def write_children(
    tables: MoveTables, positions: NDArray[np.uint64], children: NDArray[np.uint64], choices: NDArray[np.int64]
) -> tuple[int, int, int]:
    """Write the canonical child of every move of as many positions as the capacity allows.

    positions: uint64 (p). children: uint64 (capacity), filled from the front, parent by parent. choices: int64 (p), set
    to the number of moves of each parent. Returns (parents done, children written, jumps of the longest chain); of a
    parent whose children do not fit nothing is counted.
    """
    stack = new_move_stack(tables)
    written = longest = 0
    for parent in range(positions.size):
        before = written
        top = push_first_jumps(tables, positions[parent], stack)
        while top > 0:
            top -= 1
            jump, depth = stack.pending[top], stack.depths[top]
            # The parent is done again, as a whole, in the next call.
            if written == children.size:
                return parent, before, longest
            children[written] = least_after(tables.flips, jump, stack.images[depth])
            written += 1
            longest = max(longest, depth + 1)
            top = push_next_jumps(tables, jump, depth, stack, top)
        choices[parent] = written - before
    return positions.size, written, longest


class MoveStack(NamedTuple):
    """Stack of the jumps still to make, for one walk at a time through the moves from a position.

    images: uint64 (64, g), the images of the position at each depth.
    pending: int64, the jumps still to make, the next one last.
    depths: int64, the depth of each of them.
    """

    images: NDArray[np.uint64]
    pending: NDArray[np.int64]
    depths: NDArray[np.int64]


@inlined
def new_move_stack(tables: MoveTables) -> MoveStack:
    """Make the workspace."""
    images = np.empty((LONGEST_CHAIN + 1, tables.flips.shape[1]), np.uint64)
    # All first jumps may wait, and for each jump of one chain at most one in each direction.
    pending = np.empty(tables.test.size + MOST_DIRECTIONS * LONGEST_CHAIN, np.int64)
    return MoveStack(images, pending, np.empty_like(pending))


@inlined
def push_first_jumps(tables: MoveTables, position: np.uint64, stack: MoveStack) -> int:
    """Push the first jumps of all moves from a position; returns how many. The last one pushed is to be made first."""
    write_images(tables.images, position, stack.images[0])
    top = write_possible(tables, position, stack.pending)
    for i in range(top):
        stack.depths[i] = 0
    return top


@inlined
def push_next_jumps(tables: MoveTables, jump: int, depth: int, stack: MoveStack, top: int) -> int:
    """Push the jumps with which the peg goes on after ``jump``, and keep the images they start from."""
    # Image 0 is the position itself, and a jump flips the three holes that it looks at.
    position, goes_on = stack.images[depth, 0] ^ tables.test[jump], False
    # Most pegs cannot go on, so that is asked first, of a number of jumps that is always the same.
    for i in range(tables.following.shape[1]):
        goes_on |= _is_possible(tables, tables.following[jump, i], position)
    if not goes_on:
        return top
    for i in range(tables.following.shape[1]):
        # Written in any case. Where the jump is not possible the height stays, and the next is written over it.
        stack.pending[top], stack.depths[top] = tables.following[jump, i], depth + 1
        top += _is_possible(tables, tables.following[jump, i], position)
    # Images of the next depth may be written over: no jump that still waits is that deep.
    for s in range(stack.images.shape[1]):
        stack.images[depth + 1, s] = stack.images[depth, s] ^ tables.flips[jump, s]
    return top


@inlined
def _is_possible(tables: MoveTables, jump: int, position: np.uint64) -> bool:
    """True where the position allows the jump."""
    return (position & tables.test[jump]) == tables.need[jump]


@inlined
def least_after(flips: NDArray[np.uint64], jump: int, images: NDArray[np.uint64]) -> np.uint64:
    """The canonical form after a jump, from the images before it."""
    least = images[0] ^ flips[jump, 0]
    for s in range(1, flips.shape[1]):
        least = min(least, images[s] ^ flips[jump, s])
    return least


@kernel
def canonical(tables: MoveTables, positions: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """uint64 (p): the least image of each of the positions, uint64 (p)."""
    images = np.empty(tables.flips.shape[1], np.uint64)
    least = np.empty(positions.size, np.uint64)
    for i in range(positions.size):
        least[i] = write_images(tables.images, positions[i], images)
    return least


@kernel
def orbit_sizes(tables: MoveTables, positions: NDArray[np.uint64]) -> NDArray[np.int64]:
    """int64 (p): how many different images each of the positions, uint64 (p), has: g over those that equal it.

    Raises ArithmeticError where that leaves a remainder, which the images under a group never do.
    """
    group = tables.flips.shape[1]
    images = np.empty(group, np.uint64)
    sizes = np.empty(positions.size, np.int64)
    for i in range(positions.size):
        write_images(tables.images, positions[i], images)
        fixed = 0
        for s in range(group):
            fixed += images[s] == positions[i]
        if group % fixed != 0:
            raise ArithmeticError("the symmetries that keep a position do not divide the group: it is no group")
        sizes[i] = group // fixed
    return sizes
