"""Parquet files written once more from their rows, and compared byte by byte.

Readers with a filter skip row groups by the statistics in the footer, and pages by the page index. So a file whose rows
are right and whose statistics are not would answer queries wrongly, and Arrow decodes its pages whatever it says. What
this program writes follows from the rows (:func:`.row_group_writer`), so the version of pyarrow that wrote a file
writes the same bytes again: statistics, sizes, levels, page headers, page indexes, and nothing besides.

Another version of pyarrow, or a build with another zstd, may write other bytes of the same rows. Of such files the
statistics of the footer are compared with those that are written here, and a note says that the rest was not.
"""

import io
import itertools
import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from boardspace.spec.space import Table
from boardspace.spec.texts import counted
from boardspace.storage.parquet import DIFFERENCES, row_group_writer

WRITER = re.compile(r"parquet-cpp-arrow version [0-9]+\.[0-9]+\.[0-9]+(-SNAPSHOT)?")
SHARD = b"shard"
"""Metadata that says which shard wrote a file."""
STATED = ("min", "max", "null_count")
"""Statistics of a column in a row group, where they are stated."""
ALTERED = (
    "its bytes are not those that its rows are written as: its statistics, its page index or its page headers say "
    "something else than the rows, or it holds something more"
)


class RewritingError(ValueError):
    """File that says of its rows what they are not."""


class _Compared(io.RawIOBase):
    """Stream that keeps nothing: what is written to it is compared with a file, wherever others read that.

    same: so far all bytes were the file's.
    length: how many there were.
    """

    def __init__(self, file: io.BufferedReader) -> None:
        self.file = file.fileno()
        self.same = True
        self.length = 0

    def writable(self) -> bool:
        return True

    def write(self, content: Any) -> int:
        self.same = self.same and os.pread(self.file, len(content), self.length) == content
        self.length += len(content)
        return len(content)


class Rewriting:
    """The writing of a file once more.

    write: takes the rows of the next row group.
    same: all bytes are those of the file; False where another version wrote it. Known at the end.
    """

    def __init__(self, write: Callable[[pa.Table], None]) -> None:
        self.write = write
        self.same = True


@contextmanager
def rewriting(stream: io.BufferedReader, file: pq.ParquetFile, table: Table) -> Iterator[Rewriting]:
    """Write a file of a table, which was opened as ``stream``, once more.

    At the end RewritingError says what it has beside the rows that does not follow from them. A file of a release
    that is no copy of a shard's keeps statistics of fewer columns.
    """
    metadata: Mapping[bytes, bytes] = file.schema_arrow.metadata or {}  # in their order, which ``file.metadata`` loses
    statistics = () if SHARD in metadata else table.lookup
    compared, written = _Compared(stream), list[pq.FileMetaData]()
    with row_group_writer(compared, table, metadata, statistics, _by_version_1(file, table), written) as write:
        made = Rewriting(write)
        yield made
    made.same = compared.same and compared.length == os.fstat(stream.fileno()).st_size
    if not made.same:
        _require_other_writer(file.metadata, written[0])
        _compare_statistics(file.metadata, written[0])


def _by_version_1(file: pq.ParquetFile, table: Table) -> list[str]:
    """The columns that may lack values and are stored as differences all the same, as version 1 stored them."""
    may_lack = {column.name for column in table.columns if column.nullable}
    chunks = itertools.islice(_chunks(file.metadata), file.metadata.num_columns)
    return [one.path_in_schema for one in chunks if one.path_in_schema in may_lack and DIFFERENCES in one.encodings]


def _require_other_writer(found: pq.FileMetaData, made: pq.FileMetaData) -> None:
    """RewritingError where this very writer wrote a file of other bytes than were made here: with another zstd, nothing
    but the lengths of compressed columns would be others."""
    writer = found.created_by or ""
    if not WRITER.fullmatch(writer):
        raise RewritingError(f"it says that it was written by {writer[:100]!r}")
    if writer == made.created_by and (_encodings(found) != _encodings(made) or _lengths(found) == _lengths(made)):
        raise RewritingError(ALTERED)


def _compare_statistics(found: pq.FileMetaData, made: pq.FileMetaData) -> None:
    """RewritingError where statistics of a row group are stated, and are not those of its rows."""
    for number, (theirs, ours) in enumerate(zip(_chunks(found), _chunks(made), strict=True)):
        where = f"column {ours.path_in_schema!r} in row group {number // max(1, made.num_columns)}"
        if theirs.num_values != ours.num_values:
            raise RewritingError(f"{where} has {ours.num_values} values, its footer says {theirs.num_values}")
        stated, true = (one.statistics.to_dict() if one.statistics else {} for one in (theirs, ours))
        if any(stated.get(name) is not None and stated[name] != true.get(name) for name in STATED):
            raise RewritingError(f"{where} has other least or greatest values, or nulls, than its statistics say")


def _chunks(metadata: pq.FileMetaData) -> Iterator[Any]:
    for group in map(metadata.row_group, range(metadata.num_row_groups)):
        yield from map(group.column, range(group.num_columns))


def _encodings(metadata: pq.FileMetaData) -> list[Any]:
    return [(one.compression, one.encodings, one.has_offset_index, one.has_column_index) for one in _chunks(metadata)]


def _lengths(metadata: pq.FileMetaData) -> list[int]:
    return [one.total_compressed_size for one in _chunks(metadata)]


def note_of(others: int) -> Iterator[str]:
    """Note on files that others wrote, if there are any."""
    if others:
        yield (
            f"{counted(others, 'table file')} written by another version, or with another build of pyarrow: of what "
            "they say of their rows, the statistics in the footer were compared, and nothing else"
        )
