"""Tables and arrays: published and intermediate, every column and array named once, and what follows from that alone:
Table Schema, and the lines of the data dictionary."""

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from boardspace.spec.equations import Equation, Rows
from boardspace.spec.extent import Completeness

SCHEMA_PROFILE = "https://datapackage.org/profiles/2.0/tableschema.json"
HEADER = ("kind", "name", "column", "type", "unit", "key", "nullable", "description", "codes")


@dataclass(frozen=True)
class Column:
    """One column of a table.

    name: of the column.
    type: Arrow type.
    doc: meaning of a value, in a sentence.
    unit: that a value counts in.
    nullable: a value may be missing.
    codes: values that stand for something else, with what they stand for.
    equation: how its values follow (:mod:`boardspace.spec.equations`); None where a check of the part derives them.
    since: version of the space's data that had it first.
    """

    name: str
    type: pa.DataType
    doc: str
    unit: str = ""
    nullable: bool = False
    codes: tuple[tuple[int | str, str], ...] = ()
    equation: Equation | None = None
    since: int = 1

    def by(self, equation: Equation) -> "Column":
        """This column with an equation, which may be another one in every table."""
        return replace(self, equation=equation)


def record_of(columns: Iterable[Column]) -> np.dtype[np.void]:
    """The NumPy record with one field for each column, of numbers and truth values alone.

    By way of an empty array, since ``to_pandas_dtype`` of Arrow before 26 fails where there is no pandas.

    >>> record_of([Column("n", pa.uint16(), "A number.")])
    dtype([('n', '<u2')])
    """
    empty = {column.name: pa.array([], column.type) for column in columns}
    return np.dtype([(name, values.to_numpy(zero_copy_only=False).dtype) for name, values in empty.items()])


@dataclass(frozen=True)
class Table:
    """One table.

    name: of the table.
    doc: meaning of a row, in a sentence.
    columns: in the order of the files.
    key: columns by which rows are sorted; no two rows share it, inside a file and over a folder's files in name order.
    published: it is part of the dataset; else it is an intermediate.
    folders: columns whose values stand in the names of folders instead of the files, as ``moves`` in
        ``moves=07/0003.parquet``.
    one_file: a stage of one shard writes it, as ``NAME.parquet`` beside the other tables' folders.
    on_card: its rows are printed on the dataset's card; it has to be small.
    lookup: ascending columns, the key first, by which single rows of a large table are looked up; releases cut it for
        that.
    picture: function from a row, by column name, to a picture of it: the text of an SVG, shapes and text alone, or ''
        where it has none. The atlas shows some rows so.
    scope: name of the scope that its rows are all of, where it is not that of its part.
    complete: why its rows are all that its scope speaks of, or what they are if not all.
    rows: what its rows are, where its columns have equations.
    since: version of the space's data that had it first.
    """

    name: str
    doc: str
    columns: tuple[Column, ...]
    key: tuple[str, ...]
    published: bool = True
    folders: tuple[Column, ...] = ()
    one_file: bool = False
    on_card: bool = False
    lookup: tuple[str, ...] = ()
    picture: Callable[[Mapping[str, Any]], str] | None = None
    scope: str = ""
    complete: Completeness = "enumeration"
    rows: Rows | None = None
    since: int = 1

    def __post_init__(self) -> None:
        if not self.lookup:
            return
        if self.folders:
            raise ValueError(
                f"table {self.name!r}: has `lookup` and `folders`, and rows of different folders are not in the order "
                "of what they are looked up by; make the folders' columns ordinary columns"
            )
        first = {column.name: column.type for column in self.columns}.get(self.lookup[0])
        if self.lookup[0] != self.key[0] or not pa.types.is_integer(first):
            raise ValueError(
                f"table {self.name!r}: `lookup` begins with {self.lookup[0]!r}; it has to begin with a column of whole "
                "numbers by which the rows are sorted first"
            )

    @property
    def schema(self) -> pa.Schema:
        """The Arrow schema, without metadata."""
        return pa.schema([pa.field(c.name, c.type, nullable=c.nullable) for c in self.columns])

    @property
    def described_schema(self) -> pa.Schema:
        """Schema with each column's meaning and unit as metadata of its field, as published files have it."""
        fields = zip(self.schema, self.columns, strict=True)
        return pa.schema([field.with_metadata({"description": c.doc, "unit": c.unit}) for field, c in fields])

    @property
    def unfolded(self) -> "Table":
        """This table with the columns of its folders in its files, before the others, as releases have it."""
        if not self.folders:
            return self
        key = (*(column.name for column in self.folders), *self.key)
        return replace(self, columns=(*self.folders, *self.columns), key=key, folders=())

    def folder_values(self, path: str) -> dict[str, Any]:
        """The values of the columns in folders that a file's path holds, such as 7 for ``moves=07``.

        ValueError where its folders are not the registered ones.
        """
        registered = [column.name for column in self.folders]
        above = path.split("/")[:-1]
        found = dict(part.split("=", 1) for part in above[len(above) - len(registered) :] if "=" in part)
        if list(found) != registered:
            raise ValueError(f"{path}: its folders are not the registered ones of {self.name!r} {registered}")
        return {c.name: int(found[c.name]) if pa.types.is_integer(c.type) else found[c.name] for c in self.folders}

    def from_columns(self, **columns: Any) -> pa.Table:
        """An Arrow table of this schema from arrays or lists given by column name.

        ValueError where a column gets values of another kind, such as fractions for whole numbers, or too large ones.
        """
        return pa.table({c.name: self._column(c, columns[c.name]) for c in self.columns}, schema=self.schema)

    def _column(self, column: Column, values: Any) -> pa.Array:
        whole = pa.types.is_integer(column.type)
        kind = getattr(getattr(values, "dtype", None), "kind", "")
        if whole and (kind == "f" or (isinstance(values, list | tuple) and any(isinstance(v, float) for v in values))):
            raise ValueError(f"{self.name}.{column.name}: fractions (floats) for a column of {column.type}; round them")
        try:
            return pa.array(values, column.type)
        except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError) as error:
            raise ValueError(f"{self.name}.{column.name}: not values of {column.type}: {error}") from error

    def from_rows(self, rows: Sequence[Mapping[str, Any]]) -> pa.Table:
        """An Arrow table of this schema from one mapping a row; keys that are no columns are left out."""
        return self.from_columns(**{c.name: [row[c.name] for row in rows] for c in self.columns})


