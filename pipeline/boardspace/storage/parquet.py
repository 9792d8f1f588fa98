"""Parquet files: what is written is sorted, unique and checksummed; what is read is verified.

Shards are joined to the files of a release: the same rows in the same order, however they are cut. What is read for
that is compared with the SHA-256 of its receipt, and what is written is read back, page checksums and all, and its rows
compared with the digests of the receipts: a row that is lost or changed on the way is not published.
"""

import hashlib
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from boardspace.spec.space import CLAIMS, Table
from boardspace.storage.digest import add, rows_digest
from boardspace.storage.files import StorageError, Written, write
from boardspace.storage.locations import BucketPath, Location
from boardspace.storage.receipts import FileRecord
from boardspace.storage.stored import stored, within

ROW_GROUP = 122_880
# A reader that uses the page index fetches one page of each column: of Klotski's `main` 38 kB, for 2 % more bytes.
PAGE_ROWS = 8_192
# Footers grow with row groups and columns. Those of Klotski's `main` are 15 kB: DuckDB takes the last 16 KiB of a file,
# and asks again, for the whole footer, where it is longer.
LOOKUP_ROWS = 24 * PAGE_ROWS
DIFFERENCES = "DELTA_BINARY_PACKED"
# Intermediates are read by key range, most of them a small part of each file.
INTERMEDIATE_ROW_GROUP = 32_768
CLAIMS_FILE = "claims.parquet"


def write_table(root: Location, name: str, table: Table, rows: pa.Table, metadata: Mapping[str, str]) -> FileRecord:
    """Write ``rows`` to ``root / name`` and describe the file; ValueError where they break the table's contract."""
    fractions = [
        column.name
        for column in table.columns
        if pa.types.is_integer(column.type) and pa.types.is_floating(rows.schema.field(column.name).type)
    ]
    if fractions:
        raise ValueError(f"{name}: fractions (floats) for whole numbers in column {fractions[0]}; round them")
    rows = rows.select(table.schema.names).cast(table.schema)
    fault = order_fault(rows, table.key)
    if fault:
        raise ValueError(f"{name}: {fault}")
    row_group = ROW_GROUP if table.published else INTERMEDIATE_ROW_GROUP

    def check(written: Path | BinaryIO) -> None:
        found = pq.read_metadata(stored(written).table_file() if isinstance(written, Path) else written).num_rows
        if found != rows.num_rows:
            raise StorageError(f"{name}: wrote {rows.num_rows} rows but the file holds {found}")

    written = stored(within(root, name)).write(filling(table, rows, metadata, row_group), check, "table")
    digest = rows_digest(rows, table.folder_values(name)) if table.published else ""
    return record_of(name, written, table, rows, digest)


def record_of(path: str, written: Written, table: Table, rows: pa.Table, digest: str) -> FileRecord:
    """Record, for a receipt, of a file of a table that was written with these rows."""
    first, last = _ends(rows, table.key)
    return FileRecord(
        path=path,
        bytes=written.bytes,
        sha256=written.sha256,
        table=table.name,
        rows=rows.num_rows,
        first=first,
        last=last,
        digest=digest,
    )


def filling(
    table: Table, rows: pa.Table, metadata: Mapping[str, str], row_group: int, statistics: Sequence[str] = ()
) -> Callable[[BinaryIO], None]:
    """Function that writes ``rows``, of the table's schema, to a stream as Parquet, ``metadata`` stamped on it; see
    :func:`row_group_writer`."""

    def fill(stream: BinaryIO) -> None:
        with row_group_writer(stream, table, {**metadata, "table": table.name}, statistics) as write:
            for start in range(0, max(1, rows.num_rows), row_group):
                write(rows.slice(start, row_group))

    return fill


