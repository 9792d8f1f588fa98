"""Sliding blocks of any pieces: every packing of a tray, its groups, and the longest corner puzzles."""

from pathlib import Path

from boardspace.spaces.sliding_blocks.config import SlidingBlocksConfig
from boardspace.spaces.sliding_blocks.extent import SCOPES
from boardspace.spaces.sliding_blocks.parts.classes.part import CLASSES_OF_PIECES
from boardspace.spec.deferred import DeferredFunction
from boardspace.spec.space import Measurement, Space

READINGS = {
    "cost-4x5": Measurement(
        "40 minutes of two cores, and 62 MB of data",
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
    warm_up=DeferredFunction("boardspace_kernels.sliding_blocks.warm_up", "warm_up"),
    claims_seconds=1.0,
    scopes=SCOPES,
    authors=("The boardspace maintainers",),
)
