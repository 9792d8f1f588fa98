"""Columns that several tables have."""

import pyarrow as pa

from boardspace.spec.space import Column

TRAY = Column("tray", pa.string(), "Rows and columns of the tray: 4x5.")
HISTOGRAM = Column(
    "histogram",
    pa.uint16(),
    "Number of the multiset of piece sizes on this tray, from 0: by number of pieces, then by the sizes from the "
    "largest on.",
)
CODE = Column(
    "code",
    pa.uint64(),
    "Name of the class: the smallest code of its positions in groups of two and more. A code has a bit for every pair "
    "of touching cells in the same piece (pairs side by side first, row by row, then pairs one above the other), above "
    "these a bit for every covered cell.",
)
STEPS = "steps"
