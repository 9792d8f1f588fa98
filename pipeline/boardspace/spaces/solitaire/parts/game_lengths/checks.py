"""Numbers of games by length made again by arrays, layer by layer; of too large layers estimated by drawn games.

Layers are made from the start as far as one has at most :data:`MOST_ROWS` positions. The number after it is exact as
well, those after that one are estimated. What stages exchange is covered by its SHA-256 and by shards made again.
"""

from collections.abc import Iterator
from itertools import islice, repeat
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardspace.spaces.solitaire.columns import slug
from boardspace.spaces.solitaire.config import SolitaireConfig
from boardspace.spaces.solitaire.parts.game_lengths.part import last_held
from boardspace.spaces.solitaire.rules import GameByArrays, ProblemByHand, Words
from boardspace.spec.check import begins_of
from boardspace.spec.equations import Making, Near
from boardspace.spec.space import Draw

MOST_ROWS = 1_000_000
"""Positions of a layer that the next one is made from."""
GAMES = 20_000
DEVIATIONS = 6
Row = dict[str, Any]


class Counted(NamedTuple):
    """Positions and the sequences that lead to each, or, of canonical ones, to all images of it together.

    positions: uint64 (p), ascending.
    ways: the numbers of sequences (p): uint64, or Python's integers where these would not do.
    """

    positions: Words
    ways: NDArray[Any]

    @classmethod
    def start(cls, word: int) -> "Counted":
        """One position, and the sequence of no moves."""
        return cls(np.array([word], np.uint64), np.ones(1, np.uint64))

    @classmethod
    def joined(cls, positions: Words, ways: NDArray[Any]) -> "Counted":
        """The different positions among some in any order; equal ones add their sequences."""
        order = np.argsort(positions, kind="stable")  # files, and results of one jump, are ascending: these are merged
        ascending = positions.take(order)
        first = begins_of(ascending)
        return cls(ascending.take(first), np.add.reduceat(ways.take(order), first) if len(first) else ways)

    def times(self, numbers: Any = 1) -> NDArray[Any]:
        """The sequences to each position so many times, in Python's integers unless the sum of all is below 2^63."""
        fits = float((self.ways * 1.0 * numbers).sum()) < 1 << 63
        return self.ways.astype(np.uint64 if fits else object) * np.asarray(numbers, np.uint64)

    def total(self, numbers: Any = 1) -> int:
        """The sequences to all positions, those to each so many times."""
        return int(self.times(numbers).sum())


def estimates(
    game: GameByArrays, layer: Counted, random: np.random.Generator, games: int
) -> Iterator[tuple[float, float]]:
    """Estimates of the sequences of one move more than the layer's, of two moves more, and so on: the mean of drawn
    games, and the deviation of one."""
    sequences = layer.total()
    if not sequences:
        yield from repeat((0.0, 0.0))
    chances = (layer.ways / sequences).astype(np.float64)
    words = layer.positions[random.choice(len(chances), games, p=chances / chances.sum())]
    product = np.full(games, float(sequences))
    while True:
        _, origin, result = game.moved(words)
        result = result[np.argsort(origin, kind="stable")]
        counts = np.bincount(origin, minlength=len(words))
        product *= counts
        yield float(product.mean()), float(product.std())
        chosen = np.cumsum(counts) - counts + (random.random(len(words)) * counts).astype(np.int64)
        if len(result):
            words = np.where(counts > 0, result[np.minimum(chosen, len(result) - 1)], np.uint64(0))


def step_from(
    game: GameByArrays, layer: Counted, back: bool = False, single: bool = False
) -> tuple[NDArray[np.int64], int, Counted]:
    """The moves of each position of a layer, or the single jumps, their number, int64 (p), and the most jumps of any;
    the layer after it."""
    longest, origin, result = game.moved(layer.positions, back, single)
    counts = np.bincount(origin, minlength=len(layer.positions))
    ways = layer.ways.astype(layer.times(counts).dtype)
    return counts, longest, Counted.joined(result, ways.take(origin))


def make_lengths(config: SolitaireConfig, name: str, at: Making) -> dict[str, list[Row]]:
    """The rows of every problem."""
    rows: list[Row] = []
    for section in sorted(config.game_lengths, key=lambda section: slug(section.problem)):
        problem, last = ProblemByHand(section.problem, config.boards), last_held(section)
        lengths = islice(_lengths(problem, at.draw), section.moves + 1)
        for moves, (sequences, positions) in enumerate(lengths):
            row = {"moves": moves, "sequences": sequences, "positions": positions if moves <= last else None}
            rows.append({"problem": slug(section.problem), **row})
    return {"game_lengths": rows}


def _lengths(problem: ProblemByHand, draw: Draw) -> Iterator[tuple[str | Near, int | Near]]:
    """Sequences of 0, 1, 2, ... moves and the positions after them, exactly or by an estimate."""
    game = GameByArrays(problem, problem.symmetries)
    layer = Counted.start(problem.word(problem.start))
    yield str(layer.total()), len(layer.positions)
    while len(layer.positions) <= MOST_ROWS:
        layer = step_from(game, layer)[2]
        yield str(layer.total()), len(layer.positions)
    moves = (np.bincount(made.origin, minlength=len(layer.positions)) for made in game.moves_from(layer.positions))
    yield str(layer.total(sum(moves))), Near(least=0)
    for mean, deviation in islice(estimates(game, layer, draw.generator(), GAMES), 1, None):
        yield Near(mean, DEVIATIONS * deviation / GAMES**0.5 + 1e-9 * mean), Near(least=0)
