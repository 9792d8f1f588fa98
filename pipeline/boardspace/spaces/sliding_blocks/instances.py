"""Instances of sliding blocks: of every class of pieces, and each shape in it, the longest corner puzzle."""

import re
from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from boardspace.instances.checker import KINDS
from boardspace.instances.slides import pddl, pieces_of, slide_puzzle, steps_between
from boardspace.instances.source import Batch, Instance, Request, Source, labelled
from boardspace.release.datasets import Dataset
from boardspace.spaces.sliding_blocks.answers import solve
from boardspace.spaces.sliding_blocks.board import parse
from boardspace.spaces.sliding_blocks.boards import MOST_CELLS, SEARCHED_CELLS, TraySize, board_text
from boardspace.spaces.sliding_blocks.boards import pieces_of as pieces_by_code
from boardspace.spec.errors import BoardspaceError
from boardspace_kernels.sliding_blocks.enumeration import enumerate_classes
from boardspace_kernels.sliding_blocks.frontier import count_by_sizes
from boardspace_kernels.sliding_blocks.survey import NO_PUZZLE, survey_classes
from boardspace_kernels.sliding_blocks.tray import tray

RECORDS = "records"
PUZZLES_FROM = 1
"""Puzzles of so many steps and more are listed."""


def batches(request: Request) -> Iterator[Batch]:
    """One batch for each tray and multiset of piece sizes, or, of a dataset, one for each tray."""
    if request.data is not None:
        yield from _recorded(request.parts, request.data)
        return
    for part in request.parts:
        size = _tray_size(part)
        tables = tray(*size)
        for sizes, packings in count_by_sizes(*size).items():
            if not sizes or sum(sizes) == size.cells:
                continue
            survey = survey_classes(tables, enumerate_classes(tables, sizes, packings), PUZZLES_FROM, list_groups=False)
            puzzles = survey.puzzles
            steps = survey.classes.steps[puzzles.label].astype(np.int64)
            rows = np.flatnonzero((steps > 0) & (steps < NO_PUZZLE))
            if len(rows):
                yield Batch(
                    name=f"{size.name}-{'_'.join(map(str, sizes))}",
                    family=f"{size.name}-{'_'.join(map(str, sizes))}",
                    key=rows.astype(np.uint64),
                    group=puzzles.label[rows].astype(np.uint64),
                    difficulty=steps[rows],
                    make=partial(_instances, size, puzzles.start, tables.mask[puzzles.marked], steps),
                )


def _recorded(parts: tuple[str, ...], data: Dataset) -> Iterator[Batch]:
    """One batch for each tray whose hard puzzles a dataset lists."""
    rows = data.tables[RECORDS].to_table(columns=["tray", "code", "start", "marked", "steps"])
    listed = rows.sort_by([(name, "ascending") for name in ("tray", "code", "start", "marked")]).to_pydict()
    trays = sorted(set(listed["tray"]))
    unknown = set(parts) - set(trays)
    if unknown:
        raise BoardspaceError(f"--of {min(unknown)}: the dataset lists hard puzzles of {', '.join(trays) or 'no tray'}")
    for name in parts or trays:
        here = np.flatnonzero(np.array(listed["tray"]) == name)
        start, marked, code = (np.array(listed[column], np.uint64)[here] for column in ("start", "marked", "code"))
        steps = np.array(listed["steps"], np.int64)[here]
        yield Batch(
            name=f"{name}-records",
            family=f"{name}-records",
            key=np.arange(len(here), dtype=np.uint64),
            group=code,
            difficulty=steps,
            make=partial(_instances, _tray_size(name, MOST_CELLS), start, marked, steps),
        )


def _tray_size(name: str, most: int = SEARCHED_CELLS) -> TraySize:
    match = re.fullmatch(r"(\d{1,2})x(\d{1,2})", name)
    if match is None:
        raise BoardspaceError(f"--of {name}: write a tray, rows and columns, such as 3x4")
    size = TraySize(int(match[1]), int(match[2]))
    if not 1 <= size.cells <= most:
        raise BoardspaceError(f"--of {name}: the puzzles of trays of 1 to {most} cells are searched")
    return size


def _instances(
    size: TraySize,
    starts: NDArray[np.uint64],
    marked: NDArray[np.uint32 | np.uint64],
    steps: NDArray[np.int64],
    keys: NDArray[np.uint64],
) -> Sequence[Instance]:
    """The instances of some puzzles, by their rows."""
    return [_instance(size, int(starts[key]), int(marked[key]), int(steps[key])) for key in keys.tolist()]


def _instance(size: TraySize, code: int, mark: int, steps: int) -> Instance:
    board = parse(board_text(size, pieces_by_code(size, code), mark))
    found = solve(board, "A")
    if found is None or len(found.moved) != steps:
        raise ArithmeticError(f"{board}: two searches differ in the fewest steps of A to the lower right corner")
    boards = [pieces_of(one.lines()) for one in found.boards]
    end = boards[-1]["A"]
    to = (min(row for row, _ in end) + 1, min(column for _, column in end) + 1)
    puzzle = slide_puzzle(board.lines(), "A", to)
    units = solve(board, "A", to, metric="unit")
    assert units is not None, "there is a way by steps"

    def left(state: tuple[str, ...]) -> int | None:
        way = solve("\n".join(state), "A", to)
        return None if way is None else len(way.moved)

    return Instance(
        puzzle=puzzle,
        least=steps,
        solutions=None,
        answer=steps_between(boards),
        difficulty=steps,
        actions=labelled(KINDS["slide"], puzzle, left),
        metrics={"steps": steps, "unit_moves": len(units.moved)},
    )


SOURCE = Source(
    title="Take the piece A from the upper left corner of the tray to the lower right one in the fewest steps: no "
    "puzzle of its pieces that has a piece of the shape of A marked is longer.",
    part="tray",
    usual=("3x3", "3x4"),
    strata=("steps",),
    grouped="A group is all puzzles of one set of shapes, up to the symmetries of the tray.",
    batches=batches,
    formats={"pddl": pddl},
    table=RECORDS,
    kinds=("slide",),
)
