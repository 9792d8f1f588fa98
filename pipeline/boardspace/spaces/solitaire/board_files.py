"""Boards and problems as files: ``configs/boards/NAME.toml``.

A file holds a ``picture`` of the holes with their numbers, the ``grid`` pegs jump on (``square``: two axes,
``triangular``: three), and named ``problems``, each with a ``start`` and a ``goal``. A position is written as the
numbers of its pegs, ``1 3-5 19``, or as ``all but 19``. A hole may also be written as in the literature, by a letter
for its column and the number of its row: ``d4`` is the centre of the English board, ``a1`` the top of a triangle. Bit i
of a position's word is the hole with the i-th smallest number. French, English, Wiegleb and diamond are numbered column
by column, as the source has the French board; rectangles and triangles, which it does not have, row by row, as is usual
for them.

In drawings ``o`` is a peg, ``x`` or ``.`` a hole without one, ``#`` no hole (so are blanks before and between the
holes). Rows are lines, or have ``/`` or blanks between them. Signs may have a blank between one another, and rows of a
triangular board are then shifted by half a place each.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, field
from functools import cache
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from boardspace.spec.errors import BoardspaceError
from boardspace.spec.texts import EncodingError, counted
from boardspace.storage.shipped import BOARDS, find_file, parse_toml, read_text, shipped_names

if TYPE_CHECKING:
    from pydantic import TypeAdapter

PEGS, HOLES, OUTSIDE = "oO●◉", "xX.·○", "#"
SIGNS = "o is a peg, x or . a hole without one, # no hole"

Cell = tuple[int, int]
Grid = Literal["square", "triangular"]


class BoardFileError(BoardspaceError):
    """A board file, a drawing, a problem or a position that cannot be read."""


@dataclass(frozen=True)
class Drawing:
    """Holes by (row, column) from 0, in reading order, each with whether it has a peg.

    grid: ``square`` or ``triangular``, as board files name grids.
    exact: columns are told, so that the drawing fits boards of its own shape alone.
    """

    grid: Grid
    pegs: Mapping[Cell, bool]
    exact: bool

    @property
    def picture(self) -> str:
        """The holes with numbers, row by row, as board files have them."""
        labels = {cell: str(number) for number, cell in enumerate(self.pegs, 1)}
        rows, columns = (max(cell[axis] for cell in labels) + 1 for axis in (0, 1))
        lines = (" ".join(labels.get((row, column), ".") for column in range(columns)) for row in range(rows))
        return "\n".join(lines)

    @property
    def is_start(self) -> bool:
        """Return whether it shows a position: pegs, and holes without one."""
        return len(set(self.pegs.values())) == 2

    def on(self, cells: Collection[Cell], name: str) -> set[Cell]:
        """The cells of a board, in reading order, that have pegs; BoardFileError where it is of another shape."""
        own = _from_zero(cells)
        if set(own) == set(self.pegs):
            return {cell for cell, place in zip(cells, own, strict=True) if self.pegs[place]}
        drawn, wanted = (_row_lengths(found) for found in (self.pegs, own))
        if self.exact or drawn != wanted:
            raise BoardFileError(
                f"the drawing has {counted(len(self.pegs), 'hole')}, in rows of {drawn}; board {name} has {len(own)}, "
                f"in rows of {wanted}; {SIGNS}"
            )
        return {cell for cell, peg in zip(sorted(cells), self.pegs.values(), strict=True) if peg}


def is_drawing(text: str) -> bool:
    """Return whether a text can be meant as a drawing: it has pegs, and no other signs than drawings have."""
    return bool(re.search(f"[{PEGS}]", text)) and not re.search(rf"[^{PEGS}{HOLES}{OUTSIDE}/\s]", text)


def read_drawing(text: str) -> Drawing:
    """The holes and pegs of a drawing, a text for which :func:`is_drawing` holds."""
    lines = [line.expandtabs() for line in text.replace("/", "\n").splitlines() if line.strip()]
    words = text.split()
    if len(lines) == 1 and len(words) > 1 and {len(word) for word in words} == {len(words[0])} != {1}:
        lines = words
    signs = {(row, x): sign for row, line in enumerate(lines) for x, sign in enumerate(line) if not sign.isspace()}
    bottom = len(lines) - 1
    spaced = any(re.search(r"\S \S", line) for line in lines)
    grid: Grid = "square"
    if spaced and all(x % 2 == 0 for _, x in signs):
        signs = {(row, x // 2): sign for (row, x), sign in signs.items()}
    elif spaced and all((x - bottom + row) % 2 == 0 for row, x in signs):
        grid, signs = "triangular", {(row, (x - bottom + row) // 2): sign for (row, x), sign in signs.items()}
    holes = {cell: sign in PEGS for cell, sign in signs.items() if sign != OUTSIDE}
    return Drawing(grid, dict(zip(_from_zero(holes), holes.values(), strict=True)), OUTSIDE in text)


def _from_zero(cells: Collection[Cell]) -> list[Cell]:
    """Cells moved so that the first row and the first column are 0."""
    top, left = (min(cell[axis] for cell in cells) for axis in (0, 1))
    return [(row - top, column - left) for row, column in cells]


def _row_lengths(cells: Collection[Cell]) -> list[int]:
    rows = [row for row, _ in cells]
    return [rows.count(row) for row in sorted(set(rows))]


DRAWN = "drawn"
"""Name of a board that is drawn in an argument, and has the shape of no shipped one."""


STRICT: dict[str, Any] = {"extra": "forbid", "use_attribute_docstrings": True}
"""Settings by which pydantic reads both kinds of text from a config, and board files from elsewhere. It takes longer to
be imported than many a question about a shipped board, which tests have read in this way."""


@dataclass(frozen=True, kw_only=True)
class ProblemText:
    """One problem of a board file."""

    __pydantic_config__: ClassVar = STRICT

    title: str = ""
    """what people call it"""
    start: str
    """the numbers of the pegs, such as "1 3-5 19", or "all but 19\""""
    goal: str
    """the pegs at the end, in the same way"""


