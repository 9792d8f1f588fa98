"""Checks of single files and arrays, by other code than wrote them."""

import hashlib
import math
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

import pyarrow as pa
import pyarrow.parquet as pq

from boardspace.pipeline.space import Table

Item = TypeVar("Item")
Found = TypeVar("Found")


class FileFaultError(ValueError):
    """What is wrong with a file."""


def side_by_side(
    check: Callable[[Item], Found], items: Sequence[Item]
) -> Iterator[tuple[Item, Found | FileFaultError]]:
    """Check all items, as many at a time as there are cores; each with what its check returned or raised, in order."""

    def attempt(item: Item) -> Found | FileFaultError:
        try:
            return check(item)
        except FileFaultError as error:
            return error

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        yield from zip(items, pool.map(attempt, items), strict=True)


def check_hash(path: Path, sha256: str) -> int:
    """The number of bytes of a file that has this SHA-256; FileFaultError where it has not."""
    try:
        with path.open("rb") as stream:
            found = hashlib.file_digest(stream, "sha256").hexdigest()
            size = stream.tell()
    except OSError as error:
        raise FileFaultError(f"cannot be read ({error.strerror})") from error
    if found != sha256:
        raise FileFaultError("its content differs from its SHA-256")
    return size


def check_table(path: Path, table: Table) -> pa.Table:
    """The rows of a file of a table; FileFaultError where it does not decode, or breaks the table's contract."""
    try:
        rows = pq.read_table(path, page_checksum_verification=True, partitioning=None)
    except Exception as error:  # forged metadata makes decoders raise nearly anything
        raise FileFaultError(f"does not decode: {error!r}") from error
    if rows.schema.remove_metadata() != table.schema:
        raise FileFaultError(f"its schema is not the registered one of {table.name!r}")
    _check_key(rows, table.key)
    return rows


def check_array(group: Path, path: str, files: int) -> None:
    """Decode an array of a Zarr group cell by cell, which has to consist of so many files."""
    import zarr

    try:
        array = zarr.open_array(group, path=path, mode="r")
        steps = array.shards or array.chunks
        needed = math.prod(-(-size // step) for size, step in zip(array.shape, steps, strict=True))
        if needed == files:
            for start in range(0, array.shape[0], steps[0]):
                array[start : start + steps[0]]
    except Exception as error:  # forged metadata makes decoders raise nearly anything
        raise FileFaultError(f"does not decode: {error!r}") from error
    if needed != files:
        raise FileFaultError(f"its metadata speaks of {needed} files, there are {files}")


def _check_key(rows: pa.Table, key: Sequence[str]) -> None:
    """Sort with Arrow and compare: another way than the writer's."""
    keys = rows.select(list(key)).combine_chunks()
    in_order = keys.take(pa.compute.sort_indices(keys, [(name, "ascending") for name in key]))
    if not in_order.equals(keys):
        position = next(i for i in range(keys.num_rows) if keys.slice(i, 1) != in_order.slice(i, 1))
        raise FileFaultError(f"row {position} is out of order by {', '.join(key)}")
    if keys.group_by(list(key)).aggregate([]).num_rows != keys.num_rows:
        raise FileFaultError(f"two rows share their key ({', '.join(key)})")
