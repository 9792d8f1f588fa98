"""Making blocks: every position that a step leads to from a position already made.

``gather`` adds to some tiles of one weight what steps lead there from tiles of another. Nobody else writes these
tiles, and the steps that lead to them all come from blocks of other weights, heavier ones forward and lighter ones
backward. So weights are made one after the other, each from a few before, and the tiles of one weight in any order and
by anyone.

Of tiles that symmetries map to one another only one need be made (see :mod:`.fold`). Where a step comes from another,
the blocks of the one that is made are turned on the way.

Cost: 2 to 6 ns for each word of a block and each step into it, most of it waiting for memory; a step is possible in one
block of eight, or of four or two where it concerns ends, so there are about ten for each block.

``sweep`` makes a whole class in memory: what can be reached from a start, or from where a goal can be reached.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardspace_kernels.jit import inlined, kernel
from boardspace_kernels.solitaire.classes.fold import SIGN_BITS, Fold, tile_of, unfolded
from boardspace_kernels.solitaire.classes.fold import starts as starts_of
from boardspace_kernels.solitaire.classes.order import Order, Tiles
from boardspace_kernels.solitaire.classes.steps import KINDS, Steps

Blocks = NDArray[np.unsignedinteger]

SOURCES_AT_ONCE = 8


class Piece(NamedTuple):
    """Tiles ``begin`` to ``end`` of one weight.

    blocks: word (blocks, words), a bit for each position that is reached.
    weight: of all its blocks.
    starts: int64 (highs + 1), the first block of each tile among those of the weight that are made.
    begin: the first high part of these tiles.
    end: the high part after the last.
    """

    blocks: Blocks
    weight: int
    starts: NDArray[np.int64]
    begin: int
    end: int


@inlined
def has_position(blocks: Blocks, block: int) -> bool:
    """Return whether a block of ``blocks`` word (blocks, words) has any position."""
    found = False
    for word in range(blocks.shape[1]):
        found |= blocks[block, word] != 0
    return found


Sources = tuple[Piece, ...]


class Workspace(NamedTuple):
    """Arrays that the kernels work in.

    found: int64 (J), the steps that come into a tile from one source.
    turned: uint64 (words), a block on its way from one place to another.
    """

    found: NDArray[np.int64]
    turned: NDArray[np.uint64]


class Turn(NamedTuple):
    """A step into a tile from an image of a tile of a source.

    step: which of all.
    sign: what the kind of a low part is flipped by, for the step's masks.
    pairs: where the pairs of the tile's list of low parts begin.
    symmetry: which leads to the source's tile.
    high_sign: the sign of the image's high part.
    lows: where the image's list of low parts begins.
    """

    step: int
    sign: int
    pairs: int
    symmetry: int
    high_sign: int
    lows: np.uint64


def gather(tiles: Tiles, steps: Steps, fold: Fold, made: Piece, sources: Sequence[Piece]) -> None:
    """Add to ``made`` what steps lead there from the sources, which are final, those that are near enough to matter.

    Of all pieces only the tiles that the fold makes have blocks."""
    gaps = set(steps.gap.tolist())
    near = [source for source in sources if source.weight - made.weight in gaps and len(source.blocks)]
    work = Workspace(np.empty(len(steps.gap), np.int64), np.empty(made.blocks.shape[1], np.uint64))
    for begin in range(0, max(len(near), 1), SOURCES_AT_ONCE):
        some = near[begin : begin + SOURCES_AT_ONCE]
        # Filled up, since numba compiles anew for each length of a tuple.
        some += [_nothing(made)] * (SOURCES_AT_ONCE - len(some))
        held = tuple(map(read_only, some))
        _gather(tiles, steps, fold, made, held, work)
        if len(fold.hole) > 1:
            _gather_turned(tiles, steps, fold, made, held, work)


@kernel
def _gather(tiles: Tiles, steps: Steps, fold: Fold, made: Piece, sources: Sources, work: Workspace) -> None:
    """Add what comes from tiles that are made."""
    for high in range(made.begin, made.end):
        # Only blocks that are made are counted, so this also passes over tiles that are not made.
        if made.starts[high] == made.starts[high + 1]:
            continue
        pairs = (tiles.high_list[high] * tiles.low_weights + made.weight - tiles.high_weight[high]) * KINDS
        here = made.blocks[made.starts[high] - made.starts[made.begin] :]
        for s in range(SOURCES_AT_ONCE):
            source = sources[s]
            for step in work.found[: _find_steps(steps, fold, (made.weight, high), source, False, work.found)]:
                other = high ^ steps.high_flip[step]
                there = source.blocks[source.starts[other] - source.starts[source.begin] :]
                _add(steps, step, steps.kind[step, tiles.high_sign[high]], pairs, here, there)


@kernel
def _gather_turned(tiles: Tiles, steps: Steps, fold: Fold, made: Piece, sources: Sources, work: Workspace) -> None:
    """Add what comes from images of tiles that are made."""
    for high in range(made.begin, made.end):
        if made.starts[high] == made.starts[high + 1]:
            continue
        pairs = (tiles.high_list[high] * tiles.low_weights + made.weight - tiles.high_weight[high]) * KINDS
        here = made.blocks[made.starts[high] - made.starts[made.begin] :]
        for s in range(SOURCES_AT_ONCE):
            source = sources[s]
            for step in work.found[: _find_steps(steps, fold, (made.weight, high), source, True, work.found)]:
                before = high ^ steps.high_flip[step]
                there = source.blocks[source.starts[fold.high[before]] - source.starts[source.begin] :]
                lists = tiles.high_list[before] * tiles.low_weights + source.weight - tiles.high_weight[before]
                lows, sign = np.uint64(tiles.first[lists]), tiles.high_sign[before]
                kind = steps.kind[step, tiles.high_sign[high]]
                turn = Turn(step, kind, pairs, fold.symmetry[before], sign, lows)
                _add_turned(steps, fold, turn, here, there, work.turned)


@kernel
def _find_steps(
    steps: Steps, fold: Fold, tile: tuple[int, int], source: Piece, turned: bool, found: NDArray[np.int64]
) -> int:
    """Find the steps that come into a tile, given by its weight and high part, from tiles of a source, or from their
    images; return how many there are."""
    count, (weight, high) = 0, tile
    gap = source.weight - weight
    # Steps are sorted by gap, so those from one source are a run of them.
    for step in range(np.searchsorted(steps.gap, gap), np.searchsorted(steps.gap, gap + 1)):
        before = high ^ steps.high_flip[step]
        other = fold.high[before]
        if high & steps.high_test[step] == steps.high_need[step] and source.begin <= other < source.end:
            found[count] = step  # written over by the next, where it does not count: no branch
            count += (other != before) == turned
    return count


@inlined
def _add(steps: Steps, step: int, sign: int, pairs: int, made: Blocks, source: Blocks) -> None:
    """Add all pairs of a step in one tile, kind by kind and word by word of the blocks."""
    # One of the two shifts is by 0.
    left, right = np.uint64(steps.left[step]), np.uint64(steps.right[step])
    for kind in range(KINDS):
        # Pairs are sorted by kind, and all of one kind have the same mask.
        begin, end = np.uint64(steps.first[step, pairs + kind]), np.uint64(steps.first[step, pairs + kind + 1])
        if begin < end:
            # Unsigned indices, so that numba does not test whether they count from the end.
            for word in range(np.uint64(made.shape[1])):
                # A kind is linear in the sign, so that of a block is the XOR of those of its low and its high part.
                mask = steps.masks[step, kind ^ sign, word]
                other = word ^ np.uint64(steps.word_flip[step])
                if mask:  # the pairs are the innermost loop, since both of their ranks ascend in memory
                    for pair in range(begin, end):
                        made[steps.to[pair], word] |= (source[steps.source[pair], other] << left >> right) & mask


@inlined
def _add_turned(steps: Steps, fold: Fold, turn: Turn, made: Blocks, source: Blocks, turned: NDArray[np.uint64]) -> None:
    """Add all pairs of a step where the blocks that it comes from are images of the source's."""
    step, symmetry, pairs = turn.step, turn.symmetry, turn.pairs
    left, right, flip = np.uint64(steps.left[step]), np.uint64(steps.right[step]), steps.word_flip[step]
    for kind in range(KINDS):
        begin, end = np.uint64(steps.first[step, pairs + kind]), np.uint64(steps.first[step, pairs + kind + 1])
        mask = steps.masks[step, kind ^ turn.sign]
        for pair in range(begin, end):
            # A pair gives the low part's rank in the tile before the step. Its image has a rank of its own.
            packed = fold.source_rank[symmetry, turn.lows + np.uint64(steps.source[pair])]
            # The swaps turn the made block into the one before the step, so they go by the sign of the latter.
            rank, place_sign = packed >> SIGN_BITS, turn.high_sign ^ (packed & (1 << SIGN_BITS) - 1)
            if fold.turned.shape[2]:
                bits = np.uint64(source[rank, 0])
                if bits:
                    image = _looked_up(fold, symmetry, place_sign, bits)
                    made[steps.to[pair], 0] |= (image << left >> right) & mask[0]
                continue
            # The block is copied, since the source is read by other steps as it lies, and turned swap by swap.
            some = np.uint64(0)
            for word in range(turned.size):
                turned[word] = source[rank, word]
                some |= turned[word]
            if some:
                _turn(fold, symmetry, place_sign, turned)
                for word in range(turned.size):
                    # The shift moves bits also to places where the step is not possible: the mask takes them out.
                    made[steps.to[pair], word] |= (turned[word ^ flip] << left >> right) & mask[word]


