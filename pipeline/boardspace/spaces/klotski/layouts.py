"""A layout as an object, and all the ways to write one: code, id, name, the name of a well-known start, a drawing."""

import functools
import re
import tomllib
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from boardspace.spaces.klotski import pictures
from boardspace.spaces.klotski.pictures import picture
from boardspace.spaces.klotski.texts import (
    CELLS,
    COLUMNS,
    ROWS,
    LayoutError,
    Piece,
    decode,
    encode,
    format_code,
    number_of,
    parse_code,
    parse_name,
)
from boardspace.spec.arguments import shown, whole
from boardspace.spec.deferred import deferred
from boardspace.spec.errors import BoardspaceError
from boardspace.spec.second_rules import nearest_first, shifted
from boardspace.spec.slides import EMPTY, HOW_EMPTY, DrawingError, read_drawing

if TYPE_CHECKING:
    from boardspace.spaces.klotski import queries
else:
    (queries,) = deferred("boardspace.spaces.klotski", "queries")  # codes and drawings are read without a kernel

CODE_BITS = 36
WAYS = (
    "a layout is written as a code (1A9BF0C: hexadecimal digits, 0x and trailing zeros as you like), an id "
    "(id:4091296), a name (5-4-1-1-7472), a well-known start (横刀立马, heng-dao-li-ma), or a drawing (5 lines of 4 "
    "signs, such as ABBC ABBC DEEF DGHF I..J, with dots for empty cells)"
)


@dataclass(frozen=True, order=True)
class Layout:
    """One of the 29,334,498 layouts, by its code (an integer of 36 bits); LayoutError where it is none.

    >>> start = parse("横刀立马")
    >>> start
    Layout('1A9BF0C00')
    >>> start.pieces[0]
    Piece(cell=1, height=2, width=2)
    """

    code: int
    pieces: tuple[Piece, ...] = field(init=False, repr=False, compare=False)
    """The pieces, the 2x2 block first, the others in order of their upper left cells (cell = 4 row + column)."""

    def __post_init__(self) -> None:
        if type(self.code) is not int or not 0 <= self.code < 1 << CODE_BITS:
            wanted = f"a code is a whole number of {CODE_BITS} bits"
            raise LayoutError(f"{wanted}, not {shown(self.code)}; klotski.parse reads texts and ids")
        object.__setattr__(self, "pieces", tuple(decode(self.code, self.text)))

    @property
    def text(self) -> str:
        """The code as 9 hexadecimal digits."""
        return format_code(self.code)

    @property
    def empty(self) -> frozenset[int]:
        """The empty cells."""
        return frozenset(range(CELLS)).difference(*(piece.cells for piece in self.pieces))

    @property
    def drawing(self) -> str:
        """Five lines of four signs: a letter for each piece, A for the block, and dots; :func:`parse` reads it."""
        signs = ["."] * CELLS
        for letter, piece in zip(pictures.LETTERS, self.pieces, strict=False):
            for cell in piece.cells:
                signs[cell] = letter
        return "\n".join("".join(signs[cell : cell + COLUMNS]) for cell in range(0, CELLS, COLUMNS))

    def __repr__(self) -> str:
        return f"Layout({self.text!r})"

    def __str__(self) -> str:
        return "\n".join(pictures.lines(self.pieces))

    def _repr_svg_(self) -> str:
        return pictures.picture(self.pieces).svg()


LayoutLike = Layout | str | int
"""A layout, or what :func:`parse` reads."""


class Start(NamedTuple):
    """A well-known start: its name in Chinese, in pinyin, its layout, and where it comes from."""

    name: str
    pinyin: str
    layout: Layout
    origin: str


