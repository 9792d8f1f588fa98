"""Boards for the tests, and the way between the kernels' words and the oracle's sets of cells."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from boardspace_kernels.solitaire.board import Board
from boardspace_kernels.solitaire.play import Problem
from tests.naive import solitaire as naive

FRENCH = Board.from_picture(
    "french",
    "square",
    """
 .  .  9 16 23  .  .
 .  4 10 17 24 30  .
 1  5 11 18 25 31 35
 2  6 12 19 26 32 36
 3  7 13 20 27 33 37
 .  8 14 21 28 34  .
 .  . 15 22 29  .  .
""",
)
ENGLISH = Board.from_cells(
    "english",
    "square",
    {c: n for c, n in zip(FRENCH.cells, FRENCH.labels, strict=True) if n not in (4, 8, 30, 34)},
)
LAST_SUPPER = Problem(
    FRENCH,
    FRENCH.full ^ FRENCH.position([19]),
    FRENCH.position([1, 3, 4, 8, 9, 15, 19, 23, 29, 30, 34, 35, 37]),
)
CENTRAL = Problem(ENGLISH, ENGLISH.full ^ ENGLISH.position([19]), ENGLISH.position([19]))


def rectangle(rows: int, columns: int) -> Board:
    """A rectangle, numbered row by row."""
    cells = [(r, c) for r in range(rows) for c in range(columns)]
    return Board.from_cells(f"{rows}x{columns}", "square", {cell: n for n, cell in enumerate(cells, 1)})


def triangle(side: int) -> Board:
    """A triangle with jumps along three axes."""
    cells = [(r, c) for r in range(side) for c in range(r + 1)]
    return Board.from_cells(f"triangle {side}", "triangular", {cell: n for n, cell in enumerate(cells, 1)})


def hexagon(side: int) -> Board:
    """A hexagon with jumps along three axes."""
    size = 2 * side - 1
    cells = [(r, c) for r in range(size) for c in range(size) if abs(r - c) < side]
    return Board.from_cells(f"hexagon {side}", "triangular", {cell: n for n, cell in enumerate(cells, 1)})


SMALL = (
    rectangle(1, 6),
    rectangle(3, 4),
    rectangle(4, 4),
    triangle(4),
    triangle(5),
    hexagon(2),
    hexagon(3),
    Board.from_picture("crooked", "square", "7 3 5\n. . 1\n. . 2 9 4"),
)


def cells(board: Board) -> naive.Position:
    """The board as the oracle sees it."""
    return frozenset(board.cells)


def as_set(board: Board, word: int) -> naive.Position:
    """A position as the oracle sees it."""
    return frozenset(cell for hole, cell in enumerate(board.cells) if int(word) >> hole & 1)


def as_word(board: Board, position: naive.Position) -> int:
    """A position as the kernels see it."""
    return sum(1 << hole for hole, cell in enumerate(board.cells) if cell in position)


@cache
def group(board: Board) -> list[dict[naive.Cell, naive.Cell]]:
    """The oracle's symmetries of a board."""
    return naive.symmetries(cells(board), board.grid)


def stabiliser(board: Board, *positions: int) -> list[dict[naive.Cell, naive.Cell]]:
    """The oracle's symmetries that keep positions."""
    kept = [as_set(board, position) for position in positions]
    return [image for image in group(board) if all(naive.orbit([image], p) == {p} for p in kept)]


def orbits(board: Board, symmetries: list[dict[naive.Cell, naive.Cell]], words: NDArray[np.uint64]) -> set[object]:
    """The orbits of positions; as many as there are words, or the words are not one of each orbit."""
    found = {naive.orbit(symmetries, as_set(board, word)) for word in words.tolist()}
    assert len(found) == len(words)
    return set(found)
