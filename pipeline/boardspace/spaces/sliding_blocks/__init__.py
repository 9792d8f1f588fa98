"""Sliding blocks of any pieces: every packing of a tray, its groups, and the longest corner puzzles."""

from boardspace.spec.deferred import Entry, lazy_space

COMMANDS = (
    Entry("sliding", "Sliding blocks of any pieces: count, show, solve, and the hardest.", f"{__name__}.commands"),
)

__getattr__ = lazy_space(__name__)
