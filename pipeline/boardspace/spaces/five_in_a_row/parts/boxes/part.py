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
from boardspace.spec.space import Check, Column, Part, Stage, Table

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
)


def stages(config: FiveInARowConfig) -> Sequence[Stage]:
    """One."""
    return (
        Stage("boxes", "boxes of three sides", compute.solve_box, compute.cut_boxes, bytes=len(config.boxes) * 16_000),
    )


BOXES_OF_THREE_SIDES = Part(
    name="boxes",
    scope="boxes of three sides",
    stages=stages,
    tables=(BOXES,),
    claims=compute.measure_claims,
    checks=(
        Check("boxes", {"boxes": ("k", "a", "b", "c")}, "the boxes of the config, each once", checks.check_boxes),
        Check(
            "certificates of boxes",
            {"boxes": ("stones", "proof", "certified", "states", "certificate")},
            "witness, charges and bound of every certificate from the rules alone, and what its row repeats of it",
            checks.check_certificates,
        ),
        Check(
            "second counts of boxes",
            {"boxes": ("stones", "placements", "recounted")},
            "counted by the second method, sets of lines instead of runs",
            checks.check_counts,
        ),
        Check(
            "classes of boxes",
            {"boxes": ("classes",)},
            "placements that each symmetry keeps as they are, counted on the orbits of cells, and their mean; of boxes "
            "of more than 10 million states, that there can be so many",
            checks.check_classes,
        ),
        Check(
            "searches of boxes",
            {"boxes": ("states", "peak")},
            "the search itself made again with the certificate's weights, where layers have fewer than 4,000 states; "
            "of others, that one layer and all layers can be so large",
            checks.check_searches,
        ),
        Check(
            "refutations of boxes",
            {"boxes": ("refuted", "refutation")},
            "every clause by unit propagation, of all short proofs and of a draw of the others",
            checks.check_refutations,
        ),
    ),
)
