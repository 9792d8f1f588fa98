"""Comparisons that checks of several parts make: tables row by row, arrays with tables by ids."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from boardspace.spaces.klotski.config import KlotskiConfig
from boardspace.spaces.klotski.filling import number_of_layouts
from boardspace.spaces.klotski.table_rows import Rows
from boardspace.spec.space import Draw, Inputs, Outcome, cut_range, outcome

Column = str | Callable[[Rows], NDArray[Any]]
"""A column by its name, or made of the rows of a table."""
IDS = 1 << 14
"""Ids of a range of arrays."""
RANGES = 40


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


def arrays_outcome(
    config: KlotskiConfig,
    inputs: Inputs,
    draw: Draw,
    table: str,
    columns: Mapping[str, Column],
) -> Outcome:
    """Compare some ranges of ids of arrays with a table; there are arrays where all classes are enumerated.

    ``columns`` names for each array its column, or makes it of the rows. Ids without a row have 0 in arrays.
    """
    if not config.complete:
        return Outcome(0, 0)
    size = number_of_layouts()
    bounds = cut_range(0, size, IDS)
    chosen = [bounds[number] for number in draw.choose(len(bounds), RANGES)]

    def faults() -> Iterator[str]:
        """Yield the fault of each thing that is looked at, '' where it is right."""
        arrays = {name: inputs.array(name) for name in columns}
        for name, array in arrays.items():
            yield "" if array.shape == (size,) else f"{name} has the shape {array.shape}, not {size} layouts"
        for low, high in chosen:
            read = inputs.table(table, between=(low, high))
            rows = {column: read.column(column).to_numpy() for column in read.column_names}
            for name, column in columns.items():
                values = rows[column] if isinstance(column, str) else column(rows)
                expected = np.zeros(high - low, dtype=arrays[name].dtype)
                expected[rows["layout_id"].astype(np.int64) - low] = values
                wrong = np.flatnonzero(arrays[name][low:high] != expected)
                yield f"{name} differs from the table at id {low + wrong[0]}" if len(wrong) else ""

    return outcome(faults(), of=len(columns) * (len(bounds) + 1))
