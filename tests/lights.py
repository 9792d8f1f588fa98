"""The lights as a plug-in."""

from boardspace.graphs import space_of
from tests.puzzles import LIGHTS

SPACE, COMMANDS = space_of(LIGHTS, __file__)
