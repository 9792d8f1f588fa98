"""Rush Hour: all boards of small squares, their groups, and the starts that take the most moves."""

from boardspace.spec.deferred import Entry, lazy_space

COMMANDS = (Entry("rush-hour", "Rush Hour: show, solve, play, and the hardest.", f"{__name__}.commands"),)

__getattr__ = lazy_space(__name__)