@contextmanager
def row_group_writer(
    stream: Any,
    table: Table,
    metadata: Mapping[Any, Any],
    statistics: Sequence[str] = (),
    differences: Sequence[str] = (),
    written: list[pq.FileMetaData] | None = None,
) -> Iterator[Callable[[pa.Table], None]]:
    """Function that writes the rows it is given to a stream, as the next row group of a Parquet file of a table.

    The bytes follow from the rows of each group, the table, the metadata and the version of pyarrow, so that a
    verification can write them once more and compare. ``statistics`` are the columns whose least and greatest values
    are kept; all where none is named. ``differences`` are columns that are stored as differences besides those that
    are now. The file's own metadata go into ``written`` at the end.
    """
    schema = (table.described_schema if table.published else table.schema).with_metadata(metadata)
    with pq.ParquetWriter(
        stream,
        schema,
        compression="zstd",
        write_page_index=True,
        **({"max_rows_per_page": PAGE_ROWS} if table.published else {}),
        write_page_checksum=True,
        write_statistics=list(statistics) or True,
        use_dictionary=[c.name for c in table.columns if pa.types.is_string(c.type)],
        column_encoding=dict.fromkeys([*_stored_as_differences(table), *differences], DIFFERENCES),
        metadata_collector=written,
    ) as writer:
        # In one piece, whatever pieces the rows came in: Arrow begins a batch of values, and may begin a page, at each.
        yield lambda rows: writer.write_table(rows.cast(schema).combine_chunks(), max(1, rows.num_rows))


def in_pages(table: Table, rows: int) -> bool:
    """True for a file of so many rows whose row groups are one page, so that a reader of one row fetches little.

    These are files of tables for look-ups, and small files of tables with one column as their key: a release of few
    classes of Klotski has tables where a release of all has arrays.
    """
    return bool(table.lookup) or (len(table.key) == 1 and PAGE_ROWS < rows <= LOOKUP_ROWS)


def read_tables(
    paths: Sequence[Location], table: Table, columns: Sequence[str] | None, between: tuple[Any, Any] | None
) -> pa.Table:
    """The rows of several files of one table, in the order given; see :meth:`boardspace.spec.space.Inputs.read`."""
    names = list(columns) if columns is not None else table.schema.names
    parts = [_read(path, table.key[0], names, between) for path in paths]
    if not parts:
        return table.schema.empty_table().select(names)
    return pa.concat_tables([part.replace_schema_metadata(None) for part in parts])


def with_folders(rows: pa.Table, table: Table, path: str) -> pa.Table:
    """The rows of a file, the columns that stand in the names of its folders before the others."""
    types = {column.name: column.type for column in table.folders}
    for position, (name, value) in enumerate(table.folder_values(path).items()):
        rows = rows.add_column(position, name, pa.repeat(pa.scalar(value, types[name]), rows.num_rows))
    return rows


def order_fault(rows: pa.Table, key: Sequence[str]) -> str:
    """'' where the rows are strictly increasing by ``key``, else which row is not."""
    above = np.zeros(max(rows.num_rows - 1, 0), bool)
    undecided = np.ones_like(above)
    for name in key:
        values = rows.column(name).to_numpy(zero_copy_only=False)
        above |= undecided & (values[1:] > values[:-1])
        undecided &= values[1:] == values[:-1]
    bad = np.flatnonzero(~above)
    if not len(bad):
        return ""
    row = int(bad[0]) + 1
    shown = {name: rows.column(name)[row].as_py() for name in key}
    return f"row {row} is not above the row before it by its key {shown}"


def _stored_as_differences(table: Table) -> list[str]:
    """Sorted integer keys, what rows are looked up by, and narrow integers, which Parquet would widen to 32 bits.

    Of none of these a value may be missing: a page of nulls alone has no first value to begin with, and fastparquet,
    for one, reads on beyond its end.
    """
    ascending = {*table.key, *table.lookup}
    integers = [column for column in table.columns if pa.types.is_integer(column.type) and not column.nullable]
    return [column.name for column in integers if column.name in ascending or column.type.bit_width < 32]


def _ends(rows: pa.Table, key: Sequence[str]) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    if not rows.num_rows:
        return (), ()
    ends = rows.select(list(key)).take([0, rows.num_rows - 1]).to_pylist()
    return tuple(ends[0].values()), tuple(ends[1].values())