@kernel
def _looked_up(fold: Fold, symmetry: int, sign: int, bits: np.uint64) -> np.uint64:
    """Turn a block of one word, byte by byte."""
    image = np.uint64(0)
    for byte in range(fold.turned.shape[2]):
        image |= np.uint64(fold.turned[symmetry, sign, byte, bits & np.uint64(255)])
        bits >>= np.uint64(8)
    return image


@inlined
def _turn(fold: Fold, symmetry: int, sign: int, block: NDArray[np.uint64]) -> None:
    """Turn a block of several words, uint64 (words), in place."""
    for i in range(fold.swaps[symmetry, sign]):
        shift, away = fold.shift[symmetry, sign, i], fold.flip[symmetry, sign, i]
        for word in range(block.size):
            # Bits that two places differ in are flipped in both, which exchanges the places.
            differs = (block[word] >> shift ^ block[word ^ away]) & fold.mask[symmetry, sign, i, word]
            block[word ^ away] ^= differs
            block[word] ^= differs << shift


def _nothing(made: Piece) -> Piece:
    """A source without tiles."""
    return made._replace(blocks=made.blocks[:0], begin=0, end=0)


def read_only(piece: Piece) -> Piece:
    """Return the piece in the one type for which the kernel is compiled, be it from memory or from a file."""
    blocks = piece.blocks.view()
    blocks.flags.writeable = False
    return piece._replace(blocks=blocks)


