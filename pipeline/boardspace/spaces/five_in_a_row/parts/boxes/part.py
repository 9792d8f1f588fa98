"""Boxes of three sides, with lines in 13 directions."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pyarrow as pa

from boardspace.spaces.five_in_a_row.columns import (
    CERTIFIED,
    CLASSES,
    NUMBER,
    PEAK,
    PROOF,
    RECOUNTED,
    REFUTED,
    STATES,
    K,
)
from boardspace.spaces.five_in_a_row.config import FiveInARowConfig
from boardspace.spec.deferred import deferred
from boardspace.spec.equations import Made
from boardspace.spec.space import Column, Part, Stage, Table

if TYPE_CHECKING:
    from boardspace.spaces.five_in_a_row.parts.boxes import checks, compute
else:
    checks, compute = deferred(__package__, "checks", "compute")

BOXES = Table(
    "boxes",
    "The same for boxes of three sides, with lines in 13 directions.",
    (
        K,
        Column("a", pa.uint8(), "Longest side.", "cells"),
        Column("b", pa.uint8(), "Second side.", "cells"),
        Column("c", pa.uint8(), "Shortest side.", "cells"),
        Column("stones", pa.uint32(), "The fewest stones that block every line.", "stones"),
        PROOF,
        CERTIFIED,
        NUMBER,
        RECOUNTED,
        REFUTED,
        CLASSES,
        STATES,
        PEAK,
        Column("certificate", pa.string(), "The certificate, JSON, as in the table of certificates."),
        Column(
            "refutation",
            pa.string(),
            "The solver's proof, DRUP, as in the table of refutations; null where there is none.",
            nullable=True,
        ),
    ),
    ("k", "a", "b", "c"),
    rows=Made(
        "boxes",
        checks.make_boxes,
        says="from the config, certificates weighed by the rules, second counts by sets of lines, searches made again, "
        "solvers' proofs tried clause by clause, and placements that each symmetry keeps: of boxes with many states "
        "what follows from the others",
    ),
)


def stages(config: FiveInARowConfig) -> Sequence[Stage]:
    """One."""
    return (
        Stage("boxes", "boxes of three sides", compute.solve_box, compute.cut_boxes, bytes=len(config.boxes) * 16_000),
    )


BOXES_OF_THREE_SIDES = Part(
    name="boxes", scope="boxes of three sides", stages=stages, tables=(BOXES,), claims=compute.measure_claims
)
