"""Instances of sliding blocks: of every class of pieces, and each shape in it, the longest corner puzzle."""

import re
from collections.abc import Iterator
from functools import partial

import numpy as np
from numpy.typing import NDArray

from boardspace.instances.checker import KINDS, pieces_of, reached
from boardspace.instances.slides import pddl, slide_puzzle, steps_between
from boardspace.instances.source import Batch, Instance, Request, Source, labelled, middles, one_by_one, without_answer
from boardspace.spaces.sliding_blocks.answers import solve
from boardspace.spaces.sliding_blocks.boards import MOST_CELLS, SEARCHED_CELLS, TraySize, board_text, parse
from boardspace.spaces.sliding_blocks.boards import pieces_of as pieces_by_code
from boardspace.spaces.sliding_blocks.puzzles import Listed, surveyed
from boardspace.spec.errors import BoardspaceError
from boardspace_kernels.sliding_blocks.survey import NO_PUZZLE, Surveyed

RECORDS = "records"
PUZZLES_FROM = 1
"""Puzzles of so many steps and more are listed."""
MOST_REACHED = 20_000
"""Positions that a certificate goes through."""


def batches(request: Request) -> Iterator[Batch]:
    """One batch for each tray and multiset of piece sizes, or, of a dataset, one for each tray."""
    if request.data is not None:
        yield from _recorded(request)
        return
    for part in request.parts:
        size = _tray_size(part)
        for sizes, survey, listed in surveyed(size, PUZZLES_FROM):
            name = f"{size.name}-{'_'.join(map(str, sizes))}"
            rows = np.flatnonzero((listed.steps > 0) & (listed.steps < NO_PUZZLE))
            if len(rows):
                yield from _of(listed, name, rows, survey.puzzles.label[rows].astype(np.uint64), request)
            if request.unsolvable:
                yield from _closed(size, name, survey.classes)


def _of(
    listed: Listed, name: str, rows: NDArray[np.int64], group: NDArray[np.uint64], request: Request
) -> Iterator[Batch]:
    """The puzzles of some rows, and the positions behind them where these are wanted."""
    starts = Batch(
        name=name,
        family=name,
        key=rows.astype(np.uint64),
        group=group,
        difficulty=listed.steps[rows],
        make=one_by_one(partial(_instance, listed)),
    )
    yield starts
    if request.middle:
        yield middles(starts, partial(_instance, listed))


def _closed(size: TraySize, name: str, classes: Surveyed) -> Iterator[Batch]:
    """Positions of classes without a corner puzzle, with a piece in the upper left corner that fits into the lower
    right one, by their numbers; the difficulty is the positions of the class's largest group."""
    rows = np.flatnonzero((classes.steps == NO_PUZZLE) & (classes.code > 0) & (classes.largest <= MOST_REACHED))
    marked = {row: mark for row in rows.tolist() if (mark := _corner_piece(size, int(classes.code[row])))}
    rows = np.array([*marked], np.int64)
    if len(rows):
        yield Batch(
            name=f"{name}-closed",
            family=name,
            key=rows.astype(np.uint64),
            group=rows.astype(np.uint64),
            difficulty=classes.largest[rows],
            make=one_by_one(lambda row: _lost(size, int(classes.code[row]), marked[row], int(classes.largest[row]))),
            solvable=False,
        )


def _corner_piece(size: TraySize, code: int) -> int:
    """The piece of a position in the upper left corner, if it could lie in the lower right one instead; else 0."""
    first = pieces_by_code(size, code)[0]
    cells = [divmod(cell, size.columns) for cell in range(size.cells) if first >> cell & 1]
    corner = (max(row for row, _ in cells), max(column for _, column in cells))
    return first if first & 1 and corner in cells and corner != (size.rows - 1, size.columns - 1) else 0


def _lost(size: TraySize, code: int, mark: int, difficulty: int) -> Instance:
    board = parse(board_text(size, pieces_by_code(size, code), mark))
    cells = pieces_of(board.lines())["A"]
    to = (size.rows - max(row for row, _ in cells), size.columns - max(column for _, column in cells))
    puzzle, kind = slide_puzzle(board.lines(), "A", to), KINDS["slide"]
    if solve(board, "A") is not None:
        raise ArithmeticError(f"{board}: A comes to the lower right corner, and its class has no such puzzle")
    positions = len(reached(kind, puzzle, MOST_REACHED + 1))
    return without_answer(kind, puzzle, {"kind": "group", "positions": positions}, difficulty)


def _recorded(request: Request) -> Iterator[Batch]:
    """One batch for each tray whose hard puzzles a dataset lists."""
    assert request.data is not None
    if request.unsolvable:
        raise BoardspaceError("--unsolvable: a dataset lists puzzles that have an answer alone; leave out --data")
    parts, data = request.parts, request.data
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
        puzzles = Listed(_tray_size(name, MOST_CELLS), start, marked, steps)
        yield from _of(puzzles, f"{name}-records", np.arange(len(here)), code, request)


def _tray_size(name: str, most: int = SEARCHED_CELLS) -> TraySize:
    match = re.fullmatch(r"(\d{1,2})x(\d{1,2})", name)
    if match is None:
        raise BoardspaceError(f"--of {name}: write a tray, rows and columns, such as 3x4")
    size = TraySize(int(match[1]), int(match[2]))
    if not 1 <= size.cells <= most:
        raise BoardspaceError(f"--of {name}: the puzzles of trays of 1 to {most} cells are searched")
    return size


def _instance(listed: Listed, row: int, made: int = 0) -> Instance:
    """The instance of a puzzle, or of the position after some steps of its answer."""
    board, steps = listed.puzzle(row).board, int(listed.steps[row])
    found = solve(board, "A")
    if found is None or len(found.moved) != steps:
        raise ArithmeticError(f"{board}: two searches differ in the fewest steps of A to the lower right corner")
    boards = [pieces_of(one.lines()) for one in found.boards[made:]]
    board, steps, end = found.boards[made], steps - made, boards[-1]["A"]
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
    unsolvable=True,
    middle=True,
)
