"""The lamps as a plug-in."""

from boardspace.graphs import space_of
from tests.puzzles import LAMPS

SPACE, COMMANDS = space_of(LAMPS, __file__)
