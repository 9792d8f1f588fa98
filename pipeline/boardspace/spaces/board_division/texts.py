"""The texts of both problems: boards of numbers, lists of jumps, and their drawings."""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from boardspace.spaces.board_division.rules import jump, rectangle
from boardspace.spec.errors import BoardspaceError
from boardspace_kernels.board_division.jumps import Jumps

LETTERS = "URDL"
FURTHEST = 32_700
BAND_ROWS = 256

# Joints of lines by the arms they have: 1 up, 2 right, 4 down, 8 left.
JOINTS = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"


class TextError(BoardspaceError):
    """A file that does not hold what it should."""


def board_lines(board: NDArray[Any]) -> Iterator[str]:
    """A board as the source prints it: rows of numbers separated by blanks."""
    side = board.shape[0]
    if side <= BAND_ROWS:
        yield from (" ".join(map(str, row)) for row in board.tolist())
        return
    for top in range(0, side, BAND_ROWS):
        band = board[top : top + BAND_ROWS]
        offsets = np.arange(len(band) + 1, dtype=np.int32) * side
        rows = pa.ListArray.from_arrays(offsets, pa.array(band.ravel()).cast(pa.string()))
        yield from pc.binary_join(rows, " ").to_pylist()


def parse_special_board(text: str) -> tuple[int, int, int]:
    """k, and row and column of the special cell: the source's input, k on the first line and x y on the second."""
    words = text.split()
    if len(words) != 3 or not all(map(_is_number, words)):
        raise TextError(
            f"standard input: {' '.join(words)[:60]!r} is not three whole numbers: k on the first line, the special "
            "cell's row and column on the second"
        )
    k, row, column = map(int, words)
    return k, row, column


def parse_board(text: str, side: int, name: str) -> NDArray[np.int64]:
    """A board of ``side`` rows of ``side`` whole numbers."""
    rows = [line.split() for line in text.splitlines() if line.strip()]
    if len(rows) != side:
        raise TextError(f"{name}: {len(rows)} rows of numbers; this board has {side}")
    for number, row in enumerate(rows, 1):
        if len(row) != side:
            raise TextError(f"{name}, row {number}: {len(row)} numbers; this board has {side}")
    try:
        return np.array(rows).astype(np.int64)
    except (ValueError, OverflowError):
        place = next(
            (r, c, word) for r, row in enumerate(rows, 1) for c, word in enumerate(row, 1) if not _is_number(word)
        )
        raise TextError(f"{name}, row {place[0]}, number {place[1]}: {place[2]!r} is not a tromino's number") from None


def _is_number(word: str) -> bool:
    return word.isascii() and word.lstrip("+-").isdigit() and len(word) < 19


def draw_board(board: NDArray[Any]) -> Iterator[str]:
    """A board with the outlines of its trominoes; the special cell is filled."""
    side = board.shape[0]
    framed = np.full((side + 2, side + 2), -1, np.int64)
    framed[1:-1, 1:-1] = board
    across = framed[:-1, :] != framed[1:, :]  # [i, j]: a line between rows i - 1 and i in column j - 1
    down = framed[:, :-1] != framed[:, 1:]
    for row in range(side + 1):
        joints = down[row, :] + 2 * across[row, 1:] + 4 * down[row + 1, :] + 8 * across[row, :-1]
        lines = ("───" if line else "   " for line in across[row, 1:])
        yield "".join(JOINTS[joint] + line for joint, line in zip(joints, lines, strict=True)).rstrip()
        if row < side:
            cells = ("███" if number == 0 else "   " for number in board[row])
            ends = ("│" if line else " " for line in down[row + 1, :])
            yield "".join(end + cell for end, cell in zip(ends, [*cells, ""], strict=True)).rstrip()


def jump_lines(jumps: Jumps) -> Iterator[str]:
    """Jumps as lines ``row column direction``, rows and columns from 1."""
    cells = zip((jumps.rows + 1).tolist(), (jumps.columns + 1).tolist(), jumps.directions.tolist(), strict=True)
    return (f"{row} {column} {LETTERS[direction]}" for row, column, direction in cells)


def parse_jumps(text: str, name: str) -> Jumps:
    """Jumps from such text: row, column and direction of each, separated by blanks or ends of lines."""
    words = text.split()
    triples = words[0::3], words[1::3], words[2::3]
    letters = np.array(triples[2], "U2")
    directions = np.array([letters == letter for letter in LETTERS]).argmax(axis=0)
    try:
        rows, columns = (np.array(part or [], str).astype(np.int64) - 1 for part in triples[:2])
    except (ValueError, OverflowError):
        raise _no_jump(words, name) from None
    near = all(np.abs(cells).max(initial=0) <= FURTHEST for cells in (rows, columns))
    if len(words) % 3 or not near or not np.isin(letters, list(LETTERS)).all():
        raise _no_jump(words, name)
    return Jumps(rows.astype(np.int16), columns.astype(np.int16), directions.astype(np.uint8))


def _no_jump(words: list[str], name: str) -> TextError:
    """Names the first three words that are no jump."""
    for number in range(len(words) // 3 + 1):
        triple = words[3 * number : 3 * number + 3]
        if len(triple) < 3 or not all(map(_is_coordinate, triple[:2])) or triple[2] not in LETTERS:
            break
    return TextError(f"{name}, jump {number + 1}: {' '.join(triple)!r} is not ROW COLUMN DIRECTION, such as 1 3 L")


def _is_coordinate(word: str) -> bool:
    return _is_number(word) and abs(int(word) - 1) <= FURTHEST


def positions_of(m: int, n: int, jumps: Jumps) -> tuple[list[str], list[frozenset[tuple[int, int]]]]:
    """The position before the first jump and after each, as cells (row, column) from 1, and what to call each."""
    positions = [rectangle(m, n)]
    names = [f"{m} x {n}"]
    for number, line in enumerate(jump_lines(jumps), 1):
        row, column, direction = line.split()
        positions.append(jump(positions[-1], int(row), int(column), direction))
        names.append(f"{number}: ({row}, {column}) {direction}")
    return names, positions


def draw_game(m: int, n: int, jumps: Jumps) -> Iterator[str]:
    """The position before and after each jump; pegs are ``o``, empty cells of the rectangle ``.``."""
    names, positions = positions_of(m, n, jumps)
    seen = frozenset[tuple[int, int]]().union(*positions)
    rows, columns = (range(min(line), max(line) + 1) for line in zip(*seen, strict=True))
    for name, pegs in zip(names, positions, strict=True):
        yield name
        yield from _drawn(pegs, positions[0], rows, columns)
        yield ""


def _drawn(
    pegs: Iterable[tuple[int, int]], start: Iterable[tuple[int, int]], rows: range, columns: range
) -> Iterator[str]:
    for row in rows:
        cells = ("o" if (row, column) in pegs else "." if (row, column) in start else " " for column in columns)
        yield " ".join(cells).rstrip()