@dataclass(frozen=True, kw_only=True)
class BoardText:
    """A board file."""

    __pydantic_config__: ClassVar = STRICT

    title: str = ""
    """what people call it"""
    grid: Grid
    """pegs jump along two axes, or along three"""
    picture: str
    """lines with the numbers of the holes where they are, a point for no hole"""
    aliases: tuple[str, ...] = ()
    """other names by which a shipped board is found"""
    problems: Mapping[str, ProblemText] = field(default_factory=dict)
    """games on the board"""


Boards = Mapping[str, BoardText]
NO_BOARDS: Boards = {}


def load_board(name: str, boards: Boards = NO_BOARDS) -> BoardText:
    """One of ``boards``, or a drawn board, or that of that path, or the shipped one of that name; BoardFileError if it
    is none."""
    if name in boards:
        return boards[name]
    if is_drawing(name):
        return _drawn(read_drawing(name))
    path = find_file(name, BOARDS) or find_file(_aliases().get(name, name), BOARDS)
    if path is None:
        shipped = ", ".join(shipped_names(BOARDS))
        named = name or "''"
        raise BoardFileError(f"{named}: no such board file, and no shipped board of that name (there are: {shipped})")
    return _read(path)


def board_name(name: str) -> str:
    """The name by which tables and messages know a board: a file's stem, of a shipped board also where it is found by
    another of its names, or drawn."""
    if drawing := drawn_board(name):
        return _shipped_as(drawing) or (DRAWN if is_drawing(name) else Path(name).stem)
    return Path(name).stem if find_file(name, BOARDS) else _aliases().get(name, Path(name).stem)


@cache
def _shipped() -> dict[str, BoardText]:
    return {name: _read(BOARDS / f"{name}.toml") for name in shipped_names(BOARDS)}


@cache
def _aliases() -> dict[str, str]:
    return {alias: name for name, text in _shipped().items() for alias in text.aliases}


def drawn_board(name: str) -> Drawing | None:
    """The drawing that an argument is, or that a file holds; None for other boards."""
    if is_drawing(name):
        return read_drawing(name)
    path = Path(name) if name not in shipped_names(BOARDS) and find_file(name, BOARDS) else None
    if path is None:
        return None
    try:
        text = read_text(path)
    except (OSError, EncodingError):  # said by whoever reads the board
        return None
    return read_drawing(text) if is_drawing(text) else None


def drawn_start(name: str) -> str | None:
    """The position that a drawn board shows, as hole numbers; None where it shows none."""
    drawing = drawn_board(name)
    if drawing is None or not drawing.is_start:
        return None
    labels = _labels(load_board(name).picture)
    return " ".join(str(labels[cell]) for cell, peg in drawing.pegs.items() if peg)


def _drawn(drawing: Drawing) -> BoardText:
    """A drawn board: the shipped one of that shape, or else one that is numbered row by row."""
    shipped = _shipped_as(drawing)
    return load_board(shipped) if shipped else BoardText(grid=drawing.grid, picture=drawing.picture)


def _shipped_as(drawing: Drawing) -> str | None:
    for name, text in _shipped().items():
        if text.grid == drawing.grid and set(_labels(text.picture)) == set(drawing.pegs):
            return name
    return None


