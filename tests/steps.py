"""The steps as a plug-in."""

from boardspace.graphs import space_of
from tests.puzzles import STEPS

SPACE, COMMANDS = space_of(STEPS, __file__)
