"""Layouts, groups and classes."""

import pyarrow as pa

from boardspace.spaces.klotski import columns
from boardspace.spec.deferred import DeferredFunction
from boardspace.spec.space import Array, Column, Table

DRAW_HARDEST = DeferredFunction("boardspace.spaces.klotski.drawn_rows", "draw_hardest")
DRAW_LAYOUT = DeferredFunction("boardspace.spaces.klotski.drawn_rows", "draw_layout")

CODE_COLUMN = Column("code", pa.uint64(), "Code of 36 bits: the block's cell, then 16 items of 2 bits.")
MIRROR = Column("is_mirror", pa.bool_(), "Whether the layout is its own left-right mirror image.")

MAIN = Table(
    "main",
    "All layouts.",
    (columns.LAYOUT_ID, CODE_COLUMN, MIRROR, *columns.CLASS, columns.GROUP_NUM, columns.GROUP_INDEX),
    ("layout_id",),
    lookup=("layout_id", "code"),
    draw=DRAW_LAYOUT,
)

GROUPS = Table(
    "groups",
    "Connected components: layouts that moves turn into one another.",
    (
        *columns.CLASS,
        columns.GROUP_NUM,
        Column("group_size", pa.uint32(), "Number of layouts.", "layouts"),
        Column("seed_code", pa.uint64(), "Smallest code of the group."),
        Column("exits", pa.uint32(), "Layouts whose block stands at the exit (feature S).", "layouts"),
        Column("solvable", pa.bool_(), "Whether the group has a layout of feature S."),
        Column("hardest_step", pa.int16(), "Largest min_solution_step of the group, -1 where it has none.", "steps"),
        Column("hardest_code", pa.uint64(), "Smallest code of the layouts that need so many steps."),
        Column("mirror_group", pa.uint16(), "Group of the mirror images; the group itself where it is its own mirror."),
    ),
    ("jiang_num", "bing_num", "style_num", "group_num"),
    draw=DRAW_HARDEST,
)

CLASSES = Table(
    "classes",
    "One row for each class of layouts that have the same pieces.",
    (
        *columns.CLASS,
        Column("layouts", pa.uint32(), "Number of layouts.", "layouts"),
        Column("groups", pa.uint16(), "Number of groups.", "groups"),
        Column("largest_group", pa.uint32(), "Layouts of group 0.", "layouts"),
        Column("solvable_layouts", pa.uint32(), "Layouts in groups that have a layout of feature S.", "layouts"),
        Column("hardest_step", pa.int16(), "Largest min_solution_step of the class, -1 where it has none.", "steps"),
        Column("hardest_code", pa.uint64(), "Smallest code of the layouts that need so many steps."),
    ),
    ("jiang_num", "bing_num", "style_num"),
    draw=DRAW_HARDEST,
)

CLASS_GROUPS = Table("class_groups", "The groups of one class.", GROUPS.columns, GROUPS.key, published=False)

CODE = Array("code", "uint64", ("layout_id",), "Code of the layout with this id.")
CLASS = Array(
    "class", "uint16", ("layout_id",), "Its class as a decimal number: 1000 jiang_num + 10 bing_num + style_num."
)
GROUP_NUM = Array("group_num", "uint16", ("layout_id",), "Number of its group in its class.")
GROUP_INDEX = Array("group_index", "uint32", ("layout_id",), "Its number in the group.")