def _labels(picture: str) -> dict[tuple[int, int], str]:
    """The numbers of the holes of a picture by their cells."""
    rows = enumerate(line.split() for line in picture.strip("\n").splitlines())
    return {(row, column): token for row, tokens in rows for column, token in enumerate(tokens) if token != "."}


def _read(path: Traversable) -> BoardText:
    try:
        content = read_text(path)
        if is_drawing(content):
            return _drawn(read_drawing(content))
        found = parse_toml(content)
    except EncodingError as error:
        raise BoardFileError(str(error)) from None
    except OSError as error:
        raise BoardFileError(f"{path}: cannot be read: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        raise BoardFileError(f"{path}: not valid TOML: {error}; nor is it a drawing: {SIGNS}") from error
    if path != BOARDS / path.name:
        return _checked(path, found)
    problems = {name: ProblemText(**problem) for name, problem in found.get("problems", {}).items()}
    return BoardText(**{**found, "aliases": tuple(found.get("aliases", ())), "problems": problems})


def _checked(path: Traversable, found: Mapping[str, Any]) -> BoardText:
    """A board that does not ship; BoardFileError where it is none."""
    from pydantic import ValidationError  # see STRICT

    try:
        return _texts().validate_python(found)
    except ValidationError as error:
        faults = "; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors())
        raise BoardFileError(f"{path}: {faults}") from error


@cache
def _texts() -> "TypeAdapter[BoardText]":
    """Reads boards and refuses other content; made once, as that takes pydantic longer than to read many boards."""
    from pydantic import TypeAdapter  # see STRICT

    return TypeAdapter(BoardText)


def named_problem(board: str, text: BoardText, name: str) -> ProblemText:
    """A problem of a board's file by its name; BoardspaceError, with the names there are, where it has none of it."""
    if name not in text.problems:
        raise BoardspaceError(f"{board}: no problem {name!r}; it has: {', '.join(text.problems) or 'none'}")
    return text.problems[name]


def problem_params(name: str, boards: Boards = NO_BOARDS) -> dict[str, Any]:
    """Parameters of a shard that decide a problem, named ``BOARD/PROBLEM``: board files are not code."""
    board_name, _, problem_name = name.rpartition("/")
    text = load_board(board_name, boards)
    if problem_name not in text.problems:
        known = ", ".join(f"{board_name}/{problem}" for problem in text.problems) or "none"
        raise BoardFileError(f"{name}: no such problem; the board's file has: {known}")
    problem = text.problems[problem_name]
    return {
        "board": board_name,
        "problem": problem_name,
        "grid": text.grid,
        "picture": text.picture,
        "start": problem.start,
        "goal": problem.goal,
    }


def read_boards(section: Mapping[str, Any], folder: Path) -> Mapping[str, Any]:
    """A config's section where boards given by files are named by the files' stems, with the boards beside.

    Paths count from ``folder``, or else from the current one. BoardFileError for a file that cannot be read, or a name
    that two boards would share.
    """
    boards: dict[str, Any] = dict(section.get("boards", {}))
    for name in boards:
        if name in shipped_names(BOARDS):
            raise BoardFileError(f"boards.{name}: a shipped board has that name; choose another")
    changed = {
        key: _named(section[key], folder, boards)
        for key in ("searches", "feasible", "levels", "classes", "games", "game_lengths", "problem_games")
        if key in section
    }
    return {**section, **changed, **({"boards": boards} if boards else {})}


def _named(value: Any, folder: Path, boards: dict[str, Any]) -> Any:
    """The problems and boards in a value of the section by the names of the boards; boards read from files are
    added."""
    if isinstance(value, list):
        return [_named(item, folder, boards) for item in value]
    if isinstance(value, dict):
        by_name = {"problem": _named, "board": _board_name}
        return {key: by_name[key](item, folder, boards) if key in by_name else item for key, item in value.items()}
    if not isinstance(value, str) or "/" not in value:
        return value
    board, _, problem = value.rpartition("/")
    return f"{_board_name(board, folder, boards)}/{problem}"


def _board_name(board: Any, folder: Path, boards: dict[str, Any]) -> Any:
    """The name of a board; one that is given by a file is added."""
    named = isinstance(board, str) and bool(board)
    path = next((path for path in (folder / board, Path(board)) if path.is_file()), None) if named else None
    if path is None:
        known = not named or board in boards or board in shipped_names(BOARDS)
        return board if known else _aliases().get(board, board)
    text = asdict(load_board(str(path)))
    if path.stem in shipped_names(BOARDS) or boards.get(path.stem, text) != text:
        raise BoardFileError(f"{board}: there is another board named {path.stem!r}; give the file another name")
    boards[path.stem] = text
    return path.stem
