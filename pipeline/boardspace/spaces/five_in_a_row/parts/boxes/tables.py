"""Boxes of three sides."""

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
from boardspace.spec.space import Column, Table

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
