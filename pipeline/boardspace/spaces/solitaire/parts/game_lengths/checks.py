"""Numbers of games by length made again by arrays, layer by layer; of too large layers estimated by drawn games.

Layers are made from the start as far as one has at most :data:`MOST_ROWS` positions. The number after it is exact as
well, those after that one are estimated. What stages exchange is covered by its SHA-256 and by shards made again.
"""

from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardspace.spaces.solitaire.columns import slug
from boardspace.spaces.solitaire.config import GameLengths, SolitaireConfig
from boardspace.spaces.solitaire.parts.game_lengths.part import last_held
from boardspace.spaces.solitaire.rules import AT_ONCE, GameByArrays, ProblemByHand, Words
from boardspace.spec.check import begins_of, exact
from boardspace.spec.equations import Making, Near
from boardspace.spec.space import Draw

PRECISION = 1e-10
"""Relative, of sums of floats."""

MOST_ROWS = 1_000_000
"""Positions of a layer that the next one is made from."""
GAMES = 20_000
DEVIATIONS = 6
Row = dict[str, Any]


class Counted(NamedTuple):
    """Positions and the sequences that lead to each, or, of canonical ones, to all images of it together.

    positions: uint64 (p), ascending.
    ways: uint64 (p), the sequences modulo 2^64.
    sizes: float64 (p), about how many there are.
    """

    positions: Words
    ways: NDArray[np.uint64]
    sizes: NDArray[np.float64]

    @classmethod
    def of(cls, positions: Words, ways: NDArray[np.uint64]) -> "Counted":
        """Of numbers of ways below 2^64."""
        return cls(positions, ways, ways.astype(np.float64))

    @classmethod
    def start(cls, word: int) -> "Counted":
        """One position, and the sequence of no moves."""
        return cls.of(np.array([word], np.uint64), np.ones(1, np.uint64))

    @classmethod
    def joined(cls, positions: Words, ways: NDArray[np.uint64], sizes: NDArray[np.float64] | None = None) -> "Counted":
        """The different positions among some in any order; equal ones add their sequences. Sizes are not needed where
        no sum of ways comes to 2^64."""
        order = np.argsort(positions, kind="stable")  # files, and results of one jump, are ascending: these are merged
        ascending = positions.take(order)
        first = begins_of(ascending)
        found = cls.of(ascending.take(first), np.add.reduceat(ways.take(order), first))
        return found if sizes is None else found._replace(sizes=np.add.reduceat(sizes.take(order), first))

    def total(self, times: NDArray[Any] | None = None) -> int:
        """The sequences to all positions, those to each so many times."""
        factor = np.ones(1, np.int64) if times is None else times
        return exact(int((self.ways * factor.astype(np.uint64)).sum()), float((self.sizes * factor).sum()))

    def differs(self, ways: NDArray[np.uint64], sizes: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Bool (p): where these are not its numbers of sequences."""
        return (self.ways != ways) | (np.abs(self.sizes - sizes) > PRECISION * sizes)


class Estimate(NamedTuple):
    """Number of sequences as drawn games tell it: the mean, and the deviation of one game."""

    mean: float
    deviation: float


def estimates(game: GameByArrays, layer: Counted, random: np.random.Generator, games: int) -> Iterator[Estimate]:
    """Estimates of the sequences of one move more than the layer's, of two moves more, and so on."""
    sequences = layer.total()
    chances = layer.sizes / sequences
    words = layer.positions[random.choice(len(chances), games, p=chances / chances.sum())]
    product = np.full(games, float(sequences))
    while True:
        made = list(game.moves_from(words))
        origin = np.concatenate([part.origin for part in made] or [np.empty(0, np.int64)])
        result = np.concatenate([part.result for part in made] or [np.empty(0, np.uint64)])
        result = result[np.argsort(origin, kind="stable")]
        counts = np.bincount(origin, minlength=len(words))
        product *= counts
        yield Estimate(float(product.mean()), float(product.std()))
        chosen = np.cumsum(counts) - counts + (random.random(len(words)) * counts).astype(np.int64)
        if len(result):
            words = np.where(counts > 0, result[np.minimum(chosen, len(result) - 1)], np.uint64(0))


def step_from(
    game: GameByArrays, layer: Counted, back: bool = False, single: bool = False
) -> tuple[NDArray[np.int64], int, Counted]:
    """The moves of each position of a layer, or the single jumps, their number, int64 (p), and the most jumps of any;
    the layer after it."""
    counts, longest = np.zeros(len(layer.positions), np.int64), 0
    words, origins = [np.empty(0, np.uint64)], [np.empty(0, np.int64)]
    for begin in range(0, len(counts), AT_ONCE):
        here = slice(begin, begin + AT_ONCE)
        for made in islice(game.moves_from(layer.positions[here], back), 1 if single else None):
            counts[here] += np.bincount(made.origin, minlength=len(counts[here]))
            longest = max(longest, made.jumps)
            words.append(game.canonical(made.result))
            origins.append(made.origin + begin)
    origin = np.concatenate(origins)
    sizes = None if layer.total(counts) < 1 << 64 else layer.sizes.take(origin)
    return counts, longest, Counted.joined(np.concatenate(words), layer.ways.take(origin), sizes)


def make_lengths(config: SolitaireConfig, name: str, at: Making) -> dict[str, list[Row]]:
    """The rows of every problem, exactly or by an estimate."""
    sections = sorted(config.game_lengths, key=lambda section: slug(section.problem))
    rows = ({"problem": slug(s.problem), **row} for s in sections for row in _lengths(s, config, at.draw))
    return {"game_lengths": list(rows)}


def _lengths(section: GameLengths, config: SolitaireConfig, draw: Draw) -> Iterator[Row]:
    problem, last = ProblemByHand(section.problem, config.boards), last_held(section)
    game = GameByArrays(problem, problem.symmetries)
    layer = Counted.start(problem.word(problem.start))
    for moves in range(section.moves + 1):
        yield {
            "moves": moves,
            "sequences": str(layer.total()),
            "positions": _held(moves, last, len(layer.positions)),
        }
        if len(layer.positions) > MOST_ROWS:
            break
        layer = step_from(game, layer)[2]
    later = range(moves + 1, section.moves + 1)
    one_more = str(layer.total(game.move_counts(layer.positions)[0])) if later else ""
    for moves, (mean, deviation) in zip(later, estimates(game, layer, draw.generator(), GAMES), strict=False):
        about = Near(mean, DEVIATIONS * deviation / GAMES**0.5 + 1e-9 * mean)
        sequences = one_more if moves == later[0] else about
        yield {"moves": moves, "sequences": sequences, "positions": _held(moves, last, Near(least=0))}


def _held(moves: int, last: int, positions: int | Near) -> int | Near | None:
    """The positions after so many moves; None where the run does not hold them."""
    return positions if moves <= last else None
