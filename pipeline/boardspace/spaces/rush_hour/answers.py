"""Questions about boards of Rush Hour: a board's group, a shortest solution, how it is hard, the hardest starts."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from string import ascii_uppercase
from typing import Any

import numpy as np
import pyarrow.compute as pc
from numpy.typing import NDArray

from boardspace.cli.drawing import Picture, tray_picture
from boardspace.graphs import hardness as measures
from boardspace.graphs.hardness import Figures, Hardness
from boardspace.release.datasets import Dataset
from boardspace.spaces.rush_hour import notation
from boardspace.spaces.rush_hour.config import LISTED_FROM, Board, RushHourConfig
from boardspace.spec import sliding
from boardspace.spec.arguments import between, seed_of, shown, text, within
from boardspace.spec.errors import BoardspaceError, NothingFoundError
from boardspace.spec.second_rules import bits
from boardspace.spec.slides import Moves, Slides, Solution
from boardspace.spec.texts import counted
from boardspace_kernels.rush_hour import search
from boardspace_kernels.rush_hour.lines import lines

SEARCHED_SIDE = 5
"""Cells of a side of boards that are searched whole for a question."""
MOST_STEPS = 99
NO_WAY = "no moves take the red car to the right end"


@dataclass(frozen=True)
class Start:
    """A board of Rush Hour. :func:`parse` reads one.

    pieces: row, column, length, lies across, is red; the red car first, the others in reading order.
    letters: of each piece, which it keeps when it is moved.
    """

    board: Board
    pieces: tuple[notation.Piece, ...]
    letters: tuple[str, ...]

    def __str__(self) -> str:
        return "\n".join(self.lines())

    @property
    def text(self) -> str:
        """The board in one line, its letters in reading order."""
        return notation.text_of(self.board, list(self.pieces))

    def lines(self) -> list[str]:
        """The rows of the board, in its own letters."""
        n = self.board.n
        cells = notation.cells_of(self.board, dict(zip(self.pieces, self.letters, strict=True)), ".")
        return ["".join(cells[n * row : n * row + n]) for row in range(n)]

    @property
    def is_goal(self) -> bool:
        """The red car stands at the right end."""
        return self.pieces[0][1] == self.board.n - 2

    def posed(self) -> sliding.Question:
        """The position and the goal, as they are searched."""
        n = self.board.n
        walls = sum(1 << n * r + c for r, c in self.board.walls)
        pieces = [sum(1 << cell for cell in notation.cells_under(n, piece)) for piece in self.pieces]
        across = [across for _, _, _, across, _ in self.pieces]
        return sliding.Question(
            sliding.Tray(n, n, (1 << n * n) - 1 & ~walls), pieces, 1 << n * self.board.row + n - 2, across
        )

    def after(self, step: sliding.Step) -> tuple[str, "Start"]:
        """The name of a move, the piece's letter and how far it goes, + is right or down; and the board after it."""
        before = self.pieces[step.piece]
        row, column = divmod(next(bits(step.cells)), self.board.n)
        after = (*self.pieces[: step.piece], (row, column, *before[2:]), *self.pieces[step.piece + 1 :])
        return f"{self.letters[step.piece]}{row + column - before[0] - before[1]:+}", replace(self, pieces=after)

    def picture(self) -> Picture:
        """The board in colours, the red car red."""
        n, (tray, pieces, _, _) = self.board.n, self.posed()
        walls = (1 << n * n) - 1 & ~tray.floor
        return tray_picture(n, n, dict(zip(self.letters, pieces, strict=True)), walls)

    def _repr_svg_(self) -> str:
        return self.picture().svg()


SLIDES = Slides(Start.posed, Start.after)


