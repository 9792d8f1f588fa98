"""The ``[board_division]`` section of a run."""

from typing import NamedTuple

from pydantic import Field, field_validator

from boardspace.spec.space import SpaceConfig


class LargeBoard(NamedTuple):
    """A board of 2^k x 2^k cells and its special cell, rows and columns counted from 1."""

    k: int
    row: int
    column: int

    @property
    def name(self) -> str:
        """Its name in paths; names sort like boards."""
        return f"{self.k:02}-{self.row:09}-{self.column:09}"


class BoardDivisionConfig(SpaceConfig):
    """Extent of each part of the dataset."""

    special_boards: int = Field(6, ge=0, le=8, description="covers for all 4^k special cells, k = 0 to this")
    large_boards: tuple[LargeBoard, ...] = Field((), description="single covers, each [k, row, column] from 1")
    cover_counts: int = Field(16, ge=2, le=20, description="exact numbers of all covers, sides 1 to this")
    squares: int = Field(
        0, ge=0, le=27, description="all covers with at most one single cell, wherever it is, sides 0 to this; 0: none"
    )
    strips: int = Field(
        9, ge=2, le=9, description="recurrences of the numbers of covers of strips, of 2 to this many rows"
    )
    values: int = Field(1000, ge=5, le=2000, description="fewest pegs for all m, n up to this")
    replays: int = Field(
        100, ge=4, le=1000, description="every rectangle with sides up to this is reduced and replayed"
    )
    sequences: int = Field(12, ge=4, le=100, description="jumps are published for all sides up to this")
    large_rectangles: tuple[tuple[int, int], ...] = Field((), description="and for these, each [m, n]")
    search_pegs: int = Field(16, ge=4, le=24, description="every position of all rectangles of up to this many pegs")
    lines: int = Field(100, ge=2, le=1000, description="every position of lines of up to this many pegs")

    @field_validator("large_boards")
    @classmethod
    def _boards_exist(cls, boards: tuple[LargeBoard, ...]) -> tuple[LargeBoard, ...]:
        for k, row, column in boards:
            if not 0 <= k <= 16:
                raise ValueError(f"k = {k}; it may be 0 to 16")
            if not (1 <= row <= 1 << k and 1 <= column <= 1 << k):
                raise ValueError(f"({row}, {column}) is off the board of k = {k}, sides 1 to {1 << k}")
        if len(set(boards)) < len(boards):
            raise ValueError("one is there twice")
        return boards

    @field_validator("large_rectangles")
    @classmethod
    def _rectangles_exist(cls, rectangles: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int], ...]:
        for m, n in rectangles:
            if not (1 <= m <= 4000 and 1 <= n <= 4000):
                raise ValueError(f"{m} x {n}; sides may be 1 to 4000")
        return rectangles
