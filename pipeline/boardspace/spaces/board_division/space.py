"""Dividing a chessboard: L-tromino covers of boards less one cell, and rectangles of pegs reduced to one or two."""

from functools import cache
from pathlib import Path

from boardspace.spaces.board_division.config import BoardDivisionConfig, LargeBoard
from boardspace.spaces.board_division.parts.rectangles.part import RECTANGLES_OF_PEGS
from boardspace.spaces.board_division.parts.trominoes.part import TROMINOES
from boardspace.spec.deferred import DeferredFunction, deferred
from boardspace.spec.question import Parameter, Question
from boardspace.spec.space import Measurement, Scope, Space


@cache
def published() -> BoardDivisionConfig:
    """The config of version 2."""
    return BoardDivisionConfig(
        special_boards=6,
        large_boards=(LargeBoard(10, 77, 1000), LargeBoard(13, 5001, 78)),
        cover_counts=16,
        values=1000,
        sequences=24,
        search_pegs=18,
        lines=150,
        strips=9,
    )


SCOPES = (
    Scope.of(
        "boards with covers",
        lambda config: [f"{1 << k} x {1 << k}" for k in range(config.special_boards + 1)],
        published,
    ),
    Scope.of(
        "large boards",
        lambda config: [f"k = {k}, cell ({row}, {column})" for k, row, column in config.large_boards],
        published,
        extra=True,
    ),
    Scope.of("squares with counted covers", lambda config: range(1, config.cover_counts + 1), published),
    Scope.of("sides of rectangles", lambda config: range(1, config.values + 1), published),
    Scope.of("sides of rectangles with jumps", lambda config: range(1, config.sequences + 1), published),
    Scope.of("sizes of searched rectangles", lambda config: range(1, config.search_pegs + 1), published),
    Scope.of("lengths of lines", lambda config: range(1, config.lines + 1), published),
    Scope.of(
        "squares with a single cell anywhere",
        lambda config: range(config.squares + 1) if config.squares else (),
        published,
        extra=True,
    ),
    Scope.of("rows of strips", lambda config: range(2, config.strips + 1), published),
)

(answers,) = deferred("boardspace.spaces.board_division", "answers")
SIDES = (
    Parameter("m", "number", "Pegs of one side.", "6", most=100),
    Parameter("n", "number", "Pegs of the other side.", "7", most=100),
)
CELL = (
    Parameter("k", "number", "The board has 2^k rows.", "2", most=7),
    Parameter("row", "number", "Row of the cell left out, from 1.", "1", most=128),
    Parameter("column", "number", "Its column, from 1.", "3", most=128),
)
READINGS = {
    "divisions-countless": Measurement(
        None, "a figure of speech: a board has finitely many divisions, and the text counts none", "open", "reading"
    ),
    "principles": Measurement(None, "advice on how to divide, not a statement about boards", "open", "reading"),
    "strip-direction": Measurement(
        "columns",
        "three columns are removed, as the cases before it say; the turn by 90 degrees makes rows of them",
        "corrected",
        "reading",
    ),
    "line-lemmas-named": Measurement(
        "two lemmas on three conditions",
        "the sentence that announces two lemmas is followed by the conditions (1) to (3), the lemmas by their names "
        "below",
        "corrected",
        "reading",
    ),
    "remainders": Measurement(
        None, "advice on what to do with remainders, not a statement about boards", "open", "reading"
    ),
    "division-is-recursion": Measurement(None, "a view of the method, not a statement about boards", "open", "reading"),
}

WARM_UP = "boardspace_kernels.board_division.warm_up"
SPACE = Space(
    name="board_division",
    version=3,
    title="Dividing a chessboard",
    doc=(
        "Covers of 2^k x 2^k boards less one cell by L-trominoes, for every place of the cell, and the exact number "
        "of all covers, recurrences for those of strips; the fewest pegs that can be left of m x n pegs on an "
        "unbounded board, the jumps that leave so few, and every position that small rectangles can reach."
    ),
    config=BoardDivisionConfig,
    parts=(TROMINOES, RECTANGLES_OF_PEGS),
    readings=READINGS,
    claims_file=Path(__file__).with_name("claims.toml"),
    warm_up=DeferredFunction(WARM_UP, "warm_up"),
    more_warm_up={"squares": DeferredFunction(WARM_UP, "warm_up_squares")},
    needed_warm_up=lambda config: ["squares"] if config.squares else [],
    scopes=SCOPES,
    authors=("The boardspace maintainers",),
    questions=(
        Question("rectangle", "The fewest pegs that can be left of m x n pegs, and where.", answers.rectangle, SIDES),
        Question("cover", "A cover of the board of 2^k x 2^k cells less one by L-trominoes.", answers.cover, CELL),
    ),
)
