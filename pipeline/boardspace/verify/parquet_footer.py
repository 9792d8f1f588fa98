"""Footers and page indexes of Parquet files, compared with the rows.

Readers with a filter skip row groups by the statistics in the footer, and pages by the page index. So a file whose rows
are right and whose statistics are not would answer queries wrongly. Both are read here from the bytes
(:mod:`boardspace.verify.thrift`), as Arrow decodes pages whatever they say: least and greatest values, nulls, sizes and
levels, the order of pages, and where each page lies, how many values it has and what its header says of them. A file
has no bytes that its footer does not account for, and nothing that would say more of the rows, such as a Bloom filter.
"""

import io
import re
from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Any

import numpy as np
import pyarrow as pa

from boardspace.verify.parquet_pages import Page, data_pages
from boardspace.verify.parquet_values import (
    Counts,
    Extremes,
    FooterError,
    Leaves,
    extremes_between,
    extremes_of_all,
    leaves_of,
    plain_value,
)
from boardspace.verify.thrift import Fields, structure_at

__all__ = ["Footer", "FooterError"]

MAGIC = b"PAR1"
WRITER = re.compile(rb"parquet-cpp-arrow version [0-9]+\.[0-9]+\.[0-9]+(-SNAPSHOT)?")
LONGEST = 1 << 28
"""Of a footer or a page index, in bytes."""

# Fields that this program writes, by their numbers in parquet.thrift.
OF_FILE = {1, 2, 3, 4, 5, 6, 7}
OF_GROUP = {1, 2, 3, 5, 6, 7}
OF_CHUNK = {2, 3, 4, 5, 6, 7}
OF_COLUMN = {1, 2, 3, 4, 5, 6, 7, 9, 11, 12, 13, 16}
OF_STATISTICS = {1, 2, 3, 5, 6, 7, 8}
OF_SIZES = {1, 2, 3}
OF_OFFSETS = {1, 2}
OF_INDEX = {1, 2, 3, 4, 5, 6, 7}
UNORDERED, ASCENDING, DESCENDING = 0, 1, 2


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
        if not WRITER.fullmatch(fields.get(6, b"")):
            raise FooterError(f"it says that it was written by {fields.get(6, b'')[:100]!r}")
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
        _check_place(group, number)
        for chunk, field in zip(group[1], rows.schema, strict=True):
            where = f"column {field.name!r} in row group {number}"
            _require_known(chunk, OF_CHUNK, where)
            _require_known(chunk[3], OF_COLUMN, where)
            if chunk[3][3][0] != field.name.encode():
                raise FooterError(f"{where} is named otherwise there")
            self._check_chunk(chunk, leaves_of(rows.column(field.name), field), where)

    def _check_chunk(self, chunk: Fields, leaves: Leaves, where: str) -> None:
        column, whole = chunk[3], np.array([0, len(leaves.starts) - 1])
        if column[5] != leaves.slots[-1]:
            raise FooterError(f"{where} has {leaves.slots[-1]} values, its footer says {column[5]}")
        pages = data_pages(self.stream, column, where)
        ends = _ends(pages, leaves, where)
        if 4 in chunk:
            _check_offsets(_structure(self.stream, chunk[4], chunk[5]), pages, leaves, ends, where)
        extremes, nulls = extremes_between(leaves, ends), np.diff(leaves.nulls[ends]).tolist()
        kind = leaves.values.type
        for page, extreme, gaps in zip(pages, extremes, nulls, strict=True):
            _check_statistics(page.statistics, kind, extreme, gaps, f"a page of {where}")
        _check_statistics(column.get(12, {}), kind, extremes_of_all(extremes), leaves.nulls[-1], where)
        _check_sizes(column.get(16, {}), leaves, whole, where)
        if 6 in chunk:
            index = _structure(self.stream, chunk[6], chunk[7])
            _require_known(index, OF_INDEX, f"the page index of {where}")
            _check_index(index, kind, extremes, nulls, where)
            _check_levels(index.get(6), index.get(7), leaves, ends, f"{where}: its page index")


def _check_place(group: Fields, number: int) -> None:
    """The sizes of a row group are those of its columns, it begins where the first does, and it has its number."""
    columns = [chunk[3] for chunk in group[1]]
    plain, size = sum(column[6] for column in columns), sum(column[7] for column in columns)
    begin = columns[0].get(11, columns[0][9])
    stated = (group[2], group.get(6, size), group.get(5, begin), group.get(7, number))
    if stated != (plain, size, begin, number):
        raise FooterError(f"row group {number} has other sizes, or lies elsewhere, than its footer says")


