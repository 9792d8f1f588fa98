"""Where the placements of each board lie, and the array that holds them."""

import pyarrow as pa

from boardspace.spaces.five_in_a_row.columns import COLUMNS, ROWS, K
from boardspace.spec.space import Array, Column, Table

LISTED = Table(
    "listed",
    "The boards whose placements are published, and where they lie in the array `placements`.",
    (
        K,
        ROWS,
        COLUMNS,
        Column("first_byte", pa.uint64(), "Number of the first byte of the board's placements in the array."),
        Column(
            "row_bytes",
            pa.uint8(),
            "Bytes of one row of the board; a placement has `rows` times as many, and they follow one another.",
            "bytes",
        ),
        Column("placements", pa.uint32(), "Number of placements.", "placements"),
    ),
    ("k", "rows", "columns"),
)
PACKED = Table(
    "packed",
    "Placements of single boards, on their way into the array.",
    (K, ROWS, COLUMNS, Column("bytes", pa.large_binary(), "The board's part of the array.")),
    ("k", "rows", "columns"),
    published=False,
)
PLACEMENTS = Array(
    "placements",
    "uint8",
    ("byte",),
    "All placements with the fewest stones, of the boards that `listed` names, one board after the other: its "
    "placements in lexicographic order (a free cell before a stone), each as its rows from the top. Each row is packed "
    "into bytes, its leftmost column the highest bit of the first: 1 a stone, 0 a free cell.",
)