def sweep(order: Order, steps: Steps, roots: Iterable[int], fold: Fold | None = None) -> dict[int, Piece]:
    """Positions by weight that steps lead to from the roots. The symmetries of the fold map the roots to one
    another; where none is given, all blocks are made."""
    planted, fold = list(roots), fold or unfolded(order)
    weights = range(order.heaviest + 1)
    made: dict[int, Piece] = {}
    gaps = sorted(set(steps.gap.tolist()))
    # Forward steps come from heavier blocks, so these are made first; steps back come from lighter ones.
    for weight in weights if gaps[0] < 0 else reversed(weights):
        made[weight] = empty_piece(order, fold, weight)
        plant(order, made[weight], planted)
        gather(order.tiles, steps, fold, made[weight], [made[weight + gap] for gap in gaps if weight + gap in made])
    return made


def common(one: Mapping[int, Piece], other: Mapping[int, Piece]) -> dict[int, Piece]:
    """Positions by weight that two sweeps of the same fold both have."""
    return {weight: piece._replace(blocks=piece.blocks & other[weight].blocks) for weight, piece in one.items()}


def empty_piece(order: Order, fold: Fold, weight: int, begin: int = 0, end: int | None = None) -> Piece:
    """Tiles of one weight without a position; all of them where no end is given."""
    end = order.highs if end is None else end
    starts = starts_of(order, fold, weight)
    blocks = np.zeros((starts[end] - starts[begin], order.positions.words), order.positions.word_type)
    return Piece(blocks, weight, starts, begin, end)