def _ends(pages: Sequence[Page], leaves: Leaves, where: str) -> Counts:
    """The row at which each page begins, and the number of rows; FooterError where a page begins inside a row."""
    values = np.array([0, *accumulate(page.values for page in pages)])
    ends = np.searchsorted(leaves.slots, values)
    if values[-1] != leaves.slots[-1] or (leaves.slots[ends] != values).any() or (ends[1:] <= ends[:-1]).any():
        raise FooterError(f"{where}: its pages do not begin at rows one after the other")
    return ends


def _check_offsets(found: Fields, pages: Sequence[Page], leaves: Leaves, ends: Counts, where: str) -> None:
    """The part of the page index that says where the pages lie, and how many bytes their texts have."""
    _require_known(found, OF_OFFSETS, f"the page index of {where}")
    stated = [(one[1], one[2], one[3]) for one in found[1]]
    if stated != [(page.at, page.bytes, row) for page, row in zip(pages, ends[:-1].tolist(), strict=True)]:
        raise FooterError(f"{where}: the page index says that pages lie elsewhere, or begin at other rows")
    if 2 in found and found[2] != leaves.bytes_between(ends):
        raise FooterError(f"{where}: the page index says that the texts of its pages have other lengths")


def _check_sizes(found: Fields, leaves: Leaves, whole: Counts, where: str) -> None:
    """The size statistics of a row group, as far as there are any: bytes of texts, and levels."""
    _require_known(found, OF_SIZES, f"the size statistics of {where}")
    if 1 in found and [found[1]] != leaves.bytes_between(whole):
        raise FooterError(f"{where} has texts of other lengths than its size statistics say")
    _check_levels(found.get(2), found.get(3), leaves, whole, f"{where}: its size statistics")


def _check_levels(repeated: Any, defined: Any, leaves: Leaves, ends: Counts, where: str) -> None:
    """How many values have each level, where that is stated."""
    wrong = repeated is not None and repeated != leaves.repeated_between(ends)
    if wrong or (defined is not None and defined != leaves.defined_between(ends)):
        raise FooterError(f"{where} say that lists and nulls lie otherwise")


def _check_statistics(found: Fields, kind: pa.DataType, extremes: Extremes, nulls: int, where: str) -> None:
    """The statistics of a row group or a page, as far as there are any."""
    _require_known(found, OF_STATISTICS, f"the statistics of {where}")
    stated = [(place, found[place]) for place in (1, 2, 5, 6) if place in found]
    least_or_greatest = {place: extremes and extremes[place in (1, 5)] for place, _ in stated}
    if any(extremes is None or plain_value(kind, text) != least_or_greatest[place] for place, text in stated):
        raise FooterError(f"{where} has other least or greatest values than its statistics say")
    if found.get(3, nulls) != nulls:
        raise FooterError(f"{where} has {nulls} nulls, its statistics say {found[3]}")
    if not (found.get(7, True) and found.get(8, True)):
        raise FooterError(f"{where}: its statistics say that they are no exact values")


def _check_index(
    found: Fields, kind: pa.DataType, extremes: Sequence[Extremes], nulls: Sequence[int], where: str
) -> None:
    """The page index of a column, whose pages have these least and greatest values, and so many nulls."""
    texts = zip(found[1], found[2], found[3], strict=True)
    stated = [None if empty else (plain_value(kind, low), plain_value(kind, high)) for empty, low, high in texts]
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


def _group_bytes(group: Fields) -> int:
    """Bytes of a row group, its page indexes included."""
    return sum(chunk[3][7] + chunk.get(5, 0) + chunk.get(7, 0) for chunk in group[1])


def _require_known(fields: Fields, known: set[int], what: str) -> None:
    if fields.keys() - known:
        raise FooterError(f"{what}: says what boardspace does not write (field {min(fields.keys() - known)})")


def _structure(stream: io.BufferedReader, at: int, length: int) -> Fields:
    return structure_at(_read(stream, at, length))[0]


def _read(stream: io.BufferedReader, at: int, length: int) -> bytes:
    if at < 0 or not 0 <= length <= LONGEST or at + length > stream.seek(0, io.SEEK_END):
        raise FooterError("its footer lies elsewhere")
    stream.seek(at)
    return stream.read(length)
