"""Layouts as people write them: codes and names. Plain Python, apart from the kernels on purpose.

The layout of a text is decoded piece by piece, so that an error names the first thing that is wrong, and its place.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from boardspace.spec.arguments import shown
from boardspace.spec.errors import BoardspaceError
from boardspace.spec.texts import counted

COLUMNS, ROWS = 4, 5
CELLS = COLUMNS * ROWS
DIGITS = 9
LONGEST_NUMBER = 18
ITEMS = 16
EXIT = 13
"""The cell of the block's upper left corner at the exit."""
CLASS_NAMES = tuple(
    f"{jiang}-{bing}-{style}"
    for jiang in range(8)
    for bing in range(15 - 2 * jiang)
    for style in range(jiang + 1)
    if (jiang, bing, style) != (7, 0, 0)  # seven standing dominoes cannot be placed: each column is odd
)
"""The classes, jiang-bing-style: number of dominoes, of singles, of dominoes that lie."""
EXAMPLES = ("1A9BF0C", "4FEA134", "5DC02F8")
"""Codes that the text spells out."""
SIZES = ((1, 1), (1, 2), (2, 1), (1, 1))
"""Height and width by an item of a code: 0 is an empty cell, the others are pieces."""
NAMES = {0: "empty", 1: "lying domino", 2: "standing domino", 3: "1x1"}


class LayoutError(BoardspaceError):
    """A text that is not the code, name or id of a layout."""


class Piece(NamedTuple):
    """Height and width of a piece and the cell of its upper left corner."""

    cell: int
    height: int
    width: int

    @property
    def cells(self) -> frozenset[int]:
        """The cells it covers."""
        return _covered(self)


@lru_cache(1 << 10)
def _covered(piece: Piece) -> frozenset[int]:
    """The cells that a piece covers; kept, as a way of 81 steps asks for some thousands."""
    rows, columns = range(piece.height), range(piece.width)
    return frozenset(piece.cell + COLUMNS * row + column for row in rows for column in columns)


def parse_code(text: str) -> int:
    """The code, an integer of 36 bits, of a text such as ``1A9BF0C``; LayoutError says what is wrong and where."""
    if not re.fullmatch(r"[0-9A-Fa-f]+", text):
        place = next((i for i, c in enumerate(text) if c not in "0123456789abcdefABCDEF"), 0) + 1
        wrong = f"place {place} is not a hexadecimal digit" if text else "an empty text is no layout"
        raise LayoutError(f"{text!r}: {wrong}; a code has up to {DIGITS} hexadecimal digits, 0-9 and A-F")
    if len(text) > DIGITS:
        raise LayoutError(f"{text!r}: {len(text)} digits; a code has at most {DIGITS}")
    code = int(text.ljust(DIGITS, "0"), 16)
    decode(code, text)
    return code


def decode(code: int, text: str) -> list[Piece]:
    """The pieces of a code, the 2x2 block first; LayoutError (naming ``text``) where it is not that of a layout."""
    block = code >> 2 * ITEMS
    if block % COLUMNS > COLUMNS - 2 or block // COLUMNS > ROWS - 2:
        raise LayoutError(f"{text!r}: digit 1 ({block:X}) is not a cell where the 2x2 block fits: 0-2, 4-6, 8-A, C-E")
    pieces = [Piece(block, 2, 2)]
    covered = set(pieces[0].cells)
    empties = item = 0
    for cell in range(CELLS):
        if cell in covered:
            continue
        kind = code >> 2 * (ITEMS - 1 - item) & 3
        item += 1
        piece = Piece(cell, *SIZES[kind])
        fault = _fault(piece, covered)
        if fault:
            raise LayoutError(f"{text!r}: item {item}, a {NAMES[kind]} at cell {cell}, {fault}")
        covered |= piece.cells
        if kind == 0:
            empties += 1
        else:
            pieces.append(piece)
    if empties < 2:
        raise LayoutError(f"{text!r}: {counted(empties, 'empty cell')}; a layout has at least two")
    if code & (1 << 2 * (ITEMS - item)) - 1:
        raise LayoutError(f"{text!r}: bits are set after item {item}, the last one; the rest has to be zero")
    return pieces


def encode(pieces: Sequence[Piece]) -> int:
    """The code of a layout with these pieces, one of which is the 2x2 block."""
    block = next(piece for piece in pieces if piece.height == piece.width == 2)
    at = {piece.cell: piece for piece in pieces}
    covered = set(block.cells)
    code, items = block.cell, 0
    for cell in range(CELLS):
        if cell not in covered:
            piece = at.get(cell)
            code = code << 2 | (SIZES.index((piece.height, piece.width), 1) if piece else 0)
            items += 1
            covered |= piece.cells if piece else set()
    return code << 2 * (ITEMS - items)


def format_code(code: int) -> str:
    """The code as 9 upper-case hexadecimal digits."""
    return f"{code:0{DIGITS}X}"


def class_of(code: int) -> tuple[int, int, int]:
    """(jiang, bing, style) of a legal code: dominoes, singles, dominoes that lie."""
    pieces = decode(code, format_code(code))[1:]
    lying = sum(piece.width == 2 for piece in pieces)
    standing = sum(piece.height == 2 for piece in pieces)
    return lying + standing, len(pieces) - lying - standing, lying


def parse_name(text: str, parts: int) -> tuple[int, ...]:
    """The numbers of a name such as ``5-4-1-0-7472`` with so many parts."""
    if not isinstance(text, str) or not re.fullmatch(r"[0-9]+" + r"-[0-9]+" * (parts - 1), text):
        pattern = "-".join(["jiang", "bing", "style", "group", "index"][:parts])
        raise LayoutError(f"{shown(text)} is not a name; write {pattern}, such as {'-'.join('54100'[:parts])}")
    return tuple(map(number_of, text.split("-")))


def number_of(digits: str) -> int:
    """The number that digits write; LayoutError where they are more than an id or a part of a name has."""
    if len(digits) > LONGEST_NUMBER:
        raise LayoutError(f"a number of {len(digits)} digits; ids and the parts of names have at most 8")
    return int(digits)


def _fault(piece: Piece, covered: set[int]) -> str:
    if piece.cell % COLUMNS + piece.width > COLUMNS:
        return "sticks out on the right"
    if piece.cell // COLUMNS + piece.height > ROWS:
        return "sticks out below"
    if piece.cells.isdisjoint(covered):
        return ""
    return f"overlaps a piece on cell {min(piece.cells & covered)}"
