"""Every table and array of the dataset."""

import pyarrow as pa

from boardspace.spec.space import Array, Column, Table

_K = Column("k", pa.uint8(), "Length of the lines to block.", "cells")
_ROWS = Column("rows", pa.uint16(), "Rows N of the board; never fewer than the columns.", "cells")
_COLUMNS = Column("columns", pa.uint16(), "Columns M of the board.", "cells")
_PROOF = Column(
    "proof",
    pa.string(),
    "How the minimum is proved.",
    codes=(
        ("bound", "dual weights prove the minimum, a placement attains it"),
        ("search", "searches with fewer stones found nothing"),
        ("rule", "one direction has lines, a formula holds"),
        ("carried", "follows from the smaller board in base_rows, base_columns"),
    ),
)
_PLACEMENTS = Column(
    "placements",
    pa.string(),
    "Number of placements with the fewest stones, exactly, in decimal digits; null where it is not known.",
    "placements",
    nullable=True,
)
_CLASSES = Column(
    "classes",
    pa.string(),
    "Number of these placements up to the symmetries of the board, in decimal digits; null where they were not listed.",
    "classes",
    nullable=True,
)
_STATES = Column("states", pa.uint64(), "States that the searches made, all layers together.", "states")
_PEAK = Column("peak", pa.uint64(), "States of the largest layer.", "states")

_CERTIFIED = Column(
    "certified",
    pa.string(),
    "What the board's certificate proves the minimum by. Null where there is no certificate.",
    nullable=True,
    codes=(
        ("weights", "weights of lines and of strips alone"),
        ("search", "a search with one stone less that drops states by these weights and finds nothing"),
    ),
)
_RECOUNTED = Column(
    "recounted",
    pa.bool_(),
    "Whether a second search, over sets of lines that hold a stone, found as many placements and none with one stone "
    "less. It shares the certificate's weights with the first and no code.",
)
_REFUTED = Column(
    "refuted",
    pa.uint32(),
    "Clauses of a SAT solver's proof that one stone less does not suffice; null where no solver was asked, or it gave "
    "up. Asked is where proof = search. The proofs of boards are in the table `refutations`.",
    "clauses",
    nullable=True,
)

