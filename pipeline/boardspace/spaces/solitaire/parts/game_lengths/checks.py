"""Numbers of games by length made again by arrays, layer by layer; of too large layers estimated by drawn games.

Layers are made from the start as far as one has at most :data:`MOST_ROWS` positions. The number after it is exact as
well, those after that one are estimated. What stages exchange is covered by its SHA-256 and by shards made again.
"""

from collections.abc import Iterator
from typing import Any

from boardspace.spaces.solitaire.columns import slug
from boardspace.spaces.solitaire.config import GameLengths, SolitaireConfig
from boardspace.spaces.solitaire.counted_layers import Counted, estimates, step_from
from boardspace.spaces.solitaire.parts.game_lengths.part import last_held
from boardspace.spaces.solitaire.rules import GameByArrays, ProblemByHand
from boardspace.spec.equations import Making, Near
from boardspace.spec.space import Draw

MOST_ROWS = 1_000_000
"""Positions of a layer that the next one is made from."""
GAMES = 20_000
DEVIATIONS = 6
Row = dict[str, Any]


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
