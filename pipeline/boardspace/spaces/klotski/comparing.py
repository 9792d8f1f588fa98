"""Comparison of tables row by row, which checks of several parts make."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray


def table_difference(found: pa.Table, expected: Mapping[str, NDArray[Any]], keys: int) -> str:
    """The first row in which a table differs from columns by name, or ''; the first ``keys`` columns name a row."""
    length = len(next(iter(expected.values())))
    if found.num_rows != length:
        return f"there are {length} rows, the table has {found.num_rows}"
    for column, values in expected.items():
        stated = found.column(column).to_numpy()
        wrong = np.flatnonzero(stated != values)
        if len(wrong):
            row = wrong[0]
            name = "-".join(str(expected[key][row]) for key in list(expected)[:keys])
            return f"{name}: its {column} is {values[row]}, the table says {stated[row]}"
    return ""
