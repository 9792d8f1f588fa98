"""Peg solitaire: frontiers by moves, shortest solutions with their proof, whole spaces by jumps."""

from boardspace.spec.deferred import Entry, lazy_space

COMMANDS = (Entry("solitaire", "Peg solitaire: replay games, solve problems on any board.", f"{__name__}.commands"),)

__getattr__ = lazy_space(__name__)
