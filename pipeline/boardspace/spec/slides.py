"""Questions about boards whose pieces slide, one of which has a goal: a shortest way there, and every next step.

The searches are those of :mod:`.sliding`; the first question loads them.

*Drawings* are read here too: rows of signs, a sign for each piece, and one sign for empty cells. All are read by one
rule: those of Klotski and of sliding blocks here, and those of the atlas by ``atlas/src/parts/drawing.js``, which the
same cases test. Rows are separated by blanks, ``/`` or ends of lines. A dot is an empty cell, and where one occurs
every other sign is a piece. Without a dot one other sign may stand for empty cells: ``·``, ``_``, ``0``, or a blank
inside lines that are equally long. Two of them are refused, since one of them may be a piece. Signs with blanks between
all of them, line by line, are the cells of a row.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from boardspace.spec.deferred import deferred
from boardspace.spec.errors import BoardspaceError
from boardspace.spec.texts import counted

if TYPE_CHECKING:
    from boardspace.spec import sliding
else:
    (sliding,) = deferred("boardspace.spec", "sliding")

EMPTY = "."
EMPTY_TOO = "·_0 "
"""Signs that stand for empty cells where no dot does."""
HOW_EMPTY = "write . for an empty cell"


class Drawn(Protocol):
    """Board that can be drawn."""

    def lines(self) -> list[str]:
        """A line for each row."""


B = TypeVar("B", bound=Drawn)


def row_text(board: Drawn) -> str:
    """The rows of a board in one line, / between them."""
    return "/".join(board.lines())


@dataclass(frozen=True)
class Solution(Generic[B]):
    """A shortest solution: the boards from the start to the end, and the name of each move, such as a piece's sign."""

    boards: Sequence[B]
    moved: Sequence[str]
    unit: bool = False

    @property
    def length(self) -> str:
        """Number of its steps, or unit moves."""
        return counted(len(self.moved), "unit move" if self.unit else "step")

    def __repr__(self) -> str:
        return f"Solution({self.length})"

    def document(self) -> dict[str, Any]:
        """Return it as JSON values."""
        boards = list(map(row_text, self.boards))
        return {"solvable": True, "steps": len(self.moved), "moved": list(self.moved), "boards": boards}

    def __str__(self) -> str:
        return f"{self.length}: {' '.join(self.moved)}"


@dataclass(frozen=True)
class Moves(Generic[B]):
    """All next steps of a board, the best first: the name of the move, the board after it, and the steps that are then
    left to the goal; None where none lead there. ``steps`` are those from the board itself."""

    board: B
    steps: int | None
    choices: Sequence[tuple[str, B, int | None]]

    def document(self) -> dict[str, Any]:
        """Return it as JSON values."""
        moves = [{"moved": name, "board": row_text(board), "steps": left} for name, board, left in self.choices]
        solvable = self.steps is not None
        return {"board": row_text(self.board), "solvable": solvable, "steps": self.steps, "moves": moves}

    def __str__(self) -> str:
        lines = [f"{name} {row_text(board)} {'-' if left is None else left:>4}" for name, board, left in self.choices]
        return "\n".join([*self.board.lines(), *lines])


@dataclass(frozen=True)
class Slides(Generic[B]):
    """Boards whose pieces slide, with what is asked of each.

    posed: of a board, its position and the goal, as they are searched.
    after: of a board and a step, the name of the move and the board after it.
    """

    posed: "Callable[[B], sliding.Question]"
    after: "Callable[[B, sliding.Step], tuple[str, B]]"

    def solve(self, board: B, metric: str = "step") -> Solution[B] | None:
        """A shortest solution, None where there is none. A step moves a piece any way, or, of the metric ``unit``, by a
        cell. BoardspaceError where more than 4,000,000 positions were met."""
        unit = sliding.is_unit(metric)
        way = sliding.shortest_way(self.posed(board), unit=unit)
        if way is None:
            return None
        boards, moved = [board], list[str]()
        for step in way:
            name, after = self.after(boards[-1], step)
            boards.append(after)
            moved.append(name)
        return Solution(boards, moved, unit)

    def moves(self, board: B, metric: str = "step") -> Moves[B]:
        """The next steps; metric as for :meth:`solve`. The whole group is searched, and kept for the next question:
        BoardspaceError where it has more than 1,048,576 positions."""
        steps, found = sliding.choices(self.posed(board), unit=sliding.is_unit(metric))
        return Moves(board, steps, [(*self.after(board, step), left) for step, left in found])

    def graph(self, board: B, metric: str = "step") -> "sliding.Graph":
        """The board's group, with its moves; the board is the first position. Errors as for :meth:`moves`."""
        return sliding.graph_of(self.posed(board), unit=sliding.is_unit(metric))


class DrawingError(BoardspaceError):
    """A text that is no drawing."""


def read_drawing(text: str, size: tuple[int, int] | None = None) -> tuple[str, ...]:
    """The rows of a drawing, equally long, with a dot for each empty cell; every other sign is that of a piece.

    ``size`` are the rows and columns that it has to have. DrawingError where it has others, where rows differ in
    length, where several signs may be empty cells, or one cannot be shown.

    >>> read_drawing("1221 1221 3443 3563 5__6")[-1]
    '5..6'
    >>> read_drawing("0AA1/0AA1/2334/2564/7..8")[0]
    '0AA1'
    """
    lines = text.replace("/", "\n").splitlines()
    words = [line.split() for line in lines if line.strip()]
    spaced = len(words) > 1 and all(len(word) == 1 for line in words for word in line)
    rows = ["".join(line) for line in words] if spaced else [word for line in words for word in line]
    whole_lines = [line for line in lines if line.strip()]
    if not _fit(rows, size) and "/" not in text and len(whole_lines) > 1 and _fit(whole_lines, size):
        rows = whole_lines
    if not _fit(rows, size):
        raise DrawingError(_misfit(rows, size))
    signs = set("".join(rows))
    if hidden := sorted(sign for sign in signs if not sign.isprintable()):
        raise DrawingError(f"drawing: {hidden[0]!r} is no sign that can be shown; write a letter for each piece")
    empty = _empty_sign(signs)
    return tuple(row.replace(empty, EMPTY) for row in rows)


def _fit(rows: Sequence[str], size: tuple[int, int] | None) -> bool:
    lengths = {len(row) for row in rows}
    return len(lengths) == 1 if size is None else (len(rows), lengths) == (size[0], {size[1]})


def _misfit(rows: Sequence[str], size: tuple[int, int] | None) -> str:
    if size is not None:
        lengths = [len(row) for row in rows]
        return f"a drawing has {size[0]} lines of {size[1]} signs; here are lines of {lengths}; {HOW_EMPTY}"
    if not rows:
        return "an empty board; write rows of letters, such as AAB/A.B"
    number, row = next((number, row) for number, row in enumerate(rows, 1) if len(row) != len(rows[0]))
    return f"row {number} has {counted(len(row), 'sign')}, row 1 has {len(rows[0])}; {HOW_EMPTY}, and no blank"


def _empty_sign(signs: set[str]) -> str:
    """The sign that stands for empty cells, a dot if none does; DrawingError where several may."""
    if EMPTY in signs and " " not in signs:  # a blank is no sign of a piece
        return EMPTY
    found = [sign for sign in EMPTY + EMPTY_TOO if sign in signs]
    if len(found) > 1:
        names = " and ".join("a blank" if sign == " " else repr(sign) for sign in found)
        raise DrawingError(
            f"drawing: {names} may each be an empty cell; {HOW_EMPTY}, then every other sign is that of a piece"
        )
    return found[0] if found else EMPTY
