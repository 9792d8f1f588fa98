"""Names of the stages and shards that count games by their length, and how far positions are held."""

from collections.abc import Mapping

from boardspace.spaces.solitaire.config import GameLengths
from boardspace.spaces.solitaire.problems import slug
from boardspace.spec.space import Facts

LAYERS = "game_lengths.layers"
NOT_HELD = 2
"""Moves at the end whose results are counted and not held."""


def last_held(section: GameLengths) -> int:
    """Moves after which positions are held for the last time."""
    return section.moves - NOT_HELD


def shard_name(section: GameLengths, moves: int, number: int) -> str:
    """Name of a shard of the layer after so many moves."""
    return f"{slug(section.problem)}/moves={moves:02}/{number:04}"


def layers_of(section: GameLengths, done: Mapping[str, Facts]) -> dict[int, dict[str, Facts]]:
    """The finished shards of a problem by moves, and by name."""
    found: dict[int, dict[str, Facts]] = {}
    for name, facts in done.items():
        problem, moves, _ = name.split("/")
        if problem == slug(section.problem):
            found.setdefault(int(moves.removeprefix("moves=")), {})[name] = facts
    return found
