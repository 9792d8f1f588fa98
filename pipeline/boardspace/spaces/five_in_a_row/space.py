"""Five in a row: the fewest stones that leave no k cells in a row free, proved, with all ways to place them."""

from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path

from boardspace.spaces.five_in_a_row.config import BoxOf, FiveInARowConfig, SizedBoard, Square, Strips, WeightedColumns
from boardspace.spaces.five_in_a_row.parts.boards.part import BOARDS
from boardspace.spaces.five_in_a_row.parts.boxes.part import BOXES_OF_THREE_SIDES
from boardspace.spaces.five_in_a_row.parts.cells.part import BEST_CELLS
from boardspace.spaces.five_in_a_row.parts.placements.part import PLACEMENTS_OF_BOARDS
from boardspace.spaces.five_in_a_row.parts.strips.part import STRIPS_AND_PLANE
from boardspace.spec.deferred import DeferredFunction
from boardspace.spec.question import Parameter, Question
from boardspace.spec.space import Measurement, Scope, Space


@cache
def published() -> FiveInARowConfig:
    """The config of version 1, which is the whole of each scope. Not validated: that searches for proofs."""
    singles = ((3, 13, 13), (3, 14, 14), (3, 15, 15), (3, 16, 16), (11, 11, 11), (11, 12, 11), (11, 12, 12))
    boxes = ((2, 3, 3, 3), (2, 4, 4, 4), (3, 3, 3, 3), (3, 4, 3, 3), (3, 5, 3, 3), (3, 6, 3, 3))
    return FiveInARowConfig.model_construct(
        squares=tuple(Square(*s) for s in ((2, 18), (3, 12), (4, 11), (5, 25), (6, 11), (7, 20), (8, 11))),
        boards=tuple(SizedBoard(*board) for board in (*singles, (13, 13, 13), (13, 14, 13))),
        carried=(SizedBoard(5, 81, 81), SizedBoard(5, 193, 192)),
        boxes=tuple(BoxOf(*box) for box in boxes),
        cells=tuple(range(1, 14)),
        strips=tuple(Strips(*strip) for strip in ((2, 12), (3, 10), (4, 7), (5, 6))),
        plane=tuple(WeightedColumns(k, ()) for k in (2, 3, 4, 5, 6)),
    )


def _sized(config: FiveInARowConfig) -> Iterator[SizedBoard]:
    for k, side in config.squares:
        yield from (SizedBoard(k, rows, columns) for rows in range(1, side + 1) for columns in range(1, rows + 1))
    yield from (*config.boards, *(split.board for split in config.split), *config.carried)


SCOPES = (
    Scope.of(
        "boards",
        lambda config: list(dict.fromkeys(f"k = {b.k}, {b.rows} x {b.columns}" for b in _sized(config))),
        published,
    ),
    Scope.of(
        "boxes of three sides", lambda config: [f"k = {k}, {a} x {b} x {c}" for k, a, b, c in config.boxes], published
    ),
    Scope.of("orders of best cells", lambda config: list(dict.fromkeys(config.cells)), published),
    Scope.of(
        "strips of any length",
        lambda config: [f"k = {k}, {wide} wide" for k, widest in config.strips for wide in range(k, widest + 1)],
        published,
    ),
    Scope.of("lengths of lines in the plane", lambda config: [k for k, _ in config.plane], published),
)

READINGS = {
    "history": Measurement(
        None, "a statement about a contest and about other authors' papers, not about boards", "open", "reading"
    ),
    "definition-product": Measurement(
        "(1,1), (1,2), ..., (1,N), (2,1), (2,2), ..., (N,1), ..., (N,N)",
        "the printed list of the Cartesian product goes from (1, N) to (N, 1), (N, 2) and names (N, 1) twice",
        "corrected",
        "reading",
    ),
    "definition-lines": Measurement(
        "x a column, y a row",
        "I is what two stones of one column share, J what two of one row share; sums and differences are the diagonals",
        None,
        "reading",
    ),
    "other-methods-one": Measurement(
        True,
        "one solution is what a solver of 0-1 programs returns; to get all, each found one is forbidden in turn, as "
        "benchmarks/five_in_a_row.py does with CP-SAT",
        None,
        "reading",
    ),
    "faster": Measurement(
        None,
        "of seconds, which no published data hold; docs/open_questions.md has those of 0-1 programming and of a search "
        "with dual weights, either of which proves 25 x 25 in less than one",
        "open",
        "reading",
    ),
    "two-proofs": Measurement(
        "minimum: holds once mended; completeness: does not",
        "proof 1 needs its counts mended (proof-cells-stones to proof-sum) and the case of one side below 10, which "
        "goes the same way; proof 2 takes for granted that each 5 x 5 block holds five stones (method-complete-five)",
        "corrected",
        "reading",
    ),
    "model-flow": Measurement(
        None, "figure 11, the flow of the method, is lost; its steps are the claims of 3.1 to 3.4", "open", "reading"
    ),
}
"""Statements that no data of boards can decide: what was read, and how."""

BOARD = (
    Parameter("rows", "number", "Rows of the board.", "6", most=1000),
    Parameter("columns", "number", "Columns of the board.", "7", most=1000),
    Parameter("k", "number", "Cells of a line.", "5", required=False, most=1000),
)
SPACE = Space(
    name="five_in_a_row",
    version=3,
    title="Five in a row",
    doc=(
        "The fewest stones on an N x M board that leave no k cells in a row, a column or a diagonal free: the proved "
        "minimum for every board, the exact number of ways, all of them where they are not too many, a certificate "
        "for each, and the construction by repeated modular queens beside them."
    ),
    config=FiveInARowConfig,
    parts=(BOARDS, PLACEMENTS_OF_BOARDS, BEST_CELLS, STRIPS_AND_PLANE, BOXES_OF_THREE_SIDES),
    readings=READINGS,
    claims_file=Path(__file__).with_name("claims.toml"),
    claims_seconds=2.5,
    warm_up=tuple(
        DeferredFunction("boardspace_kernels.five_in_a_row.warm_up", f"warm_up_{name}") for name in ("search", "checks")
    ),
    libraries=DeferredFunction("boardspace.spaces.five_in_a_row.proofs", "libraries"),
    scopes=SCOPES,
    authors=("The boardspace maintainers",),
    questions=(
        Question(
            "fewest",
            "The fewest stones that block every k in a row; searches of at most two seconds.",
            partial(DeferredFunction("boardspace.spaces.five_in_a_row.fewest", "fewest"), seconds=2.0),
            BOARD,
        ),
    ),
)
