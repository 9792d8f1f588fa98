"""The rounds as numbered states, as a plug-in."""

from boardspace.graphs import space_of
from tests.puzzles import NUMBERED

SPACE, COMMANDS = space_of(NUMBERED, __file__)
