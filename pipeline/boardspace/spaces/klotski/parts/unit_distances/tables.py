"""Tables of the pairs of layouts by unit moves."""

import pyarrow as pa

from boardspace.spaces.klotski import columns
from boardspace.spec.space import Column, Table

PART_STAGE, STAGE = "unit_parts", "unit_distances"
"""Names of the stages: parts of classes, and their sums."""

_MOVES = Column("moves", pa.uint16(), "Distance in unit moves, from 0 to the largest of the group.", "moves")

UNIT_DISTANCES = Table(
    "unit_distances",
    "How many pairs of layouts of a group are so many unit moves apart, where a piece moves by one cell; only of the "
    "classes it was counted for. The pairs of a group add up to the square of its size.",
    (*columns.CLASS, columns.GROUP_NUM, _MOVES, columns.PAIRS),
    ("jiang_num", "bing_num", "style_num", "group_num", "moves"),
    scope="classes with pairs by unit moves",
)

UNIT_PARTS = Table(
    "unit_parts",
    "What one part of the searches in a class counted.",
    UNIT_DISTANCES.columns,
    UNIT_DISTANCES.key,
    published=False,
)
