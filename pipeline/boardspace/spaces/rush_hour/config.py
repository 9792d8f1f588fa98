"""The ``[rush_hour]`` section of a run."""

from itertools import pairwise
from typing import NamedTuple

from pydantic import Field, model_validator

from boardspace.spec.space import SpaceConfig

LISTED_FROM = {3: 1, 4: 5, 5: 15, 6: 25}
"""By cells of a side: the farthest boards of groups that take at least so many steps are listed."""
UNIT_SIDE = 5
"""Cells of the longest side of boards whose cars have one cell."""


class Board(NamedTuple):
    """Cells of a side, row of the red car from 0, and fixed walls as (row, column), ascending."""

    n: int
    row: int
    walls: tuple[tuple[int, int], ...] = ()

    @property
    def name(self) -> str:
        """Its name in tables and folders: ``6x6-2``, with walls ``5x5-2-0.4_3.1``."""
        walls = "_".join(f"{r}.{c}" for r, c in self.walls)
        return "-".join(filter(None, (f"{self.n}x{self.n}", str(self.row), walls)))

    @property
    def share(self) -> float:
        """Its part of the time and the bytes that its size takes without walls; measured with one and two walls."""
        return 0.3 ** len(self.walls)


class RushHourConfig(SpaceConfig):
    """Boards that are enumerated."""

    boards: tuple[tuple[int, int], ...] = Field(
        ((3, 1), (4, 1)), description="boards without walls: cells of a side, 3 to 6, and row of the red car, from 0"
    )
    walled: tuple[Board, ...] = Field(
        (), description="boards with walls: cells of a side, 3 to 6, row of the red car, and the walls as [row, column]"
    )

    unit: tuple[tuple[int, int, int], ...] = Field(
        (), description="boards with cars of one cell: cells of a side, 2 to 5, the fewest and the most voids"
    )

    @property
    def unit_squares(self) -> tuple[tuple[int, int], ...]:
        """Of boards with cars of one cell the cells of a side and the numbers of voids, ascending."""
        return tuple(sorted((n, voids) for n, fewest, most in self.unit for voids in range(fewest, most + 1)))

    @property
    def all_boards(self) -> tuple[Board, ...]:
        """All of them, by name."""
        plain = [Board(n, row) for n, row in self.boards]
        walled = [board._replace(walls=tuple(sorted(board.walls))) for board in self.walled]
        return tuple(sorted((*plain, *walled), key=lambda board: board.name))

    def board(self, name: str) -> Board:
        """The board of a name."""
        return next(board for board in self.all_boards if board.name == name)

    @model_validator(mode="after")
    def _boards_can_be_done(self) -> "RushHourConfig":
        for board in self.all_boards:
            if not 3 <= board.n <= 6:
                raise ValueError(f"{board.name}: boards have 3 to 6 cells a side")
            if not 0 <= board.row <= (board.n - 1) // 2:
                raise ValueError(
                    f"{board.name}: the red car's row is 0 to {(board.n - 1) // 2}; those below are the same boards "
                    "upside down"
                )
            if len(set(board.walls)) < len(board.walls) or not all(
                0 <= r < board.n and 0 <= c < board.n for r, c in board.walls
            ):
                raise ValueError(f"{board.name}: walls are different cells of the board, [row, column] from 0")
            free = [(board.row, column) not in board.walls for column in range(board.n)]
            if not any(left and right for left, right in pairwise(free)):
                raise ValueError(f"{board.name}: its walls leave the red car no two cells side by side in its row")
        if any(not walls for _, _, walls in self.walled):
            raise ValueError("walled: a board has no walls; name it in boards")
        if len(set(self.all_boards)) < len(self.all_boards):
            raise ValueError("boards: one is there twice")
        return self

    @model_validator(mode="after")
    def _unit_squares_can_be_done(self) -> "RushHourConfig":
        for n, fewest, most in self.unit:
            if not (2 <= n <= UNIT_SIDE and 1 <= fewest <= most < n * n):
                raise ValueError(
                    f"unit: [{n}, {fewest}, {most}]; sides have 2 to {UNIT_SIDE} cells, voids are 1 to n^2 - 1, the "
                    "fewest first"
                )
        if len(set(self.unit_squares)) < len(self.unit_squares):
            raise ValueError("unit: a side has a number of voids twice")
        return self
