"""The rounds as a plug-in."""

from boardspace.graphs import space_of
from tests.puzzles import ROUNDS

SPACE, COMMANDS = space_of(ROUNDS, __file__)
