"""Output of a shard that was made again, compared with what a run or a release holds of it.

Contents are compared: rows and cells, and in a run also what later stages read. Bytes of files may differ between
versions of the libraries that write them.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from boardspace.engine.plan import Work
from boardspace.spec.errors import NotInReleaseError
from boardspace.spec.space import Inputs, Output, Table
from boardspace.storage.files import NotKeptError, StorageError
from boardspace.storage.parquet import with_folders
from boardspace.storage.records import canonical_json


@dataclass(frozen=True)
class ShardCheck:
    """Comparison of one shard.

    shard: its name, ``SPACE/STAGE/SHARD``.
    rows, cells: compared.
    stages: made again before it.
    differences: between what was made and what is published, a line each.
    left_out: intermediates that could not be compared, since they are not kept.
    """

    shard: str
    rows: int
    cells: int
    stages: int
    differences: tuple[str, ...]
    left_out: tuple[str, ...]


@dataclass(frozen=True)
class Target:
    """A shard as its name gives it."""

    space: str
    stage: str
    shard: str


def _kept(read: Callable[[], Any]) -> Any:
    """Return what is read; None where it is not kept: a release lacks it, or a run has deleted it, or never had it."""
    try:
        return read()
    except (NotInReleaseError, NotKeptError):
        return None
    except StorageError as error:
        if isinstance(error.__cause__, FileNotFoundError):
            return None
        raise


def _rows(published: Inputs, table: Table, target: Target, made: pa.Table) -> pa.Table:
    """The rows that should be those ``made``, with the columns of folders. The files of a release are not those of
    shards: there they are looked up by their keys."""
    with suppress(NotInReleaseError):
        rows = published.read(target.stage, table.name, shards=[target.shard])
        return with_folders(rows, table, f"{target.shard}.parquet")
    first = made.column(table.unfolded.key[0])
    between = None
    if made.num_rows and pa.types.is_integer(first.type) and not table.folders:
        between = (first[0].as_py(), first[-1].as_py() + 1)
    return _with_keys(published.table(table.name, between=between), table.unfolded.key, made)


def _with_keys(rows: pa.Table, key: Sequence[str], made: pa.Table) -> pa.Table:
    for name in key:
        rows = rows.filter(pc.is_in(rows.column(name), value_set=made.column(name).combine_chunks()))
    if len(key) > 1:
        keys = set(zip(*(made.column(name).to_pylist() for name in key), strict=True))
        found = zip(*(rows.column(name).to_pylist() for name in key), strict=True)
        rows = rows.filter(pa.array([one in keys for one in found], pa.bool_()))
    return rows


def compared(target: Target, work: Work, output: Output, published: Inputs, stages: int) -> ShardCheck:
    """The comparison of what was made of a shard, after so many ``stages``, with what a run or a release has of it."""
    rows = cells = 0
    differences: list[str] = []
    left_out: list[str] = []
    for name, found in output.tables.items():
        table = work.space.table(name)
        made = with_folders(found.select(table.schema.names).cast(table.schema), table, f"{target.shard}.parquet")
        there = _kept(partial(_rows, published, table, target, made))
        if there is None:
            left_out.append(f"table {name}")
            continue
        rows += made.num_rows
        differences += _row_differences(name, table.unfolded, made, there)
    for part in output.arrays:
        cells += part.values.size
        differences += _cell_differences(part.path, part.start, part.values, published)
    for name, values in output.blobs.items():
        blob = _kept(partial(published.blob, target.stage, name, target.shard))
        if blob is None:
            left_out.append(f"blob {name}")
        elif not np.array_equal(blob, values):
            differences.append(f"blob {name}: another array was kept")
    facts = (_kept(partial(published.named_facts, target.stage)) or {}).get(target.shard)
    if facts is not None and canonical_json(facts) != canonical_json(dict(output.facts)):
        differences.append("facts: its receipt holds others")
    shard = f"{target.space}/{target.stage}/{target.shard}"
    return ShardCheck(shard, rows, cells, stages, tuple(differences), tuple(left_out))


def _row_differences(name: str, table: Table, made: pa.Table, there: pa.Table) -> Iterator[str]:
    made, there = made.select(table.schema.names).cast(table.schema), there.select(table.schema.names)
    if made.num_rows != there.num_rows:
        yield f"table {name}: {made.num_rows:,} rows were made, and {there.num_rows:,} of them are published"
        return
    for column in table.schema.names:
        one, other = made.column(column).combine_chunks(), there.column(column).cast(made.column(column).type)
        if not one.equals(other.combine_chunks()):
            rows = zip(one.to_pylist(), other.to_pylist(), strict=True)
            number, (new, old) = next((i, pair) for i, pair in enumerate(rows) if pair[0] != pair[1])
            yield f"table {name}: {column} of row {number:,} of the shard is {new!r}, and {old!r} is published"


def _cell_differences(path: str, start: Sequence[int], values: Any, published: Inputs) -> Iterator[str]:
    there = published.array(path)[tuple(slice(low, low + size) for low, size in zip(start, values.shape, strict=True))]
    if there.shape != values.shape:
        yield f"array {path}: {values.shape} cells from {tuple(start)} on were made, and {there.shape} are published"
    elif not np.array_equal(there, values):
        cell = tuple(int(low + at) for low, at in zip(start, np.argwhere(there != values)[0], strict=True))
        yield f"array {path}: cell {cell} is another"
