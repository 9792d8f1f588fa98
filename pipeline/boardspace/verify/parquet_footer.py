"""Footers and page indexes of Parquet files, compared with the rows.

Readers with a filter skip row groups by the statistics in the footer, and pages by the page index. So a file whose rows
are right and whose statistics are not would answer queries wrongly. Both are read here from the bytes
(:mod:`boardspace.verify.thrift`), as Arrow decodes pages whatever they say: least and greatest values, nulls, the order
of pages, and where each page lies and how many values it has. A file has no bytes that its footer does not account for,
and nothing that would say more of the rows, such as a Bloom filter.
"""

import functools
import io
import os
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from boardspace.verify.thrift import Fields, structure_at

MAGIC = b"PAR1"
LONGEST = 1 << 28
"""Of a footer or a page index, in bytes."""

PAGE_HEADER = 512
"""Bytes in which the header of a page ends, as a rule."""

# Fields that this program writes, by their numbers in parquet.thrift.
OF_FILE = {1, 2, 3, 4, 5, 6, 7}
OF_GROUP = {1, 2, 3, 5, 6, 7}
OF_CHUNK = {2, 3, 4, 5, 6, 7}
OF_COLUMN = {1, 2, 3, 4, 5, 6, 7, 9, 11, 12, 13, 16}
OF_STATISTICS = {1, 2, 3, 5, 6, 7, 8}
UNORDERED, ASCENDING, DESCENDING = 0, 1, 2

Extremes = tuple[Any, Any] | None
"""The least and the greatest value; None of nothing but nulls."""


class FooterError(ValueError):
    """Footer, or page index, that disagrees with its file."""


@dataclass(frozen=True)
class Leaves:
    """The values of a column in one row group, those of lists one after the other.

    values: Arrow array.
    starts: int64, one more than there are rows: where the values of each row begin.
    slots: int64, likewise: how many values or gaps, as Parquet counts them, stand before each row; an empty list is a
        gap.
    nulls: int64, likewise: how many of these are gaps.
    """

    values: Any
    starts: npt.NDArray[np.int64]
    slots: npt.NDArray[np.int64]
    nulls: npt.NDArray[np.int64]


class Footer:
    """The footer of an opened file.

    stream: the file.
    groups: its row groups.
    metadata: its texts by their keys.
    """

    def __init__(self, stream: io.BufferedReader) -> None:
        size = stream.seek(0, io.SEEK_END)
        length = int.from_bytes(_read(stream, size - 8, 4), "little")
        if _read(stream, 0, 4) != MAGIC or _read(stream, size - 4, 4) != MAGIC:
            raise FooterError("is no Parquet file")
        fields = _structure(stream, size - 8 - length, length)
        self.stream = stream
        self.groups: list[Fields] = fields.get(4, [])
        pairs = [(pair[1], pair.get(2, b"")) for pair in fields.get(5, [])]
        self.metadata: dict[bytes, bytes] = dict(pairs)
        _require_known(fields, OF_FILE, "its footer")
        if len(self.metadata) < len(pairs):
            raise FooterError("its metadata say something twice")
        if any(order != {1: {}} for order in fields.get(7, [])):
            raise FooterError("its columns are ordered otherwise than by their types")
        known = len(MAGIC) + sum(map(_group_bytes, self.groups)) + length + 8
        if known != size:
            raise FooterError(f"it has {size:,} bytes, and its footer accounts for {known:,}")

    def check_group(self, number: int, rows: pa.Table) -> None:
        """FooterError where the footer or the page indexes say of a row group what its rows do not."""
        group = self.groups[number]
        _require_known(group, OF_GROUP, f"row group {number}")
        for chunk, name in zip(group[1], rows.column_names, strict=True):
            where = f"column {name!r} in row group {number}"
            _require_known(chunk, OF_CHUNK, where)
            _require_known(chunk[3], OF_COLUMN, where)
            if chunk[3][3][0] != name.encode():
                raise FooterError(f"{where} is named otherwise there")
            self._check_chunk(chunk, _leaves(rows.column(name)), where)

    def _check_chunk(self, chunk: Fields, leaves: Leaves, where: str) -> None:
        column, ends = chunk[3], np.array([0, len(leaves.starts) - 1])
        if column[5] != leaves.slots[-1]:
            raise FooterError(f"{where} has {leaves.slots[-1]} values, its footer says {column[5]}")
        if 4 in chunk:
            pages = _structure(self.stream, chunk[4], chunk[5])[1]
            self._check_pages(column, pages, leaves, where)
            ends = np.array([*(page[3] for page in pages), len(leaves.starts) - 1])
        extremes = _extremes(leaves, ends)
        _check_statistics(column.get(12, {}), leaves, _of_all(extremes), where)
        if 6 in chunk:
            nulls = np.diff(leaves.nulls[ends]).tolist()
            _check_index(_structure(self.stream, chunk[6], chunk[7]), leaves.values.type, extremes, nulls, where)

    def _check_pages(self, column: Fields, pages: Sequence[Fields], leaves: Leaves, where: str) -> None:
        """Pages follow one another, from the first row to the last."""
        at, end = column[9], column.get(11, column[9]) + column[7]
        rows = [*(page[3] for page in pages), len(leaves.starts) - 1]
        if rows[0] != 0 or any(row >= after for row, after in pairwise(rows)):
            raise FooterError(f"{where}: its pages do not begin at rows one after the other")
        for page, values in zip(pages, np.diff(leaves.slots[rows]).tolist(), strict=True):
            if page[1] != at or _values_in_page(self.stream, page) != values:
                raise FooterError(f"{where}: the page index says that another page begins at row {page[3]}")
            at += page[2]
        if at != end:
            raise FooterError(f"{where}: its pages end at byte {at}, and the page index says {end}")


