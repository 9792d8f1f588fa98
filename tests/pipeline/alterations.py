"""Alterations of a table's rows and of an array's cells, for forgeries on disk (:mod:`.forge`) and those in memory
(:mod:`.held`): other values of the same type, as near to what they were as can be."""

import math
import random
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import zarr

from boardspace.spec.space import Table
from boardspace.storage.parquet import order_fault
from tests.pipeline.finished import with_values

ALL, FAR, NULLED, FILLED = "all values", "far off", "nulls put in", "nulls filled"
ONE, SWAPPED, LEFT_OUT, MORE, NO_ROWS = "one value", "two rows", "row left out", "row more", "no rows"
FEW = 50
"""Texts of so few values are codes: another one is put in the place of each."""
NO_VALUE = (pa.ArrowInvalid, OverflowError)
"""Errors for a value that a type cannot have."""


def all_others(rows: pa.Table, column: str, is_key: bool) -> pa.Table | None:
    """The rows with another value for each of a column; None where there are nulls alone."""
    values = rows.column(column)
    return None if values.null_count == len(values) else with_values(rows, column, _others(values, is_key))


def exchanged(rows: pa.Table, column: str) -> pa.Table | None:
    """The rows with the first two values of a column that differ from one row to the next in each other's place."""
    values = rows.column(column).to_pylist()
    for one in range(len(values) - 1):
        if values[one] != values[one + 1]:
            values[one : one + 2] = values[one + 1], values[one]
            return with_values(rows, column, values)
    return None


def with_value(rows: pa.Table, column: str, place: int) -> pa.Table:
    """The rows with another value in one place; of nothing an invented one, of a code another code."""
    values = rows.column(column)
    kind, value = values.type, values[place].as_py()
    known = pc.drop_null(values.unique() if pa.types.is_string(kind) else values.slice(0, 1)).to_pylist()
    for candidate in _candidates(value, kind, sorted(known)):
        try:
            return _replaced(rows, place, with_values(rows.slice(place, 1), column, [candidate]))
        except NO_VALUE:
            continue
    raise AssertionError(f"{column}: there is no other value than {value}")


def _candidates(value: Any, kind: pa.DataType, known: list[Any]) -> list[Any]:
    if value is None:
        return [known[0] if known else _other(nothing(kind), kind)]
    if pa.types.is_string(kind) and _is_code(value) and 1 < len(known) <= FEW:
        return [known[(known.index(value) + 1) % len(known)]]
    return [_other(value, kind, step) for step in (1, -1)]


def _replaced(rows: pa.Table, place: int, there: pa.Table) -> pa.Table:
    return pa.concat_tables([rows.slice(0, place), there, rows.slice(place + 1)])


def without(rows: pa.Table, place: int) -> pa.Table:
    """The rows but one."""
    return _replaced(rows, place, rows.slice(0, 0))


def rows_exchanged(rows: pa.Table, keys: list[str], one: int, other: int) -> pa.Table | None:
    """Two rows in each other's place, but for their keys; None where they differ in these alone."""
    order = np.arange(rows.num_rows)
    order[[one, other]] = other, one
    moved = rows.take(pa.array(order))
    for key in keys:
        moved = with_values(moved, key, rows.column(key))
    return None if moved.equals(rows) else moved


def otherwise(rows: pa.Table, column: str, kind: str) -> pa.Table | None:
    """The rows with a column far off, of nulls alone, or without any; None where it is so already."""
    values = rows.column(column)
    if values.null_count == (0 if kind == FILLED else len(values)):
        return None
    if kind == NULLED:
        return with_values(rows, column, [None] * len(values))
    if kind == FILLED:
        filler = nothing(values.type)
        return with_values(rows, column, [filler if value is None else value for value in values.to_pylist()])
    if pa.types.is_boolean(values.type):
        return None
    if pa.types.is_integer(values.type) and not values.null_count:
        plain = values.to_numpy()
        return with_values(rows, column, pa.array(plain ^ _highest_bit(plain.dtype), values.type))
    return with_values(rows, column, [_far(value, values.type) for value in values.to_pylist()])


def nothing(kind: pa.DataType) -> Any:
    """The value of a type that says least."""
    if pa.types.is_list(kind):
        return []
    if pa.types.is_boolean(kind):
        return False
    return "" if pa.types.is_string(kind) else b"" if pa.types.is_binary(kind) else 0


def _highest_bit(dtype: np.dtype[Any]) -> Any:
    return dtype.type(np.iinfo(dtype).min) if dtype.kind == "i" else dtype.type(1 << 8 * dtype.itemsize - 1)


def _far(value: Any, kind: pa.DataType) -> Any:
    if value is None:
        return None
    if pa.types.is_floating(kind):
        return math.nan if value else -0.0
    if pa.types.is_integer(kind):
        dtype = np.dtype(kind.to_pandas_dtype())
        return int(dtype.type(value) ^ _highest_bit(dtype))
    if pa.types.is_list(kind):
        return [*value, value[-1] if value else nothing(kind.value_type)]
    return value + (" " if isinstance(value, str) else b"\0")


