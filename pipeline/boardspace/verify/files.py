"""Checks of single files, by other code than wrote them; whatever lies there, they end soon and take little memory.

A file is opened only where it is a regular one of the size it should have. Tables are decoded a row group at a time,
none larger than this program writes. Decoding happens under a limit of memory (:func:`memory_bounded`): a few bytes can
be made to claim that they hold a great many.
"""

import contextlib
import functools
import hashlib
import io
import os
import resource
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from boardspace.engine.machine import cpus
from boardspace.engine.plan import SpacePlan
from boardspace.spec.space import Space, Table
from boardspace.storage.digest import add, rows_digest
from boardspace.storage.files import open_regular, read_up_to
from boardspace.storage.parquet import ROW_GROUP
from boardspace.storage.run_folder import stamp_of
from boardspace.verify.rewriting import SHARD, Rewriting, RewritingError, rewriting

Item = TypeVar("Item")
Found = TypeVar("Found")
MOST_MEMORY = 4 << 30
MOST_CLAIMS = 100_000
LARGEST_GROUP = 1 << 28
"""Bytes of a row group before compression; the largest of ours has a tenth of that."""

ARROW = b"ARROW:schema"
"""Metadata that Arrow adds: the schema in its own form."""


class FileFaultError(ValueError):
    """Fault of a file, in words."""


Ends = tuple[tuple[Any, ...], tuple[Any, ...]]


@dataclass(frozen=True)
class Rows:
    """Rows of a file.

    num_rows: how many there are.
    digest: of all of them.
    first, last: keys of the first and the last; () without rows.
    rewritten: the very bytes of the file are what they are written as; False where another version wrote it.
    """

    num_rows: int
    digest: str
    first: tuple[Any, ...] = ()
    last: tuple[Any, ...] = ()
    rewritten: bool = True


def side_by_side(
    check: Callable[[Item], Found], items: Sequence[Item]
) -> Iterator[tuple[Item, Found | FileFaultError]]:
    """Check all items, as many at a time as there are cores; each with what its check returned or raised, in order."""

    if len(items) < 2:  # no thread is worth starting for one
        yield from ((item, attempt(check, item)) for item in items)
        return
    with ThreadPoolExecutor(cpus()) as pool:
        yield from zip(items, pool.map(functools.partial(attempt, check), items), strict=True)


def attempt(check: Callable[[Item], Found], item: Item) -> Found | FileFaultError:
    """Result or error of the check of an item."""
    try:
        return check(item)
    except FileFaultError as error:
        return error


def stamp_by(space: Space, plan: SpacePlan) -> dict[str, str]:
    """Metadata on every file of a dataset that a plan made; the plan may be of an older version of the space."""
    return {**stamp_of(space, plan.digest), "version": f"{plan.version}.0.0"}


