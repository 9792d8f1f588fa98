"""Five in a row: the fewest stones that leave no k cells in a row free, proved, with all ways to place them."""

from collections.abc import Sequence
from pathlib import Path

from boardspace.spaces.five_in_a_row import boards, split, strips
from boardspace.spaces.five_in_a_row.boards import seconds
from boardspace.spaces.five_in_a_row.cells import cut_cells, list_cells
from boardspace.spaces.five_in_a_row.checks import checks
from boardspace.spaces.five_in_a_row.claims import claims
from boardspace.spaces.five_in_a_row.config import FiveInARowConfig
from boardspace.spaces.five_in_a_row.listing import STAGES, cut_placements, list_placements
from boardspace.spaces.five_in_a_row.refuted import libraries
from boardspace.spaces.five_in_a_row.tables import ARRAYS, TABLES
from boardspace.spec.check import of_findings
from boardspace.spec.deferred import DeferredFunction
from boardspace.spec.space import Check, Draw, Inputs, Outcome, Part, Space, Stage


def stages(config: FiveInARowConfig) -> Sequence[Stage]:
    """Cells, boards and boxes are independent; hard boards go through three stages, carried ones follow the boards, and
    then all placements are put together."""
    number = sum(side * (side + 1) // 2 for _, side in config.squares) + len(config.boards)
    return (
        Stage("cells", "best cells, their table, the variable matrix", list_cells, cut_cells, bytes=20_000),
        Stage("bounds", "root bounds of the hard boards", split.find_bound, split.cut_bounds),
        Stage(
            "boards",
            "minimum, proof and placements of every board",
            boards.solve_boards,
            boards.cut_boards,
            bytes=number * 6_000,
        ),
        Stage(
            "strips",
            "boards of a few columns and any length",
            strips.solve_strip,
            strips.cut_strips,
            bytes=sum(20_000 * (width - k + 1) for k, width in config.strips),
        ),
        Stage("boxes", "boxes of three sides", boards.solve_box, boards.cut_boxes, bytes=len(config.boxes) * 16_000),
        Stage(
            "parts",
            "parts of the hard boards, again in parts where they outgrow their memory",
            split.search_part,
            split.cut_parts,
            after=("bounds", "parts"),
            seconds=sum(seconds(split.board) for split in config.split),
            memory=config.memory_mb * 1_000_000 if config.split else 0,
        ),
        Stage("joined", "hard boards from their parts", split.join, split.cut_joined, after=("bounds", "parts")),
        Stage(
            "carried",
            "large boards proved from small ones",
            boards.carry,
            boards.cut_carried,
            after=("boards",),
            bytes=len(config.carried) * 30_000,
            seconds=len(config.carried) * 0.6,
        ),
        Stage(
            "placements",
            "all placements in one array, and where each board's lie",
            list_placements,
            cut_placements,
            after=STAGES,
            bytes=number * 1_000,
            seconds=number * 0.0013,
        ),
    )


def check_all(config: FiveInARowConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """All checks as one."""
    return of_findings(checks(config, inputs, draw.seed))


SPACE = Space(
    name="five_in_a_row",
    version=1,
    title="Five in a row",
    doc=(
        "The fewest stones on an N x M board that leave no k cells in a row, a column or a diagonal free: the proved "
        "minimum for every board, the exact number of ways, all of them where they are not too many, a certificate "
        "for each, and the construction by repeated modular queens beside them."
    ),
    config=FiveInARowConfig,
    parts=(
        Part(
            name="five_in_a_row",
            stages=stages,
            tables=TABLES,
            arrays=ARRAYS,
            claims=claims,
            checks=(Check("five_in_a_row", {}, "by hand", check_all),),
        ),
    ),
    claims_file=Path(__file__).with_name("claims.toml"),
    claims_seconds=2.5,
    warm_up=DeferredFunction("boardspace_kernels.five_in_a_row.warm_up", "warm_up"),
    libraries=libraries,
)