def parse(board: Start | str) -> Start:
    """The board of a text: a letter for each cell, row by row. A is the red car, other letters are pieces, o or a dot
    is empty, x a wall; / or blanks may stand between rows. A board is itself.

    BoardspaceError says what is wrong: no square of 3 to 6 cells a side, a piece that is no car and no truck, no red
    car.

    >>> print(parse("AAB/..B/..."))
    AAB
    ..B
    ...
    >>> parse("AAB/..B/...").text
    'AABooBooo'
    """
    if isinstance(board, Start):
        return board
    size, pieces = notation.parse(text("board", board, "AAB/..B/..."))
    red_first = tuple(sorted(pieces, key=lambda piece: (not piece[4], piece)))
    return Start(size, red_first, tuple(ascii_uppercase[: len(red_first)]))


def draw_row(row: Mapping[str, Any]) -> str:
    """The picture of a row of the table ``hardest``."""
    return parse(row["text"])._repr_svg_()


def group(board: Start | str, *, metric: str = "step") -> Figures:
    """The figures of a board and its group, all of it searched; a board, or a text as :func:`parse` reads it, and the
    metric as for :func:`solve`.

    BoardspaceError where it has more than 1,048,576 boards; the largest of 6 x 6 has fewer.

    >>> group("AAB/..B/...")
    Figures(positions=3, goals=1, moves=2, solutions=1, most=2)
    """
    return measures.figures(SLIDES.graph(parse(board), metric))


def hardness(board: Start | str) -> Hardness | None:
    """Measures of a board beside its length, on its whole group, by steps; None where no moves solve it. A position
    seems the nearer, the fewer pieces stand in the way of the red car, and then the fewer cells it has to go. A board,
    or a text as :func:`parse` reads it; BoardspaceError where its group has more than 1,048,576 boards.

    >>> found = hardness("BBCooDoCEEDAAFoGGoFHIIJJH")
    >>> found.moves, found.solutions, found.forced, found.returns, found.walk
    (20, 96, 13, 4, 828.6)
    """
    start = parse(board)
    graph, n = SLIDES.graph(start), start.board.n
    right_of_red = graph.covered >> (np.uint64(n * start.board.row + n) - graph.away.astype(np.uint64))
    in_the_way = np.bitwise_count(right_of_red & (np.uint64(1) << graph.away.astype(np.uint64)) - np.uint64(1))
    seems = n * in_the_way.astype(np.int64) + graph.away
    return measures.hardness(graph, seems=seems, as_begun=graph.as_begun)


def solve(board: Start | str, *, metric: str = "step") -> Solution[Start] | None:
    """A shortest way that takes the red car to the right end; None where there is none. A board, or a text as
    :func:`parse` reads it. A step moves a piece any number of cells; where ``metric`` is "unit", by one.

    >>> found = solve("AAB/..B/...")
    >>> found, found.moved, found.boards[-1].text
    (Solution(2 steps), ['B+1', 'A+1'], 'oAAooBooB')
    """
    return SLIDES.solve(parse(board), metric)


def moves(board: Start | str) -> Moves[Start]:
    """The next steps of a board, or of a text as :func:`parse` reads it, with the exact steps that each leaves.

    Its group is searched, and kept for the next question; BoardspaceError where that has more than 1,048,576 boards.

    >>> found = moves("AAB/..B/...")
    >>> found.steps, [(name, left) for name, _, left in found.choices]
    (2, [('B+1', 1)])
    """
    return SLIDES.moves(parse(board))


def hardest(board: str = "5x5-2", dataset: Dataset | None = None) -> list[Start]:
    """The farthest boards of all groups that take many steps, the hardest first.

    A board is named by its sides and the red car's row from 0, such as 5x5-2. Those of up to 5 x 5 cells are searched;
    those of 6 x 6, and those with walls, such as 5x5-2-0.4, stand in the dataset of a run or a release,
    ``boardspace.open(FOLDER)["rush_hour"]``. BoardspaceError where there is no such board, or no such dataset.

    >>> hardest("4x4-1")[0].text
    'BBBCDAACDoEEDFFF'
    """
    return [start for start, _ in _listed(board_named(board, dataset), dataset)]