@dataclass(frozen=True)
class Array:
    """One Zarr array, or one family of them.

    name: path below the group; of a family it holds ``{fields}``.
    dtype: NumPy's name of it.
    dims: names of the dimensions.
    doc: meaning of a cell, in a sentence.
    unit: that a cell counts in.
    scope, complete: as those of a :class:`Table`.
    rows: the set of states that its cells belong to, by their keys, where it has an equation.
    equation: how its values follow.
    """

    name: str
    dtype: str
    dims: tuple[str, ...]
    doc: str
    unit: str = ""
    scope: str = ""
    complete: Completeness = "enumeration"
    rows: Rows | None = None
    equation: Equation | None = None

    def covers(self, path: str) -> bool:
        """True where the array at this path is this one or of this family: a field stands for one part of a path."""
        parts = re.split(r"(\{[^}]*\})", self.name)
        pattern = "".join("[^/]+" if part.startswith("{") else re.escape(part) for part in parts)
        return re.fullmatch(pattern, path) is not None


@dataclass(frozen=True)
class ArrayPart:
    """Block of one array. It covers whole Zarr shards of the array, so it is written alone.

    array: that it belongs to.
    path: the array's name with its fields filled in.
    shape: of the whole array.
    chunks: shape of the least that a reader fetches.
    shards: shape of what one file holds, a multiple of ``chunks``.
    start: place of the block's first cell in the array.
    values: cells of the block.
    """

    array: Array
    path: str
    shape: tuple[int, ...]
    chunks: tuple[int, ...]
    shards: tuple[int, ...]
    start: tuple[int, ...]
    values: npt.NDArray[Any]


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
    writer.writerows(
        ["array", one.name, "", one.dtype, one.unit, " ".join(one.dims), "no", one.doc, ""] for one in arrays
    )
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
    place = str(table.key.index(column.name) + 1) if column.name in table.key else ""
    return ["table", table.name, column.name, str(column.type), column.unit, place, nullable, column.doc, codes]