def parse(text: LayoutLike) -> Layout:
    """The layout that a text writes, or that has this id; LayoutError says what is wrong, and where. Every function of
    :mod:`boardspace.klotski` that takes a layout takes all that this one takes; a layout is itself.

    A text is a code, ``id:4091296``, a name, the name of a well-known start, or a drawing, see :mod:`.spec.slides`:
    five lines (or words, or parts between ``/``) of four signs, equal ones for the cells of one piece, ``.`` for empty
    cells. Equal signs that do not touch are pieces of their own. Digits alone are a code, not an id.

    >>> parse("0x1a9bf0c") == parse("1A9BF0C00") == parse("heng dao li ma")
    True
    >>> parse("ABBC ABBC DEEF DGHF I..J")
    Layout('1A9BF0C00')
    >>> parse("5-4-1-0-0").text
    '006ABFC00'
    """
    if isinstance(text, Layout):
        return text
    if not isinstance(text, str):
        try:
            layout_id = whole("id", text)
        except BoardspaceError:
            raise LayoutError(f"{shown(text)} is no layout and no id; {WAYS}") from None
        return Layout(queries.code_of_id(layout_id))
    stripped = text.strip()
    if match := re.fullmatch(r"(?:id:|#)\s*([0-9]+)", stripped):
        return Layout(queries.code_of_id(number_of(match[1])))
    if re.fullmatch(r"\d+(-\d+){4}", stripped):
        return Layout(queries.code_of_name(*parse_name(stripped, 5)))
    if found := _known().get(_key(stripped)):
        return found.layout
    if re.search(r"[\s/]", stripped):
        if "\n" not in stripped and len(re.split(r"[\s/]+", stripped)) != ROWS:
            raise LayoutError(f"{shown(text)} is no layout; {WAYS}")
        return _drawn(text)
    try:
        return Layout(parse_code(re.sub(r"^0[xX]", "", stripped)))
    except LayoutError as error:
        if re.fullmatch(r"[0-9]{1,8}", stripped):
            raise LayoutError(f"{error}. Digits alone are a code; the layout of that id is id:{stripped}") from None
        if re.fullmatch(r"(0[xX])?[0-9A-Fa-f]+", stripped):
            raise
        raise LayoutError(f"{error}; {WAYS}") from None


@functools.cache
def starts() -> tuple[Start, ...]:
    """The well-known starts.

    >>> starts()[0].name, starts()[0].pinyin
    ('横刀立马', 'heng dao li ma')
    """
    entries = tomllib.loads(Path(__file__).with_name("starts.toml").read_text(encoding="utf-8"))["start"]
    return tuple(Start(e["name"], e["pinyin"], _drawn("/".join(e["drawing"])), e["origin"]) for e in entries)


@functools.cache
def _known() -> Mapping[str, Start]:
    """The well-known starts by their names without spaces, hyphens, tones and case."""
    return {_key(name): start for start in starts() for name in (start.name, start.pinyin)}


def _key(text: str) -> str:
    plain = "".join(sign for sign in unicodedata.normalize("NFD", text) if not unicodedata.combining(sign))
    return re.sub(r"[\s_'-]", "", plain).casefold()


def _drawn(text: str) -> Layout:
    """The layout of a drawing; LayoutError names the first sign whose cells are no piece."""
    try:
        signs = dict(enumerate("".join(read_drawing(text, (ROWS, COLUMNS)))))
    except DrawingError as error:
        raise LayoutError(str(error)) from None
    pieces = []
    left = {cell for cell, sign in signs.items() if sign != EMPTY}
    how_empty = "" if len(left) < CELLS else f"; {HOW_EMPTY}"
    while left:
        cell = min(left)
        cells = _connected(cell, sum(1 << other for other in left if signs[other] == signs[cell]))
        left -= cells
        piece = Piece(cell, len({c // COLUMNS for c in cells}), len({c % COLUMNS for c in cells}))
        if piece.cells != cells or max(piece.height, piece.width) > 2:
            place = f"row {cell // COLUMNS + 1}, column {cell % COLUMNS + 1}"
            raise LayoutError(
                f"drawing, {place}: the cells of {signs[cell]!r} are no piece (1x1, 1x2, 2x1 or 2x2){how_empty}"
            )
        pieces.append(piece)
    blocks = sum(piece.height == piece.width == 2 for piece in pieces)
    empties = CELLS - sum(len(piece.cells) for piece in pieces)
    if blocks != 1 or empties < 2:
        raise LayoutError(
            f"drawing: {blocks} blocks of 2x2 and {empties} empty cells; a layout has 1 and at least 2{how_empty}"
        )
    return Layout(encode(pieces))


def _connected(cell: int, cells: int) -> set[int]:
    met = nearest_first([1 << cell], lambda one: (there for there in shifted((ROWS, COLUMNS), one) if there & cells))
    return {one.bit_length() - 1 for one, _ in met}


def draw_layout(row: Mapping[str, Any]) -> str:
    """The layout of a row as the text of an SVG."""
    return picture(Layout(row["code"]).pieces).svg()


def draw_hardest(row: Mapping[str, Any]) -> str:
    """The hardest layout of a group or a class as the text of an SVG; '' where no layout leads to the exit."""
    return picture(Layout(row["hardest_code"]).pieces).svg() if row["hardest_step"] >= 0 else ""
