"""Packings of trays by class: how many, which of them sliding joins, and the longest corner puzzles."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from boardspace.spaces.sliding_blocks.config import GROUP_CELLS, SlidingBlocksConfig
from boardspace.spaces.sliding_blocks.parts.classes.tables import CLASSES, GROUPS, HISTOGRAMS, RECORDS
from boardspace.spec.deferred import deferred
from boardspace.spec.space import Check, Part, Stage

if TYPE_CHECKING:
    from boardspace.spaces.sliding_blocks.parts.classes import checks, claims, compute
else:
    checks, claims, compute = deferred(__package__, "checks", "claims", "compute")

LARGE = 17
"""From so many cells on a shard may take gigabytes."""
MEMORY = 2_500_000_000


def bytes_of(config: SlidingBlocksConfig) -> int:
    """A rough size of all tables: measured for 9 to 20 cells, they grow by 2.75 a cell, and half are groups."""
    return sum(
        round((2_000_000 if tray.cells <= GROUP_CELLS else 1_090_000) * 2.75 ** (tray.cells - 16)) + 10_000
        for tray in config.trays
    )


def stages(config: SlidingBlocksConfig) -> Sequence[Stage]:
    """One stage: a shard enumerates the packings with some piece sizes, and all that is known of them."""
    large = any(tray.cells >= LARGE for tray in config.trays)
    return (
        Stage(
            "survey",
            "all packings by piece sizes, their classes, groups and longest corner puzzles",
            compute.survey_histograms,
            compute.cut_histograms,
            bytes=bytes_of(config),
            memory=MEMORY if large else 0,
        ),
    )


_CLASS = ("tray", "histogram", "code")

CLASSES_OF_PIECES = Part(
    name="classes",
    scope="trays",
    stages=stages,
    tables=(HISTOGRAMS, CLASSES, GROUPS, RECORDS),
    claims=claims.measure,
    results=claims.results,
    checks=(
        Check(
            "packings by sizes",
            {"histograms": ("tray", "histogram", "sizes", "pieces", "voids", "packings")},
            "counted along a frontier of components, which makes no packing",
            checks.check_packings,
        ),
        Check(
            "sums of classes",
            {
                "histograms": ("groups", "alone", "largest_group", "steps"),
                "classes": ("tray", "histogram", "orbit", "positions", "groups", "joined", "largest_group", "steps"),
            },
            "all rows added up from the table of classes",
            checks.check_sums,
        ),
        Check(
            "sums of groups",
            {"groups": (*_CLASS, "group_num", "positions")},
            "all rows against the table of classes, both ways",
            checks.check_groups,
        ),
        Check(
            "multisets of few packings",
            {"histograms": ("classes", "orbits", "groups", "alone", "largest_group", "steps", "board")},
            "every packing made, sorted and searched in plain Python, for drawn rows of up to 3,000 packings",
            checks.check_small_histograms,
        ),
        Check(
            "classes",
            {
                "classes": ("code", "orbit", "positions", "groups", "joined", "largest_group", "steps"),
                "groups": ("group_num", "positions"),
                "records": ("code", "start", "marked", "steps", "starts"),
            },
            "every position of the class made and searched in plain Python, for drawn rows of up to 2,000 positions",
            checks.check_classes,
        ),
        Check(
            "records",
            {"records": (*_CLASS, "start", "marked", "steps", "board"), "histograms": ("steps", "board")},
            "drawn puzzles solved in plain Python; all rows against the tables of classes and multisets, both ways",
            checks.check_records,
        ),
    ),
)
