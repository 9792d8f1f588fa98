"""Does a run's folder hold what it says? What is checked is checked by other code than wrote it.

* ``hashes``: every file named by a receipt is there with its size and SHA-256, and nothing else lies in the dataset.
* ``structure``: Parquet files decode with their page checksums, have the registered schema, strictly increasing keys
  and the receipts' row counts, and the files of a folder continue one another; Zarr arrays decode with theirs.
* ``logic``: each space re-derives a seeded sample and its golden totals by other means.
"""

import hashlib
import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import pyarrow as pa
import pyarrow.parquet as pq

from pipeline.plan import Work, recorded_work
from pipeline.space import Table
from pipeline.storage.receipts import FileRecord, Receipt
from pipeline.storage.run_folder import FinishedStages, SpaceFolder

Level = Literal["hashes", "structure", "logic"]
LEVELS: tuple[Level, ...] = ("hashes", "structure", "logic")


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong: ``where`` is a path (and row) relative to the run's folder, or a check's name."""

    level: Level
    where: str
    what: str


@dataclass(frozen=True)
class Verification:
    """What was checked, and what was wrong."""

    files: int
    bytes: int
    rows: int
    cases: int
    faults: tuple[Fault, ...]


def verify(root: Path, level: Level, seed: int = 0, names: Sequence[str] = ()) -> Verification:
    """Check a run's folder, or its datasets ``names``, up to ``level``; ``seed`` chooses the logic level's sample."""
    faults: list[Fault] = []
    files = size = rows = cases = 0
    for work in recorded_work(root):
        if names and work.space.name not in names:
            continue
        folder = SpaceFolder(root, work.space.name)
        receipts, missing = _receipts(folder, work)
        records = [file for receipt in receipts for file in receipt.files]
        found = [*missing, *_hash_faults(root, folder, records)]
        files += len(records)
        size += sum(record.bytes for record in records)
        if level != "hashes" and not found:
            found += _structure_faults(root, work, records)
            rows += sum(record.rows for record in records)
        if level == "logic" and not found:
            checks = work.space.checks(work.config, FinishedStages(folder, work.space), seed)
            cases += sum(check.cases for check in checks)
            found += [Fault("logic", f"{work.space.name}: {c.name}", c.fault) for c in checks if c.fault]
        faults += found
    return Verification(files, size, rows, cases, tuple(faults))


def _receipts(folder: SpaceFolder, work: Work) -> tuple[list[Receipt], list[Fault]]:
    receipts: list[Receipt] = []
    faults = []
    for stage in work.space.stages(work.config):
        path = folder.stage(stage)
        try:
            receipts += folder.finished(stage).receipts
        except Exception as error:
            faults.append(Fault("hashes", str(path.relative_to(folder.root)), str(error)))
    if not folder.complete.exists():
        where = str(folder.complete.relative_to(folder.root))
        faults.append(Fault("hashes", where, "missing: the run is not finished"))
    return receipts, faults


def _hash_faults(root: Path, folder: SpaceFolder, records: Sequence[FileRecord]) -> Iterator[Fault]:
    for record in {record.path: record for record in records}.values():
        fault = _hash_fault(root / record.path, record)
        if fault:
            yield Fault("hashes", record.path, fault)
    known = {record.path for record in records}
    for path in sorted(folder.dataset.rglob("*")):
        name = path.relative_to(root).as_posix()
        if path.is_file() and path.parent != folder.dataset and name not in known:
            yield Fault("hashes", name, "no receipt names this file")


def _hash_fault(path: Path, record: FileRecord) -> str:
    try:
        with path.open("rb") as stream:
            found = hashlib.file_digest(stream, "sha256").hexdigest()
            size = stream.tell()
    except OSError as error:
        return f"cannot be read ({error.strerror})"
    if size != record.bytes:
        return f"{size} bytes, its receipt says {record.bytes}"
    return "" if found == record.sha256 else "its content differs from what its receipt says (SHA-256)"


def _structure_faults(root: Path, work: Work, records: Sequence[FileRecord]) -> Iterator[Fault]:
    ends: dict[str, tuple[str, tuple[Any, ...]]] = {}
    for record in sorted((r for r in records if r.table), key=lambda r: r.path):
        table = work.space.table(record.table)
        fault = _table_fault(root / record.path, table, record)
        if fault:
            yield Fault("structure", record.path, fault)
        folder = f"{Path(record.path).parent}"
        before = ends.get(folder)
        if table.published and record.rows and before and not before[1] < record.first:
            overlap = f"starts at {record.first}, not above the end {before[1]} of {before[0]}"
            yield Fault("structure", record.path, overlap)
        if record.rows:
            ends[folder] = (record.path, record.last)
    arrays: dict[str, list[str]] = defaultdict(list)
    for record in records:
        if record.array:
            arrays[record.array].append(record.path)
    for path, files in arrays.items():
        fault = _array_fault(root / work.space.name / "arrays.zarr", path, len(files))
        if fault:
            yield Fault("structure", Path(files[0]).parent.as_posix(), fault)


def _table_fault(path: Path, table: Table, record: FileRecord) -> str:
    try:
        rows = pq.read_table(path, page_checksum_verification=True, partitioning=None)
    except Exception as error:  # forged metadata makes decoders raise nearly anything
        return f"does not decode: {error}"
    if rows.schema.remove_metadata() != table.schema:
        return f"its schema is not the registered one of {table.name!r}"
    if rows.num_rows != record.rows:
        return f"{rows.num_rows} rows, its receipt says {record.rows}"
    return _key_fault(rows, table.key)


def _key_fault(rows: pa.Table, key: Sequence[str]) -> str:
    """Sort with Arrow and compare: another way than the writer's."""
    keys = rows.select(list(key)).combine_chunks()
    in_order = keys.take(pa.compute.sort_indices(keys, [(name, "ascending") for name in key]))
    if not in_order.equals(keys):
        position = next(i for i in range(keys.num_rows) if keys.slice(i, 1) != in_order.slice(i, 1))
        return f"row {position} is out of order by {', '.join(key)}"
    if keys.group_by(list(key)).aggregate([]).num_rows != keys.num_rows:
        return f"two rows share their key ({', '.join(key)})"
    return ""


def _array_fault(group: Path, path: str, files: int) -> str:
    import zarr

    try:
        array = zarr.open_array(group, path=path, mode="r")
        steps = array.shards or array.chunks
        needed = math.prod(-(-size // step) for size, step in zip(array.shape, steps, strict=True))
        if needed != files:
            return f"its metadata speaks of {needed} files, receipts of {files}"
        for start in range(0, array.shape[0], steps[0]):
            array[start : start + steps[0]]
    except Exception as error:  # forged metadata makes decoders raise nearly anything
        return f"does not decode: {error!r}"
    return ""
