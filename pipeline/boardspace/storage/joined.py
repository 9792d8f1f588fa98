"""Shards of a table written as files of a release: the same rows in the same order, however they are cut.

What is read is compared with the SHA-256 of its receipt, and what is written is read back, page checksums and all, and
its rows compared with the digests of the receipts: a row that is lost or changed on the way is not published.
"""

import hashlib
import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from boardspace.spec.space import Table
from boardspace.storage.digest import add, rows_digest
from boardspace.storage.files import StorageError, write
from boardspace.storage.parquet import PAGE_ROWS, ROW_GROUP, filling, in_pages, order_fault, record_of, with_folders
from boardspace.storage.receipts import FileRecord
from boardspace.storage.stored import stored


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
    rows = pa.concat_tables([_read(source / shard.path, shard, table) for shard in shards])
    records = []
    for path, size in files:
        records.append(_written(target, path, joined, rows.slice(0, size), stamp))
        rows = rows.slice(size)
    if add(record.digest for record in records) != add(shard.digest for shard in shards) or rows.num_rows:
        raise StorageError(
            f"{target}: the rows of {table.name!r} differ from those of the run; do not trust this machine"
        )
    return records


def _read(path: Path, record: FileRecord, table: Table) -> pa.Table:
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
        """Note the digest of the rows of each part."""
        digests[:] = [rows_digest(part) for part in _groups(written)]

    row_group = PAGE_ROWS if in_pages(table, rows.num_rows) else ROW_GROUP
    made = write(root / path, filling(table, rows, stamp, row_group, table.lookup), check, "release")
    return record_of(path, made, table, rows, add(digests))


def _groups(path: Path) -> Any:
    with pq.ParquetFile(stored(path).table_file(), page_checksum_verification=True) as file:
        for group in range(file.num_row_groups):
            yield file.read_row_group(group, use_threads=False)
