"""Instances of Rush Hour: the starts that take the most steps of their groups."""

from collections.abc import Iterator
from functools import partial

import numpy as np
from numpy.typing import NDArray

from boardspace.graphs.instances import standalone
from boardspace.instances.source import Action, Batch, Instance, Request, Source, middles, one_by_one, puzzle_of_moves
from boardspace.spaces.rush_hour.answers import board_named, boards_of, group, listed, moves, parse, solve
from boardspace.spaces.rush_hour.config import Board
from boardspace.spaces.rush_hour.notation import class_of, pieces_of_code, text_of, text_of_code
from boardspace.spaces.rush_hour.rules import RULES
from boardspace.spec.slides import row_text


def batches(request: Request) -> Iterator[Batch]:
    """One batch for each size of boards: searched, or of a dataset."""
    for name in request.parts or (boards_of(request.data) if request.data else ()):
        board = board_named(name, request.data)
        codes, steps = listed(board, request.data)
        kept, classes = _candidates(board, codes)
        starts = Batch(
            name=name,
            family=name,
            key=codes[kept],
            group=classes[kept],
            difficulty=steps[kept].astype(np.int64),
            make=one_by_one(partial(_instance, board)),
        )
        yield starts
        if request.middle:
            yield middles(starts, partial(_instance, board))


def _candidates(board: Board, codes: NDArray[np.uint64]) -> tuple[NDArray[np.bool_], NDArray[np.uint64]]:
    """A mask of the boards of some codes, one of each two that are images of one another; and numbers of the classes,
    what moves never change, that of an image the same."""
    upside_down = {(board.n - 1 - r, c) for r, c in board.walls}
    symmetric = 2 * board.row == board.n - 1 and upside_down == set(board.walls)
    kept, classes = [], []
    for code in codes.tolist():
        pieces = pieces_of_code(board, code)
        image = pieces
        if symmetric:
            image = [(board.n - r - (1 if across else size), c, size, across, a) for r, c, size, across, a in pieces]
        kept.append(text_of(board, pieces) <= text_of(board, image))
        classes.append(str(min(class_of(pieces), class_of(image))))
    return np.array(kept, np.bool_), np.unique(classes, return_inverse=True)[1].astype(np.uint64)


def _instance(board: Board, code: int, made: int = 0) -> Instance:
    """The instance of a listed start, or of the board after some moves of its answer."""
    found = solve(text_of_code(board, code))
    assert found is not None, "a start that is listed has a solution"
    start, least = parse(found.boards[made].text), len(found.moved) - made
    if made:
        found = solve(start)
    assert found is not None, "and so have those on the way"
    units = solve(start, metric="unit")
    assert units is not None, "so it has one by unit moves"
    after = sorted((name, left) for name, _, left in moves(start).choices)
    return Instance(
        puzzle=puzzle_of_moves("rush_hour", {}, row_text(start)),
        least=least,
        solutions=group(start).solutions,
        answer=tuple(found.moved),
        difficulty=least,
        actions=tuple(Action(name, left) for name, left in after),
        metrics={"steps": least, "unit_moves": len(units.moved)},
    )


SOURCE = Source(
    title="Bring the red car, A, to the right end of its row in the fewest steps: no board of its group takes more.",
    part="board",
    usual=("4x4-1", "5x5-2"),
    strata=("steps",),
    grouped="A group is all boards with the same pieces in each line, in order, or with these upside down.",
    batches=batches,
    table="hardest",
    middle=True,
    rules=partial(standalone, {"rush_hour": RULES}),
)
