"""Questions about boards whose pieces slide, one of which has a goal: a shortest way there, and every next step.

The searches are those of :mod:`.sliding`; the first question loads them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from boardspace.spec.deferred import deferred
from boardspace.spec.texts import counted

if TYPE_CHECKING:
    from boardspace.spec import sliding
else:
    (sliding,) = deferred("boardspace.spec", "sliding")


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
