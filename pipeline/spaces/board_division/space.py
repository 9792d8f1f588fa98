"""Dividing a chessboard: L-tromino covers of boards less one cell, and rectangles of pegs reduced to one or two."""

from collections.abc import Sequence
from pathlib import Path

from boardspace.pipeline.space import Space, Stage
from boardspace.pipeline.spaces.board_division import rectangles, trominoes
from boardspace.pipeline.spaces.board_division.checks import checks
from boardspace.pipeline.spaces.board_division.claims import claims
from boardspace.pipeline.spaces.board_division.config import BoardDivisionConfig
from boardspace.pipeline.spaces.board_division.tables import ARRAYS, TABLES


def stages(config: BoardDivisionConfig) -> Sequence[Stage]:
    """Covers, then rectangles of pegs; neither needs the other."""
    return [*trominoes.stages(config), *rectangles.stages(config)]


def warm_up() -> None:
    """Compile the kernels of this space."""
    from boardspace.kernels.board_division import warm_up

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
    stages=stages,
    claims_file=Path(__file__).with_name("claims.toml"),
    claims=claims,
    checks=checks,
    warm_up=warm_up,
)
