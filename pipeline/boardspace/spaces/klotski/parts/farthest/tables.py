"""Tables and arrays of the farthest steps."""

import pyarrow as pa

from boardspace.spaces.klotski import columns
from boardspace.spec.space import Array, Column, Table
from boardspace.spec.table import record_of

DISTANCES_STAGE = "distances"
OUTLINE_STAGE, PART_STAGE, CLASS_STAGE = "farthest_outlines", "farthest_parts", "farthest_classes"
"""Names of the stages that exchange tables."""

_STEP = Column("farthest_step", pa.uint16(), "Steps to the farthest layouts of its group.", "steps")
_NUM = Column("farthest_num", pa.uint32(), "Number of layouts that are that far.", "layouts")

FARTHEST = Table(
    "farthest",
    "How far the farthest layouts are, and how many; only of the classes it was computed for, those in `diameters`.",
    (columns.LAYOUT_ID, _STEP, _NUM),
    ("layout_id",),
)

DIAMETERS = Table(
    "diameters",
    "The extent of each group in steps; only of the classes it was computed for.",
    (
        *columns.CLASS,
        columns.GROUP_NUM,
        Column("diameter", pa.uint16(), "Largest farthest_step of the group.", "steps"),
        Column("radius", pa.uint16(), "Smallest farthest_step of the group.", "steps"),
        Column("diametral_pairs", pa.uint64(), "Unordered pairs of layouts whose distance is the diameter.", "pairs"),
        Column("centres", pa.uint32(), "Layouts whose farthest_step is the radius.", "layouts"),
        Column("centre_code", pa.uint64(), "Smallest code of these."),
    ),
    ("jiang_num", "bing_num", "style_num", "group_num"),
)

DISTANCES = Table(
    "distances",
    "How many pairs of layouts of a group are so many steps apart; only of the classes it was counted for. The pairs "
    "of a group add up to the square of its size, half the sum of steps times pairs is its Wiener index.",
    (
        *columns.CLASS,
        columns.GROUP_NUM,
        Column("steps", pa.uint16(), "Distance, from 0 to the diameter.", "steps"),
        columns.PAIRS,
    ),
    ("jiang_num", "bing_num", "style_num", "group_num", "steps"),
    scope="classes with pairs by distance",
)

OUTLINES = Table(
    "farthest_outlines",
    "What the outline searches of a class found that leave something; of each set of reflected groups only the first.",
    (
        columns.GROUP_NUM,
        columns.GROUP_INDEX,
        _STEP,
        Column("weight", pa.uint32(), "Searched layouts met at that step; farthest_num where the group is finished."),
        Column("margin", pa.int16(), "Proved margin; positive where the layout needs no search."),
    ),
    ("group_num", "group_index"),
    published=False,
)

PARTS = Table(
    "farthest_parts",
    "What one part of a group's searches met at the farthest steps it knew.",
    (columns.GROUP_INDEX, _STEP, Column("weight", pa.uint32(), "Searched layouts met at that step.")),
    ("group_index",),
    published=False,
)

FARTHEST_MEMBERS = record_of(FARTHEST.columns)
"""Records of the layouts of a class in order of ids, a blob that the shards of all ids map. Every range of ids has a
part of 131 classes, so that files to be decoded would be opened 3,700 times."""

CLASS_DIAMETERS = Table(
    "class_diameters", "The extents of the groups of one class.", DIAMETERS.columns, DIAMETERS.key, published=False
)

CLASS_DISTANCES = Table(
    "class_distances",
    "The pairs of one class by distance; none where they were not counted.",
    DISTANCES.columns,
    DISTANCES.key,
    published=False,
)

FARTHEST_STEP = Array(
    "farthest_step", "uint16", ("layout_id",), "Steps to its farthest layouts; 0 as well where not computed.", "steps"
)
FARTHEST_NUM = Array(
    "farthest_num", "uint32", ("layout_id",), "Number of these; 0 where it was not computed.", "layouts"
)
