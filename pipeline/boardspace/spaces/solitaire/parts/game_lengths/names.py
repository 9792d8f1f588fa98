"""Name of the stage that counts games by their length, and how far positions are held."""

from boardspace.spaces.solitaire.config import GameLengths

LAYERS = "game_lengths.layers"
NOT_HELD = 2
"""Moves at the end whose results are counted and not held."""


def last_held(section: GameLengths) -> int:
    """Moves after which positions are held for the last time."""
    return section.moves - NOT_HELD
