"""Rush Hour: all boards of small squares, their groups, and the starts that take the most moves."""

from pathlib import Path

from boardspace.spaces.rush_hour.config import UNIT_SIDE, Board, RushHourConfig
from boardspace.spaces.rush_hour.parts.boards.part import BOARDS
from boardspace.spaces.rush_hour.parts.unit.part import UNIT
from boardspace.spec.deferred import DeferredFunction
from boardspace.spec.question import Parameter, Question
from boardspace.spec.space import Scope, Space

WHOLE = tuple(Board(n, row).name for n, row in ((3, 1), (4, 1), (5, 2)))
"""The boards that the dataset is published with, as the config ``laptop`` has them."""
UNIT_SQUARES = [(n, voids) for n in range(2, UNIT_SIDE + 1) for voids in range(1, n * n)]
WARM_UP = "boardspace_kernels.rush_hour.warm_up"

moves = DeferredFunction("boardspace.spaces.rush_hour.answers", "moves")
BOARD = (Parameter("board", "text", "Rows of letters, A the red car, dots empty.", "AAB/..B/..."),)

SPACE = Space(
    name="rush_hour",
    version=2,
    title="Rush Hour",
    doc=(
        "Every way to set cars of two cells and trucks of three on a square, one car of which, the red one, wants out "
        "at the right end of its row: how many boards there are by their pieces, which of them moves join, how many "
        "moves they take, and the hardest starts; and the same of cars of one cell, by the number of voids."
    ),
    config=RushHourConfig,
    parts=(BOARDS, UNIT),
    claims_file=Path(__file__).with_name("claims.toml"),
    warm_up=DeferredFunction(WARM_UP, "warm_up"),
    more_warm_up={"unit": DeferredFunction(WARM_UP, "warm_up_unit")},
    needed_warm_up=lambda config: ["unit"] if config.unit else [],
    scopes=(
        Scope("boards", lambda config: [board.name for board in config.all_boards], lambda: WHOLE),
        Scope("unit squares", lambda config: config.unit_squares, lambda: UNIT_SQUARES, extra=True),
    ),
    authors=("The boardspace maintainers",),
    questions=(Question("moves", "Every next step, with the steps to a goal that it leaves.", moves, BOARD),),
)
