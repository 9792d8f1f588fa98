"""The kernel that makes blocks with least moves.

For one block after the other the costs of all steps into it are written down, the least of them kept, and the pegs that
lead to it at that cost made live. Memory is read in order of the tiles that steps come from, and what all three passes
over a block need stays in the first level of cache.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardspace_kernels.bits import lowest_bit, popcount
from boardspace_kernels.jit import kernel
from boardspace_kernels.solitaire.classes.fold import Fold
from boardspace_kernels.solitaire.classes.gather import Blocks, has_position
from boardspace_kernels.solitaire.classes.order import Tiles
from boardspace_kernels.solitaire.classes.relax import (
    PLANES,
    Shift,
    add_move,
    find_live,
    keep_least,
    step_places,
    swap_places,
)
from boardspace_kernels.solitaire.classes.steps import Steps

SOURCES = 48


class Layer(NamedTuple):
    """Tiles ``begin`` to ``end`` of one weight, with least moves.

    index: uint64 (blocks, 2), where the rows of a block begin, or 0 where it has no position; and its holes with live
        pegs.
    rows: word (rows, words): none at 0, then for each block its bit-sliced counter of moves from the lowest plane on,
        and a plane for each of its holes, in ascending order.
    weight: of all its blocks.
    starts: int64 (highs + 1), the first block of each tile among all of the weight.
    begin: the first high part of these tiles.
    end: the high part after the last.
    """

    index: NDArray[np.uint64]
    rows: Blocks
    weight: int
    starts: NDArray[np.int64]
    begin: int
    end: int


class Sources(NamedTuple):
    """Layers that steps come from, filled up to 48 with empty ones. Few arrays hold what they can, as numba compiles
    for every object how it is taken from Python.

    index, rows: of each layer.
    starts: int64 (weights, highs + 1), of each weight of theirs.
    bounds: int64 (48, 4): of each layer the place of its starts, its weight, and where its high parts begin and end.
    """

    index: tuple[NDArray[np.uint64], ...]
    rows: tuple[Blocks, ...]
    starts: NDArray[np.int64]
    bounds: NDArray[np.int64]


def read_only(layer: Layer) -> Layer:
    """Return the layer in the one type for which kernels are compiled, be it from memory or from a file."""
    arrays = [array.view() for array in layer[:2]]
    for array in arrays:
        array.flags.writeable = False
    return Layer(*arrays, *layer[2:])


class Paths(NamedTuple):
    """The J steps as single blocks need them; a set of steps is n words.

    by_low: uint64 (L, n), the steps into a low part.
    goes_on: uint64 (J), the hole that a step's peg has in the position that the step comes from.
    lands: uint64 (J), the hole that it has in the position that the step leads to.
    first: int64 (holes + 1), the steps of a peg in hole h are those from ``first[h]`` on, in the next two arrays.
    test: int64 (J), the bits of a core that a step depends on.
    need: int64 (J): a peg can go on in a block where ``core & test == need`` for one of its steps.
    """

    by_low: NDArray[np.uint64]
    goes_on: NDArray[np.uint64]
    lands: NDArray[np.uint64]
    first: NDArray[np.int64]
    test: NDArray[np.int64]
    need: NDArray[np.int64]


class Workspace(NamedTuple):
    """Arrays that the kernel works in, for R successive blocks of one tile; a set of the J steps is n words.

    chosen: uint64 (n), the steps from one source into the tile.
    first: uint64 (J), of each of them the first block of the tile that it comes from.
    symmetry: uint64 (J), the symmetry that leads to that tile.
    sign: int64 (J), the sign of the high part before the step.
    block: uint64 (R * J), of each step from one source into the blocks: the block's place among the R.
    step: uint64 (R * J), which step it is.
    row: uint64 (R * J), the first row of the block it comes from.
    live: uint64 (R * J), the row of the plane of its peg, if there is one.
    is_live: uint64 (R * J), 1 where there is one, else 0.
    found: int64 (R), the steps into each block so far.
    costs: uint64 (R, J, words, planes), the moves after each of them.
    lands: uint64 (R, J), the hole that each of them leads to.
    moved: uint64 (words, planes), the counter on its way from one block to another.
    best: uint64 (words, planes), the least of the costs of a block.
    live_pegs: uint64 (holes, words), the planes of the holes with live pegs of a block.
    touched: uint64 (1), the sum of what was asked for early.
    """

    chosen: NDArray[np.uint64]
    first: NDArray[np.uint64]
    symmetry: NDArray[np.uint64]
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


class Rules(NamedTuple):
    """Tables that are the same for all blocks of a sweep.

    tiles: of the class.
    steps: from block to block.
    paths: the steps as single blocks need them.
    fold: the symmetries by which one block of each orbit is made.
    """

    tiles: Tiles
    steps: Steps
    paths: Paths
    fold: Fold


class Roots(NamedTuple):
    """Positions of a layer that need no move, ascending: block, word in the block, bit in the word; int64 (r) each."""

    block: NDArray[np.int64]
    word: NDArray[np.int64]
    bit: NDArray[np.int64]


class Made(NamedTuple):
    """A layer on its way.

    layer: its index is written, and its rows, which need not have room for all tiles.
    within: word (blocks, words), the positions that are kept of each block, or no blocks where all are.
    roots: its positions that need no move.
    first_row: the number of the first row that is written: so many are before it.
    """

    layer: Layer
    within: Blocks
    roots: Roots
    first_row: int


class Span(NamedTuple):
    """Successive blocks of a tile, as many as the workspace has room for.

    high: the tile.
    begin: the first block's place in it.
    end: the place after the last.
    lows: where the low parts of these blocks begin in the list of all.
    start: the first block's place among those of the layer.
    """

    high: int
    begin: int
    end: int
    lows: int
    start: int


@kernel
def make_tiles(rules: Rules, sources: Sources, made: Made, work: Workspace, high: int) -> tuple[int, int, bool]:
    """Make the tiles from ``high`` on for which the layer has rows left.

    Returns the first tile that is not made, the number of rows, and whether a position has 30 moves. Sources are taken
    one after the other, each for many blocks: so a call is made for many blocks, and their rows are asked for together.
    """
    row, too_many = 0, False
    layer, most = made.layer, PLANES + work.live_pegs.shape[0]
    while high < layer.end:
        size = layer.starts[high + 1] - layer.starts[high]
        # No block has more rows than its counter and a plane for every hole: a tile that is begun can be finished.
        if row + size * most > layer.rows.shape[0]:
            break
        for begin in range(0, size, work.found.size):
            span = _span(rules.tiles, layer, high, begin, min(begin + work.found.size, size))
            work.found[:] = 0
            # All steps into these blocks are collected, source by source, before the first block is made of them: so
            # the memory that the steps come from is read in order, and the costs stay in the first level of cache.
            for s in range(SOURCES):
                first, last = sources.bounds[s, 2], sources.bounds[s, 3]
                # The sources that fill up the tuple have no tiles.
                if first < last:
                    weight, starts = sources.bounds[s, 1], sources.starts[sources.bounds[s, 0]]
                    source = Layer(sources.index[s], sources.rows[s], weight, starts, first, last)
                    _add_source(rules, source, made, span, work)
            row, excess = _add_blocks(rules, made, span, work, row)
            too_many |= excess
        high += 1
    return high, row, too_many


@kernel
def _span(tiles: Tiles, layer: Layer, high: int, begin: int, end: int) -> Span:
    """Blocks ``begin`` to ``end`` of a tile."""
    lists = tiles.high_list[high] * tiles.low_weights + layer.weight - tiles.high_weight[high]
    start = layer.starts[high] - layer.starts[layer.begin]
    return Span(high, begin, end, tiles.first[lists] + begin, start + begin)


@kernel
def _add_source(rules: Rules, source: Layer, made: Made, span: Span, work: Workspace) -> None:
    """Write down the costs of the steps from one source into some blocks."""
    if _find_steps(rules, source, made.layer.weight, span.high, work):
        arrived = _find_arrivals(rules, source, made.within, span, work)
        _touch_rows(source.rows, work.row, work.live, arrived, work.touched)
        _write_costs(rules, source, span, arrived, work)


@kernel
def _find_steps(rules: Rules, source: Layer, weight: int, high: int, work: Workspace) -> bool:
    """Find the steps that come from a source into a tile; return whether there is any."""
    steps, fold = rules.steps, rules.fold
    # Steps are sorted by the weight that they take off, so those from one source are a run of them.
    gap, some = source.weight - weight, False
    work.chosen[:] = 0
    for step in range(np.searchsorted(steps.gap, gap), np.searchsorted(steps.gap, gap + 1)):
        before = high ^ steps.high_flip[step]
        there = fold.high[before]
        if high & steps.high_test[step] == steps.high_need[step] and source.begin <= there < source.end:
            work.first[step] = source.starts[there] - source.starts[source.begin]
            work.symmetry[step] = fold.symmetry[before]
            work.sign[step] = rules.tiles.high_sign[before]
            # A set of bits, so that one AND with the steps into a low part gives those that lead to a block.
            work.chosen[step >> 6] |= np.uint64(1) << np.uint64(step & 63)
            some = True
    return some


@kernel
def _find_arrivals(rules: Rules, source: Layer, within: Blocks, span: Span, work: Workspace) -> int:
    """The rows that steps come from, where there are any; no branch waits for the memory they lie in. Returns how many
    steps there are into all the blocks."""
    one, arrived = np.uint64(1), 0
    for block in range(span.end - span.begin):
        if within.shape[0] and not has_position(within, span.start + block):
            continue
        low = rules.tiles.lows[span.lows + block]
        for word in range(work.chosen.size):
            chosen = work.chosen[word] & rules.paths.by_low[low, word]
            while chosen:
                step = np.uint64(64 * word) + lowest_bit(chosen)
                chosen &= chosen - one
                symmetry = work.symmetry[step]
                # The low part before the step, and its rank in the tile that is made.
                rank = rules.fold.rank[symmetry, np.uint64(low ^ rules.steps.low_test[step])]
                source_block = work.first[step] + np.uint64(rank)
                row, holes = source.index[source_block, 0], source.index[source_block, 1]
                hole = rules.fold.hole[symmetry, rules.paths.goes_on[step]]
                # The planes of the holes follow the counter in ascending order: as many precede it as the block has
                # live holes below this one. Where the peg is not live, the block's first row stands in, which exists,
                # and ``is_live`` = 0 blanks it out later: no branch has to wait for ``holes``.
                is_live = holes >> hole & one
                work.block[arrived], work.step[arrived], work.row[arrived] = block, step, row
                work.live[arrived] = row + (np.uint64(PLANES) + popcount(holes & (one << hole) - one)) * is_live
                work.is_live[arrived] = is_live
                arrived += row != 0  # of a block without positions (row 0) the entry is written over by the next
    return arrived


@kernel
def _touch_rows(
    rows: Blocks, first: NDArray[np.uint64], live: NDArray[np.uint64], arrived: int, touched: NDArray[np.uint64]
) -> None:
    """Ask for all rows before the first of them is needed; what they hold is of no matter."""
    warm, last = np.uint64(0), np.uint64(rows.shape[1] - 1)
    for arrival in range(arrived):
        row = first[arrival]
        # The counter's begin, middle and end, which may lie in different lines of cache, and the plane of the peg.
        warm ^= np.uint64(rows[row, 0]) ^ np.uint64(rows[row + np.uint64(2), 0])
        warm ^= np.uint64(rows[row + np.uint64(4), last]) ^ np.uint64(rows[live[arrival], 0])
    touched[0] ^= warm  # were it not used, the compiler would leave the reading out


@kernel
def _write_costs(rules: Rules, source: Layer, span: Span, arrived: int, work: Workspace) -> None:
    """Write down the costs of all steps that lead to a position."""
    tiles, steps, fold = rules.tiles, rules.steps, rules.fold
    for arrival in range(arrived):
        step, block = work.step[arrival], work.block[arrival]
        symmetry, found = work.symmetry[step], work.found[block]
        low = tiles.lows[np.uint64(span.lows) + block]
        add_move(source.rows, work.row[arrival], work.live[arrival], work.is_live[arrival], work.moved)
        if symmetry:  # 0 is the identity: the block that is made is the one that the step comes from
            sign = work.sign[step] ^ tiles.low_sign[np.uint64(low ^ steps.low_test[step])]
            for i in range(fold.swaps[symmetry, sign]):
                swap = symmetry, sign, i
                swap_places(fold.mask, swap, fold.flip[symmetry, sign, i], fold.shift[symmetry, sign, i], work.moved)
        # The kind goes by the sign of the block that is made, the swaps by that of the block before the step.
        kind = steps.kind[step, tiles.high_sign[span.high] ^ tiles.low_sign[low]]
        shift = Shift(np.uint64(steps.word_flip[step]), np.uint64(steps.left[step]), np.uint64(steps.right[step]))
        if step_places(steps.masks, (step, kind), shift, work.moved, work.costs, (block, found)):
            work.lands[block, found] = rules.paths.lands[step]
            work.found[block] = found + 1


@kernel
def _add_blocks(rules: Rules, made: Made, span: Span, work: Workspace, row: int) -> tuple[int, bool]:
    """Make some blocks of a tile from the costs; the number of rows then, and whether a position has 30 moves."""
    roots, core = made.roots, span.high * rules.tiles.lows.size
    root, too_many = np.searchsorted(roots.block, span.start), False
    for place in range(span.end - span.begin):
        found, planted, block = work.found[place], root, span.start + place
        while planted < roots.block.size and roots.block[planted] == block:
            planted += 1
        if found or root < planted:
            keep_least(work.costs, place, found, work.best)
            for i in range(root, planted):
                for plane in range(PLANES):  # a root needs no move, whatever leads to it
                    work.best[roots.word[i], plane] &= ~(np.uint64(1) << np.uint64(roots.bit[i]))
            root = planted
            if made.within.shape[0] and not _keep_within(made.within, block, work.best):
                continue
            made.layer.index[block, 0] = made.first_row + row
            too_many |= _write_moves(work.best, made.layer.rows, row)  # before live pegs: rows ascend within a block
            # A step costs 0 moves only from a root and by a live peg. Roots have none, so no step attains a root's 0.
            touched = find_live(work.costs, work.lands, place, found, work.best, work.live_pegs)
            # The core of the block: its high and its low part as one number.
            here = core + rules.tiles.lows[span.lows + place]
            kept, row = _write_live(rules.paths, touched, here, work.live_pegs, made.layer.rows, row + PLANES)
            made.layer.index[block, 1] = kept
    return row, too_many


@kernel
def _write_live(
    paths: Paths, touched: np.uint64, core: int, live_pegs: NDArray[np.uint64], rows: Blocks, row: int
) -> tuple[np.uint64, int]:
    """Write the planes of the pegs that can be live, of those from whose hole the block's core allows a jump; the holes
    of these as a word, and the number of rows then.

    touched: the holes with planes in ``live_pegs``, as a word.
    """
    kept = np.uint64(0)
    while touched:
        hole = lowest_bit(touched)
        touched &= touched - np.uint64(1)
        if _can_go_on(paths.first, paths.test, paths.need, hole, core):
            any_live = np.uint64(0)
            for word in range(rows.shape[1]):
                # A plane without a peg is written over by what comes next.
                rows[row, word] = live_pegs[hole, word]
                any_live |= live_pegs[hole, word]
            if any_live:
                kept |= np.uint64(1) << hole
                row += 1
    return kept, row


@kernel
def _keep_within(within: Blocks, block: int, best: NDArray[np.uint64]) -> bool:
    """Take the positions that are not kept out of the counter of a block; return whether any is left."""
    left = False
    for word in range(best.shape[0]):
        outside, unreached = ~np.uint64(within[block, word]), ~np.uint64(0)
        for plane in range(PLANES):
            # All planes 1 is 31 moves, which means "not reached".
            best[word, plane] |= outside
            unreached &= best[word, plane]
        left |= unreached != ~np.uint64(0)
    return left


@kernel
def _write_moves(best: NDArray[np.uint64], rows: Blocks, row: int) -> bool:
    """Write the bit-sliced counter of a block; return whether a position has 30 moves."""
    too_many = False
    for word in range(rows.shape[1]):
        # 30 is binary 11110: of 31, which means "not reached", one less. Whoever has 30 may be the first of many.
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
    """Return whether the core of a block allows a jump from the hole; the arrays are those of ``Paths``."""
    found = False
    for step in range(first[hole], first[hole + np.uint64(1)]):
        found |= core & test[step] == need[step]
    return found
