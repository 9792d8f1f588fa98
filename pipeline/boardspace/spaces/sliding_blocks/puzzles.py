"""Corner puzzles of sliding blocks: the hardest of a tray, and one drawn at random, searched on demand."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from boardspace.spaces.sliding_blocks.boards import (
    SEARCHED_CELLS,
    Board,
    TraySize,
    board_text,
    parse,
    pieces_of,
    tray_size,
)
from boardspace.spec.arguments import between, seed_of, within
from boardspace.spec.errors import BoardspaceError, NothingFoundError
from boardspace.spec.texts import counted
from boardspace_kernels.sliding_blocks.enumeration import enumerate_classes
from boardspace_kernels.sliding_blocks.frontier import Sizes, count_by_sizes
from boardspace_kernels.sliding_blocks.survey import Survey, survey_classes
from boardspace_kernels.sliding_blocks.tray import tray

NEVER = 1 << 16
"""Steps that no puzzle has."""


@dataclass(frozen=True)
class Puzzle:
    """A corner puzzle: its start, in which the marked piece is A, and the fewest steps that take it to the lower right
    corner."""

    board: Board
    steps: int

    def document(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {"board": "/".join(self.board.lines()), "steps": self.steps}

    def __str__(self) -> str:
        return "\n".join(
            [
                *self.board.lines(),
                f"{counted(self.steps, 'step')} take{'s' * (self.steps == 1)} A to the lower right corner",
            ]
        )

    def _repr_svg_(self) -> str:
        return self.board._repr_svg_()


def hardest(rows: int, columns: int, pieces: int) -> Puzzle:
    """A longest corner puzzle of a tray with so many pieces, all of them searched.

    BoardspaceError for trays of more than 16 cells, and where no puzzle has so many pieces.

    >>> print(hardest(2, 3, 3))
    ABB
    C..
    5 steps take A to the lower right corner
    """
    size, pieces = _searched(rows, columns, pieces)
    longest, drawn = 0, None
    for *_, found in surveyed(size, NEVER, pieces):
        if len(found.steps) and found.steps.max() > longest:
            longest, drawn = int(found.steps.max()), found.puzzle(int(found.steps.argmax()))
    if drawn is None:
        raise _none_has(size, pieces)
    return drawn


def random(
    rows: int = 4, columns: int = 4, *, pieces: int, steps: tuple[int, int] | None = None, seed: int | None = None
) -> Puzzle:
    """A corner puzzle drawn with equal chances from the longest ones of every class with so many pieces, of those that
    take ``steps``, the fewest and the most; the same one for the same seed.

    BoardspaceError as for :func:`hardest`, and where no puzzle takes so many steps.

    >>> print(random(3, 3, pieces=5, steps=(8, 10), seed=1))
    ABB
    CDE
    .D.
    10 steps take A to the lower right corner
    """
    size, pieces = _searched(rows, columns, pieces)
    least, most = (1, NEVER) if steps is None else between("steps", steps, 1, NEVER, (40, 60))
    source = Random(seed_of(seed))
    longest, candidates, drawn = 0, 0, None
    for *_, found in surveyed(size, least, pieces):
        longest = max(longest, int(found.steps.max(initial=0)))
        for row in np.flatnonzero((found.steps >= least) & (found.steps <= most)).tolist():
            candidates += 1
            if source.randrange(candidates) == 0:
                drawn = found, row
    if not longest:
        raise _none_has(size, pieces)
    if drawn is None:
        raise NothingFoundError(
            f"no corner puzzle of the {rows} x {columns} tray with {counted(pieces, 'piece')} takes {least} to {most} "
            f"steps; the longest takes {longest}"
        )
    found, row = drawn
    return found.puzzle(row)


def _none_has(size: TraySize, pieces: int) -> NothingFoundError:
    return NothingFoundError(
        f"no corner puzzle of the {size.rows} x {size.columns} tray has {counted(pieces, 'piece')}"
    )


def _searched(rows: int, columns: int, pieces: int) -> tuple[TraySize, int]:
    size = tray_size(rows, columns)
    if size.cells > SEARCHED_CELLS:
        raise BoardspaceError(
            f"{rows} x {columns}: corner puzzles are searched on demand for trays of up to {SEARCHED_CELLS} cells; a "
            "run of the configuration sliding_blocks finds those of 4 x 5, in its table records"
        )
    return size, within("pieces", pieces, 1, size.cells)


class Listed(NamedTuple):
    """Longest corner puzzles of a tray: codes of the starts, masks of the marked pieces, and steps."""

    size: TraySize
    start: npt.NDArray[np.uint64]
    marked: npt.NDArray[np.uint32 | np.uint64]
    steps: npt.NDArray[np.int64]

    def puzzle(self, row: int) -> Puzzle:
        """The puzzle of a row."""
        pieces = pieces_of(self.size, int(self.start[row]))
        return Puzzle(parse(board_text(self.size, pieces, int(self.marked[row]))), int(self.steps[row]))


def surveyed(size: TraySize, puzzles_from: int, pieces: int | None = None) -> Iterator[tuple[Sizes, Survey, Listed]]:
    """For each multiset of piece sizes, or of so many, what a survey of its classes found, and their longest puzzles:
    those of ``puzzles_from`` steps and more, and always the longest of all."""
    tables = tray(*size)
    for sizes, packings in count_by_sizes(*size).items():
        if sizes and sum(sizes) < size.cells and pieces in (None, len(sizes)):
            classes = enumerate_classes(tables, sizes, packings)
            survey = survey_classes(tables, classes, puzzles_from, list_groups=False)
            puzzles, steps = survey.puzzles, survey.classes.steps[survey.puzzles.label].astype(np.int64)
            yield sizes, survey, Listed(size, puzzles.start, tables.mask[puzzles.marked], steps)
