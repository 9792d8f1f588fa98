"""Functions that the checks of this space share."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pyarrow as pa

SAMPLE = 20
SEARCHED_PEGS = 9

Faults = Iterator[str]


def unless(right: bool, fault: str) -> str:
    """'' where it is right, else the fault."""
    return "" if right else fault


def difference(found: pa.Table, expected: Mapping[str, Any]) -> str:
    """The first row in which one of the ``expected`` columns of a table differs from what is expected, or ''."""
    for name, values in expected.items():
        column, right = found.column(name).to_numpy(), np.asarray(values)
        if len(column) != len(right):
            return f"{len(right):,} rows are expected, the table has {len(column):,}"
        wrong = np.flatnonzero(column != right)
        if len(wrong):
            row = int(wrong[0])
            return f"row {row + 1:,}: {name} is {column[row]!s}, and {right[row]!s} is right"
    return ""
