"""Boards of letters, equal letters one piece that lies in a line and slides along it: second rules in plain Python."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

Rows = tuple[str, ...]
"""A board: a letter for each cell, a dot where none is. An x, or a letter of one cell, is a wall."""


class AlongLines:
    """Rules of pieces that slide along their lines; a state is :data:`Rows`, and a puzzle adds when it is solved.

    A move is named by the piece and how far it goes, + is right or down.
    """

    def parse(self, size: Any, text: str) -> Rows:
        """The rows of a text, / between them."""
        return tuple(text.split("/"))

    def text(self, size: Any, state: Rows) -> str:
        """The rows in one line."""
        return "/".join(state)

    def moves(self, size: Any, state: Rows) -> Mapping[str, Rows]:
        """The boards after each move."""
        return slides(state)


def slides(rows: Rows) -> dict[str, Rows]:
    """The boards after each move of a piece, any number of cells, by its name: ``B+2``."""
    down = _slid_in_rows(_turned(rows))
    return _slid_in_rows(rows) | {name: _turned(turned) for name, turned in down.items()}


def _turned(rows: Rows) -> Rows:
    return tuple(map("".join, zip(*rows, strict=True)))


def _slid_in_rows(rows: Rows) -> dict[str, Rows]:
    return {
        name: (*rows[:number], after, *rows[number + 1 :])
        for number, row in enumerate(rows)
        for name, after in _slid(row)
    }


@lru_cache(1 << 16)
def _slid(line: str) -> tuple[tuple[str, str], ...]:
    """All moves of the pieces that lie in a line, by their names, and the line after each."""
    found = []
    for letter in sorted({one for one in line if one not in ".x" and line.count(one) > 1}):
        first, length = line.index(letter), line.count(letter)
        last = first + length
        far = [n for n in range(1, len(line)) if line[last : last + n] == "." * n]
        back = [-n for n in range(1, first + 1) if line[first - n : first] == "." * n]
        for cells in far + back:
            left = line[:first] + "." * length + line[last:]
            found.append((f"{letter}{cells:+}", left[: first + cells] + letter * length + left[last + cells :]))
    return tuple(found)
