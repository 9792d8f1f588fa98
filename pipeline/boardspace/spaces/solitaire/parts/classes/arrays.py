"""Arrays of what is known of every position of a class, by number, in shards that are ranges of high parts; and counts
of its positions by pegs.

Positions are counted by pegs while they are made. From where one peg can be reached is swept first, if that is asked
for and the class has a single peg at all. Then the positions that can be reached are made, and each shard counts its
own, with what the first sweep left of the same weight. Blocks that nothing reads any more are dropped at once: without
bitmaps there is never more of the second sweep than a window of weights on the disk. Of tiles that symmetries map to
one another only one is made (see :mod:`boardspace_kernels.solitaire.classes.fold`).

Of bitmaps a shard takes a range of high parts out of the blocks of all weights, with the images of blocks that were not
made. A position that can return to one peg in the vacancy is the complement of one that can be reached, of another
weight; so these are counted on bitmaps, where complements are in the range opposite.

Least moves that are left are made by weight: a band of weights is a stage, as in :mod:`.moves`, in the order of the
sweep backwards. Of its blocks those positions are kept that both sweeps have, so it comes after the bands that made
these. When all are made, their positions are written as bytes, eight to a word, and the blocks are dropped.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardspace.spaces.solitaire.config import Hint, SolitaireConfig
from boardspace.spaces.solitaire.parts.classes.moves import blobs_of_layers, layers, made_layers
from boardspace.spaces.solitaire.parts.classes.part import BITMAPS, MOVES_LEFT
from boardspace.spaces.solitaire.parts.classes.sweeps import (
    GOALS,
    Band,
    Goal,
    bands,
    bands_with,
    blobs_of,
    make_band,
    make_pieces,
    pieces,
    stage_of,
)
from boardspace.spaces.solitaire.parts.classes.vacancy import ARRAY, MovesLeft, Vacancy, array_path, goals_of
from boardspace.spec.space import Array, ArrayPart, Inputs, Output, Shard, Stage, cut_range
from boardspace_kernels.solitaire.classes.census import complemented, count, count_pieces, is_in, stuck_in
from boardspace_kernels.solitaire.classes.gather import Blocks, Piece, bitmap, empty_piece, joined
from boardspace_kernels.solitaire.classes.moves_left import no_moves, write_moves_left

CHUNK_BYTES = 1 << 16
WORD_BYTES = 8
SECONDS_PER_BYTE = 3e-8


def cut_highs(
    vacancy: Vacancy, size: int, shard_bytes: int, config: SolitaireConfig, inputs: Inputs
) -> Sequence[Shard]:
    """Ranges of high parts, as many in each, of an array of ``size`` bytes; about ``shard_bytes`` of it a shard."""
    order = vacancy.order
    each = size // order.highs
    highs = 1 << max(0, min(shard_bytes // each, order.highs).bit_length() - 1)
    highs = max(highs, WORD_BYTES // each)  # whole words, of a small board
    return [
        Shard(f"{low:09}", {**vacancy.params, "begin": low, "end": high}, (high - low) * each * SECONDS_PER_BYTE)
        for low, high in cut_range(0, order.highs, highs)
    ]


def part_of(vacancy: Vacancy, array: Array, name: str, params: Mapping[str, Any], values: NDArray[Any]) -> ArrayPart:
    """The values of a range of high parts."""
    begin, end = params["begin"], params["end"]
    size = len(values)
    shape, offset = ((size * highs // (end - begin),) for highs in (vacancy.order.highs, begin))
    chunk = min(size, CHUNK_BYTES // values.itemsize)
    return ArrayPart(array, array_path(vacancy, name), shape, (chunk,), (size,), offset, values)


GOAL: Mapping[MovesLeft, str] = {"winning_moves": "one peg", "returning_moves": "one peg in the vacancy"}
BYTES_WRITTEN = 0.043
"""Of an array of least moves, for each position of the class."""


def hint_stages(vacancy: Vacancy, hint: Hint, shard_bytes: int) -> Iterator[Stage]:
    """The stages of the sweep, and that of the array; none where the class has not the goal."""
    name = ARRAY[hint]
    if not goals_of(vacancy, name):
        return
    chosen = bands(vacancy, name, shard_bytes)
    for band in chosen:
        within = [other for goal in GOALS for other in bands_with(vacancy, goal, band, shard_bytes)]
        what = f"least moves to {GOAL[name]}"
        yield stage_of(vacancy, band, shard_bytes, what, make_moves_band, others=within)
    positions = vacancy.order.positions.bytes * 8
    yield Stage(
        f"{vacancy.slug}.{name}",
        f"{vacancy.board_name} from vacancy {vacancy.hole}: least moves to {GOAL[name]}, by position",
        partial(write_moves, name, shard_bytes),
        partial(cut_highs, vacancy, positions, shard_bytes),
        after=tuple(band.stage(vacancy) for band in chosen),
        bytes=int(positions * BYTES_WRITTEN),
    )


def make_moves_band(
    band: Band, shard_bytes: int, config: SolitaireConfig, params: Mapping[str, Any], inputs: Inputs
) -> Output:
    """The blocks of some tiles of each weight of a band."""
    vacancy, ends = Vacancy.of(params), (params["begin"], params["end"])
    met = [
        [piece for other in bands_with(vacancy, goal, band, shard_bytes) for piece in pieces(vacancy, other, inputs)]
        for goal in GOALS
    ]

    def within(weight: int) -> Blocks:
        """The positions of a weight that both sweeps have."""
        tiles = empty_piece(vacancy.order, vacancy.fold, weight, *ends)
        return joined(tiles, met[0]) & joined(tiles, met[1])

    return Output(blobs=blobs_of_layers(made_layers(vacancy, band, shard_bytes, ends, inputs, within)))


def write_moves(
    name: MovesLeft, shard_bytes: int, config: SolitaireConfig, params: Mapping[str, Any], inputs: Inputs
) -> Output:
    """A range of the array."""
    vacancy, begin, end = Vacancy.of(params), params["begin"], params["end"]
    swept = (layer for band in bands(vacancy, name, shard_bytes) for layer in layers(vacancy, band, inputs))
    found = no_moves(vacancy.order, begin, end)
    write_moves_left(vacancy.order, vacancy.fold, swept, begin, end, found)
    return Output(arrays=[part_of(vacancy, MOVES_LEFT, name, params, found.view(np.uint64))])


def counted_stages(vacancy: Vacancy, shard_bytes: int, winning: bool) -> Iterator[Stage]:
    """The stages of both sweeps, or of the one that is needed."""
    both = winning and bool(vacancy.single_pegs)
    for band in bands(vacancy, "winning", shard_bytes) if both else ():
        yield stage_of(vacancy, band, shard_bytes, "winning positions", make_band)
    for band in bands(vacancy, "reachable", shard_bytes):
        make = partial(make_counted_run, both)
        won = bands_with(vacancy, "winning", band, shard_bytes) if both else []
        yield stage_of(vacancy, band, shard_bytes, "positions, and how many", make, counted=True, others=won)


def make_counted_run(
    both: bool, band: Band, shard_bytes: int, config: SolitaireConfig, params: Mapping[str, Any], inputs: Inputs
) -> Output:
    """The blocks of some tiles of each weight of a band, and what is counted on them; ``both``: winning ones, too."""
    vacancy = Vacancy.of(params)
    made = make_pieces(vacancy, band, shard_bytes, (params["begin"], params["end"]), inputs)
    won = bands_with(vacancy, "winning", band, shard_bytes) if both else []
    inputs.report("counting by pegs")
    facts = _counted(vacancy, made, [piece for other in won for piece in pieces(vacancy, other, inputs)])
    return Output(blobs=blobs_of(made), facts=facts)


def _counted(vacancy: Vacancy, made: list[Piece], won: list[Piece]) -> dict[str, Any]:
    """Counts by set, by symmetry that keeps the start, and by pegs: the positions that the symmetry leaves as they are,
    in tiles that are made, times their images. Over all symmetries the sum is that of all tiles."""
    order, fold = vacancy.order, vacancy.fold
    sets = {"positions": made, "dead_ends": [stuck_in(order, piece) for piece in made]}
    if won:
        sets["winning"] = [piece._replace(blocks=piece.blocks & joined(piece, won)) for piece in made]
    singles = [peg for peg in vacancy.single_pegs if any(is_in(order, fold, piece, peg) for piece in made)]
    survivors = [vacancy.board.pegs(peg)[0] for peg in singles]
    group = vacancy.board.stabiliser(vacancy.start)
    counts = {name: count_pieces(order, fold, group, some).tolist() for name, some in sets.items()}
    return {**counts, "survivors": survivors}


def make_bitmaps(shard_bytes: int, config: SolitaireConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """A range of both bitmaps; and of the positions that can return to one peg in the vacancy, where there may be some,
    the numbers by pegs."""
    vacancy, begin, end = Vacancy.of(params), params["begin"], params["end"]
    order, fold = vacancy.order, vacancy.fold

    def swept(goal: Goal, begin: int, end: int) -> Blocks:
        """A range of the bitmap of a sweep."""
        found = (piece for band in bands(vacancy, goal, shard_bytes) for piece in pieces(vacancy, band, inputs))
        return bitmap(order, found if vacancy.single_pegs or goal == "reachable" else (), begin, end, fold)

    reached, facts = swept("reachable", begin, end), dict[str, Any]()
    if order.positions.contains(vacancy.board.full ^ vacancy.start):
        wins = reached & complemented(order.positions, swept("reachable", order.highs - end, order.highs - begin))
        cores = np.arange(begin << order.low_bits, end << order.low_bits)
        group = vacancy.board.stabiliser(vacancy.start)
        facts["winning_in_vacancy"] = count(order, fold, group, wins, cores).tolist()
    arrays = [
        part_of(vacancy, BITMAPS, goal, params, blocks.reshape(-1).view(np.uint64))
        for goal, blocks in zip(GOALS, (reached, swept("winning", begin, end)), strict=True)
    ]
    return Output(arrays=arrays, facts=facts)
