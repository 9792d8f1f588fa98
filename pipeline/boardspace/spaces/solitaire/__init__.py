"""Peg solitaire: frontiers by moves, shortest solutions with their proof, whole spaces by jumps.

What is heavy is loaded when it is asked for: ``SPACE`` with all its tables, and the commands.
"""

from boardspace.spec.entry import Entry, lazy_space

_MODULE = f"{__name__}.commands"

COMMANDS = (Entry("solitaire", "Peg solitaire: replay games, solve problems on any board.", _MODULE),)

__getattr__ = lazy_space(__name__)