def _others(column: pa.ChunkedArray, is_key: bool) -> Any:
    """Another value for each; those of a key keep their order where they can."""
    if pa.types.is_integer(column.type) and not column.null_count and len(column) > FEW:
        plain = column.to_numpy()
        if plain.max() < np.iinfo(plain.dtype).max:
            return pa.array(plain + plain.dtype.type(1), column.type)
    values = column.to_pylist()
    ring = sorted({value for value in values if value is not None}) if pa.types.is_string(column.type) else []
    if not is_key and 1 < len(ring) <= FEW and all(map(_is_code, ring)):
        return [None if v is None else ring[(ring.index(v) + 1) % len(ring)] for v in values]
    step = 1
    if pa.types.is_integer(column.type):
        limits = np.iinfo(column.type.to_pandas_dtype())
        present = [value for value in values if value is not None]
        if present and max(present) == limits.max:
            step = -1 if min(present) > limits.min else 0
        if step == 0:
            return [None if value is None else value ^ 1 for value in values]
    return [_other(value, column.type, step) for value in values]


def _is_code(text: str) -> bool:
    """False for numbers in digits, and for pictures."""
    return not text.isdecimal() and not _is_picture(text)


def _is_picture(text: str) -> bool:
    return bool(text) and set(text) <= set(".#\n")


def _other(value: Any, kind: pa.DataType, step: int = 1) -> Any:
    if value is None:
        return None
    if pa.types.is_boolean(kind):
        return not value
    if pa.types.is_floating(kind):
        return value + 0.5
    if pa.types.is_integer(kind):
        return value + step
    if pa.types.is_list(kind):
        return [_other(value[0], kind.value_type, step), *value[1:]] if value else [nothing(kind.value_type)]
    if pa.types.is_string(kind):
        if value.isdecimal():
            return str(int(value) + 1)
        return ".#"[value[0] == "."] + value[1:] if _is_picture(value) else value + "1"
    return bytes([value[0] ^ 1]) + value[1:] if value else b"1"


def one_value(rows: pa.Table, table: Table, column: str, chance: random.Random) -> pa.Table | None:
    """One row's value is another one; of a key, one that leaves the rows in order, if there is one."""
    values = rows.column(column).to_pylist()
    kind = rows.schema.field(column).type
    places = [place for place, value in enumerate(values) if value is not None]
    chance.shuffle(places)
    best = None
    for place in places[:FEW]:
        for step in (1, -1):
            altered = list(values)
            altered[place] = _other(values[place], kind, step)
            try:
                best = with_values(rows, column, altered)
            except NO_VALUE:
                continue
            if column not in table.key or not order_fault(best, table.key):
                return best
    return best


def swapped(rows: pa.Table, table: Table, chance: random.Random) -> pa.Table | None:
    """Two rows that differ change places, but for their keys."""
    if rows.num_rows < 2:
        return None
    for _ in range(4 * FEW):
        one, other = sorted(chance.sample(range(rows.num_rows), 2))
        moved = rows_exchanged(rows, list(table.key), one, other)
        if moved is not None:
            return moved
    return None


def left_out(rows: pa.Table, chance: random.Random) -> pa.Table:
    """The rows but one of them."""
    return without(rows, chance.randrange(rows.num_rows))


def one_more(rows: pa.Table, table: Table) -> pa.Table | None:
    """One more row after some row: as that one, with the next key."""
    for row in reversed(range(max(0, rows.num_rows - FEW), rows.num_rows)):
        one = rows.slice(row, 1)
        for name in reversed(table.key):
            value, kind = one.column(name).to_pylist()[0], rows.schema.field(name).type
            try:
                more = with_values(one, name, [_other(value, kind)])
            except NO_VALUE:
                continue
            whole = pa.concat_tables([rows.slice(0, row + 1), more, rows.slice(row + 1)])
            if not order_fault(whole, table.key):
                return whole
    return None


def alter_cells(group: str, path: str, kind: str, chance: random.Random) -> bool:
    """Alter cells of an array in its folder; False where it has none that could be."""
    array: Any = zarr.open_array(group, path=path, mode="r+", zarr_format=3)
    if 0 in array.shape:
        return False
    if kind in (ALL, FAR):
        values = array[:]
        if values.dtype.kind in "iu":
            bit = values.dtype.type(1)  # none becomes the fill value: zarr leaves out a chunk of these alone
            array[:] = values ^ (np.where(values == bit, 2 * bit, bit) if kind == ALL else _highest_bit(values.dtype))
        else:
            array[:] = ~values
        return True
    for _ in range(FEW):
        one, other = (tuple(chance.randrange(side) for side in array.shape) for _ in range(2))
        first, second = array[one], array[other]
        if kind == ONE:
            array[one] = first ^ 1 if array.dtype.kind in "iu" else not first
            return True
        if first != second:
            array[one], array[other] = second, first
            return True
    return False


def of_family(path: str, family: str) -> bool:
    """True for an array of a family, such as ``classes/{class}/winning``, or what has the very name."""
    parts, names = path.split("/"), family.split("/")
    return (
        bool(path)
        and len(parts) == len(names)
        and all("{" in name or part == name for part, name in zip(parts, names, strict=True))
    )
