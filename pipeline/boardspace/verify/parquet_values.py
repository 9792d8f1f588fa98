"""The values of a column of one row group, counted and compared as Parquet does: what a footer may say of them.

Parquet writes a column of lists as the values of all lists one after the other. Each has a *definition level*, which
says what of it is there (the list, a value in it, a value that is no null), and a *repetition level*, which is 0 where
a row begins.
"""

import functools
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

Counts = npt.NDArray[np.int64]
Extremes = tuple[Any, Any] | None
"""The least and the greatest value; None of nothing but nulls."""


TEXTS = (pa.types.is_string, pa.types.is_large_string, pa.types.is_binary, pa.types.is_large_binary)


class FooterError(ValueError):
    """Footer, page or page index that disagrees with its file."""


@dataclass(frozen=True)
class Leaves:
    """The values of a column in one row group, those of lists one after the other.

    values: Arrow array.
    starts: int64, one more than there are rows: where the values of each row begin.
    slots: int64, likewise: how many values or gaps, as Parquet counts them, stand before each row; an empty list is a
        gap.
    nulls: int64, likewise: how many of these are gaps.
    defined: int64, likewise, of each definition level: how many of these have it; () where all have the only one.
    listed: True for lists.
    """

    values: Any
    starts: Counts
    slots: Counts
    nulls: Counts
    defined: tuple[Counts, ...] = ()
    listed: bool = False

    def defined_between(self, ends: Counts) -> list[int]:
        """How many slots have each definition level, page after page of those that end at these rows."""
        counted: list[int] = np.array([np.diff(level[ends]) for level in self.defined], int).T.ravel().tolist()
        return counted

    def repeated_between(self, ends: Counts) -> list[int]:
        """How many slots begin a row, and how many do not, page after page; [] where each begins one."""
        rows = np.diff(ends)
        counted: list[int] = np.array([rows, np.diff(self.slots[ends]) - rows]).T.ravel().tolist()
        return counted if self.listed else []

    def bytes_between(self, ends: Counts) -> list[int] | None:
        """Bytes of the texts of each page, lengths and nulls left out; None of values that are no texts."""
        if not any(is_text(self.values.type) for is_text in TEXTS):
            return None
        lengths = pc.binary_length(self.values).fill_null(0).to_numpy(zero_copy_only=False)
        counted: list[int] = np.diff(_before_each(lengths)[self.starts[ends]]).tolist()
        return counted


def leaves_of(column: pa.ChunkedArray, field: pa.Field) -> Leaves:
    """Leaves of a column that is described by a field."""
    values = column.combine_chunks()
    if not pa.types.is_list(values.type):
        rows, none = _each_a_value(len(values) + 1)
        nulls = _before_each(values.is_null()) if values.null_count else none
        return Leaves(values, rows, rows, nulls, (nulls, rows - nulls) if field.nullable else ())
    lengths = pc.list_value_length(values).fill_null(0).to_numpy(zero_copy_only=False).astype(np.int64)
    starts = np.concatenate([[0], np.cumsum(lengths)])
    inner = values.flatten()
    missing, absent = _before_each(inner.is_null())[starts], _before_each(values.is_null())
    empty, slots = _before_each(lengths == 0), np.concatenate([[0], np.cumsum(np.maximum(lengths, 1))])
    nulls = missing + empty
    without = (absent,) if field.nullable else ()
    within = (missing,) if values.type.value_field.nullable else ()
    return Leaves(inner, starts, slots, nulls, (*without, empty - absent, *within, slots - nulls), listed=True)


@functools.lru_cache(maxsize=8)
def _each_a_value(length: int) -> tuple[Counts, Counts]:
    """Starts of rows that have a value each, and their nulls, none; kept, because most columns have as many rows."""
    return np.arange(length), np.zeros(length, np.int64)


def _before_each(counts: Any) -> Counts:
    """Sum of those before each, and of all."""
    plain = counts.to_numpy(zero_copy_only=False) if isinstance(counts, pa.Array) else counts
    return np.concatenate([[0], np.cumsum(plain)]).astype(np.int64)


def extremes_between(leaves: Leaves, ends: Counts) -> list[Extremes]:
    """The least and the greatest value of each page of those that end at these rows."""
    values, starts = leaves.values, leaves.starts[ends]
    kind = values.type
    number = pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_boolean(kind)
    if number and not values.null_count and np.all(np.diff(starts) > 0):
        plain = values.to_numpy(zero_copy_only=False)
        least, most = np.fmin.reduceat(plain, starts[:-1]), np.fmax.reduceat(plain, starts[:-1])
        return list(zip(least.tolist(), most.tolist(), strict=True))
    return list(_extremes_one_by_one(values, starts.tolist()))


def extremes_of_all(extremes: Sequence[Extremes]) -> Extremes:
    """The least and the greatest value of all these pages."""
    there = [one for one in extremes if one is not None]
    return (min(least for least, _ in there), max(most for _, most in there)) if there else None


def _extremes_one_by_one(values: Any, starts: Sequence[int]) -> Iterator[Extremes]:
    for low, high in pairwise(starts):
        found = pc.min_max(values.slice(low, high - low)).as_py()
        least, most = (end.encode() if isinstance(end, str) else end for end in (found["min"], found["max"]))
        yield None if least is None else (least, most)


def plain_value(kind: pa.DataType, text: bytes) -> Any:
    """A value of the Arrow type ``kind``, of the bytes that Parquet writes of it; texts as bytes."""
    if pa.types.is_integer(kind):
        if len(text) not in (4, 8):
            raise FooterError(f"a number of {len(text)} bytes")
        return int.from_bytes(text, "little", signed=pa.types.is_signed_integer(kind))
    if pa.types.is_boolean(kind):
        return text != b"\0"
    if pa.types.is_floating(kind):
        (value,) = struct.unpack("<d" if len(text) == 8 else "<f", text)
        return value
    return text
