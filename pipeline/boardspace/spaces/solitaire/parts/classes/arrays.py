"""Arrays of what is known of every position of a class, by number, in shards that are ranges of high parts.

Least moves that are left are made by weight: a band of weights is a stage, as in :mod:`.moves`, in the order of the
sweep backwards. Of its blocks those positions are kept that are in both bitmaps, so it comes after the bands that made
these. When all are made, their positions are written as bytes, eight to a word, with those of the images of blocks that
were not made, and the blocks are dropped.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardspace.spaces.solitaire.config import Hint, SolitaireConfig
from boardspace.spaces.solitaire.parts.classes.moves import layers
from boardspace.spaces.solitaire.parts.classes.part import MOVES_LEFT
from boardspace.spaces.solitaire.parts.classes.sweeps import (
    GOALS,
    Band,
    MovesLeft,
    bands,
    bands_with,
    pieces,
    sources,
    stage_of,
)
from boardspace.spaces.solitaire.parts.classes.vacancy import Vacancy
from boardspace.spec.space import Array, ArrayPart, Inputs, Output, Shard, Stage, cut_range
from boardspace_kernels.solitaire.classes.layers import MoveSweep, make_layer
from boardspace_kernels.solitaire.classes.moves_left import common_blocks, no_moves, write_moves_left

CHUNK_BYTES = 1 << 16
WORD_BYTES = 8
SECONDS_PER_BYTE = 1e-8


def array_path(vacancy: Vacancy, name: str) -> str:
    """Path of a published array."""
    return f"classes/{vacancy.slug}/{name}"


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


ARRAY: Mapping[Hint, MovesLeft] = {"winning": "winning_moves", "returning": "returning_moves"}
GOAL: Mapping[MovesLeft, str] = {"winning_moves": "one peg", "returning_moves": "one peg in the vacancy"}
BYTES_WRITTEN = 0.043
"""Of an array of least moves, for each position of the class."""


def hint_stages(vacancy: Vacancy, hint: Hint, shard_bytes: int) -> Iterator[Stage]:
    """The stages of the sweep, and that of the array; none where the class has not the goal."""
    name = ARRAY[hint]
    if not goals_of(vacancy, name):
        return
    chosen = bands(vacancy, name, shard_bytes, folded=True)
    for band in chosen:
        stage = stage_of(vacancy, band, shard_bytes, f"least moves to {GOAL[name]}", partial(make_band, name))
        within = tuple(other.stage(vacancy) for goal in GOALS for other in bands_with(vacancy, goal, band, shard_bytes))
        yield replace(stage, after=(*stage.after, *within), drops=True)
    positions = vacancy.order.positions.bytes * 8
    yield Stage(
        f"{vacancy.slug}.{name}",
        f"{vacancy.board_name} from vacancy {vacancy.hole}: least moves to {GOAL[name]}, by position",
        partial(write_moves, name, shard_bytes),
        partial(cut_highs, vacancy, positions, shard_bytes),
        after=tuple(band.stage(vacancy) for band in chosen),
        bytes=int(positions * BYTES_WRITTEN),
    )


def goals_of(vacancy: Vacancy, name: MovesLeft) -> list[int]:
    """The single pegs that are to be left: all of the class, or that in the vacancy."""
    home = vacancy.board.full ^ vacancy.start
    return [single for single in vacancy.single_pegs if name == "winning_moves" or single == home]


def make_band(
    name: MovesLeft,
    band: Band,
    shard_bytes: int,
    config: SolitaireConfig,
    params: Mapping[str, Any],
    inputs: Inputs,
) -> Output:
    """The blocks of some tiles of each weight of a band."""
    vacancy, ends = Vacancy.of(params), (params["begin"], params["end"])
    sweep, goals = MoveSweep(vacancy.order, vacancy.steps(False), vacancy.fold), goals_of(vacancy, name)
    both = [
        [piece for other in bands_with(vacancy, goal, band, shard_bytes) for piece in pieces(vacancy, other, inputs)]
        for goal in GOALS
    ]
    before = sources(vacancy, band, shard_bytes)
    made = [layer for other in before for layer in layers(vacancy, other, inputs)]
    read = len(made)
    for weight in band.weights:
        within = common_blocks(vacancy.order, vacancy.fold, weight, both, *ends)
        made.append(make_layer(sweep, made, goals, weight, ends, within))
    blobs = {f"index-{layer.weight:03}": layer.index for layer in made[read:]}
    return Output(blobs=blobs | {f"rows-{layer.weight:03}": layer.rows for layer in made[read:]})


def write_moves(
    name: MovesLeft, shard_bytes: int, config: SolitaireConfig, params: Mapping[str, Any], inputs: Inputs
) -> Output:
    """A range of the array."""
    vacancy, begin, end = Vacancy.of(params), params["begin"], params["end"]
    swept = (
        layer for band in bands(vacancy, name, shard_bytes, folded=True) for layer in layers(vacancy, band, inputs)
    )
    found = no_moves(vacancy.order, begin, end)
    write_moves_left(vacancy.order, vacancy.fold, swept, begin, end, found)
    return Output(arrays=[part_of(vacancy, MOVES_LEFT, name, params, found.view(np.uint64))])