def plant(order: Order, piece: Piece, roots: Iterable[int]) -> None:
    """Add those of some positions that belong to the piece and are in tiles that are made; of others an image is to be
    among them."""
    for root in roots:
        weight, high, rank, word, bit = order.find(root)
        if weight == piece.weight and piece.begin <= high < piece.end and piece.starts[high] < piece.starts[high + 1]:
            block = piece.starts[high] - piece.starts[piece.begin] + rank
            piece.blocks[block, word] |= piece.blocks.dtype.type(1 << bit)


def bitmap(
    order: Order, pieces: Iterable[Piece], begin: int = 0, end: int | None = None, fold: Fold | None = None
) -> Blocks:
    """word (blocks, words): the blocks with high parts from ``begin`` to ``end`` (all where none is given) in order of
    their numbers, from pieces of all weights; the fold is that of their sweep."""
    fold, end = fold or unfolded(order), order.highs if end is None else end
    blocks = np.zeros(((end - begin) << order.low_bits, order.positions.words), order.positions.word_type)
    for piece in pieces:
        write_tiles(order.tiles, fold, read_only(piece), begin, blocks)
    return blocks


@kernel
def write_tiles(tiles: Tiles, fold: Fold, piece: Piece, begin: int, blocks: Blocks) -> None:
    """Write the images of the blocks of a piece where they belong by number, from the high part ``begin`` on."""
    turned = np.empty(blocks.shape[1], np.uint64)
    # All high parts, made or not: one that is not made is written from its image.
    for high in range(begin, begin + blocks.shape[0] // tiles.lows.size):
        symmetry = fold.symmetry[high]
        first, last, start = tile_of(tiles, fold, piece, high)
        for i in range(first, last):
            low = tiles.lows[i]
            source, block = int(start + np.int64(fold.rank[symmetry, low])), (high - begin) * tiles.lows.size + low
            sign = tiles.high_sign[high] ^ tiles.low_sign[low]
            if fold.turned.shape[2]:
                blocks[block, 0] = _looked_up(fold, symmetry, sign, np.uint64(piece.blocks[source, 0]))
            elif has_position(piece.blocks, source):
                for word in range(turned.size):
                    turned[word] = piece.blocks[source, word]
                _turn(fold, symmetry, sign, turned)
                for word in range(turned.size):
                    blocks[block, word] = turned[word]


def joined(made: Piece, pieces: Iterable[Piece]) -> Blocks:
    """word (blocks, words): what other pieces of the same fold have in the tiles of a piece; together they have all of
    its tiles."""
    blocks, starts = np.zeros_like(made.blocks), made.starts
    for other in (piece for piece in pieces if piece.weight == made.weight):
        begin, end = max(made.begin, other.begin), min(made.end, other.end)
        if begin < end:
            here = slice(starts[begin] - starts[made.begin], starts[end] - starts[made.begin])
            blocks[here] = other.blocks[starts[begin] - starts[other.begin] : starts[end] - starts[other.begin]]
    return blocks
