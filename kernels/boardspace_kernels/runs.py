"""Sorted runs: how sets of positions, or states of any puzzle, are held, merged and compared.

A *run* is an ascending array of distinct positions, with a number of *ways* for each where they are counted. Every
operation here reads its runs from front to back, so the cost is linear, and each works on any key range of them: the
positions of [low, high) of the merged result depend on nothing but that range of every input. That is what lets
workers merge one frontier without talking: expand a chunk, write its run, and let the owner of each key range merge
that range of all the runs.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardspace_kernels.jit import inlined, kernel

Positions = NDArray[np.uint64]
DIGIT_BITS = 11
IN_CACHE, TOP_BITS = 1 << 18, 8
"""More words than that are dealt to buckets by so many of their highest bits."""
BUCKET, MOST_TOP_BITS = 1 << 12, 10
"""Words that are grouped are dealt to buckets of about so many, by at most so many of their highest bits."""
SPREAD, NO_KEY = np.uint64(0x9E3779B97F4A7C15), np.uint64((1 << 64) - 1)
FEW = 1 << 12
"""Words that NumPy sorts in less time than it takes to count digits."""


class Run(NamedTuple):
    """positions: uint64 (p), ascending and distinct. ways: uint64 (p), sequences of moves to each, or None.

    Ways are exact: a sum of ways that a word does not hold is an OverflowError, never a smaller number.
    """

    positions: Positions
    ways: NDArray[np.uint64] | None = None

    def between(self, low: int, high: int) -> "Run":
        """The part with low <= position < high; ``high`` may be 2**64."""
        begin = int(np.searchsorted(self.positions, np.uint64(low)))
        end = len(self.positions) if high >= 1 << 64 else int(np.searchsorted(self.positions, np.uint64(high)))
        return Run(self.positions[begin:end], None if self.ways is None else self.ways[begin:end])


def sorted_run(positions: Positions, ways: NDArray[np.uint64] | None = None) -> Run:
    """The run of positions in any order, repeats allowed; equal ones add their ways. ``positions`` are written
    over."""
    if ways is None:
        positions = ascending(positions)
        return Run(positions[: compact(positions)].copy())
    positions, ways = _in_order(positions, ways)
    size = compact_ways(positions, ways)
    return Run(positions[:size].copy(), ways[:size].copy())


def _in_order(positions: Positions, ways: NDArray[np.uint64]) -> tuple[Positions, NDArray[np.uint64]]:
    """Positions, ascending, and the ways of each: sorted above their numbers in one word, where both fit."""
    bits = len(positions).bit_length()
    if int(positions.max(initial=0)).bit_length() + bits > 64:
        order = np.argsort(positions)
        return positions[order], ways[order]
    words = ascending(positions << np.uint64(bits) | np.arange(len(positions), dtype=np.uint64), bits)
    return words >> np.uint64(bits), ways[words & np.uint64((1 << bits) - 1)]


def ascending(words: NDArray[np.uint64], first: int = 0) -> NDArray[np.uint64]:
    """Words, uint64 (n), in ascending order of their bits from ``first`` on; the array given is written over."""
    if len(words) > FEW:
        return sort_by_digits(words, first)
    words.sort()
    return words


@kernel
def sort_by_digits(words: NDArray[np.uint64], first: int) -> NDArray[np.uint64]:
    """Result of :func:`ascending`: many words are dealt to buckets by their highest bits, and a radix sort, from the
    lowest digit up, puts each bucket in order. Equal words stay in their order.

    A comparison sort of millions of words takes four times as long, and digits alone half as long again: they write to
    places all over memory, where a bucket lies in a cache.
    """
    bits = _bits_used(words, first)
    if len(words) <= IN_CACHE:
        return _sorted_in_cache(words, np.empty_like(words), first, bits)
    top = min(bits, TOP_BITS)
    dealt, ends = _dealt(words, first + bits - top, top)
    begin = 0
    for end in ends:
        # All words are in `dealt` now, so their own place is free. How many digits there are says where they end up.
        ordered = _sorted_in_cache(dealt[begin:end], words[begin:end], first, bits - top)
        for i in range(end - begin):
            words[begin + i] = ordered[i]
        begin = end
    return words


@kernel
def _bits_used(words: NDArray[np.uint64], first: int) -> int:
    """Number of bits, from ``first`` on, up to the highest one that a word has set."""
    every = np.uint64(0)
    for word in words:
        every |= word
    bits = 0
    # The bound comes first, as a shift by 64 bits is undefined.
    while bits < 64 - first and every >> np.uint64(first + bits):
        bits += 1
    return bits


@kernel
def _dealt(words: NDArray[np.uint64], shift: int, top: int) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """Words dealt to buckets by the ``top`` bits from ``shift`` on, each in its order, and where each bucket ends."""
    # A shift by 64 comes with top = 0, where all words go to one bucket and any shift does.
    dealt, down, last = np.empty_like(words), np.uint64(min(shift, 63)), np.uint64((1 << top) - 1)
    ends = np.zeros((1 << top) + 1, np.int64)
    for word in words:
        ends[((word >> down) & last) + np.uint64(1)] += 1
    for bucket in range(1 << top):
        ends[bucket + 1] += ends[bucket]
    for word in words:
        bucket = (word >> down) & last
        dealt[ends[bucket]] = word
        ends[bucket] += 1
    return dealt, ends[: 1 << top]  # each has moved on to the begin of the next bucket


@kernel
def _sorted_in_cache(
    source: NDArray[np.uint64], target: NDArray[np.uint64], first: int, bits: int
) -> NDArray[np.uint64]:
    """Words of ``source`` in ascending order of ``bits`` bits from ``first`` on, in one of two arrays, which are
    written over."""
    digits = -(-bits // DIGIT_BITS)
    # As few digits as can be, all of about the same width. The last may reach beyond `bits`, where all words agree.
    width = -(-bits // max(digits, 1))
    values = 1 << width
    # All digits are counted in one pass, as no count depends on the order of the words.
    begins = np.zeros((digits, values + 1), np.int64)
    for word in source:
        rest = word >> np.uint64(first)
        for i in range(digits):
            # Counted one place further, so that the running sum gives where each digit begins.
            begins[i, (rest & np.uint64(values - 1)) + np.uint64(1)] += 1
            rest >>= np.uint64(width)
    for i in range(digits):
        places, shift = begins[i], np.uint64(first + i * width)
        for value in range(values):
            places[value + 1] += places[value]
        for word in source:  # in order, so that the order by lower digits stays
            digit = (word >> shift) & np.uint64(values - 1)
            target[places[digit]] = word
            places[digit] += 1
        source, target = target, source
    return source


@kernel
def grouped(words: NDArray[np.uint64], first: int) -> tuple[NDArray[np.uint64], NDArray[np.int32], Positions]:
    """Words, uint64 (n), with equal keys near each other: a key is their bits from ``first`` > 0 on.

    Returns the words in another order; int32 (n), the place of each one's key among the distinct ones; and these,
    ascending. The array given is written over. Where keys come four times and more, what is added up by these places
    takes half as long as to sort all words: only distinct keys are sorted. A bucket of words has its hash table of
    keys in a cache, and what a caller holds for each word's lower bits is read in its order, if it wrote them so.
    """
    bits, down = _bits_used(words, first), np.uint64(first)
    top = 0
    while top < min(bits, MOST_TOP_BITS) and len(words) >> top > BUCKET:
        top += 1
    dealt, ends = _dealt(words, first + bits - top, top)
    begin = longest = 0
    for end in ends:
        longest = max(longest, end - begin)
        begin = end
    # A bucket uses 1.5 to 3 times as many slots as it has words, 2 at least.
    table, rows = np.empty(4 * longest + 2, np.uint64), np.empty(len(words), np.int32)
    places = np.empty(len(table), np.int32)
    found, spare = np.empty(longest, np.uint64), np.empty(longest, np.uint64)
    begin = distinct = 0
    for end in ends:
        slot_bits = 1
        while 2 << slot_bits < 3 * (end - begin):
            slot_bits += 1
        for i in range(1 << slot_bits):
            # Keys have fewer than 64 bits, as `first` is above 0, so none is NO_KEY.
            table[i] = NO_KEY
        new = 0
        for i in range(begin, end):
            key = dealt[i] >> down
            slot = _slot_of(table, slot_bits, key)
            # The slot stands for the key's place until all keys of the bucket are in order.
            rows[i] = slot
            if table[slot] == NO_KEY:
                table[slot] = found[new] = key
                new += 1
        ordered = _sorted_in_cache(found[:new], spare[:new], 0, bits - top)
        for i in range(new):
            words[distinct + i] = ordered[i]
            places[_slot_of(table, slot_bits, ordered[i])] = distinct + i
        for i in range(begin, end):
            rows[i] = places[rows[i]]
        begin, distinct = end, distinct + new
    return dealt, rows, words[:distinct].copy()


@inlined
def _slot_of(table: NDArray[np.uint64], bits: int, key: np.uint64) -> np.uint64:
    """Slot of a key in a hash table of 2^bits slots, or the free one where it belongs."""
    # The highest bits of the product depend on all bits of the key.
    slot = (key * SPREAD) >> np.uint64(64 - bits)
    while table[slot] != key and table[slot] != NO_KEY:
        slot = (slot + np.uint64(1)) & np.uint64((1 << bits) - 1)
    return slot


def merge(runs: Sequence[Run], weighted: bool = False) -> Run:
    """The union of runs, pairwise; ways, where ``weighted``, are added."""
    runs = list(runs) or [Run(np.empty(0, np.uint64), np.empty(0, np.uint64) if weighted else None)]
    while len(runs) > 1:
        pairs = [_merge_two(a, b) for a, b in zip(runs[::2], runs[1::2], strict=False)]
        runs = pairs + runs[len(pairs) * 2 :]
    return runs[0]


def _merge_two(a: Run, b: Run) -> Run:
    if a.ways is None or b.ways is None:
        return Run(union(a.positions, b.positions))
    return Run(*union_ways(a.positions, a.ways, b.positions, b.ways))


def total_ways(ways: NDArray[np.uint64]) -> int:
    """The sum of ways, uint64 (p), which need not fit a word."""
    # Halves of 32 bits are summed, as a word holds the sum of 2^32 of them.
    low = np.uint64((1 << 32) - 1)
    return (int((ways >> np.uint64(32)).sum()) << 32) + int((ways & low).sum())


@inlined
def added(a: np.uint64, b: np.uint64) -> np.uint64:
    """a + b, or OverflowError where it does not fit a word."""
    total = a + b
    # A sum that did not fit is less than either of the two.
    if total < a:
        raise OverflowError("more than 2**64 sequences of moves lead to one position; search fewer moves")
    return total


@kernel
def compact(ascending: Positions) -> int:
    """Move the distinct values of an ascending uint64 array to its front; returns how many there are."""
    size = 0
    for i in range(ascending.size):
        if size == 0 or ascending[i] != ascending[size - 1]:
            ascending[size] = ascending[i]
            size += 1
    return size


@kernel
def compact_ways(ascending: Positions, ways: NDArray[np.uint64]) -> int:
    """Like ``compact``, adding up the ways of equal values in place."""
    size = 0
    for i in range(ascending.size):
        if size > 0 and ascending[i] == ascending[size - 1]:
            ways[size - 1] = added(ways[size - 1], ways[i])
        else:
            ascending[size], ways[size] = ascending[i], ways[i]
            size += 1
    return size


@kernel
def union(a: Positions, b: Positions) -> Positions:
    """The union of two ascending, distinct uint64 arrays, ascending and distinct."""
    out = np.empty(a.size + b.size, np.uint64)
    i = j = size = 0
    while i < a.size and j < b.size:
        x, y = a[i], b[j]
        out[size] = min(x, y)
        size += 1
        # Both go on where the values are equal, so that it is written once. Sums, as a branch would be hard to foresee.
        i += x <= y
        j += y <= x
    rest = a[i:] if i < a.size else b[j:]
    for position in rest:
        out[size] = position
        size += 1
    return out[:size].copy()


@kernel
def union_ways(
    a: Positions, a_ways: NDArray[np.uint64], b: Positions, b_ways: NDArray[np.uint64]
) -> tuple[Positions, NDArray[np.uint64]]:
    """The union of two runs with ways; positions of both add theirs."""
    out = np.empty(a.size + b.size, np.uint64)
    ways = np.zeros(a.size + b.size, np.uint64)
    i = j = size = 0
    while i < a.size or j < b.size:
        from_a = i < a.size and (j == b.size or a[i] <= b[j])
        from_b = j < b.size and (i == a.size or b[j] <= a[i])
        if from_a:
            out[size] = a[i]
            ways[size] = a_ways[i]
            i += 1
        if from_b:
            out[size] = b[j]
            # 0 so far, or the ways of the same position in a.
            ways[size] = added(ways[size], b_ways[j])
            j += 1
        size += 1
    return out[:size].copy(), ways[:size].copy()


@kernel
def intersection(a: Positions, b: Positions) -> Positions:
    """The values that two ascending, distinct uint64 arrays share, ascending."""
    out = np.empty(min(a.size, b.size), np.uint64)
    i = j = size = 0
    while i < a.size and j < b.size:
        if a[i] == b[j]:
            out[size] = a[i]
            size += 1
        # Both are compared before i moves on.
        low, high = a[i] <= b[j], b[j] <= a[i]
        i += low
        j += high
    return out[:size].copy()


@kernel
def is_in(a: Positions, b: Positions) -> NDArray[np.bool_]:
    """bool (a): which values of ``a`` are in ``b``; both ascending, distinct uint64."""
    found = np.zeros(a.size, np.bool_)
    j = 0
    for i in range(a.size):
        while j < b.size and b[j] < a[i]:
            j += 1
        found[i] = j < b.size and b[j] == a[i]
    return found