@contextlib.contextmanager
def memory_bounded() -> Iterator[None]:
    """Let this process take MOST_MEMORY more bytes than it has; what wants more fails with a MemoryError (Linux)."""
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii")
    except OSError:  # not on Linux
        yield
        return
    has = next(int(line.split()[1]) << 10 for line in status.splitlines() if line.startswith("VmData:"))
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    limits = [limit for limit in (soft, hard, has + MOST_MEMORY) if limit != resource.RLIM_INFINITY]
    resource.setrlimit(resource.RLIMIT_DATA, (min(limits), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def opened(path: Path, size: int | None = None) -> io.BufferedReader:
    """A regular file of this size, if one is given, opened for reading; FileFaultError for anything else."""
    try:
        stream = open_regular(path)
    except OSError as error:
        raise FileFaultError(f"cannot be read ({error.strerror})") from error
    found = os.fstat(stream.fileno()).st_size
    if size is not None and found != size:
        stream.close()
        raise FileFaultError(f"{found} bytes, its receipt says {size}")
    return stream


def content_of(path: Path, most: int) -> bytes:
    """The content of a regular file; FileFaultError for anything else, and where it is longer than ``most`` bytes."""
    with opened(path) as stream:
        try:
            return read_up_to(stream, most)
        except OSError as error:
            raise FileFaultError(f"cannot be read ({error.strerror})") from error


def check_hash(path: Path, sha256: str, size: int | None = None) -> int:
    """The number of bytes of a file that has this SHA-256 and size; FileFaultError where it has not."""
    with opened(path, size) as stream:
        try:
            found = hashlib.file_digest(stream, "sha256").hexdigest()
        except OSError as error:
            raise FileFaultError(f"cannot be read ({error.strerror})") from error
        read = stream.tell()
    if found != sha256:
        raise FileFaultError("its content differs from its SHA-256")
    return read


def check_table(
    path: Path,
    table: Table,
    stamp: Mapping[str, str] | None = None,
    wrong_number: Callable[[int], str] = lambda rows: "",
    worded: bool = True,
) -> Rows:
    """The rows of a file of a table; FileFaultError where it does not decode, or breaks the table's contract.

    What the names of its folders say belongs to its rows. ``stamp`` is the metadata that it has to have
    (:func:`stamp_by`), where these are known, with its ``shard`` in a run. ``wrong_number`` says, before rows are
    decoded, what is wrong with the number of rows that the file says it has; '' where that is right. ``worded``: the
    descriptions of columns have to be the registry's, word for word.
    """
    with opened(path) as stream:
        try:
            file = pq.ParquetFile(stream, page_checksum_verification=True)
            fault = wrong_number(file.metadata.num_rows)
            if fault:
                raise FileFaultError(fault)
            if not worded:
                table = _worded_as(file.schema_arrow, table)
            if stamp is not None:
                _check_stamp(file, path, table, stamp)
            if file.schema_arrow.remove_metadata() != table.schema:
                raise FileFaultError(f"its schema is not the registered one of {table.name!r}")
            _require_moderate_groups(file.metadata)
            folders = table.folder_values(path.as_posix()) if table.folders else {}
            with rewriting(stream, file, table) as written:
                rows = _check_rows(file, written, table, folders)
            return replace(rows, rewritten=written.same)
        except FileFaultError:
            raise
        except RewritingError as error:
            raise FileFaultError(str(error)) from error
        except Exception as error:  # forged metadata makes decoders raise nearly anything
            raise FileFaultError(why_undecoded(error)) from error


def _worded_as(schema: pa.Schema, table: Table) -> Table:
    """A table whose columns have the descriptions of a file's."""
    docs = {name: (schema.field(name).metadata or {}).get(b"description", b"").decode() for name in schema.names}
    return replace(table, columns=tuple(replace(one, doc=docs.get(one.name, one.doc)) for one in table.columns))


def why_undecoded(error: Exception) -> str:
    """Fault of a file with which a decoder failed; where memory ran out, the file need not be at fault."""
    if isinstance(error, MemoryError):
        return f"takes more memory to decode than there is here, of {MOST_MEMORY >> 30} GiB at most; see `ulimit -v -d`"
    return f"does not decode: {error!r}"


def require_moderate(path: Path) -> None:
    """FileFaultError where a Parquet file does not decode, or has a row group larger than any that is written."""
    with opened(path) as stream:
        try:
            _require_moderate_groups(pq.ParquetFile(stream).metadata)
        except FileFaultError:
            raise
        except Exception as error:
            raise FileFaultError(why_undecoded(error)) from error


def _require_moderate_groups(metadata: Any) -> None:
    for group in map(metadata.row_group, range(metadata.num_row_groups)):
        if group.num_rows > ROW_GROUP:
            raise FileFaultError(
                f"a row group of {group.num_rows:,} rows, and no file of a dataset has more than {ROW_GROUP:,}"
            )
        if group.total_byte_size > LARGEST_GROUP:
            raise FileFaultError(
                f"a row group of {group.total_byte_size:,} bytes, and none of a dataset has {LARGEST_GROUP:,}"
            )


def _check_stamp(file: pq.ParquetFile, path: Path, table: Table, stamp: Mapping[str, str]) -> None:
    """FileFaultError unless the metadata are what this program writes: the dataset, its plan and, as each column's
    description, what the registry says."""
    written = {key.encode(): text.encode() for key, text in {**stamp, "table": table.name}.items()}
    schema = file.schema_arrow
    for found in (file.metadata.metadata or {}, schema.metadata or {}):
        if SHARD in found and SHARD not in written and not _may_be_of(found[SHARD].decode(), path, table):
            raise FileFaultError(f"its metadata say that it is of the shard {found[SHARD].decode()!r}")
        ignored = {ARROW} if SHARD in written else {ARROW, SHARD}
        if {key: text for key, text in found.items() if key not in ignored} != written:
            raise FileFaultError("its metadata are not those of a file of this dataset")
    described = table.described_schema if table.published else table.schema
    for name in table.schema.names:
        if (schema.field(name).metadata or {}) != (described.field(name).metadata or {}):
            raise FileFaultError(f"its description of the column {name!r} is not the registered one")


def _may_be_of(shard: str, path: Path, table: Table) -> bool:
    """Return whether a file of a release, which nobody knows the receipt of, may be a copy of this shard's."""
    return shard == table.name if table.one_file else path.as_posix().endswith(f"/{table.name}/{shard}.parquet")


def _check_rows(file: pq.ParquetFile, written: Rewriting, table: Table, folders: Mapping[str, Any]) -> Rows:
    digests, counted = [], 0
    ends: Ends | None = None
    for group in range(file.num_row_groups):
        size = file.metadata.row_group(group).num_rows
        rows = file.read_row_group(group, use_threads=False)
        if rows.num_rows != size:
            raise FileFaultError(f"row group {group} has {rows.num_rows} rows and says {size}")
        written.write(rows)
        ends = _check_key(rows, table.key, counted, ends)
        digests.append(rows_digest(rows, folders))
        counted += size
    if counted != file.metadata.num_rows:
        raise FileFaultError(f"its row groups hold {counted} rows, and it says {file.metadata.num_rows}")
    return Rows(counted, add(digests), *(ends or ()))


def _check_key(rows: pa.Table, key: Sequence[str], before: int, ends: Ends | None) -> Ends | None:
    """Compare each row with the one before by Arrow, the last column of the key first: another way than the writer's.

    ``ends`` are the keys of the first and the last of the ``before`` rows before these; returns them with these.
    """
    if not rows.num_rows:
        return ends
    keys = rows.select(list(key)).combine_chunks()
    above: Any = None
    for name in reversed(key):
        values = keys.column(name)
        one, other = values.slice(0, keys.num_rows - 1), values.slice(1)
        less = pc.less(one, other)
        above = less if above is None else pc.if_else(pc.equal(one, other), above, less)
    if not pc.all(above, min_count=0).as_py():
        row = pc.index(above, pa.scalar(False)).as_py() + 1
        one, other = (keys.slice(at, 1).to_pylist() for at in (row - 1, row))
        if one == other:
            raise FileFaultError(f"two rows share their key ({', '.join(key)}), the second is row {before + row}")
        raise FileFaultError(f"row {before + row} is out of order by {', '.join(key)}")
    first, final = (tuple(keys.slice(i, 1).to_pylist()[0].values()) for i in (0, keys.num_rows - 1))
    if ends is not None and not ends[1] < first:
        raise FileFaultError(f"row {before} is out of order by {', '.join(key)}")
    return (ends[0] if ends else first, final)
