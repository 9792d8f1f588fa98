"""Questions about peg solitaire: replay a game, find the fewest moves with a proof; what the commands print.

A *move* is all the jumps that one peg makes in a row, written by the holes it stands in: ``9==>23==>25``.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from boardspace.cli.drawing import Picture, gallery
from boardspace.cli.lines import side_by_side, terminal_width
from boardspace.spaces.solitaire import board_files
from boardspace.spaces.solitaire.board_files import board_name, drawn_start, load_board
from boardspace.spaces.solitaire.boards import build_board, build_problem
from boardspace.spaces.solitaire.pictures import lines, picture
from boardspace.spec.arguments import LARGEST, Progress, listener, shown, switch, text, within
from boardspace.spec.errors import BoardspaceError
from boardspace.spec.texts import counted
from boardspace.storage.shipped import BOARDS, shipped_names
from boardspace_kernels.solitaire.board import BoardError
from boardspace_kernels.solitaire.play import MoveError, Play, Problem, parse_solution
from boardspace_kernels.solitaire.search import SearchTooLargeError, Unsolvable, first_game, meet
from boardspace_kernels.solitaire.solutions import Solutions, TooManySolutionsError

MEMORY = 1_000_000_000
BYTES_PER_POSITION = 20
"""Held by a search: 8 bytes, and about as much again, and a little, while a layer is made."""


@dataclass(frozen=True)
class Game:
    """Moves from a problem's start: ``moves`` as texts, ``positions`` before the first and after each (bit = hole)."""

    problem: Problem = field(repr=False)
    moves: tuple[str, ...]
    positions: tuple[int, ...] = field(repr=False)

    @property
    def reaches_goal(self) -> bool:
        """Return whether the last position is the goal."""
        return self.positions[-1] == self.problem.goal

    @property
    def pegs(self) -> tuple[int, ...]:
        """The numbers of the holes that hold pegs in the end."""
        return tuple(self.problem.board.pegs(self.positions[-1]))

    @property
    def text(self) -> str:
        """The moves, numbered, one a line, as :func:`replay` reads them."""
        return "\n".join(f"({number}) {move}" for number, move in enumerate(self.moves, 1))

    def boards(self) -> Iterator[tuple[str, list[str]]]:
        """For each position a caption and its drawing."""
        for number, position in enumerate(self.positions):
            caption = f"({number}) {self.moves[number - 1]}" if number else "start"
            yield caption, lines(self.problem.board, position, self.positions[number - 1] if number else None)

    def draw(self, width: int) -> Iterator[str]:
        """All positions, side by side as the width allows."""
        return side_by_side([[caption, *drawing] for caption, drawing in self.boards()], width)

    def picture(self) -> Picture:
        """All positions in one picture."""
        board, before = self.problem.board, (None, *self.positions)
        drawn = [picture(board, position, last) for position, last in zip(self.positions, before, strict=False)]
        return gallery(drawn, ["start", *self.moves], 5)

    def __str__(self) -> str:
        return self.text

    def _repr_svg_(self) -> str:
        return self.picture().svg()


@dataclass(frozen=True)
class Solved:
    """The least number of moves, games with that many (one, or all up to order of moves and symmetry), and how many
    positions, up to symmetry, were looked at to prove that fewer do not suffice."""

    moves: int
    games: tuple[Game, ...] = field(repr=False)
    positions: int
    solvable: ClassVar[Literal[True]] = True

    def document(self) -> dict[str, Any]:
        """All of it as JSON values."""
        return {"solvable": True, "moves": self.moves, "solutions": [list(game.moves) for game in self.games]}

    def __str__(self) -> str:
        if len(self.games) == 1:
            return self.games[0].text
        return "\n".join(f"({number}) {', '.join(game.moves)}" for number, game in enumerate(self.games, 1))

    def _repr_svg_(self) -> str:
        return self.games[0]._repr_svg_()


@dataclass(frozen=True)
class Impossible:
    """Why no moves lead to the goal, and how many positions, up to symmetry, were looked at to prove it."""

    reason: str
    positions: int
    solvable: ClassVar[Literal[False]] = False

    def document(self) -> dict[str, Any]:
        """All of it as JSON values."""
        return {"solvable": False, "reason": self.reason, "positions": self.positions}

    def __str__(self) -> str:
        return f"no solution: {self.reason} ({counted(self.positions, 'position')} up to symmetry)"


def boards() -> dict[str, tuple[str, ...]]:
    """The shipped boards by name, each with the names of its problems.

    >>> boards()["french"][0]
    'last_supper'
    """
    return {name: tuple(load_board(name).problems) for name in shipped_names(BOARDS)}