def _read(path: Location, key: str, names: list[str], between: tuple[Any, Any] | None) -> pa.Table:
    try:
        source, far = stored(path).table_file(), isinstance(path, BucketPath)
        with pq.ParquetFile(source, page_checksum_verification=True, pre_buffer=far) as file:
            if between is None:
                return file.read(columns=names)
            groups = _overlapping(file, key, between)
            rows = file.read_row_groups(groups, columns=[*dict.fromkeys([key, *names])])
    except (OSError, pa.ArrowInvalid) as error:
        raise StorageError(f"{path}: damaged ({error}); `boardspace verify` names what to make again") from error
    values = rows.column(key).to_numpy(zero_copy_only=False)
    low, high = (_place(values, end) for end in between)
    return rows.select(names).slice(low, high - low)


def _place(ascending: npt.NDArray[Any], end: Any) -> int:
    """Number of values below ``end``, which may be beyond all that their type holds."""
    if np.issubdtype(ascending.dtype, np.integer):
        limits = np.iinfo(ascending.dtype)
        if not limits.min <= end <= limits.max:
            return len(ascending) if end > limits.max else 0
    # In the column's own type: NumPy would compare uint64 with a plain int as floats.
    return int(np.searchsorted(ascending, ascending.dtype.type(end)))


def _overlapping(file: pq.ParquetFile, key: str, between: tuple[Any, Any]) -> list[int]:
    position = file.schema_arrow.get_field_index(key)
    chosen = []
    for group in range(file.num_row_groups):
        statistics = file.metadata.row_group(group).column(position).statistics
        if statistics is None or not (statistics.max < between[0] or statistics.min >= between[1]):
            chosen.append(group)
    return chosen


def write_joined(
    source: Path,
    shards: Sequence[FileRecord],
    table: Table,
    target: Path,
    files: Sequence[tuple[str, int]],
    stamp: Mapping[str, str],
) -> list[FileRecord]:
    """Write the rows of ``shards``, files of ``table`` below ``source``, as ``files`` (path and number of rows) below
    ``target``, and describe these. StorageError where a shard differs from its receipt, or a file from the shards."""
    joined = table.unfolded
    rows = pa.concat_tables([_read_shard(source / shard.path, shard, table) for shard in shards])
    records = []
    for path, size in files:
        records.append(_written(target, path, joined, rows.slice(0, size), stamp))
        rows = rows.slice(size)
    if add(record.digest for record in records) != add(shard.digest for shard in shards) or rows.num_rows:
        raise StorageError(
            f"{target}: the rows of {table.name!r} differ from those of the run; do not trust this machine"
        )
    return records


def _read_shard(path: Path, record: FileRecord, table: Table) -> pa.Table:
    """The rows of a shard, with the columns of its folders, in the order of the unfolded table."""
    content = path.read_bytes()
    if hashlib.sha256(content).hexdigest() != record.sha256:
        raise StorageError(f"{path}: differs from its receipt; `boardspace verify` tells more")
    rows = pq.ParquetFile(io.BytesIO(content)).read().replace_schema_metadata(None)
    return with_folders(rows, table, record.path).cast(table.unfolded.schema)


def _written(root: Path, path: str, table: Table, rows: pa.Table, stamp: Mapping[str, str]) -> FileRecord:
    fault = order_fault(rows, table.key)
    if fault:
        raise StorageError(f"{path}: {fault}")
    digests: list[str] = []

    def check(written: Path) -> None:
        digests[:] = [rows_digest(part) for part in _groups(written)]

    row_group = PAGE_ROWS if in_pages(table, rows.num_rows) else ROW_GROUP
    made = write(root / path, filling(table, rows, stamp, row_group, table.lookup), check, "release")
    return record_of(path, made, table, rows, add(digests))


def _groups(path: Path) -> Any:
    with pq.ParquetFile(stored(path).table_file(), page_checksum_verification=True) as file:
        for group in range(file.num_row_groups):
            yield file.read_row_group(group, use_threads=False)


def read_claims(dataset: Location) -> list[dict[str, Any]]:
    """The rows of a dataset's claims table, in the order of the text."""
    rows: list[dict[str, Any]] = read_tables([dataset / CLAIMS_FILE], CLAIMS, None, None).to_pylist()
    return sorted(rows, key=lambda row: row["position"])
