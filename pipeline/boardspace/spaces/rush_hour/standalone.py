"""Rules of Rush Hour beside the checker of its instances: plain Python that needs nothing installed.

A state is a board's rows; each letter is a piece, A the red car, a dot an empty cell, x a wall. A move is named by the
piece and how far it goes along its line, + is right or down.
"""

from typing import Any

Rows = tuple[str, ...]


class Board:
    """Pieces that slide along their lines."""

    def parse(self, size: Any, text: str) -> Rows:
        """The rows of a text, / between them."""
        return tuple(text.split("/"))

    def text(self, size: Any, state: Rows) -> str:
        """The rows in one line."""
        return "/".join(state)

    def solved(self, size: Any, state: Rows) -> bool:
        """The red car stands at the right end of its row."""
        return any(row.endswith("AA") for row in state)

    def moves(self, size: Any, state: Rows) -> dict[str, Rows]:
        """The boards after each move."""
        turned = tuple("".join(column) for column in zip(*state, strict=True))
        down = {name: tuple("".join(row) for row in zip(*rows, strict=True)) for name, rows in _along(turned).items()}
        return {**_along(state), **down}


def _along(rows: Rows) -> dict[str, Rows]:
    """The moves of the pieces that lie in rows."""
    found = {}
    for number, row in enumerate(rows):
        for letter in sorted({one for one in row if one not in ".x" and row.count(one) > 1}):
            first, length = row.index(letter), row.count(letter)
            last = first + length
            far = [n for n in range(1, len(row)) if row[last : last + n] == "." * n]
            back = [-n for n in range(1, first + 1) if row[first - n : first] == "." * n]
            for cells in far + back:
                left = row[:first] + "." * length + row[last:]
                after = left[: first + cells] + letter * length + left[last + cells :]
                found[f"{letter}{cells:+}"] = (*rows[:number], after, *rows[number + 1 :])
    return found


KINDS = {"rush_hour": Board()}
