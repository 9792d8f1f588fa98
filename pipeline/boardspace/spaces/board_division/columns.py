"""Columns that several tables have."""

import pyarrow as pa

from boardspace.spec.space import Column

ROWS = Column("m", pa.uint16(), "Rows of the rectangle.", "pegs")
COLUMNS = Column("n", pa.uint16(), "Columns of the rectangle.", "pegs")
