"""Numbers of positions that a start leads to, that lead to a goal, and that do both, counted now.

Start and goals are any positions. Both sweeps are folded by the symmetries that keep the start and permute the goals,
so a class of 1 GiB takes some 300 MB where these are eight.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardspace.spaces.solitaire.board_files import board_name, drawn_start, load_board, named_problem
from boardspace.spaces.solitaire.boards import build_board, parse_position
from boardspace.spec import arguments
from boardspace.spec.errors import BoardspaceError
from boardspace_kernels.solitaire.board import Board, board_invariants, image_of
from boardspace_kernels.solitaire.classes.census import count_pieces, is_in
from boardspace_kernels.solitaire.classes.fold import fold_by, starts
from boardspace_kernels.solitaire.classes.gather import common, sweep
from boardspace_kernels.solitaire.classes.order import Order
from boardspace_kernels.solitaire.classes.position_class import ClassTooLargeError, PositionClass
from boardspace_kernels.solitaire.classes.steps import backward_steps, forward_steps

MEMORY = 1_000_000_000
SWEEPS = 2


class ClassLevel(NamedTuple):
    """The positions of a class with so many pegs: those that can be reached from the start, those from which a goal
    can be, and those of which both is true; of each also the number up to symmetry."""

    pegs: int
    reached: int
    reached_orbits: int
    leading: int
    leading_orbits: int
    both: int
    both_orbits: int


@dataclass(frozen=True)
class ClassCount:
    """Numbers of positions of one class.

    board: its name.
    start: the numbers of the holes with pegs.
    goals: of each goal the numbers of its pegs.
    positions: all positions that have the parities of the start.
    symmetries: how many keep the start and permute the goals.
    levels: by pegs, those that have a position of any of the three kinds.
    solved: the goals that the start leads to.
    """

    board: str
    start: tuple[int, ...]
    goals: tuple[tuple[int, ...], ...]
    positions: int
    symmetries: int
    levels: tuple[ClassLevel, ...]
    solved: tuple[tuple[int, ...], ...]

    @property
    def reached(self) -> int:
        """Positions that can be reached from the start."""
        return sum(level.reached for level in self.levels)

    @property
    def leading(self) -> int:
        """Positions from which a goal can be reached."""
        return sum(level.leading for level in self.levels)

    @property
    def both(self) -> int:
        """Positions between start and goal: those that can be reached, and from which a goal can be reached."""
        return sum(level.both for level in self.levels)

    def document(self) -> dict[str, Any]:
        """All of it as JSON values."""
        names = ("board", "start", "goals", "positions", "symmetries", "reached", "leading", "both", "solved")
        return {name: getattr(self, name) for name in names} | {"levels": [level._asdict() for level in self.levels]}

    def lines(self) -> Iterator[str]:
        """Text for a terminal."""
        yield f"{self.positions:,} positions have the parities of the start"
        yield f"{self.reached:,} can be reached from it"
        yield f"{self.leading:,} lead to a goal"
        yield f"{self.both:,} do both"
        if not self.leading:
            yield "no goal has these parities"
        elif len(self.goals) == 1:
            yield f"the goal can{'' if self.solved else 'not'} be reached"
        else:
            yield f"{len(self.solved)} of {len(self.goals)} goals can be reached"
        yield f"{'pegs':>4} {'reached':>15} {'lead to a goal':>15} {'both':>15}"
        for level in reversed(self.levels):
            yield f"{level.pegs:4} {level.reached:15,} {level.leading:15,} {level.both:15,}"

    def __str__(self) -> str:
        return "\n".join(self.lines())


def count_class(
    board: str = "english",
    start: str | None = None,
    goals: Sequence[str] = (),
    problem: str | None = None,
    memory: int = MEMORY,
) -> ClassCount:
    """Numbers of positions that a start leads to, that lead to a goal, and that do both, by pegs.

    ``board`` is a shipped board or a board file, ``start`` and each of ``goals`` the holes with pegs (``1 3-5``,
    ``all but 1``, ``all but a1``), or those of a ``problem`` of the file. Without a goal one peg is, in any hole. The
    sweeps may take about ``memory`` bytes; BoardspaceError where that does not suffice, where there is no start, or the
    file, the problem or a position is wrong.

    >>> corner = count_class("triangle15", "all but 1", ["1"])
    >>> corner.reached, corner.leading, corner.both, corner.solved
    (3016, 3016, 370, ((1,),))
    >>> count_class("triangle15", problem="corner") == corner
    True
    """
    text = load_board(arguments.text("board", board, "triangle15"))
    memory = arguments.within("memory", memory, 1, arguments.LARGEST)
    if start is not None:
        start = arguments.text("start", start, "all but 1")
    if not isinstance(goals, list | tuple):
        raise BoardspaceError(f"goals: a list of texts such as ['1'] is wanted, not {arguments.shown(goals)}")
    goals = [arguments.text("goal", goal, "1") for goal in goals]
    built = build_board(board_name(board), text)
    if problem is not None:
        named = named_problem(board, text, arguments.text("problem", problem, "corner"))
        start, goals = start or named.start, goals or (named.goal,)
    start = start or drawn_start(board)
    if start is None:
        raise BoardspaceError(f"give --start or --problem (one of: {', '.join(text.problems) or 'none'})")
    ends = [parse_position(built, goal) for goal in goals] or [1 << hole for hole in range(built.holes)]
    return _count(built, parse_position(built, start), tuple(dict.fromkeys(ends)), memory)


def _count(board: Board, start: int, goals: tuple[int, ...], memory: int) -> ClassCount:
    try:
        order = Order(PositionClass(board, start))
    except ClassTooLargeError as error:
        raise BoardspaceError(str(error)) from error
    inside = [goal for goal in goals if order.positions.contains(goal)]
    group = _symmetries(board, start, inside)
    fold = fold_by(order, group)
    blocks = sum(int(starts(order, fold, weight)[-1]) for weight in range(order.heaviest + 1))
    needed = SWEEPS * blocks * order.positions.words * np.dtype(order.positions.word_type).itemsize
    if needed > memory:
        raise BoardspaceError(
            f"{board.name}: both sweeps of this class take {needed / 1e6:,.1f} MB, and {memory / 1e6:,.1f} MB are "
            "allowed (--memory); start and goals that more symmetries keep take less"
        )
    reached = sweep(order, forward_steps(order), [start], fold)
    leading = sweep(order, backward_steps(order), inside, fold)
    sets = (reached, leading, common(reached, leading))
    counted = [count_pieces(order, fold, group, pieces.values()) for pieces in sets]
    numbers = np.concatenate([(labelled, fixed // len(group)) for labelled, fixed in counted])
    levels = (ClassLevel(pegs, *numbers[:, pegs].tolist()) for pegs in range(board.holes + 1))
    found = (goal for goal in inside if is_in(order, fold, reached[order.weight(goal)], goal))
    return ClassCount(
        board.name,
        tuple(board.pegs(start)),
        tuple(tuple(board.pegs(goal)) for goal in goals),
        1 << board.holes - len(board_invariants(board)),
        len(group),
        tuple(level for level in levels if any(level[1:])),
        tuple(tuple(board.pegs(goal)) for goal in found),
    )


def _symmetries(board: Board, start: int, goals: Sequence[int]) -> NDArray[np.int64]:
    """int64 (G, holes): the symmetries that keep the start and map goals to goals; the identity first."""
    wanted = set(goals)
    kept = [row for row in board.stabiliser(start) if {image_of(row, goal) for goal in goals} == wanted]
    return np.array(kept)
