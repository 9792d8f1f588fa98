"""Covers of 2^k x 2^k boards less one cell by L-trominoes, and the numbers of all covers."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from boardspace.spaces.board_division.config import BoardDivisionConfig
from boardspace.spaces.board_division.parts.trominoes import large
from boardspace.spaces.board_division.parts.trominoes.tables import COVER_COUNTS, LARGE_COVERS, OWNED, SPECIAL_COVERS
from boardspace.spec.deferred import deferred
from boardspace.spec.space import Check, Part, Stage

if TYPE_CHECKING:
    from boardspace.spaces.board_division.parts.trominoes import checks, claims, compute
else:
    checks, claims, compute = deferred(__package__, "checks", "claims", "compute")


def stages(config: BoardDivisionConfig) -> Sequence[Stage]:
    """All independent of one another, but that large covers are examined when they are written."""
    cells = sum(4**board.k for board in config.large_boards)
    return (
        Stage(
            "special_boards",
            "covers for every special cell, each checked",
            compute.cover_special_boards,
            compute.cut_special_boards,
            bytes=sum(16**k for k in range(config.special_boards + 1)) // 8,
        ),
        Stage(
            "large_covers",
            "large covers, block by block",
            compute.cover_large_block,
            compute.cut_large_covers,
            bytes=cells,
        ),
        Stage(
            "examined",
            "large covers read back and examined",
            compute.examine_large_block,
            compute.cut_large_covers,
            after=("large_covers",),
            seconds=large.BLOCK_SECONDS * sum(large.blocks(board) ** 2 for board in config.large_boards),
        ),
        Stage(
            "cover_counts",
            "exact numbers of all covers",
            compute.count_all_covers,
            compute.cut_cover_counts,
            bytes=config.cover_counts**3 * 10,
        ),
    )


TROMINOES = Part(
    name="trominoes",
    scope="squares with counted covers",
    stages=stages,
    tables=(OWNED, COVER_COUNTS),
    arrays=(SPECIAL_COVERS, LARGE_COVERS),
    claims=claims.measure,
    checks=(
        Check(
            "special covers",
            {"covers/{k}": ()},
            "boards put together from quadrants; a few by the recursion, cell by cell",
            checks.check_special_covers,
        ),
        Check(
            "large covers",
            {"large/{k}-{row}-{column}": ()},
            "blocks put together from quadrants; a few cells by the recursion",
            checks.check_large_covers,
        ),
        Check(
            "cover counts",
            {"cover_counts": ("side", "row_num", "column_num", "covers")},
            "covers counted cell by cell, beginnings times completions; small ones by trying every tromino",
            checks.check_cover_counts,
        ),
    ),
)
