"""Five in a row: the fewest stones that leave no k cells in a row free, proved, with all ways to place them."""

from functools import partial
from pathlib import Path

from boardspace.spaces.five_in_a_row.config import FiveInARowConfig
from boardspace.spaces.five_in_a_row.extent import SCOPES
from boardspace.spaces.five_in_a_row.parts.boards.part import BOARDS
from boardspace.spaces.five_in_a_row.parts.boxes.part import BOXES_OF_THREE_SIDES
from boardspace.spaces.five_in_a_row.parts.carried.part import CARRIED
from boardspace.spaces.five_in_a_row.parts.cells.part import BEST_CELLS
from boardspace.spaces.five_in_a_row.parts.placements.part import PLACEMENTS_OF_BOARDS
from boardspace.spaces.five_in_a_row.parts.plane.part import WHOLE_PLANE
from boardspace.spaces.five_in_a_row.parts.strips.part import STRIPS_OF_ANY_LENGTH
from boardspace.spaces.five_in_a_row.readings import READINGS
from boardspace.spec.deferred import DeferredFunction
from boardspace.spec.question import Parameter, Question
from boardspace.spec.space import Space

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
    parts=(BOARDS, CARRIED, PLACEMENTS_OF_BOARDS, BEST_CELLS, STRIPS_OF_ANY_LENGTH, WHOLE_PLANE, BOXES_OF_THREE_SIDES),
    readings=READINGS,
    claims_file=Path(__file__).with_name("claims.toml"),
    claims_seconds=2.5,
    warm_up=DeferredFunction("boardspace_kernels.five_in_a_row.warm_up", "warm_up"),
    libraries=DeferredFunction("boardspace.spaces.five_in_a_row.refuted", "libraries"),
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
