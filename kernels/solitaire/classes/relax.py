"""Making blocks that hold least moves.

A block holds the least moves m of its positions in binary, bit p of all of them in *plane* p, and a plane for each hole
with a live peg (see :mod:`.moves`). Positions that are not reached have all planes set, which no number of moves has.

For one block after the other:

1. the numbers of moves that each step into it gives are written down, as planes: those of the block it comes from, plus
   one where the peg that jumps is not live there, moved to their places, and all set where the step is not possible;
2. the least of them are kept. Numbers are compared and chosen from the lowest plane to the highest, with six operations
   a plane and word, whatever they are;
3. steps that give the least moves make the peg live in the hole that they lead to.

Only blocks with a position are kept, and of their live pegs those from whose hole the core allows a jump to go on: from
the centre of the boards of 33 and of 37 holes four and six planes a block, of 33 and 37. Memory is read in order of the
tiles that steps come from, and what all three passes over a block need stays in the first level of cache.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardspace.kernels.bits import lowest_bit, popcount
from boardspace.kernels.jit import kernel
from boardspace.kernels.solitaire.classes.gather import Blocks
from boardspace.kernels.solitaire.classes.order import Order, Tiles
from boardspace.kernels.solitaire.classes.steps import Steps

PLANES = 5
MOST_MOVES = 2**PLANES - 2
SOURCES = 8
ROWS_AT_ONCE = 1 << 18


class TooManyMovesError(ValueError):
    """Some position may need more moves than the planes can count."""


class Layer(NamedTuple):
    """Tiles ``begin`` to ``end`` of one weight, with least moves.

    index: uint64 (blocks, 2), where the rows of a block begin, or 0 where it has no position; and its holes with live
    pegs. rows: word (rows, words): none at 0, then for each block its planes of moves from the lowest,
    and a plane for each of its holes, in ascending order. starts: int64 (highs + 1), the first block of each tile among
    all of the weight.
    """

    index: NDArray[np.uint64]
    rows: Blocks
    weight: int
    starts: NDArray[np.int64]
    begin: int
    end: int


class Paths(NamedTuple):
    """The J steps as single blocks need them; a set of steps is n words.

    by_low: uint64 (L, n), the steps into a low part. rank: uint32 (L). goes_on, lands: uint64 (J), the hole that the
    step's peg has where it comes from, and where it leads to. first, test, need: int64 (holes + 1), (J), (J): a peg in
    hole h of a block can go on where ``core & test == need`` for one of the steps from ``first[h]`` on.
    """

    by_low: NDArray[np.uint64]
    rank: NDArray[np.uint32]
    goes_on: NDArray[np.uint64]
    lands: NDArray[np.uint64]
    first: NDArray[np.int64]
    test: NDArray[np.int64]
    need: NDArray[np.int64]


class Active(NamedTuple):
    """The steps into one tile, in sets of 64 by source: source, word of the set, steps; uint64 (J) for each step the
    first block of the tile that it comes from."""

    source: NDArray[np.int64]
    word: NDArray[np.int64]
    steps: NDArray[np.uint64]
    first: NDArray[np.uint64]


class Arrivals(NamedTuple):
    """The steps into one block from blocks with positions: step, first row, and twice the row of the peg's plane, plus
    one where it has one; uint64 (J + 1) each."""

    step: NDArray[np.uint64]
    first: NDArray[np.uint64]
    live: NDArray[np.uint64]


class Roots(NamedTuple):
    """Positions of a layer that need no move, ascending: block, word in the block, bit in the word; int64 (r) each."""

    block: NDArray[np.int64]
    word: NDArray[np.int64]
    bit: NDArray[np.int64]


def paths_of(order: Order, steps: Steps) -> Paths:
    """What the kernel looks up for each low part and step."""
    tiles = order.tiles
    lows = np.arange(len(tiles.lows))
    possible = np.array([lows & test == need for test, need in zip(steps.low_test, steps.low_need, strict=True)])
    words = -(-len(possible) // 64)
    padded = np.zeros((len(lows), 64 * words), bool)
    padded[:, : len(possible)] = possible.T
    by_low = np.packbits(padded, axis=1, bitorder="little").view(np.uint64)
    goes_on, lands = (steps.begin, steps.end) if steps.gap[0] > 0 else (steps.end, steps.begin)
    by_hole = np.argsort(goes_on, kind="stable")
    first = np.searchsorted(goes_on[by_hole], np.arange(order.positions.board.holes + 1))
    test = steps.low_test | steps.high_test << order.low_bits
    need = steps.low_need | steps.high_need << order.low_bits
    return Paths(
        by_low,
        tiles.rank.astype(np.uint32),
        goes_on.astype(np.uint64),
        lands.astype(np.uint64),
        first,
        test[by_hole],
        (test ^ need)[by_hole],
    )


def make_layer(
    order: Order,
    steps: Steps,
    paths: Paths,
    sources: Sequence[Layer],
    roots: Sequence[int],
    weight: int,
    begin: int = 0,
    end: int | None = None,
) -> Layer:
    """Tiles of one weight, all where no end is given, from the layers that steps come from, at most 8.

    TooManyMovesError where a position has 30 moves: others may have more.
    """
    end = order.highs if end is None else end
    starts = order.starts(weight)
    gaps = set(steps.gap.tolist())
    near = [source for source in sources if source.weight - weight in gaps and len(source.index)]
    if len(near) > SOURCES:
        raise ValueError(f"blocks of weight {weight} would be made from {len(near)} layers; at most {SOURCES} can be")
    blocks, words, word = int(starts[end] - starts[begin]), order.positions.words, np.dtype(order.positions.word_type)
    empty = Layer(np.zeros((0, 2), np.uint64), np.zeros((1, words), word), 0, starts, 0, 0)
    held = tuple(read_only(source) for source in [*near, *[empty] * (SOURCES - len(near))])
    index = np.zeros((blocks, 2), np.uint64)
    largest = int(np.diff(starts).max(initial=0)) * (PLANES + order.positions.board.holes)
    room = np.empty((max(ROWS_AT_ONCE // words, largest), words), word)
    parts, rows, high = [np.zeros((1, words), word)], 1, begin
    planted = _roots(order, roots, weight, starts, begin, end)
    while high < end:
        some = empty._replace(index=index, rows=room, weight=weight, begin=begin, end=end)
        high, used, too_many = _make(order.tiles, steps, paths, held, planted, some, high, rows)
        if too_many:
            raise TooManyMovesError(f"board {order.positions.board.name!r}: some positions may need over 30 moves")
        parts.append(room[:used].copy())
        rows += used
    return Layer(index, np.concatenate(parts), weight, starts, begin, end)


def read_only(layer: Layer) -> Layer:
    """The same layer in the one type for which kernels are compiled, whether it comes from memory or a file."""
    arrays = [array.view() for array in layer[:2]]
    for array in arrays:
        array.flags.writeable = False
    return Layer(*arrays, *layer[2:])


def _roots(order: Order, roots: Sequence[int], weight: int, starts: NDArray[np.int64], begin: int, end: int) -> Roots:
    places = [
        (int(starts[h] - starts[begin]) + rank, word, bit, h, w)
        for root in roots
        for w, h, rank, word, bit in [order.find(root)]
    ]
    here = sorted(place[:3] for place in places if place[4] == weight and begin <= place[3] < end)
    return Roots(*np.array(here, np.int64).reshape(-1, 3).T.copy())


@kernel
def _make(
    tiles: Tiles,
    steps: Steps,
    paths: Paths,
    sources: tuple[Layer, ...],
    roots: Roots,
    made: Layer,
    high: int,
    first_row: int,
) -> tuple[int, int, bool]:
    """Make the tiles from ``high`` on for which there is room; their rows are numbered from ``first_row`` on.

    Returns the first tile that is not made, the number of rows, and whether a position has 30 moves.
    """
    count, words, holes = steps.gap.size, made.rows.shape[1], paths.first.size - 1
    active = Active(
        np.empty(SOURCES * paths.by_low.shape[1], np.int64),
        np.empty(SOURCES * paths.by_low.shape[1], np.int64),
        np.empty(SOURCES * paths.by_low.shape[1], np.uint64),
        np.empty(count, np.uint64),
    )
    arrivals = Arrivals(np.empty(count + 1, np.uint64), np.empty(count + 1, np.uint64), np.empty(count + 1, np.uint64))
    until = np.empty(active.source.size, np.int64)
    costs = np.empty((count, words, PLANES), np.uint64)
    lands = np.empty(count, np.uint64)
    best = np.empty((words, PLANES), np.uint64)
    live = np.empty((holes, words), np.uint64)
    row, root, too_many = 0, np.searchsorted(roots.block, made.starts[high] - made.starts[made.begin]), False
    touched_row = np.zeros(1, np.uint64)
    while high < made.end:
        size = made.starts[high + 1] - made.starts[high]
        if row + size * (PLANES + holes) > made.rows.shape[0]:
            break
        if size == 0:
            high += 1
            continue
        some = 0
        for s in range(SOURCES):
            source = sources[s]
            if source.begin < source.end:
                some = _find_steps(steps, source, made.weight, high, s, active, some)
        lists = tiles.high_list[high] * tiles.low_weights + made.weight - tiles.high_weight[high]
        for rank in range(size):
            block = made.starts[high] - made.starts[made.begin] + rank
            low = tiles.lows[tiles.first[lists] + rank]
            sign = tiles.high_sign[high] ^ tiles.low_sign[low]
            found = 0
            for i in range(some):
                chosen = active.steps[i] & paths.by_low[low, active.word[i]]
                if chosen:
                    source = sources[active.source[i]]
                    found = _find_arrivals(steps, paths, source.index, chosen, active, i, low, arrivals, found)
                until[i] = found
            begin, warm = 0, np.uint64(0)
            for i in range(some):
                if begin < until[i]:
                    source = sources[active.source[i]]
                    for arrival in range(begin, until[i]):
                        first = arrivals.first[arrival]
                        warm ^= np.uint64(source.rows[first, 0]) ^ np.uint64(source.rows[first + np.uint64(2), 0])
                        warm ^= np.uint64(source.rows[first + np.uint64(4), words - 1])
                        warm ^= np.uint64(source.rows[arrivals.live[arrival] >> np.uint64(1), 0])
                    begin = until[i]
            touched_row[0] ^= warm
            begin, found = 0, 0
            for i in range(some):
                if begin < until[i]:
                    source = sources[active.source[i]]
                    for arrival in range(begin, until[i]):
                        step = arrivals.step[arrival]
                        if _write_costs(steps, source.rows, step, sign, arrivals, arrival, costs[found]):
                            lands[found] = paths.lands[step]
                            found += 1
                    begin = until[i]
            planted = root < roots.block.size and roots.block[root] == block
            if found == 0 and not planted:
                continue
            _keep_least(costs, found, best)
            while root < roots.block.size and roots.block[root] == block:
                for plane in range(PLANES):
                    best[roots.word[root], plane] &= ~(np.uint64(1) << np.uint64(roots.bit[root]))
                root += 1
            made.index[block, 0] = first_row + row
            for word in range(words):
                for plane in range(PLANES):
                    made.rows[row + plane, word] = best[word, plane]
                reached = best[word, 1] & best[word, 2] & best[word, 3] & best[word, 4]
                too_many |= reached & ~best[word, 0] != 0
            row += PLANES
            touched = _find_live(costs, lands, found, best, live)
            core = high * tiles.lows.size + low
            kept = np.uint64(0)
            while touched:
                hole = lowest_bit(touched)
                touched &= touched - np.uint64(1)
                if _can_go_on(paths, hole, core):
                    any_live = np.uint64(0)
                    for word in range(words):
                        made.rows[row, word] = live[hole, word]
                        any_live |= live[hole, word]
                    if any_live:
                        kept |= np.uint64(1) << hole
                        row += 1
            made.index[block, 1] = kept
        high += 1
    return high, row, too_many


@kernel
def _find_steps(steps: Steps, source: Layer, weight: int, high: int, s: int, active: Active, some: int) -> int:
    """Add the sets of steps that come from source ``s`` into a tile; returns how many sets there are now."""
    gap, last = source.weight - weight, -1
    for step in range(np.searchsorted(steps.gap, gap), np.searchsorted(steps.gap, gap + 1)):
        other = high ^ steps.high_flip[step]
        if high & steps.high_test[step] == steps.high_need[step] and source.begin <= other < source.end:
            active.first[step] = source.starts[other] - source.starts[source.begin]
            if step >> 6 != last:
                last = step >> 6
                active.source[some], active.word[some], active.steps[some] = s, last, 0
                some += 1
            active.steps[some - 1] |= np.uint64(1) << np.uint64(step & 63)
    return some


@kernel
def _find_arrivals(
    steps: Steps,
    paths: Paths,
    index: NDArray[np.uint64],
    chosen: np.uint64,
    active: Active,
    i: int,
    low: int,
    arrivals: Arrivals,
    found: int,
) -> int:
    """Add the rows that steps come from, where there are any; no branch waits for the memory they lie in."""
    one = np.uint64(1)
    while chosen:
        step = np.uint64(64 * active.word[i]) + lowest_bit(chosen)
        chosen &= chosen - one
        come = active.first[step] + np.uint64(paths.rank[np.uint64(low ^ steps.low_test[step])])
        first, holes, hole = index[come, 0], index[come, 1], paths.goes_on[step]
        is_live = holes >> hole & one
        row = first + (np.uint64(PLANES) + popcount(holes & (one << hole) - one)) * is_live
        arrivals.step[found], arrivals.first[found], arrivals.live[found] = step, first, row << one | is_live
        found += first != 0
    return found


@kernel
def _write_costs(
    steps: Steps,
    rows: Blocks,
    step: np.uint64,
    sign: int,
    arrivals: Arrivals,
    arrival: int,
    costs: NDArray[np.uint64],
) -> bool:
    """Write down the moves by one step, uint64 (words, planes); whether it leads to a position at all."""
    one = np.uint64(1)
    first, row = arrivals.first[arrival], arrivals.live[arrival] >> one
    is_live = np.uint64(0) - (arrivals.live[arrival] & one)
    kind = steps.kind[step, sign]
    left, right, flip = np.uint64(steps.left[step]), np.uint64(steps.right[step]), np.uint64(steps.word_flip[step])
    seen = np.uint64(0)
    for word in range(costs.shape[0]):
        other = np.uint64(word) ^ flip
        mask = np.uint64(steps.masks[step, kind, word])
        carry = np.uint64(rows[first, other])
        for plane in range(1, PLANES):
            carry &= np.uint64(rows[first + np.uint64(plane), other])
        seen |= ~carry << left >> right & mask
        carry = ~carry & ~(np.uint64(rows[row, other]) & is_live)
        for plane in range(PLANES):
            bits = np.uint64(rows[first + np.uint64(plane), other])
            costs[word, plane] = (bits ^ carry) << left >> right | ~mask
            carry &= bits
    return seen != 0


@kernel
def _keep_least(costs: NDArray[np.uint64], found: int, best: NDArray[np.uint64]) -> None:
    """The least of the first ``found`` costs, uint64 (words, planes); all set where there is none."""
    for word in range(best.shape[0]):
        a = b = c = d = e = ~np.uint64(0)
        for i in range(found):
            other_a, other_b, other_c = costs[i, word, 0] ^ a, costs[i, word, 1] ^ b, costs[i, word, 2] ^ c
            other_d, other_e = costs[i, word, 3] ^ d, costs[i, word, 4] ^ e
            less = a & other_a
            less = (less & ~other_b) | (b & other_b)
            less = (less & ~other_c) | (c & other_c)
            less = (less & ~other_d) | (d & other_d)
            less = (less & ~other_e) | (e & other_e)
            a ^= other_a & less
            b ^= other_b & less
            c ^= other_c & less
            d ^= other_d & less
            e ^= other_e & less
        best[word, 0], best[word, 1], best[word, 2], best[word, 3], best[word, 4] = a, b, c, d, e


@kernel
def _find_live(
    costs: NDArray[np.uint64],
    lands: NDArray[np.uint64],
    found: int,
    best: NDArray[np.uint64],
    live: NDArray[np.uint64],
) -> np.uint64:
    """The holes of pegs that can be live, as a word; their planes are written to ``live``, uint64 (holes, words)."""
    touched = np.uint64(0)
    for i in range(found):
        hole = lands[i]
        is_new = touched >> hole & np.uint64(1) == 0
        touched |= np.uint64(1) << hole
        for word in range(best.shape[0]):
            unreached, differs = best[word, 0], costs[i, word, 0] ^ best[word, 0]
            for plane in range(1, PLANES):
                unreached &= best[word, plane]
                differs |= costs[i, word, plane] ^ best[word, plane]
            known = np.uint64(0) if is_new else live[hole, word]
            live[hole, word] = known | ~(differs | unreached)
    return touched


@kernel
def _can_go_on(paths: Paths, hole: np.uint64, core: int) -> bool:
    """Whether the core of a block allows a jump from the hole."""
    found = False
    for step in range(paths.first[hole], paths.first[hole + np.uint64(1)]):
        found |= core & paths.test[step] == paths.need[step]
    return found
