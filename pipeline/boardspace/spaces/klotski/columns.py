"""Columns that several tables of the klotski dataset share."""

import pyarrow as pa

from boardspace.spec.space import Column

LAYOUT_ID = Column("layout_id", pa.uint32(), "Rank of the code among all layouts, from 0.")
CLASS = (
    Column("jiang_num", pa.uint8(), "Number of dominoes.", "pieces"),
    Column("bing_num", pa.uint8(), "Number of 1x1 pieces.", "pieces"),
    Column("style_num", pa.uint8(), "Number of lying dominoes.", "pieces"),
)
GROUP_NUM = Column("group_num", pa.uint16(), "Number of the group in its class, largest first.")
GROUP_INDEX = Column("group_index", pa.uint32(), "Number of the layout in its group, by code.")
PAIRS = Column(
    "pairs", pa.uint64(), "Ordered pairs of layouts at this distance; at 0 each layout with itself.", "pairs"
)
