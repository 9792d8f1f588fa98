"""Rush Hour: all boards of small squares, their groups, and the starts that take the most moves."""

from pathlib import Path

from boardspace.spaces.rush_hour.config import Board, RushHourConfig
from boardspace.spaces.rush_hour.parts.boards.part import BOARDS
from boardspace.spec.deferred import DeferredFunction
from boardspace.spec.question import Parameter, Question
from boardspace.spec.space import Scope, Space

WHOLE = tuple(Board(n, row).name for n, row in ((3, 1), (4, 1), (5, 2)))
"""The boards of version 1 of the dataset, as the config ``laptop`` has them."""

moves = DeferredFunction("boardspace.spaces.rush_hour.answers", "moves")
BOARD = (Parameter("board", "text", "Rows of letters, A the red car, dots empty.", "AAB/..B/..."),)

SPACE = Space(
    name="rush_hour",
    version=1,
    title="Rush Hour",
    doc=(
        "Every way to set cars of two cells and trucks of three on a square, one car of which, the red one, wants out "
        "at the right end of its row: how many boards there are by their pieces, which of them moves join, how many "
        "moves they take, and the hardest starts."
    ),
    config=RushHourConfig,
    parts=(BOARDS,),
    claims_file=Path(__file__).with_name("claims.toml"),
    warm_up=DeferredFunction("boardspace_kernels.rush_hour.warm_up", "warm_up"),
    scopes=(Scope("boards", lambda config: [board.name for board in config.all_boards], lambda: WHOLE),),
    authors=("The boardspace maintainers",),
    questions=(Question("moves", "Every next step, with the steps to a goal that it leaves.", moves, BOARD),),
)
