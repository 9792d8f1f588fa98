"""The starts whose classes a config asks for: a board, full but for one hole."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from boardspace.spaces.solitaire.board_files import (
    NO_BOARDS,
    BoardFileError,
    Boards,
    BoardText,
    Grid,
    board_name,
    load_board,
)
from boardspace.spaces.solitaire.boards import build_board
from boardspace_kernels.solitaire.board import Board
from boardspace_kernels.solitaire.classes.fold import Fold, fold_by
from boardspace_kernels.solitaire.classes.order import Order
from boardspace_kernels.solitaire.classes.position_class import ClassTooLargeError, PositionClass
from boardspace_kernels.solitaire.classes.steps import Steps, backward_steps, forward_steps

if TYPE_CHECKING:  # config models load the libraries of tables, for which a question need not wait
    from boardspace.spaces.solitaire.config import Classes, Games, Hint

MovesLeft = Literal["winning_moves", "returning_moves"]
ARRAY: "Mapping[Hint, MovesLeft]" = {"winning": "winning_moves", "returning": "returning_moves"}
"""The arrays of least moves by what they lead to."""


@dataclass(frozen=True)
class Vacancy:
    """A board as its file has it, and the number of the hole that is vacant at the start.

    What follows from these is made once for all that are equal, as far as so many are kept.
    """

    board_name: str
    grid: Grid
    picture: str
    hole: int

    @property
    def slug(self) -> str:
        """Its name in the names of stages, arrays and files."""
        return f"{self.board_name}-{self.hole:02}"

    @property
    def params(self) -> dict[str, Any]:
        """Parameters of a shard that decide it: board files are not code."""
        return {"board": self.board_name, "grid": self.grid, "picture": self.picture, "vacancy": self.hole}

    @classmethod
    def of(cls, params: Mapping[str, Any]) -> "Vacancy":
        """The vacancy that a shard's parameters hold."""
        return cls(params["board"], params["grid"], params["picture"], params["vacancy"])

    @property
    def text(self) -> BoardText:
        """The board's file, without its problems."""
        return BoardText(grid=self.grid, picture=self.picture)

    @property
    @lru_cache(maxsize=64)  # noqa: B019
    def board(self) -> Board:
        """The board."""
        return build_board(self.board_name, self.text)

    @property
    def start(self) -> int:
        """The position with this one hole vacant."""
        return self.board.full ^ self.board.position([self.hole])

    @property
    @lru_cache(maxsize=64)  # noqa: B019
    def order(self) -> Order:
        """The order of the class's blocks."""
        try:
            return Order(PositionClass(self.board, self.start))
        except ClassTooLargeError as error:
            raise BoardFileError(str(error)) from error

    @property
    @lru_cache(maxsize=8)  # noqa: B019
    def fold(self) -> Fold:
        """Fold by the symmetries that keep the start."""
        return fold_by(self.order, self.board.stabiliser(self.start))

    @property
    def word(self) -> str:
        """The dtype's name of the words of its blocks."""
        return np.dtype(self.order.positions.word_type).name

    @property
    def single_pegs(self) -> list[int]:
        """The positions of one peg that are in the class."""
        singles = (1 << hole for hole in range(self.board.holes))
        return [single for single in singles if self.order.positions.contains(single)]

    @lru_cache(maxsize=8)  # noqa: B019
    def steps(self, forward: bool) -> Steps:
        """The steps between the class's blocks."""
        return forward_steps(self.order) if forward else backward_steps(self.order)


def array_path(vacancy: Vacancy, name: str) -> str:
    """Path of a published array."""
    return f"classes/{vacancy.slug}/{name}"


def goals_of(vacancy: Vacancy, name: str) -> list[int]:
    """The single pegs that are to be left: all of the class, or that in the vacancy."""
    home = vacancy.board.full ^ vacancy.start
    return [single for single in vacancy.single_pegs if name == "winning_moves" or single == home]


def vacancies(classes: "Classes | Games", boards: Boards = NO_BOARDS) -> list[Vacancy]:
    """The vacancies of a section; where it names none, one of each orbit under the symmetries of the board."""
    return vacancies_of(classes.board, classes.vacancies, boards)


def vacancies_of(name: str, holes: Sequence[int], boards: Boards = NO_BOARDS) -> list[Vacancy]:
    """The vacancies of a board in some holes, by their numbers; where there are none, in one of each orbit.

    The board is one of ``boards``, a shipped one, or a file."""
    text = load_board(name, boards)
    short = name if name in boards else board_name(name)
    board = build_board(short, text)
    unknown = [hole for hole in holes if hole not in board.labels]
    if unknown:
        raise BoardFileError(f"vacancies of {name}: the board has no hole {unknown[0]}")
    chosen = holes or [board.labels[orbit[0]] for orbit in board.orbits]
    return [Vacancy(short, text.grid, text.picture, hole) for hole in chosen]
