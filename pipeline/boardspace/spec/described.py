"""Tables and arrays described from their registry alone: Table Schema, and the lines of the data dictionary.

So whoever has the program can make these descriptions again and compare; ``boardspace verify`` does.
"""

import csv
import io
import json
from collections.abc import Iterable
from typing import Any

import pyarrow as pa

from boardspace.spec.table import Array, Column, Table

SCHEMA_PROFILE = "https://datapackage.org/profiles/2.0/tableschema.json"
HEADER = ("kind", "name", "column", "type", "unit", "key", "nullable", "description", "codes")


def json_text(value: Any) -> str:
    """A document of a release as text."""
    return json.dumps(value, indent=1, ensure_ascii=False) + "\n"


def table_schema(table: Table) -> dict[str, Any]:
    """A table as Table Schema, with the unit and the Arrow type of every column besides.

    No text stands for a missing value: Parquet has nulls, and an empty text is a text.
    """
    return {
        "$schema": SCHEMA_PROFILE,
        "description": table.doc,
        "fields": [_field(column) for column in table.columns],
        "primaryKey": list(table.key),
        "missingValues": [],
    }


def dictionary(tables: Iterable[Table], arrays: Iterable[Array]) -> str:
    """The data dictionary as CSV, UTF-8, one line per column and per array.

    ``key`` is a column's position in its table's sort key (1, 2, ...); for an array it names the dimensions.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(HEADER)
    for table in tables:
        writer.writerows(_column_line(table, column) for column in table.columns)
    writer.writerows(map(_array_line, arrays))
    return text.getvalue()


def _field(column: Column) -> dict[str, Any]:
    field = {
        "name": column.name,
        "type": field_type(column.type, column.nullable),
        "description": column.doc,
        "arrowType": str(column.type),
        "constraints": {"required": not column.nullable},
    }
    return field | ({"unit": column.unit} if column.unit else {})


def field_type(kind: pa.DataType, nullable: bool = False) -> str:
    """The Table Schema type of an Arrow type.

    Lists and numbers that may be null are ``any``: frictionless reads Parquet by way of pandas, where they are NumPy
    arrays and NaN, which it calls neither arrays nor missing. ``arrowType`` tells what they are.
    """
    if pa.types.is_string(kind):
        return "string"
    if nullable:
        return "any"
    if pa.types.is_integer(kind):
        return "integer"
    if pa.types.is_floating(kind):
        return "number"
    return "boolean" if pa.types.is_boolean(kind) else "any"


def _column_line(table: Table, column: Column) -> list[str]:
    nullable = "yes" if column.nullable else "no"
    codes = "; ".join(f"{code} = {meaning}" for code, meaning in column.codes)
    place = _key(table, column)
    return ["table", table.name, column.name, str(column.type), column.unit, place, nullable, column.doc, codes]


def _key(table: Table, column: Column) -> str:
    return str(table.key.index(column.name) + 1) if column.name in table.key else ""


def _array_line(array: Array) -> list[str]:
    return ["array", array.name, "", array.dtype, array.unit, " ".join(array.dims), "no", array.doc, ""]
