"""Tables and arrays of the net."""

import pyarrow as pa

from boardspace.spaces.klotski import columns
from boardspace.spec.space import Array, Column, Table

GROUP_NETS = Table(
    "group_nets",
    "What the net of each group is like.",
    (
        *columns.CLASS,
        columns.GROUP_NUM,
        Column("step_pairs", pa.uint32(), "Pairs of layouts that are one step apart.", "pairs"),
        Column("unit_pairs", pa.uint32(), "Pairs of layouts that are one unit move apart.", "pairs"),
        Column("least_degree", pa.uint8(), "Fewest neighbours of a layout.", "layouts"),
        Column("most_degree", pa.uint8(), "Most neighbours of a layout.", "layouts"),
        Column("dead_ends", pa.uint32(), "Layouts with one neighbour.", "layouts"),
        Column("cut_layouts", pa.uint32(), "Layouts without which the group would fall apart.", "layouts"),
        Column("bridges", pa.uint32(), "Pairs of neighbours that nothing else joins.", "pairs"),
        Column(
            "most_paths",
            pa.uint64(),
            "Largest number of shortest paths from a layout to its nearest solutions.",
            "paths",
        ),
        Column("most_paths_code", pa.uint64(), "Smallest code of the layouts with so many; 0 where there is no path."),
    ),
    ("jiang_num", "bing_num", "style_num", "group_num"),
)

DEGREES = Table(
    "degrees",
    "How many layouts have so many neighbours.",
    (
        Column("neighbours", pa.uint8(), "Number of neighbours.", "layouts"),
        Column("layouts", pa.uint32(), "Layouts with so many.", "layouts"),
    ),
    ("neighbours",),
)

CLASS_NETS = Table("class_nets", "The nets of the groups of one class.", GROUP_NETS.columns, GROUP_NETS.key, False)

NEIGHBOUR_START = Array(
    "neighbour_start",
    "uint32",
    ("bound",),
    "Where the neighbours of the layout with this id begin in `neighbours`; they end where those of the next begin, so "
    "there is one entry more than layouts. A layout of a class that the run left out has none.",
)
NEIGHBOURS = Array(
    "neighbours",
    "int32",
    ("step",),
    "The layouts one step away, ascending, layout after layout: their ids less that of the layout.",
)
SOLUTION_PATHS = Array(
    "solution_paths",
    "uint64",
    ("layout_id",),
    "Number of shortest paths to its nearest solutions, 0 where it has none.",
    "paths",
)
