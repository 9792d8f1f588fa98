"""All placements with the fewest stones, in one array, and where each board's lie.

A part of its own: its stage comes after those of the boards and of the carried ones, whose placements it puts together.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pyarrow as pa

from boardspace.spaces.five_in_a_row.columns import COLUMNS, ROWS, K
from boardspace.spaces.five_in_a_row.config import FiveInARowConfig
from boardspace.spec.deferred import deferred
from boardspace.spec.equations import Made
from boardspace.spec.space import Array, Check, Column, Part, Stage, Table

if TYPE_CHECKING:
    from boardspace.spaces.five_in_a_row.parts.placements import checks, claims, compute
else:
    checks, claims, compute = deferred(__package__, "checks", "claims", "compute")

LISTED_MADE = Made(
    "listed boards", checks.make_listed, says="laid out again, board after board, from the rows that are listed"
)
LISTED = Table(
    "listed",
    "The boards whose placements are published, and where they lie in the array `placements`.",
    (
        K,
        ROWS,
        COLUMNS,
        Column("first_byte", pa.uint64(), "Number of the first byte of the board's placements in the array."),
        Column(
            "row_bytes",
            pa.uint8(),
            "Bytes of one row of the board; a placement has `rows` times as many, and they follow one another.",
            "bytes",
        ),
        Column("placements", pa.uint32(), "Number of placements.", "placements"),
    ),
    ("k", "rows", "columns"),
    rows=LISTED_MADE,
)
PACKED = Table(
    "packed",
    "Placements of single boards, on their way into the array.",
    (K, ROWS, COLUMNS, Column("bytes", pa.large_binary(), "The board's part of the array.")),
    ("k", "rows", "columns"),
    published=False,
)
PLACEMENTS = Array(
    "placements",
    "uint8",
    ("byte",),
    "All placements with the fewest stones, of the boards that `listed` names, one board after the other: its "
    "placements in lexicographic order (a free cell before a stone), each as its rows from the top. Each row is packed "
    "into bytes, its leftmost column the highest bit of the first: 1 a stone, 0 a free cell.",
)


def stages(config: FiveInARowConfig) -> Sequence[Stage]:
    """One, after all that list placements."""
    number = config.searched_boards
    return (
        Stage(
            "placements",
            "all placements in one array, and where each board's lie",
            compute.list_placements,
            compute.cut_placements,
            after=("boards", "carried"),
            bytes=number * 1_000,
            seconds=number * 0.0013,
        ),
    )


PLACEMENTS_OF_BOARDS = Part(
    name="placements",
    scope="boards",
    stages=stages,
    tables=(LISTED, PACKED),
    arrays=(PLACEMENTS,),
    claims=claims.measure,
    checks=(
        Check(
            "placements",
            {"placements": ()},
            "every placement, to the end of the array: in order, as many stones as the row has, no line free; how many "
            "by the second counts",
            checks.check_placements,
        ),
        Check(
            "classes",
            {"results": ("classes",)},
            "images of every listed placement under the symmetries, and which are least of their class",
            checks.check_classes,
        ),
    ),
)
