"""Dividing a chessboard: L-tromino covers of boards less one cell, and rectangles of pegs reduced to one or two."""

from collections.abc import Sequence
from pathlib import Path

from pipeline.space import Space, Stage
from pipeline.spaces.board_division import rectangles, trominoes
from pipeline.spaces.board_division.checks import checks
from pipeline.spaces.board_division.claims import claims
from pipeline.spaces.board_division.commands import rectangle, tromino
from pipeline.spaces.board_division.config import BoardDivisionConfig
from pipeline.spaces.board_division.tables import ARRAYS, TABLES


def plan(config: BoardDivisionConfig) -> Sequence[Stage]:
    """Everything is independent, but that large covers are examined when they are written."""
    large = sum(4**board.k for board in config.large_boards)
    pegs = sum(m * n for m, n in config.large_rectangles)
    return (
        Stage(
            "special_boards",
            "covers for every special cell, each checked",
            trominoes.cover_special_boards,
            trominoes.cut_special_boards,
            bytes=sum(16**k for k in range(config.special_boards + 1)) // 8,
        ),
        Stage(
            "large_covers",
            "large covers, block by block",
            trominoes.cover_large_block,
            trominoes.cut_large_covers,
            bytes=large,
        ),
        Stage(
            "examined",
            "large covers read back and examined",
            trominoes.examine_large_block,
            trominoes.cut_large_covers,
            after=("large_covers",),
        ),
        Stage(
            "cover_counts",
            "exact numbers of all covers",
            trominoes.count_all_covers,
            trominoes.cut_cover_counts,
            bytes=config.cover_counts**3 * 4,
        ),
        Stage(
            "values",
            "fewest pegs for every rectangle, and the bound from colours",
            rectangles.value_rectangles,
            rectangles.cut_values,
            bytes=config.values**2 * 2,
        ),
        Stage(
            "modules",
            "modules and endings found by search, strips of every height replayed",
            rectangles.list_modules,
            rectangles.cut_modules,
            bytes=5000,
        ),
        Stage(
            "replays",
            "every rectangle reduced and replayed",
            rectangles.replay_reductions,
            rectangles.cut_replays,
        ),
        Stage(
            "sequences",
            "jumps of small rectangles and of some large ones, replayed",
            rectangles.list_sequences,
            rectangles.cut_sequences,
            bytes=pegs + config.sequences**4,
        ),
        Stage(
            "searches",
            "every position of small rectangles on the unbounded board",
            rectangles.search_positions,
            rectangles.cut_searches,
            bytes=config.search_pegs * 10_000,
        ),
        Stage(
            "lines",
            "every position of lines, with the lemmas on each",
            rectangles.search_lines,
            rectangles.cut_lines,
            bytes=config.lines * 20,
        ),
    )


def warm_up() -> None:
    """Compile the kernels of this space."""
    from kernels.board_division import warm_up

    warm_up()


SPACE = Space(
    name="board_division",
    version=1,
    title="Dividing a chessboard",
    doc=(
        "Covers of 2^k x 2^k boards less one cell by L-trominoes, for every place of the cell, and the exact number "
        "of all covers; the fewest pegs that can be left of m x n pegs on an unbounded board, the jumps that leave so "
        "few, and every position that small rectangles can reach."
    ),
    config=BoardDivisionConfig,
    tables=TABLES,
    arrays=ARRAYS,
    plan=plan,
    claims_file=Path(__file__).with_name("claims.toml"),
    claims=claims,
    checks=checks,
    warm_up=warm_up,
    commands=(tromino, rectangle),
)
