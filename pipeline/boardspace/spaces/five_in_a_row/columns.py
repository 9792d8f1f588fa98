"""Columns that several tables have."""

import pyarrow as pa

from boardspace.spec.space import Column

PUBLISHED_STATES = 20_000
"""Certificates of strips are published where they have so many states at most."""

K = Column("k", pa.uint8(), "Length of the lines to block.", "cells")
ROWS = Column("rows", pa.uint16(), "Rows N of the board; never fewer than the columns.", "cells")
COLUMNS = Column("columns", pa.uint16(), "Columns M of the board.", "cells")
PROOF = Column(
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
CERTIFIED = Column(
    "certified",
    pa.string(),
    "What the board's certificate proves the minimum by. Null where there is no certificate.",
    nullable=True,
    codes=(
        ("weights", "weights of lines and of strips alone"),
        ("search", "a search with one stone less that drops states by these weights and finds nothing"),
    ),
)
NUMBER = Column(
    "placements",
    pa.string(),
    "Number of placements with the fewest stones, exactly, in decimal digits; null where it is not known.",
    "placements",
    nullable=True,
)
RECOUNTED = Column(
    "recounted",
    pa.bool_(),
    "Whether a second search, over sets of lines that hold a stone, found as many placements and none with one stone "
    "less. It shares the certificate's weights with the first and no code.",
)
REFUTED = Column(
    "refuted",
    pa.uint32(),
    "Clauses of a SAT solver's proof that one stone less does not suffice; null where no solver was asked, or it gave "
    "up. Asked is where proof = search. The proofs of boards are in the table `refutations`.",
    "clauses",
    nullable=True,
)
CLASSES = Column(
    "classes",
    pa.string(),
    "Number of these placements up to the symmetries of the board, in decimal digits; null where they were not listed.",
    "classes",
    nullable=True,
)
STATES = Column("states", pa.uint64(), "States that the searches made, all layers together.", "states")
PEAK = Column("peak", pa.uint64(), "States of the largest layer.", "states")
