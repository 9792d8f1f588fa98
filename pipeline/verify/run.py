"""Does a run's folder hold what its receipts say?

* ``hashes``: every file named by a receipt is there with its SHA-256, and nothing else lies in the dataset.
* ``structure``: Parquet files decode with their page checksums, have the registered schema, strictly increasing keys
  and the receipts' row counts, and the files of a folder continue one another; Zarr arrays decode with theirs.
* ``logic``: each space re-derives a seeded sample and its golden totals by other means.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from boardspace.pipeline.complete import complete_of, read_complete
from boardspace.pipeline.plan import Work, recorded_work
from boardspace.pipeline.space import Check
from boardspace.pipeline.stages import stages_of
from boardspace.pipeline.storage.receipts import FileRecord, Receipt, StageRecord
from boardspace.pipeline.storage.run_folder import FinishedStages, SpaceFolder
from boardspace.pipeline.verify.arrays import check_array
from boardspace.pipeline.verify.files import FileFaultError, check_hash, check_table, side_by_side
from boardspace.pipeline.verify.result import Fault, Level, Verification


def verify_run(root: Path, level: Level, seed: int, names: Sequence[str]) -> Verification:
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
            checks = _checks(work, FinishedStages(folder, work.space), seed)
            cases += sum(check.cases for check in checks)
            found += [Fault("logic", f"{work.space.name}: {c.name}", c.fault) for c in checks if c.fault]
            if not any(check.cases or check.fault for check in checks):
                found.append(Fault("logic", f"{work.space.name}: checks", "re-derived no case, so nothing is known"))
        faults += found
    return Verification(level, files, size, rows, cases, tuple(faults))


def _checks(work: Work, inputs: FinishedStages, seed: int) -> Sequence[Check]:
    try:
        return work.space.checks(work.config, inputs, seed)
    except Exception as error:  # forged facts make checks raise nearly anything
        return [Check("checks", 0, f"cannot be made: {error!r}")]


def _receipts(folder: SpaceFolder, work: Work) -> tuple[list[Receipt], list[Fault]]:
    records: dict[str, StageRecord] = {}
    faults: list[Fault] = []
    for stage in stages_of(work.space, work.config):
        path = folder.stage(stage)
        try:
            records[stage] = folder.finished(stage)
        except Exception as error:
            faults.append(Fault("hashes", str(path.relative_to(folder.root)), str(error)))
    if not faults:
        faults += _complete_faults(folder, work, records)
    return [receipt for record in records.values() for receipt in record.receipts], faults


def _complete_faults(folder: SpaceFolder, work: Work, records: Mapping[str, StageRecord]) -> Iterator[Fault]:
    """COMPLETE follows from the plan and the stages' records: make it again and compare."""
    where = str(folder.complete.relative_to(folder.root))
    if not folder.complete.exists():
        yield Fault("hashes", where, "missing: the run is not finished")
        return
    found = read_complete(folder)
    if found is None:
        yield Fault("hashes", where, "torn or altered")
    elif found != complete_of(folder.space, work.plan.digest, records):
        yield Fault("hashes", where, "says something else than the plan and the records of the stages")


def _hash_faults(root: Path, folder: SpaceFolder, records: Sequence[FileRecord]) -> Iterator[Fault]:
    different = list({record.path: record for record in records}.values())
    for record, size in side_by_side(lambda r: check_hash(root / r.path, r.sha256), different):
        if isinstance(size, FileFaultError):
            yield Fault("hashes", record.path, str(size))
        elif size != record.bytes:
            yield Fault("hashes", record.path, f"{size} bytes, its receipt says {record.bytes}")
    known = {record.path for record in records}
    for path in sorted(folder.dataset.rglob("*")):
        name = path.relative_to(root).as_posix()
        if path.is_file() and path != folder.complete and name not in known:
            yield Fault("hashes", name, "no receipt names this file")


def _structure_faults(root: Path, work: Work, records: Sequence[FileRecord]) -> Iterator[Fault]:
    ends: dict[str, tuple[str, tuple[Any, ...]]] = {}
    tables = {table.name: table for table in work.space.all_tables}
    for record in records:
        if record.table and record.table not in tables:
            yield Fault("structure", record.path, f"of no table: {record.table!r}")
    of_tables = sorted((record for record in records if record.table in tables), key=lambda r: r.path)
    for record, rows in side_by_side(lambda r: check_table(root / r.path, tables[r.table]).num_rows, of_tables):
        if isinstance(rows, FileFaultError):
            yield Fault("structure", record.path, str(rows))
        elif rows != record.rows:
            yield Fault("structure", record.path, f"{rows} rows, its receipt says {record.rows}")
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
