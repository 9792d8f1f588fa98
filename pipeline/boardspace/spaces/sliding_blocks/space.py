"""Sliding blocks of any pieces: every packing of a tray, its groups, and the longest corner puzzles."""

from pathlib import Path

from boardspace.spaces.sliding_blocks.config import SlidingBlocksConfig
from boardspace.spaces.sliding_blocks.parts.classes.part import CLASSES_OF_PIECES
from boardspace.spec.deferred import DeferredFunction, deferred
from boardspace.spec.question import Parameter, Question
from boardspace.spec.space import Measurement, Scope, Space

(answers,) = deferred("boardspace.spaces.sliding_blocks", "answers")
PUBLISHED = ("3x3", "3x4", "4x4")
"""The trays of version 1 of the dataset, as the config ``laptop`` has them: the whole, as there is no end of trays."""
BOARD = (
    Parameter("board", "text", "A board: rows of signs, separated by /.", "ABB./ACDD/EEFG/HEI."),
    Parameter("piece", "text", "The sign of the piece to be moved.", "A"),
    Parameter("to", "place", "Row and column of its upper left corner there; else the lower right.", "3,3", False),
    Parameter("walls", "text", "The sign of cells that are walls, if there are some.", "", required=False),
    Parameter("metric", "text", "step, or unit: a move is of one cell.", "step", required=False),
)
READINGS = {
    "cost-4x5": Measurement(
        "40 minutes on two cores, and 62 MB of data",
        "the figure is of the author's first algorithm, which made positions many times; he withdraws it in the same "
        "article. Measured is the run of configs/sliding_blocks.toml of November 2026",
        "corrected",
        "reading",
    ),
}

SPACE = Space(
    name="sliding_blocks",
    version=3,
    title="Sliding blocks of any pieces",
    doc=(
        "Every way to lay pieces of any shape into a tray, with voids between them: how many packings there are by the "
        "sizes of the pieces, which of them sliding joins, and for every set of pieces the hardest puzzle that takes "
        "one piece from the upper left corner to the lower right one."
    ),
    config=SlidingBlocksConfig,
    parts=(CLASSES_OF_PIECES,),
    readings=READINGS,
    claims_file=Path(__file__).with_name("claims.toml"),
    warm_up=tuple(
        DeferredFunction("boardspace_kernels.sliding_blocks.warm_up", f"warm_up_{name}")
        for name in ("survey", "enumeration")
    ),
    claims_seconds=1.0,
    scopes=(Scope("trays", lambda config: tuple(tray.name for tray in config.trays), lambda: PUBLISHED),),
    authors=("The boardspace maintainers",),
    questions=(
        Question("moves", "Every next step, with the steps to the goal that it leaves.", answers.moves, BOARD),
        Question("solution", "A shortest way of a piece to its goal.", answers.solve, BOARD),
    ),
)