RESULTS = Table(
    "results",
    "One row for each board: the fewest stones that leave no k cells in a row free, in how many ways, and what the "
    "source's formula and construction say.",
    (
        _K,
        _ROWS,
        _COLUMNS,
        Column("stones", pa.uint32(), "X, the fewest stones that block every line.", "stones"),
        _PROOF,
        _CERTIFIED,
        _PLACEMENTS,
        _RECOUNTED,
        _REFUTED,
        _CLASSES,
        Column("formula", pa.uint32(), "floor(N M / k), the source's formula.", "stones"),
        Column(
            "lattice_stones",
            pa.uint32(),
            "Fewest stones of a window of a repeated best cell; null where k has none.",
            "stones",
            nullable=True,
        ),
        Column(
            "lattice_placements",
            pa.uint32(),
            "Number of different windows with so few stones.",
            "placements",
            nullable=True,
        ),
        Column(
            "complete",
            pa.bool_(),
            "Whether these windows are all placements with the fewest stones; null where the number is not known.",
            nullable=True,
        ),
        Column(
            "bound",
            pa.uint64(),
            "The dual bound of the last search, of lines and of strips where it had any.",
            "1/2^30 stone",
        ),
        Column("searches", pa.uint8(), "Searches made, each with one stone more."),
        _STATES,
        _PEAK,
        Column("listed", pa.bool_(), "Whether the placements are published; `listed` tells where."),
        Column("base_rows", pa.uint16(), "For proof = carried: rows of the smaller board.", "cells", nullable=True),
        Column("base_columns", pa.uint16(), "For proof = carried: its columns.", "cells", nullable=True),
    ),
    ("k", "rows", "columns"),
)
CERTIFICATES = Table(
    "certificates",
    "The proof of each board's minimum as one JSON document: the weight of every line and the costs of the strips, "
    "which prove the bound, a placement that attains the minimum, and the budgets whose searches found nothing. Boards "
    "that were searched in parts, that have a rule, or that are carried from smaller ones have one too.",
    (_K, _ROWS, _COLUMNS, Column("certificate", pa.string(), "The certificate, JSON.")),
    ("k", "rows", "columns"),
)
ADDITIONAL = Table(
    "additional",
    "Placements with the fewest stones that are no windows of a repeated best cell: the counterexamples to the claim "
    "that the construction finds all.",
    (
        _K,
        _ROWS,
        _COLUMNS,
        Column("placement", pa.uint32(), "Number of the placement among the board's in the array, from 0."),
        Column("picture", pa.string(), "Rows from the top, separated by slashes: # a stone, . a free cell."),
    ),
    ("k", "rows", "columns", "placement"),
)
CELLS = Table(
    "cells",
    "The best cells: n x n patterns with one stone in each row, column and wrapped diagonal (modular n-queens).",
    (
        Column("n", pa.uint8(), "Order of the cell.", "cells"),
        Column("cell", pa.uint32(), "Number of the cell, from 1, orbit by orbit as in the source's Table 1."),
        Column("columns", pa.list_(pa.uint8()), "Column of the stone in each row, from 0."),
        Column("linear", pa.bool_(), "Whether each row's stone is the same number of columns from the last row's."),
        Column("h_1", pa.uint32(), "Number of the image when the stones move one column to the right, wrapped."),
        Column("s_1", pa.uint32(), "Number of the image upside down."),
    ),
    ("n", "cell"),
)
WINDOWS = Table(
    "windows",
    "The variable matrix A(i, j): fewest stones of an i x j window of a repeated best cell.",
    (
        Column("n", pa.uint8(), "Order of the cells.", "cells"),
        Column("i", pa.uint8(), "Rows of the window.", "cells"),
        Column("j", pa.uint8(), "Columns of the window.", "cells"),
        Column("stones", pa.uint16(), "A(i, j).", "stones"),
        Column("formula", pa.uint16(), "floor(i j / n).", "stones"),
    ),
    ("n", "i", "j"),
)
STRIPS = Table(
    "strips",
    "Boards of a few columns and any number of rows: the fewest stones for every length, proved, with the least "
    "density of an endless strip.",
    (
        _K,
        Column("width", pa.uint8(), "Columns of the strip.", "cells"),
        Column("period", pa.uint16(), "So many rows more ...", "rows"),
        Column(
            "stones",
            pa.uint16(),
            "... need so many stones more, from start_rows on; stones / period is the least "
            "number of stones a row of an endless strip.",
            "stones",
        ),
        Column("start_rows", pa.uint16(), "From so many rows on.", "rows"),
        Column(
            "fewest",
            pa.list_(pa.uint32()),
            "The fewest stones for 0, 1, 2, ... rows, up to start_rows + period - 1.",
            "stones",
        ),
        Column("states", pa.uint32(), "States of a strip between two rows.", "states"),
        Column(
            "pattern",
            pa.string(),
            "Rows, separated by slashes, that repeated for ever block the strip with so few "
            "stones: # a stone, . a free cell.",
        ),
        Column(
            "certificate",
            pa.string(),
            "Pattern and potential, JSON: the proof of the density that the checker "
            "boardspace_kernels.five_in_a_row.strip_checker verifies; null where there are too many states to publish.",
            nullable=True,
        ),
    ),
    ("k", "width"),
)
BOXES = Table(
    "boxes",
    "The same for boxes of three sides, with lines in 13 directions.",
    (
        _K,
        Column("a", pa.uint8(), "Longest side.", "cells"),
        Column("b", pa.uint8(), "Second side.", "cells"),
        Column("c", pa.uint8(), "Shortest side.", "cells"),
        Column("stones", pa.uint32(), "The fewest stones that block every line.", "stones"),
        _PROOF,
        _CERTIFIED,
        _PLACEMENTS,
        _RECOUNTED,
        _REFUTED,
        _CLASSES,
        _STATES,
        _PEAK,
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
REFUTATIONS = Table(
    "refutations",
    "Proofs by a SAT solver (Glucose 4) that one stone less than the minimum does not suffice, of boards with proof = "
    "search. They refute the formula that `boardspace five cnf` prints; the same command checks them.",
    (
        _K,
        _ROWS,
        _COLUMNS,
        Column("stones", pa.uint32(), "So many stones do not suffice: one less than the fewest.", "stones"),
        Column("clauses", pa.uint32(), "Clauses of the proof, the empty one last.", "clauses"),
        Column("refutation", pa.string(), "The proof, DRUP: a clause a line, its literals and then 0."),
    ),
    ("k", "rows", "columns"),
)
LISTED = Table(
    "listed",
    "The boards whose placements are published, and where they lie in the array `placements`.",
    (
        _K,
        _ROWS,
        _COLUMNS,
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
    (_K, _ROWS, _COLUMNS, Column("bytes", pa.large_binary(), "The board's part of the array.")),
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

TABLES = (RESULTS, CERTIFICATES, ADDITIONAL, LISTED, CELLS, WINDOWS, STRIPS, BOXES, REFUTATIONS, PACKED)
ARRAYS = (PLACEMENTS,)
