"""``dictionary.csv``: every column and array of a dataset, as the registry of its space says."""

import csv
import io

from boardspace.release.dataset import Dataset
from boardspace.spec.space import Array, Column, Table

HEADER = ("kind", "name", "column", "type", "unit", "key", "nullable", "description", "codes")


def dictionary(dataset: Dataset) -> str:
    """The data dictionary as CSV, UTF-8, one line per column and per array.

    ``key`` is a column's position in its table's sort key (1, 2, ...); for an array it names the dimensions.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(HEADER)
    for table in dataset.tables:
        writer.writerows(_column_line(table.table, column) for column in table.table.columns)
    writer.writerows(_array_line(array) for array in dataset.families)
    return text.getvalue()


def _column_line(table: Table, column: Column) -> list[str]:
    nullable = "yes" if column.nullable else "no"
    codes = "; ".join(f"{code} = {meaning}" for code, meaning in column.codes)
    place = _key(table, column)
    return ["table", table.name, column.name, str(column.type), column.unit, place, nullable, column.doc, codes]


def _key(table: Table, column: Column) -> str:
    return str(table.key.index(column.name) + 1) if column.name in table.key else ""


def _array_line(array: Array) -> list[str]:
    return ["array", array.name, "", array.dtype, array.unit, " ".join(array.dims), "no", array.doc, ""]
