"""Sliding blocks of any pieces: every packing of a tray, its groups, and the longest corner puzzles.

What is heavy is loaded when it is asked for: ``SPACE`` with all its tables, and the command.
"""

from boardspace.spec.entry import Entry, lazy_space

_MODULE = f"{__name__}.commands"

COMMANDS = (Entry("sliding", "Sliding blocks of any pieces: count, show, solve, and the hardest.", _MODULE),)

__getattr__ = lazy_space(__name__)
