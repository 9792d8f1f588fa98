"""The kernel that makes blocks with least moves.

For one block after the other the costs of all steps into it are written down, the least of them kept, and the pegs that
lead to it at that cost made live. Memory is read in order of the tiles that steps come from, and what all three passes
over a block need stays in the first level of cache.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardspace_kernels.bits import lowest_bit, popcount
from boardspace_kernels.jit import inlined, kernel
from boardspace_kernels.solitaire.classes.fold import Fold
from boardspace_kernels.solitaire.classes.gather import Blocks
from boardspace_kernels.solitaire.classes.order import Tiles
from boardspace_kernels.solitaire.classes.relax import (
    PLANES,
    add_move,
    find_live,
    keep_least,
    step_places,
    swap_places,
)
from boardspace_kernels.solitaire.classes.steps import Steps

SOURCES = 16


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


def read_only(layer: Layer) -> Layer:
    """The same layer in the one type for which kernels are compiled, whether it comes from memory or a file."""
    arrays = [array.view() for array in layer[:2]]
    for array in arrays:
        array.flags.writeable = False
    return Layer(*arrays, *layer[2:])


class Paths(NamedTuple):
    """The J steps as single blocks need them; a set of steps is n words.

    by_low: uint64 (L, n), the steps into a low part. goes_on, lands: uint64 (J), the hole that the step's peg has where
    it comes from, and where it leads to. first, test, need: int64 (holes + 1), (J), (J): a peg in hole h of a block can
    go on where ``core & test == need`` for one of the steps from ``first[h]`` on.
    """

    by_low: NDArray[np.uint64]
    goes_on: NDArray[np.uint64]
    lands: NDArray[np.uint64]
    first: NDArray[np.int64]
    test: NDArray[np.int64]
    need: NDArray[np.int64]


class Room(NamedTuple):
    """What the kernel writes down on its way, of a run of R blocks of one tile.

    chosen: uint64 (n), the set of steps from one source into the tile; first, turn, sign: uint64 (J), (J), int64 (J),
    for each of them the first block of the tile that it comes from, the symmetry that leads to that tile, and the sign
    of the high part before. block, step, row, live, is_live: uint64 (R * J) each, the steps from one source into the
    blocks of the run: the block's place in the run, the step, the first row it comes from, that of the peg's plane,
    and whether it has one. found: int64 (R), the steps into each block so far; costs: uint64 (R, J, words, planes);
    lands: uint64 (R, J), the holes that they lead to. moved, best: uint64 (words, planes). live_pegs: uint64 (holes,
    words). touched: uint64 (1).
    """

    chosen: NDArray[np.uint64]
    first: NDArray[np.uint64]
    turn: NDArray[np.uint64]
    sign: NDArray[np.int64]
    block: NDArray[np.uint64]
    step: NDArray[np.uint64]
    row: NDArray[np.uint64]
    live: NDArray[np.uint64]
    is_live: NDArray[np.uint64]
    found: NDArray[np.int64]
    costs: NDArray[np.uint64]
    lands: NDArray[np.uint64]
    moved: NDArray[np.uint64]
    best: NDArray[np.uint64]
    live_pegs: NDArray[np.uint64]
    touched: NDArray[np.uint64]


class Roots(NamedTuple):
    """Positions of a layer that need no move, ascending: block, word in the block, bit in the word; int64 (r) each."""

    block: NDArray[np.int64]
    word: NDArray[np.int64]
    bit: NDArray[np.int64]


@kernel
def make_tiles(
    tiles: Tiles,
    steps: Steps,
    paths: Paths,
    fold: Fold,
    sources: tuple[Layer, ...],
    roots: Roots,
    made: Layer,
    within: Blocks,
    room: Room,
    high: int,
    first_row: int,
) -> tuple[int, int, bool]:
    """Make the tiles from ``high`` on for which there is room; their rows are numbered from ``first_row`` on.

    within: word (blocks, words), the positions that are kept of each block made, or no blocks where all are.
    Returns the first tile that is not made, the number of rows, and whether a position has 30 moves. Sources are taken
    one after the other, each for many blocks: so a call is made for many blocks, and their rows are asked for together.
    """
    row, too_many = 0, False
    most = PLANES + room.live_pegs.shape[0]
    while high < made.end:
        size = made.starts[high + 1] - made.starts[high]
        if row + size * most > made.rows.shape[0]:
            break
        for begin in range(0, size, room.found.size):
            end = min(begin + room.found.size, size)
            room.found[:] = 0
            for s in range(SOURCES):
                if sources[s].begin < sources[s].end:
                    _add_source(tiles, steps, paths, fold, sources[s], made, within, high, begin, end, room)
            row, excess = _add_blocks(tiles, paths, roots, made, within, room, high, begin, end, first_row, row)
            too_many |= excess
        high += 1
    return high, row, too_many


@kernel
def _add_source(
    tiles: Tiles,
    steps: Steps,
    paths: Paths,
    fold: Fold,
    source: Layer,
    made: Layer,
    within: Blocks,
    high: int,
    begin: int,
    end: int,
    room: Room,
) -> None:
    """Write down the costs of the steps from one source into blocks ``begin`` to ``end`` of a tile."""
    if not _find_steps(tiles, steps, fold, source, made.weight, high, room):
        return
    lows = tiles.first[tiles.high_list[high] * tiles.low_weights + made.weight - tiles.high_weight[high]] + begin
    start = made.starts[high] - made.starts[made.begin] + begin
    arrived = _find_arrivals(tiles, steps, paths, fold, source, within, start, lows, end - begin, room)
    _touch_rows(source.rows, room.row, room.live, arrived, room.touched)
    _write_costs(tiles, steps, paths, fold, source, high, lows, arrived, room)


@kernel
def _find_steps(tiles: Tiles, steps: Steps, fold: Fold, source: Layer, weight: int, high: int, room: Room) -> bool:
    """The steps that come from a source into a tile; whether there is any."""
    gap, some = source.weight - weight, False
    room.chosen[:] = 0
    for step in range(np.searchsorted(steps.gap, gap), np.searchsorted(steps.gap, gap + 1)):
        before = high ^ steps.high_flip[step]
        there = fold.high[before]
        if high & steps.high_test[step] == steps.high_need[step] and source.begin <= there < source.end:
            room.first[step] = source.starts[there] - source.starts[source.begin]
            room.turn[step] = fold.turn[before]
            room.sign[step] = tiles.high_sign[before]
            room.chosen[step >> 6] |= np.uint64(1) << np.uint64(step & 63)
            some = True
    return some


@kernel
def _find_arrivals(
    tiles: Tiles,
    steps: Steps,
    paths: Paths,
    fold: Fold,
    source: Layer,
    within: Blocks,
    start: int,
    lows: int,
    blocks: int,
    room: Room,
) -> int:
    """The rows that steps come from, where there are any; no branch waits for the memory they lie in. Returns how many
    steps there are into all the blocks, whose low parts begin at ``lows``. ``start``: the first of them, to see whether
    anything of a block is kept."""
    one, arrived = np.uint64(1), 0
    for block in range(blocks):
        if within.shape[0] and not _has_any(within, start + block):
            continue
        low = tiles.lows[lows + block]
        for word in range(room.chosen.size):
            chosen = room.chosen[word] & paths.by_low[low, word]
            while chosen:
                step = np.uint64(64 * word) + lowest_bit(chosen)
                chosen &= chosen - one
                turn = room.turn[step]
                come = room.first[step] + np.uint64(fold.rank[turn, np.uint64(low ^ steps.low_test[step])])
                row, holes, hole = source.index[come, 0], source.index[come, 1], fold.hole[turn, paths.goes_on[step]]
                is_live = holes >> hole & one
                room.block[arrived], room.step[arrived], room.row[arrived] = block, step, row
                room.live[arrived] = row + (np.uint64(PLANES) + popcount(holes & (one << hole) - one)) * is_live
                room.is_live[arrived] = is_live
                arrived += row != 0
    return arrived


@kernel
def _touch_rows(
    rows: Blocks, first: NDArray[np.uint64], live: NDArray[np.uint64], arrived: int, touched: NDArray[np.uint64]
) -> None:
    """Ask for all rows before the first of them is needed; what they hold is of no matter."""
    warm, last = np.uint64(0), np.uint64(rows.shape[1] - 1)
    for arrival in range(arrived):
        row = first[arrival]
        warm ^= np.uint64(rows[row, 0]) ^ np.uint64(rows[row + np.uint64(2), 0])
        warm ^= np.uint64(rows[row + np.uint64(4), last]) ^ np.uint64(rows[live[arrival], 0])
    touched[0] ^= warm


@kernel
def _write_costs(
    tiles: Tiles,
    steps: Steps,
    paths: Paths,
    fold: Fold,
    source: Layer,
    high: int,
    lows: int,
    arrived: int,
    room: Room,
) -> None:
    """Write down the costs of all steps that lead to a position."""
    for arrival in range(arrived):
        step, block = room.step[arrival], room.block[arrival]
        turn, found = room.turn[step], room.found[block]
        low = tiles.lows[np.uint64(lows) + block]
        add_move(source.rows, room.row[arrival], room.live[arrival], room.is_live[arrival], room.moved)
        if turn:
            sign = room.sign[step] ^ tiles.low_sign[np.uint64(low ^ steps.low_test[step])]
            for i in range(fold.swaps[turn, sign]):
                swap_places(fold.mask, turn, sign, i, fold.flip[turn, sign, i], fold.shift[turn, sign, i], room.moved)
        kind = steps.kind[step, tiles.high_sign[high] ^ tiles.low_sign[low]]
        left, right, flip = np.uint64(steps.left[step]), np.uint64(steps.right[step]), np.uint64(steps.word_flip[step])
        if step_places(steps.masks, step, kind, flip, left, right, room.moved, room.costs, block, found):
            room.lands[block, found] = paths.lands[step]
            room.found[block] = found + 1


@kernel
def _add_blocks(
    tiles: Tiles,
    paths: Paths,
    roots: Roots,
    made: Layer,
    within: Blocks,
    room: Room,
    high: int,
    begin: int,
    end: int,
    first_row: int,
    row: int,
) -> tuple[int, bool]:
    """Make blocks ``begin`` to ``end`` of a tile from the costs; the number of rows then, and whether a position has 30
    moves."""
    lows = tiles.first[tiles.high_list[high] * tiles.low_weights + made.weight - tiles.high_weight[high]]
    start = made.starts[high] - made.starts[made.begin]
    root, too_many = np.searchsorted(roots.block, start + begin), False
    for rank in range(begin, end):
        found, planted = room.found[rank - begin], root
        while planted < roots.block.size and roots.block[planted] == start + rank:
            planted += 1
        if found or root < planted:
            keep_least(room.costs, rank - begin, found, room.best)
            for i in range(root, planted):
                for plane in range(PLANES):
                    room.best[roots.word[i], plane] &= ~(np.uint64(1) << np.uint64(roots.bit[i]))
            root = planted
            if within.shape[0] and not _keep_within(within, start + rank, room.best):
                continue
            made.index[start + rank, 0] = first_row + row
            core = high * tiles.lows.size + tiles.lows[lows + rank]
            too_many |= _write_moves(room.best, made.rows, row)
            row += PLANES
            touched = find_live(room.costs, room.lands, rank - begin, found, room.best, room.live_pegs)
            kept = np.uint64(0)
            while touched:
                hole = lowest_bit(touched)
                touched &= touched - np.uint64(1)
                if _can_go_on(paths.first, paths.test, paths.need, hole, core):
                    any_live = np.uint64(0)
                    for word in range(made.rows.shape[1]):
                        made.rows[row, word] = room.live_pegs[hole, word]
                        any_live |= room.live_pegs[hole, word]
                    if any_live:
                        kept |= np.uint64(1) << hole
                        row += 1
            made.index[start + rank, 1] = kept
    return row, too_many


@inlined
def _has_any(blocks: Blocks, block: int) -> bool:
    found = False
    for word in range(blocks.shape[1]):
        found |= blocks[block, word] != 0
    return found


@kernel
def _keep_within(within: Blocks, block: int, best: NDArray[np.uint64]) -> bool:
    """Take the positions that are not kept out of the planes of a block; whether any is left."""
    left = False
    for word in range(best.shape[0]):
        outside, unreached = ~np.uint64(within[block, word]), ~np.uint64(0)
        for plane in range(PLANES):
            best[word, plane] |= outside
            unreached &= best[word, plane]
        left |= unreached != ~np.uint64(0)
    return left


@kernel
def _write_moves(best: NDArray[np.uint64], rows: Blocks, row: int) -> bool:
    """Write the planes of moves of a block; whether a position has 30."""
    too_many = False
    for word in range(rows.shape[1]):
        reached = ~best[word, 0]
        for plane in range(1, PLANES):
            reached &= best[word, plane]
        too_many |= reached != 0
        for plane in range(PLANES):
            rows[row + plane, word] = best[word, plane]
    return too_many


@kernel
def _can_go_on(
    first: NDArray[np.int64], test: NDArray[np.int64], need: NDArray[np.int64], hole: np.uint64, core: int
) -> bool:
    """Whether the core of a block allows a jump from the hole; the arrays are those of ``Paths``."""
    found = False
    for step in range(first[hole], first[hole + np.uint64(1)]):
        found |= core & test[step] == need[step]
    return found