def _check_statistics(found: Fields, leaves: Leaves, extremes: Extremes, where: str) -> None:
    """The statistics of a row group, as far as there are any."""
    _require_known(found, OF_STATISTICS, f"the statistics of {where}")
    stated = [(place, found[place]) for place in (1, 2, 5, 6) if place in found]
    kind = leaves.values.type
    least_or_greatest = {place: extremes and extremes[place in (1, 5)] for place, _ in stated}
    if any(extremes is None or _plain(kind, text) != least_or_greatest[place] for place, text in stated):
        raise FooterError(f"{where} has other least or greatest values than its statistics say")
    if found.get(3, leaves.nulls[-1]) != leaves.nulls[-1]:
        raise FooterError(f"{where} has {leaves.nulls[-1]} nulls, its statistics say {found[3]}")


def _check_index(
    found: Fields, kind: pa.DataType, extremes: Sequence[Extremes], nulls: Sequence[int], where: str
) -> None:
    """The page index of a column, whose pages have these least and greatest values, and so many nulls."""
    texts = zip(found[1], found[2], found[3], strict=True)
    stated = [None if empty else (_plain(kind, low), _plain(kind, high)) for empty, low, high in texts]
    if stated != extremes:
        raise FooterError(f"{where} has pages with other least or greatest values than its page index says")
    if found.get(5, nulls) != nulls:
        raise FooterError(f"{where} has pages with another number of nulls than its page index says")
    for place in (0, 1):
        values = [page[place] for page in stated if page is not None]
        order = found[4]
        if (order == ASCENDING and any(a > b for a, b in pairwise(values))) or (
            order == DESCENDING and any(a < b for a, b in pairwise(values))
        ):
            raise FooterError(f"{where} has pages in another order than its page index says")


def _leaves(column: pa.ChunkedArray) -> Leaves:
    values = column.combine_chunks()
    if not pa.types.is_list(values.type):
        rows, none = _each_a_value(len(values) + 1)
        return Leaves(values, rows, rows, _running(values.is_null()) if values.null_count else none)
    lengths = pc.list_value_length(values).fill_null(0).to_numpy(zero_copy_only=False).astype(np.int64)
    starts = np.concatenate([[0], np.cumsum(lengths)])
    inner = values.flatten()
    gaps = _running(inner.is_null())[starts] + np.concatenate([[0], np.cumsum(lengths == 0)])
    return Leaves(inner, starts, np.concatenate([[0], np.cumsum(np.maximum(lengths, 1))]), gaps)


@functools.lru_cache(maxsize=8)
def _each_a_value(length: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Starts of rows that have a value each, and their nulls, none; kept, because most columns have as many rows."""
    return np.arange(length), np.zeros(length, np.int64)


def _running(flags: Any) -> npt.NDArray[np.int64]:
    """How many are set before each, and of all."""
    return np.concatenate([[0], np.cumsum(flags.to_numpy(zero_copy_only=False))]).astype(np.int64)


def _extremes(leaves: Leaves, ends: npt.NDArray[np.int64]) -> list[Extremes]:
    """The least and the greatest value between each two of the rows ``ends``."""
    values, starts = leaves.values, leaves.starts[ends]
    kind = values.type
    number = pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_boolean(kind)
    if number and not values.null_count and np.all(np.diff(starts) > 0):
        plain = values.to_numpy(zero_copy_only=False)
        least, most = np.fmin.reduceat(plain, starts[:-1]), np.fmax.reduceat(plain, starts[:-1])
        return list(zip(least.tolist(), most.tolist(), strict=True))
    return list(_extremes_one_by_one(values, starts.tolist()))


def _of_all(extremes: Sequence[Extremes]) -> Extremes:
    """The least and the greatest value of all these pages."""
    there = [one for one in extremes if one is not None]
    return (min(least for least, _ in there), max(most for _, most in there)) if there else None


def _extremes_one_by_one(values: Any, starts: Sequence[int]) -> Iterator[Extremes]:
    for low, high in pairwise(starts):
        found = pc.min_max(values.slice(low, high - low)).as_py()
        least, most = (end.encode() if isinstance(end, str) else end for end in (found["min"], found["max"]))
        yield None if least is None else (least, most)


def _plain(kind: pa.DataType, text: bytes) -> Any:
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


def _values_in_page(stream: io.BufferedReader, page: Fields) -> int:
    """The number of values that the header of a data page states; FooterError where it is no page of that size."""
    content = _read(stream, page[1], min(page[2], PAGE_HEADER))
    header, end = structure_at(content)
    data = header.get(5) or header.get(8)
    if data is None or end + header[3] != page[2]:
        raise FooterError("its page index speaks of a page that is none")
    return int(data[1])


def _group_bytes(group: Fields) -> int:
    """Bytes of a row group, its page indexes included."""
    return sum(chunk[3][7] + chunk.get(5, 0) + chunk.get(7, 0) for chunk in group[1])


def _require_known(fields: Fields, known: set[int], what: str) -> None:
    if fields.keys() - known:
        raise FooterError(f"{what}: says what boardspace does not write (field {min(fields.keys() - known)})")


def _structure(stream: io.BufferedReader, at: int, length: int) -> Fields:
    return structure_at(_read(stream, at, length))[0]


def _read(stream: io.BufferedReader, at: int, length: int) -> bytes:
    if at < 0 or not 0 <= length <= LONGEST or at + length > os.fstat(stream.fileno()).st_size:
        raise FooterError("its footer lies elsewhere")
    stream.seek(at)
    return stream.read(length)