def problem(
    board: str = "english", name: str | None = None, start: str | None = None, goal: str | None = None
) -> Problem:
    """A problem: of a shipped board, a board file or a drawn board, by its name there, or by start and goal (``1 3-5``,
    ``all but 19``, ``all but d4``, or drawn). A drawn board with pegs and empty holes is the start, too.
    BoardspaceError where the file, the name or a position is wrong.

    >>> problem("triangle15", start="all but 1", goal="1").board.holes
    15
    """
    file = load_board(text("board", board, "triangle15"))
    built = build_board(board_name(board), file)
    if name is None and start is None:
        start = drawn_start(board)
    if name is None and (start is None or goal is None) and len(file.problems) == 1:
        name = next(iter(file.problems))
    if name is not None:
        named = board_files.named_problem(board, file, text("name", name, "corner"))
        start = named.start if start is None else start
        goal = named.goal if goal is None else goal
    if start is None or goal is None:
        known = ", ".join(file.problems) or "none"
        raise BoardspaceError(
            f"{board}: name one of its problems (--problem; there are: {known}), or give --start and --goal"
        )
    return build_problem(built, text("start", start, "all but 19"), text("goal", goal, "19"))


def as_problem(of: Problem | str) -> Problem:
    """The problem that an argument is, or names as ``BOARD/PROBLEM``; BoardspaceError where it does neither."""
    if isinstance(of, Problem):
        return of
    board, _, name = text("problem", of, "triangle15/corner").rpartition("/")
    if not board:
        raise BoardspaceError(
            f"problem {shown(of)}: a problem is written BOARD/PROBLEM, such as 'triangle15/corner', or made by "
            "solitaire.problem(board, name)"
        )
    return problem(board, name)


def replay(of: Problem | str, moves: str) -> Game:
    """Play the moves that a text writes, one a line or separated by commas, each perhaps numbered; ``#`` begins a
    comment. The problem is one of :func:`problem`, or its name ``BOARD/PROBLEM``.

    BoardspaceError names the first impossible move with its reason.

    >>> replay("triangle15/corner", "4==>1, 6==>4").pegs
    (1, 3, 4, 7, 8, 9, 10, 11, 12, 13, 14, 15)

    >>> game = replay(problem("triangle15", start="1-3", goal="1 6"), "2==>1  # no such jump")
    Traceback (most recent call last):
    boardspace.spec.errors.BoardspaceError: move 1, 2==>1: no jump leads from hole 2 to hole 1
    """
    of = as_problem(of)
    play = Play(of.board)
    try:
        parsed = parse_solution(play, re.sub("#.*", "", text("moves", moves, "4==>1, 6==>4")))
        positions = play.replay(of.start, parsed)
    except (MoveError, BoardError) as error:
        raise BoardspaceError(str(error)) from error
    return Game(of, tuple(map(play.format, parsed)), tuple(positions))


def solve(
    of: Problem | str, every: bool = False, memory: int = MEMORY, progress: Progress | None = None
) -> Solved | Impossible:
    """The fewest moves from start to goal with a game, or all games (``every``), or why there is none.

    The problem is one of :func:`problem`, or its name ``BOARD/PROBLEM``. The search may hold positions for about
    ``memory`` bytes; BoardspaceError where that does not suffice. ``progress`` is called with a line of text for each
    layer of the search.

    >>> solve("triangle15/corner").moves
    10
    """
    of, every, memory = as_problem(of), switch("every", every), within("memory", memory, 1, LARGEST)
    progress = listener(progress)
    try:
        found = meet(of, memory // BYTES_PER_POSITION, progress)
        if isinstance(found, Unsolvable):
            return Impossible(found.reason, found.positions)
        games = [first_game(found)]
        if every:
            games = [one.moves for one in Solutions(found.problem, found.shortest_layers()).essential]
    except SearchTooLargeError as error:
        raise BoardspaceError(f"{error} (--memory; a position takes about {BYTES_PER_POSITION} bytes)") from error
    except TooManySolutionsError as error:
        raise BoardspaceError(str(error)) from error
    play = Play(of.board)
    played = (Game(of, tuple(map(play.format, moves)), tuple(play.replay(of.start, moves))) for moves in games)
    return Solved(found.length, tuple(played), found.positions)


def draw(of: Problem) -> Iterator[str]:
    """Start and goal, side by side."""
    pair = [[name, *lines(of.board, position)] for name, position in (("start", of.start), ("goal", of.goal))]
    return side_by_side(pair, terminal_width())
