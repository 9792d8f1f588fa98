"""Dividing a chessboard: L-tromino covers of boards less one cell, and rectangles of pegs reduced to one or two."""

from boardspace.spec.deferred import Entry, lazy_space

_MODULE = f"{__name__}.commands"

COMMANDS = (
    Entry("tromino", "Cover a board of 2^K x 2^K less one cell by L-trominoes.", _MODULE),
    Entry("rectangle", "The fewest pegs that can be left of M x N pegs.", _MODULE),
)

__getattr__ = lazy_space(__name__)
