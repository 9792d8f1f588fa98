"""The search over placements, one cell at a time: a layer holds every state after the first t cells.

A state is a key (see :mod:`.frontier`) and the number of stones used. Deciding the next cell
turns a state into at most two: the cell left free, where no line stays free, and the cell with a stone. States of the
new layer that agree are one state whose count is the sum. The layers and the links between them form a decision
diagram: its paths are placements, and the paths to the one state of the last layer are those that block the board.

What makes it fast is that a state is dropped as soon as its *value*, a lower bound on the stones of every placement
that goes through it, exceeds the budget. Values are integers in units of 1/SCALE stone. A value is

    SCALE * stones used  +  weight of the lines that have no stone yet  +  cheapest completion of every strip

(:mod:`.bound` says why that is a bound). It depends on the state alone, not on the way there,
and changes by a table look-up when a cell is decided, so it is carried along and never computed afresh. A search may
carry several bounds; a state lives while all of them allow.

States that agree are found in a hash table, but for most children that is needless. A run is 0, or so long that the
cells left on its chain can still make it k. A free cell makes the second kind longer by one, and of 0 it makes 1 or 0,
by the cell alone: so states that agree after a free cell agreed before it. After a stone all runs through its cell are
0; hence a child by a free cell is looked up only where it has no run there either. The children by a stone are looked
up in a table larger than the caches that are near, whose places are read early, for a block of parents at a time:
reads that do not wait for one another overlap.

Counts are exact: 128 bits as two words, with the carry checked, so that a count either is right or raises
OverflowError.

Cost: O(states x directions), about 0.1 to 0.3 microseconds for a state and its children.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from boardspace_kernels.jit import borrowing, inlined, kernel

Words = npt.NDArray[np.uint64]

NO_CHILD = -1

BLOCK = 32
"""Parents whose places in the hash table are read together."""


class States(NamedTuple):
    """One layer: n states, W words a key, G bounds, B strips.

    keys: uint64 (n, W), the runs.
    stones: int32 (n), used so far.
    counts: uint64 (n, 2), placements so far, low word first.
    values: int64 (n, G), of each bound.
    nodes: int32 (n, B), for every strip its node in the strip's diagram.
    """

    keys: Words
    stones: npt.NDArray[np.int32]
    counts: Words
    values: npt.NDArray[np.int64]
    nodes: npt.NDArray[np.int32]


class Cells(NamedTuple):
    """The tables of all n cells, or without the first axis those of one; D directions, G bounds.

    word: int64 (n, D), the key's word with the run along a direction, -1 where no line passes along it.
    shift: uint64 (n, D), where in the word the run is.
    next_run: int64 (n, D, k), the run after a free cell by the run before it.
    gains: int64 (n, G, D, k), what a bound gains, by the run before.
    strips: int64, the numbers of the strips that hold each cell, of all cells one after the other.
    first: int64 (n + 1), those of cell t are from ``first[t]`` on, up to ``first[t + 1]``.
    field: the bits of a run, all set.
    others: uint64 (n, W), the bits of the key that are of no run through each cell.
    """

    word: npt.NDArray[np.int64]
    shift: Words
    next_run: npt.NDArray[np.int64]
    gains: npt.NDArray[np.int64]
    strips: npt.NDArray[np.int64]
    first: npt.NDArray[np.int64]
    field: np.uint64
    others: Words


class Places(NamedTuple):
    """Where keys have the run of every slot: its word int64 (slots), its shift there uint64 (slots), and the bits of a
    run, all set."""

    word: npt.NDArray[np.int64]
    shift: Words
    field: np.uint64


class StripTables(NamedTuple):
    """The strips' common diagram, and every node's value by bound and strip.

    ``free``, ``stone`` (nodes,) int32: the node after a free cell (NO_CHILD where forbidden), and after a stone;
    ``values`` (G', B, nodes + 1) int64 for the first G' <= G bounds; the others are by lines alone.
    """

    free: npt.NDArray[np.int32]
    stone: npt.NDArray[np.int32]
    values: npt.NDArray[np.int64]


class Budget(NamedTuple):
    """Stones and bounds: how stones are counted, and above which bound a state is dropped.

    stone: what a stone adds to the number of stones: 1, or 0 for a diagram in which stones are not counted.
    scale: what a stone adds to every bound.
    most: a state with a bound above it is dropped.
    """

    stone: int
    scale: int
    most: int


ANY_STONES = Budget(0, 0, 0)
"""Of a diagram of all placements: stones are not counted, and no state is dropped."""


class Child(NamedTuple):
    """Room for what follows a parent, by a free cell or by a stone: key uint64 (W), values int64 (G), nodes int32
    (B)."""

    key: Words
    values: npt.NDArray[np.int64]
    nodes: npt.NDArray[np.int32]


class Scratch(NamedTuple):
    """Room for what is worked out on the way.

    free, stone: a child each.
    places: uint64 (BLOCK), where the search of the hash table for the child after a stone begins, of some parents.
    read: uint64 (BLOCK), what was read there, which nobody asks for.
    """

    free: Child
    stone: Child
    places: Words
    read: Words


class NextLayer(NamedTuple):
    """Arrays that the layer after n states is written to.

    states: room for two a parent.
    index: int32, a hash table of -1's, its length a power of two of at least that.
    free: int32 (n), the state after a free cell, NO_CHILD where there is none.
    stone: int32 (n), the state after a stone.
    """

    states: States
    index: npt.NDArray[np.int32]
    free: npt.NDArray[np.int32]
    stone: npt.NDArray[np.int32]
    scratch: Scratch


def empty_states(capacity: int, words: int, bounds: int, strips: int) -> States:
    """Uninitialised room for that many states."""
    return States(
        keys=np.empty((capacity, words), dtype=np.uint64),
        stones=np.empty(capacity, dtype=np.int32),
        counts=np.empty((capacity, 2), dtype=np.uint64),
        values=np.empty((capacity, bounds), dtype=np.int64),
        nodes=np.empty((capacity, strips), dtype=np.int32),
    )


def scratch_for(states: States) -> Scratch:
    """Uninitialised room for what is worked out about children of such states."""
    words, bounds, strips = (column.shape[1] for column in (states.keys, states.values, states.nodes))
    free, stone = (
        Child(np.empty(words, np.uint64), np.empty(bounds, np.int64), np.empty(strips, np.int32)) for _ in range(2)
    )
    return Scratch(free, stone, np.empty(BLOCK, np.uint64), np.empty(BLOCK, np.uint64))


def state_bytes(words: int, bounds: int, strips: int) -> int:
    """Bytes that one state takes in a layer."""
    return 8 * words + 4 + 16 + 8 * bounds + 4 * strips


@inlined
def same_state(states: States, i: int, key: Words, stones: int) -> bool:
    """Return whether state ``i`` has this key and this number of stones."""
    return states.stones[i] == stones and same_key(states.keys[i], key)


@inlined
def same_key(one: Words, other: Words) -> bool:
    """Return whether two keys agree."""
    for w in range(len(one)):  # noqa: SIM110 (numba has no all())
        if one[w] != other[w]:
            return False
    return True


@inlined
def hash_state(key: Words, stones: int) -> np.uint64:
    """A 64-bit hash of a state: an odd factor spreads the bits, the shift brings high ones down."""
    h = np.uint64(stones)
    for w in range(len(key)):
        h = (h ^ key[w]) * np.uint64(0x9E3779B97F4A7C15)
        # The table looks at the low bits, and a product carries upwards only.
        h ^= h >> np.uint64(32)
    return h


@inlined
def add_count(counts: Words, i: int, low: np.uint64, high: np.uint64) -> None:
    """Add (low, high) to count ``i``; OverflowError where 128 bits do not hold the sum."""
    before_low, before_high = counts[i, 0], counts[i, 1]
    counts[i, 0] = before_low + low
    # The low word wrapped round exactly if the sum is below a summand.
    carry = np.uint64(1) if counts[i, 0] < before_low else np.uint64(0)
    counts[i, 1] = before_high + high + carry
    # The high word wrapped round; with a carry also where it came back to what it was.
    if counts[i, 1] < before_high or (carry and counts[i, 1] == before_high):
        raise OverflowError("a count of placements exceeds 128 bits")


@inlined
def step_strips(made: Child, over: npt.NDArray[np.int64], links: npt.NDArray[np.int32], tables: StripTables) -> None:
    """Move the strips over the cell along ``links``, and the values that count strips with them, in place."""
    for b in over:
        before = made.nodes[b]
        after = links[before]
        for g in range(len(tables.values)):
            # A look-up for the node before and one after: the value of the state is never added up afresh.
            made.values[g] += tables.values[g, b, after] - tables.values[g, b, before]
        made.nodes[b] = after


@inlined
def within(values: npt.NDArray[np.int64], budget: int) -> bool:
    """Return whether every bound allows the state."""
    for value in values:  # noqa: SIM110 (numba has no all())
        if value > budget:
            return False
    return True


@inlined
def add_child(
    children: States, size: int, index: npt.NDArray[np.int32], place: np.uint64, made: Child, stones: int, ways: Words
) -> int:
    """Find or add a state, from a place of the hash table on, and add the ways, uint64 (2), to its count; its number,
    ``size`` where it is new."""
    mask = np.uint64(len(index) - 1)
    # The table has as many places as there can be children, so there is one left for the last of them.
    while index[place] >= 0:
        child = index[place]
        # Values and nodes follow from key and stones, so of equal states they agree as well.
        if same_state(children, child, made.key, stones):
            add_count(children.counts, child, ways[0], ways[1])
            return child
        # With a literal 1 the sum is signed, and of a number that is now signed, now unsigned, numba makes a float.
        place = (place + np.uint64(1)) & mask
    index[place] = size
    write_child(children, size, made, stones, ways)
    return size


@inlined
def write_child(children: States, number: int, made: Child, stones: int, ways: Words) -> None:
    """Write a new state, with the ways, uint64 (2), as its count."""
    children.stones[number] = stones
    for w in range(len(made.key)):
        children.keys[number, w] = made.key[w]
    for w in range(2):
        children.counts[number, w] = ways[w]
    for g in range(len(made.values)):
        children.values[number, g] = made.values[g]
    for b in range(len(made.nodes)):
        children.nodes[number, b] = made.nodes[b]


@inlined
def write_key_after_stone(parents: States, parent: int, cell: Cells, key: Words) -> None:
    """Write the key after a stone on the cell, which ends all runs through it."""
    for w in range(len(key)):
        key[w] = parents.keys[parent, w] & cell.others[w]


@inlined
def decide_lines(parents: States, parent: int, cell: Cells, free: Child, stone: Child) -> bool:
    """Write key and values after a free cell and after a stone, the stone itself and strips not counted, and the nodes
    before; return whether the cell may be free."""
    write_key_after_stone(parents, parent, cell, stone.key)
    for w in range(len(free.key)):
        free.key[w] = parents.keys[parent, w]
    for g in range(len(free.values)):
        # A free cell blocks no line, so after it the bounds by lines stay as they are.
        free.values[g] = stone.values[g] = parents.values[parent, g]
    for b in range(len(free.nodes)):
        free.nodes[b] = stone.nodes[b] = parents.nodes[parent, b]
    may_be_free = True
    for d in range(len(cell.word)):
        w = cell.word[d]
        if w < 0:
            continue
        run = np.int64((free.key[w] >> cell.shift[d]) & cell.field)
        for g in range(len(stone.values)):
            # The stone takes away what the bound still counts for lines that it blocks.
            stone.values[g] -= cell.gains[g, d, run]
        # A free cell makes the run one longer, or forbidden where it would be k.
        free.key[w] &= ~(cell.field << cell.shift[d])
        following = cell.next_run[d, run]
        if following < 0:
            may_be_free = False
        else:
            free.key[w] |= np.uint64(following) << cell.shift[d]
    return may_be_free


@borrowing
def expand(parents: States, cells: Cells, t: int, tables: StripTables, budget: Budget, after: NextLayer) -> int:
    """Decide cell ``t`` in all states of a layer; how many states the next layer has."""
    over = cells.strips[cells.first[t] : cells.first[t + 1]]
    cell = Cells(
        cells.word[t],
        cells.shift[t],
        cells.next_run[t],
        cells.gains[t],
        over,
        cells.first,
        cells.field,
        cells.others[t],
    )
    size = np.int64(0)
    for begin in range(0, len(parents.stones), BLOCK):
        end = min(begin + BLOCK, len(parents.stones))
        read_places(parents, begin, end, cell, budget, after)
        for parent in range(begin, end):
            size = add_children(
                parents, parent, cell, tables, budget, after, after.scratch.places[parent - begin], size
            )
    return size


@inlined
def read_places(parents: States, begin: int, end: int, cell: Cells, budget: Budget, after: NextLayer) -> None:
    """Work out where the search for the child after a stone begins, of a block of parents, and read what is there."""
    _, stone, places, read = after.scratch
    mask = np.uint64(len(after.index) - 1)
    for parent in range(begin, end):
        write_key_after_stone(parents, parent, cell, stone.key)
        places[parent - begin] = hash_state(stone.key, parents.stones[parent] + budget.stone) & mask
    # A loop of its own, so short that a processor is many rounds ahead of the memory.
    for j in range(end - begin):
        # Where there is none yet, any other state: without a branch that nobody can predict.
        child = max(after.index[places[j]], 0)
        read[j] = np.uint64(after.states.stones[child]) ^ after.states.keys[child, 0]


@inlined
def add_children(
    parents: States, parent: int, cell: Cells, tables: StripTables, budget: Budget, after: NextLayer, place: np.uint64,
    size: int,
) -> int:  # fmt: skip
    """Add the children of a state to the ``size`` states that the next layer has; how many it has then. ``place`` is
    where the search for the child after a stone begins."""
    children, index, free_link, stone_link, (free, stone, _, _) = after
    may_be_free = decide_lines(parents, parent, cell, free, stone)
    for g in range(len(stone.values)):
        stone.values[g] += budget.scale
    used, ways = parents.stones[parent], parents.counts[parent]
    free_link[parent] = stone_link[parent] = NO_CHILD
    if may_be_free:
        # The lines of a strip are lines of the board, so where the board allows a free cell each strip has a link.
        step_strips(free, cell.strips, tables.free, tables)
        if within(free.values, budget.most):
            if same_key(free.key, stone.key):
                start = hash_state(free.key, used) & np.uint64(len(index) - 1)
                free_link[parent] = add_child(children, size, index, start, free, used, ways)
            else:
                free_link[parent] = size
                write_child(children, size, free, used, ways)
            # The number is ``size`` where the state is new, and then there is one more.
            size += free_link[parent] == size
    step_strips(stone, cell.strips, tables.stone, tables)
    if within(stone.values, budget.most):
        stone_link[parent] = add_child(children, size, index, place, stone, used + budget.stone, ways)
        size += stone_link[parent] == size
    return size


@kernel
def run_histogram(keys: Words, places: Places, k: int) -> npt.NDArray[np.int64]:
    """(slots, k): in how many states a slot's run has each length."""
    word, shift, field = places
    histogram = np.zeros((len(word), k), dtype=np.int64)
    for state in range(len(keys)):
        for slot in range(len(word)):
            histogram[slot, np.int64((keys[state, word[slot]] >> shift[slot]) & field)] += 1
    return histogram


@kernel
def values_by_runs(keys: Words, places: Places, worth: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """(n,): for every state the sum over the slots of ``worth`` (slots, k) at the slot's run."""
    word, shift, field = places
    values = np.zeros(len(keys), dtype=np.int64)
    for state in range(len(keys)):
        for slot in range(len(word)):
            values[state] += worth[slot, np.int64((keys[state, word[slot]] >> shift[slot]) & field)]
    return values


def selected(states: States, keep: npt.NDArray[np.bool_]) -> States:
    """The states of a layer where ``keep`` (n,) is true."""
    return States(*(column[keep] for column in states))
