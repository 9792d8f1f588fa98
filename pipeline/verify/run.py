"""Does a run's folder hold what its receipts say?

* ``hashes``: the records say what the plan asks for (:mod:`boardspace.pipeline.verify.records`); every file named by a
  receipt is there with its size and SHA-256, and nothing else lies in the dataset.
* ``structure``: Parquet files decode with their page checksums, have the registered schema, strictly increasing keys
  and the receipts' row counts and digests, and the files of a folder continue one another; Zarr arrays decode with
  theirs.
* ``logic``: each space re-derives a seeded sample and its golden totals by other means.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from boardspace.pipeline.plan import PLAN, Work, recorded_work
from boardspace.pipeline.space import Check, Table
from boardspace.pipeline.storage.receipts import FileRecord
from boardspace.pipeline.storage.run_folder import COMPLETE, FinishedStages, SpaceFolder
from boardspace.pipeline.verify.arrays import check_array
from boardspace.pipeline.verify.files import (
    FileFaultError,
    Rows,
    check_hash,
    check_table,
    memory_bounded,
    row_count,
    side_by_side,
)
from boardspace.pipeline.verify.kept import keep
from boardspace.pipeline.verify.records import records_of
from boardspace.pipeline.verify.result import Fault, Level, Verification
from boardspace.pipeline.verify.tree import tree_of


def verify_run(root: Path, level: Level, seed: int, names: Sequence[str]) -> Verification:
    """Check a run's folder, or its datasets ``names``, up to ``level``; ``seed`` chooses the logic level's sample."""
    faults: list[Fault] = []
    parts: list[Verification] = []
    readable = recorded_work(root, lambda name, what: faults.append(Fault("hashes", PLAN, f"{name}: {what}")))
    for work in readable:
        if names and work.space.name not in names:
            continue
        folder = SpaceFolder(root, work.space.name)
        part = _verify_dataset(root, work, level, seed)
        keep(folder, work, part)
        parts.append(part)
        faults += part.faults
    files, size, rows, cases = (sum(getattr(p, name) for p in parts) for name in ("files", "bytes", "rows", "cases"))
    return Verification(level, files, size, rows, cases, tuple(faults))


def _verify_dataset(root: Path, work: Work, level: Level, seed: int) -> Verification:
    """Check one dataset of a run."""
    folder = SpaceFolder(root, work.space.name)
    recorded = records_of(folder, work)
    records = recorded.files
    found = [*recorded.faults, *_hash_faults(root, folder, records)]
    rows = cases = 0
    if level != "hashes" and not found:
        with memory_bounded():
            found += _structure_faults(root, work, records)
        rows = sum(record.rows for record in records)
    if level == "logic" and not found:
        checks = _checks(work, FinishedStages(folder, work.space), seed)
        cases = sum(check.cases for check in checks)
        found += [Fault("logic", f"{work.space.name}: {c.name}", c.fault) for c in checks if c.fault]
        if not any(check.cases or check.fault for check in checks):
            found.append(Fault("logic", f"{work.space.name}: checks", "re-derived no case, so nothing is known"))
    size = sum(record.bytes for record in records)
    return Verification(level, len(records), size, rows, cases, tuple(found))


def _checks(work: Work, inputs: FinishedStages, seed: int) -> Sequence[Check]:
    try:
        return work.space.checks(work.config, inputs, seed)
    except Exception as error:  # forged facts make checks raise nearly anything
        return [Check("checks", 0, f"cannot be made: {error!r}")]


def _hash_faults(root: Path, folder: SpaceFolder, records: Sequence[FileRecord]) -> Iterator[Fault]:
    for record, size in side_by_side(lambda r: check_hash(root / r.path, r.sha256, r.bytes), records):
        if isinstance(size, FileFaultError):
            yield Fault("hashes", record.path, str(size))
    tree = tree_of(root / folder.space)
    known = {record.path for record in records}
    for name in sorted(tree.files):
        path = f"{folder.space}/{name}"
        if name != COMPLETE and path not in known:
            yield Fault("hashes", path, "no receipt names this file")
    for name, what in sorted(tree.strangers.items()):
        path = f"{folder.space}/{name}"
        if path not in known:
            yield Fault("hashes", path, what)


def _structure_faults(root: Path, work: Work, records: Sequence[FileRecord]) -> Iterator[Fault]:
    ends: dict[str, tuple[str, tuple[Any, ...]]] = {}
    tables = {table.name: table for table in work.space.all_tables}
    for record in records:
        if record.table and record.table not in tables:
            yield Fault("structure", record.path, f"of no table: {record.table!r}")
    of_tables = sorted((record for record in records if record.table in tables), key=lambda r: r.path)
    for record, rows in side_by_side(lambda r: _check_table(root, r, tables[r.table]), of_tables):
        if isinstance(rows, FileFaultError):
            yield Fault("structure", record.path, str(rows))
        folder = f"{Path(record.path).parent} {record.table}"
        before = ends.get(folder)
        if tables[record.table].published and record.rows and before and not before[1] < record.first:
            overlap = f"starts at {record.first}, not above the end {before[1]} of {before[0]}"
            yield Fault("structure", record.path, overlap)
        if record.rows:
            ends[folder] = (record.path, record.last)
    arrays: dict[str, list[str]] = defaultdict(list)
    for record in records:
        if record.array:
            arrays[record.array].append(record.path)
    group = root / work.space.name / "arrays.zarr"
    for array, fault in side_by_side(lambda a: check_array(group, a, len(arrays[a])), list(arrays)):
        if fault is not None:
            yield Fault("structure", Path(arrays[array][0]).parent.as_posix(), str(fault))


def _check_table(root: Path, record: FileRecord, table: Table) -> Rows:
    """Compare numbers of rows, and digests where a receipt has one; FileFaultError tells the difference."""
    said = row_count(root / record.path)
    if said != record.rows:
        raise FileFaultError(f"{said} rows, its receipt says {record.rows}")
    rows = check_table(root / record.path, table)
    if record.digest and rows.digest != record.digest:
        raise FileFaultError("its rows do not have the digest of its receipt")
    return rows
