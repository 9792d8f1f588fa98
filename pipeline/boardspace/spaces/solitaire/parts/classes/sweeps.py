"""A sweep in stages: a weight, or a band of light ones, is a stage, and ranges of its tiles are the shards.

Each shard leaves its blocks for the few stages that come after it, which map them into memory. So a worker holds the
blocks it makes, at most ``class_bytes``, and the machine keeps as much of the rest as fits its memory.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from boardspace.spaces.solitaire.config import SolitaireConfig
from boardspace.spaces.solitaire.parts.classes.vacancy import MovesLeft, Vacancy
from boardspace.spec.space import Inputs, Output, Shard, Stage
from boardspace_kernels.solitaire.classes.fold import starts
from boardspace_kernels.solitaire.classes.gather import Piece, empty_piece, gather, plant
from boardspace_kernels.solitaire.classes.layer_blocks import SOURCES

Goal = Literal["reachable", "winning"]
Swept = Goal | Literal["moves"] | MovesLeft
FORWARD: tuple[Swept, ...] = ("reachable", "moves")
GOALS: tuple[Goal, Goal] = ("reachable", "winning")
BLOCKS = "blocks"
SECONDS_PER_WORD = 4.7e-8
SECONDS_PER_WORD_LOOKED_UP = 1e-7
SECONDS_PER_WORD_SWAPPED = 2.2e-7
SECONDS_PER_WORD_COUNTED = 4e-8
"""Of one core, to make a word of a block from all steps into it, where all blocks are made; where one of each orbit is,
of blocks of one word and of several; and to count its positions and those without a jump."""
SECONDS_PER_BYTE = 4e-9
"""To write a block, to read it again and to hash it."""
SECONDS_PER_BYTE_OF_MOVES = 2e-8
INDEX_BYTES = 16
RANGES = 4
"""Weights that take less than this part of ``class_bytes`` go together, up to all of it. Others are cut into ranges of
that part, each a shard: on many workers a sweep takes as long as the longest ranges of all weights together."""
ROWS_OF_A_BLOCK = 11
"""Planes of a block with least moves, about: five of moves and those of live pegs."""


@dataclass(frozen=True)
class Band:
    """Consecutive weights of a sweep that one stage makes.

    goal: what is swept.
    number: its place among the bands of the sweep.
    weights: in the order in which they are made.
    ranges: high parts of the tiles of each shard, begin and end; one range where weights are many.
    bytes: about what its blocks take.
    """

    goal: Swept
    number: int
    weights: tuple[int, ...]
    ranges: tuple[tuple[int, int], ...]
    bytes: int

    def stage(self, vacancy: Vacancy) -> str:
        """The name of the stage that makes it."""
        return f"{vacancy.slug}.{self.goal}.{self.number:03}"

    def shards(self) -> list[str]:
        """The names of its shards, in order of the ranges."""
        return [f"tiles-{begin:09}" for begin, _ in self.ranges]


def stage_of(
    vacancy: Vacancy,
    band: Band,
    shard_bytes: int,
    what: str,
    make: Callable[..., Output],
    counted: bool = False,
    others: Iterable[Band] = (),
) -> Stage:
    """The stage of one band, whose shards ``make`` makes by the band, ``shard_bytes``, and what every shard gets.

    counted: it counts its positions as well. others: bands of other sweeps that it reads.
    """
    seconds = _seconds(vacancy, band, counted)
    weights = f"weight {band.weights[0]}" + (f" to {band.weights[-1]}" if len(band.weights) > 1 else "")
    return Stage(
        band.stage(vacancy),
        f"{vacancy.board_name} from vacancy {vacancy.hole}: {what}, {weights}",
        partial(make, band, shard_bytes),
        partial(cut_band, vacancy, band, seconds),
        after=tuple(before.stage(vacancy) for before in (*sources(vacancy, band, shard_bytes), *others)),
        drops=True,
        bytes=band.bytes,
        seconds=seconds,
    )


def _seconds(vacancy: Vacancy, band: Band, counted: bool) -> float:
    """About how many seconds a band takes on one core."""
    if band.goal not in GOALS:
        return band.bytes * SECONDS_PER_BYTE_OF_MOVES
    each = vacancy.order.positions.words
    words = band.bytes // _block_bytes(vacancy, band.goal) * each
    folded = SECONDS_PER_WORD_LOOKED_UP if each == 1 else SECONDS_PER_WORD_SWAPPED
    make = folded if len(vacancy.fold.hole) > 1 else SECONDS_PER_WORD
    return words * (make + counted * SECONDS_PER_WORD_COUNTED) + band.bytes * SECONDS_PER_BYTE


@lru_cache(maxsize=64)
def bands(vacancy: Vacancy, goal: Swept, shard_bytes: int) -> tuple[Band, ...]:
    """The weights in the order in which they are made, as many in a band as fit a shard.

    ``moves`` are least moves from the start, ``winning_moves`` and ``returning_moves`` those to one peg; as many ranges
    of a weight are made of these as the kernel can read.
    """
    order = vacancy.order
    block_bytes, range_bytes = _block_bytes(vacancy, goal), max(1, shard_bytes // RANGES)
    weights = range(order.heaviest + 1)
    found: list[Band] = []
    waiting: list[int] = []
    total = 0
    for weight in reversed(weights) if goal in FORWARD else weights:
        first = starts(order, vacancy.fold, weight)
        size = int(first[-1]) * block_bytes
        if waiting and (size > range_bytes or total + size > shard_bytes):
            found.append(Band(goal, len(found), tuple(waiting), ((0, order.highs),), total))
            waiting, total = [], 0
        if size > range_bytes:
            most = max(range_bytes, -(-size // _most_ranges(vacancy))) if goal not in GOALS else range_bytes
            cuts = np.searchsorted(first, np.arange(0, first[-1], -(-most // block_bytes))).tolist()
            ends = [*cuts[1:], order.highs]
            ranges = tuple((begin, end) for begin, end in zip([0, *cuts[1:]], ends, strict=True) if begin < end)
            found.append(Band(goal, len(found), (weight,), ranges, size))
        else:
            waiting.append(weight)
            total += size
    if waiting:
        found.append(Band(goal, len(found), tuple(waiting), ((0, order.highs),), total))
    return tuple(found)


def _block_bytes(vacancy: Vacancy, goal: Swept) -> int:
    block = vacancy.order.positions.bytes // vacancy.order.positions.blocks
    return INDEX_BYTES + ROWS_OF_A_BLOCK * block if goal not in GOALS else block


def _most_ranges(vacancy: Vacancy) -> int:
    """So many that a shard reads no more of them, over all weights that steps come from, than the kernel can."""
    return max(1, SOURCES // len(vacancy.order.gaps))


def sources(vacancy: Vacancy, band: Band, shard_bytes: int) -> list[Band]:
    """The bands before this one whose blocks steps lead from."""
    sign = 1 if band.goal in FORWARD else -1
    needed = {weight + sign * gap for weight in band.weights for gap in vacancy.order.gaps}
    before = bands(vacancy, band.goal, shard_bytes)[: band.number]
    return [other for other in before if needed & set(other.weights)]


def bands_with(vacancy: Vacancy, goal: Swept, band: Band, shard_bytes: int) -> list[Band]:
    """The bands of another sweep that have weights of this one."""
    return [other for other in bands(vacancy, goal, shard_bytes) if set(band.weights) & set(other.weights)]


def cut_band(vacancy: Vacancy, band: Band, seconds: float, config: SolitaireConfig, inputs: Inputs) -> Sequence[Shard]:
    """Ranges of tiles, which take about as long each."""
    return [
        Shard(name, {**vacancy.params, "begin": begin, "end": end}, seconds / len(band.ranges))
        for name, (begin, end) in zip(band.shards(), band.ranges, strict=True)
    ]


def make_band(
    band: Band, shard_bytes: int, config: SolitaireConfig, params: Mapping[str, Any], inputs: Inputs
) -> Output:
    """The blocks of some tiles of each weight of a band."""
    tiles = params["begin"], params["end"]
    return Output(blobs=blobs_of(make_pieces(Vacancy.of(params), band, shard_bytes, tiles, inputs)))


def make_pieces(vacancy: Vacancy, band: Band, shard_bytes: int, tiles: tuple[int, int], inputs: Inputs) -> list[Piece]:
    """A range of tiles of each weight of a band, from the bands before it."""
    roots = [vacancy.start] if band.goal == "reachable" else vacancy.single_pegs
    before = [p for other in sources(vacancy, band, shard_bytes) for p in pieces(vacancy, other, inputs)]
    made: list[Piece] = []
    steps, fold = vacancy.steps(band.goal == "reachable"), vacancy.fold
    for weight in reported(band.weights, inputs):
        piece = empty_piece(vacancy.order, fold, weight, *tiles)
        plant(vacancy.order, piece, roots)
        gather(vacancy.order.tiles, steps, fold, piece, [*before, *made])
        made.append(piece)
    return made


def reported(weights: Sequence[int], inputs: Inputs) -> Iterator[int]:
    """The weights, each of which is reported when it begins."""
    for number, weight in enumerate(weights, 1):
        inputs.report(f"weight {weight}, {number} of {len(weights)}")
        yield weight


def blobs_of(made: Sequence[Piece]) -> dict[str, NDArray[Any]]:
    """The blobs of a shard, as :func:`pieces` reads it."""
    return {BLOCKS: np.concatenate([piece.blocks for piece in made])}


def pieces(vacancy: Vacancy, band: Band, inputs: Inputs) -> Iterator[Piece]:
    """Pieces that a finished band left, mapped into memory."""
    for shard, (begin, end) in zip(band.shards(), band.ranges, strict=True):
        blocks, first = inputs.blob(band.stage(vacancy), BLOCKS, shard), 0
        for weight in band.weights:
            tiles = starts(vacancy.order, vacancy.fold, weight)
            size = int(tiles[end] - tiles[begin])
            yield Piece(blocks[first : first + size], weight, tiles, begin, end)
            first += size
