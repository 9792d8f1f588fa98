"""The beads as a plug-in."""

from boardspace.graphs import space_of
from tests.puzzles import BEADS

SPACE, COMMANDS = space_of(BEADS, __file__)