def listed(board: Board, dataset: Dataset | None) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """The farthest boards of all groups that take many steps: their codes, ascending, and their steps."""
    if dataset is not None:
        rows = dataset.tables["hardest"].to_table(columns=["board", "code", "steps"])
        rows = rows.filter(pc.equal(rows.column("board"), board.name)).sort_by("code")
        return rows.column("code").to_numpy(), rows.column("steps").to_numpy().astype(np.uint64)
    if board.n > SEARCHED_SIDE:
        raise BoardspaceError(
            f"{board.name} has too many boards to search: make a run of it, and name that (--data, or dataset)"
        )
    tables = lines(board.n, board.row, board.walls)
    sides = [np.arange(search.labels_of(tables, side)) for side in range(2)]
    outs = [search.search_labels(tables, side, sides[side], LISTED_FROM[board.n]) for side in range(2)]
    starts = np.concatenate([out.starts for out in outs])
    return tuple(starts[np.argsort(starts[:, 0]), :2].T.copy())


def _listed(board: Board, dataset: Dataset | None) -> list[tuple[Start, int]]:
    codes, steps = (column.tolist() for column in listed(board, dataset))
    found = sorted((-one, notation.text_of_code(board, code)) for code, one in zip(codes, steps, strict=True))
    return [(parse(text), -one) for one, text in found]


def boards_of(dataset: Dataset) -> dict[str, Board]:
    """The boards of a dataset by name; BoardspaceError where it is none of Rush Hour."""
    if not isinstance(dataset, Dataset):
        raise BoardspaceError(f"dataset: one that boardspace.open(FOLDER)['rush_hour'] gives, not {shown(dataset)}")
    if dataset.name != "rush_hour" or not isinstance(dataset.config, RushHourConfig):
        raise BoardspaceError(f"dataset: one of rush_hour is wanted, not of {dataset.name}")
    return {board.name: board for board in dataset.config.all_boards}


def board_named(board: str, dataset: Dataset | None) -> Board:
    """The board of a name, in a dataset if one is given."""
    name, known = text("board", board, "5x5-2"), {} if dataset is None else boards_of(dataset)
    matched = re.fullmatch(r"([3-6])x\1-([0-2])", name)
    if known and name not in known:
        raise BoardspaceError(f"board {shown(name)}: the dataset has {', '.join(known)}")
    if not known and matched is None:
        raise BoardspaceError(
            f"board {shown(name)}: name one by its sides and the red car's row from 0: 6x6-2; those with walls stand "
            "in datasets (--data, or dataset)"
        )
    return known[name] if matched is None or known else Board(int(matched[1]), int(matched[2]))


def random(
    board: str = "5x5-2",
    *,
    steps: tuple[int, int] = (1, MOST_STEPS),
    pieces: int | None = None,
    seed: int | None = None,
    dataset: Dataset | None = None,
) -> Start:
    """One of the hardest starts by chance, of those that take ``steps``, the fewest and the most, and have so many
    pieces; the same one for the same seed. Boards and errors as for :func:`hardest`; BoardspaceError too where there is
    none.

    >>> print(random("4x4-1", steps=(7, 7), pieces=6, seed=1))
    BBBC
    DAAC
    D.EE
    DFFF
    """
    size, (least, most) = board_named(board, dataset), between("steps", steps, 0, MOST_STEPS, (25, 30))
    number = None if pieces is None else within("pieces", pieces, 1, size.n**2 // 2)
    generator = np.random.default_rng(seed_of(seed))
    starts = _listed(size, dataset)
    for place in generator.permutation(len(starts)).tolist():
        start, length = starts[place]
        if least <= length <= most and number in (None, len(start.pieces)):
            return start
    raise NothingFoundError(
        f"{size.name}: no start of the {len(starts):,} hardest takes {least} to {most} steps"
        + ("" if number is None else f" and has {counted(number, 'piece')}")
    )
