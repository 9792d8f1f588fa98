"""Verification of a run: does its folder hold what its receipts say?

* ``hashes``: the records say what the plan asks for (:mod:`boardspace.verify.records`); every file named by a
  receipt is there with its size and SHA-256, and nothing else lies in the dataset.
* ``structure``: published Parquet files decode with their page checksums, have the registered schema, strictly
  increasing keys and the receipts' row counts and digests, and the files of a folder continue one another; their
  statistics, page indexes, descriptions and other metadata say what the rows, the plan and the registry do
  (:mod:`boardspace.verify.rewriting`). Zarr arrays decode with their checksums, and have the registered metadata.
* ``logic``: the checks of each space (:mod:`boardspace.spec.check`) re-derive every column and array by other means,
  all rows or a draw of them, and its claims are judged again. A column that no check names is a fault, too.
"""

import functools
import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from boardspace.engine.plan import Work, planned_spaces, recorded_work
from boardspace.spec.space import Draw, Table
from boardspace.storage.arrays import METADATA
from boardspace.storage.arrays import ROOT as ARRAYS
from boardspace.storage.digest import add
from boardspace.storage.receipts import FileRecord
from boardspace.storage.run_folder import COMPLETE, PLAN, FinishedStages, SpaceFolder
from boardspace.verify.arrays import check_metadata, layout_of, shard_digest
from boardspace.verify.executor import Executor, executor
from boardspace.verify.files import FileFaultError, Rows, check_hash, check_table, stamp_by
from boardspace.verify.logic import Opened, begin_checks, logic_of
from boardspace.verify.private_folder import folder_faults, plan_faults, private_faults
from boardspace.verify.recompute import checks_of_run
from boardspace.verify.records import Records, plan_fault, plan_notes, records_of
from boardspace.verify.result import Fault, Level, Rederived, Verification, what_was_left
from boardspace.verify.rewriting import note_of
from boardspace.verify.tree import tree_of


def verify_run(root: Path, level: Level, draw: Draw, names: Sequence[str], processes: bool = False) -> Verification:
    """Check a run's folder, or its datasets ``names``, up to ``level``; ``draw`` chooses what the logic level tries.

    ``processes`` lets other processes of this program do it where there is much to check.
    """
    faults = [*plan_faults(root), *folder_faults(root, set(planned_spaces(root)))]

    def unreadable(name: str, what: str) -> None:
        faults.append(Fault("hashes", PLAN, f"{name}: {what}"))

    parts = verify_datasets(root, level, draw, names, processes, Reports(unreadable=unreadable))
    return Verification.of_all(level, [*parts.values()], faults)


@dataclass(frozen=True)
class Reports:
    """Functions that a check of datasets calls on its way.

    unreadable: as in :func:`boardspace.engine.plan.recorded_work`.
    progress: with how many bytes were looked at more, of how many in all (twice those of the files where they are
        decoded, too); several threads call it.
    """

    unreadable: Callable[[str, str], None] | None = None
    progress: Callable[[int, int], object] = lambda done, size: None


NO_REPORTS = Reports()


def verify_datasets(
    root: Path, level: Level, draw: Draw, names: Sequence[str], processes: bool, reports: Reports = NO_REPORTS
) -> dict[str, Verification]:
    """Check a run's folder as :func:`verify_run` does, dataset by dataset."""
    chosen = [work for work in recorded_work(root, reports.unreadable) if not names or work.space.name in names]
    published = sum(sum(tree_of(root / work.space.name).files.values()) for work in chosen)
    with executor(published, processes) as workers:
        # Read while processes start, which takes them a second.
        recorded = [records_of(SpaceFolder(root, work.space.name), work) for work in chosen]
        tasks = [DatasetToCheck(root, *one, level, draw) for one in zip(chosen, recorded, strict=True)]
        size = sum(task.bytes for task in tasks)
        whole = size if level == "hashes" else 2 * size
        tasks = [replace(task, progress=lambda done: reports.progress(done, whole)) for task in tasks]
        parts = workers.datasets(partial(_verify_dataset, workers), tasks)
    return {task.folder.space: part for task, part in zip(tasks, parts, strict=True)}


@dataclass(frozen=True)
class DatasetToCheck:
    """A dataset of a run, and how far it is to be checked."""

    root: Path
    work: Work
    recorded: Records
    level: Level
    draw: Draw
    progress: Callable[[int], object] = lambda done: None

    @property
    def folder(self) -> SpaceFolder:
        """Its place."""
        return SpaceFolder(self.root, self.work.space.name)

    @property
    def bytes(self) -> int:
        """Size of all its files."""
        return sum(record.bytes for record in self.recorded.files)


def _verify_dataset(workers: Executor, dataset: DatasetToCheck) -> Verification:
    """Logic is re-derived while the structure is looked at, and counts where that has no fault."""
    space, records = dataset.work.space, dataset.recorded.files
    wrong_plan = plan_fault(dataset.work)
    found = [Fault("hashes", PLAN, wrong_plan)] if wrong_plan else []
    found += [*dataset.recorded.faults, *_hash_faults(workers, dataset, records)]
    rows = cases = 0
    left = list[str]()
    rederived = list[Rederived]()
    if dataset.level != "hashes" and not found:
        opened = partial(_opened, dataset.root, space.name, next(_VERIFICATIONS))
        checks = checks_of_run(dataset.work) if dataset.level == "logic" else ()
        outcomes = begin_checks(workers, opened, checks, dataset.draw)
        with workers.bounded():
            others = list[FileRecord]()
            found += structure_faults(workers, dataset, records, others)
            left += note_of(len(others))
        rows = sum(record.rows for record in records)
        if dataset.level == "logic" and not found:
            rederived, found = logic_of(dataset.work, checks, outcomes())
            cases = sum(one.cases for one in rederived)
    unchecked = {space.name: dict(space.unchecked)} if rederived else {}
    counts = (len(records), dataset.bytes, rows, cases)
    notes = (*plan_notes(dataset.work), *(f"{space.name}: {note}" for note in left), *what_was_left(rederived))
    return Verification(dataset.level, *counts, tuple(found), notes, tuple(rederived), unchecked)


_VERIFICATIONS = itertools.count()
"""Numbers that no other verification of this process has: what was read for one is not used for others."""


@functools.lru_cache(maxsize=8)
def _opened(root: Path, name: str, verification: int) -> Opened:
    """A dataset's checks, plan and finished stages, read once in each process for all checks of a verification: records
    of thousands of receipts take longer than many a check."""
    work = next(work for work in recorded_work(root, lambda *_: None) if work.space.name == name)
    return checks_of_run(work), work, FinishedStages(SpaceFolder(root, name), work.space)


def _hash_faults(workers: Executor, dataset: DatasetToCheck, records: Sequence[FileRecord]) -> Iterator[Fault]:
    root, folder = dataset.root, dataset.folder
    for record, size in workers.files(partial(_check_hash, root), records, lambda record: record.bytes):
        dataset.progress(record.bytes)
        if isinstance(size, FileFaultError):
            yield Fault("hashes", record.path, str(size))
    tree = tree_of(root / folder.space)
    known = {record.path for record in records}
    for name in sorted(tree.files):
        path = f"{folder.space}/{name}"
        if name != COMPLETE and path not in known:
            yield Fault("hashes", path, "no receipt names this file")
    for name, what in sorted(tree.unexpected.items()):
        path = f"{folder.space}/{name}"
        if path not in known:
            yield Fault("hashes", path, what)
    if not dataset.recorded.faults:
        for fault in private_faults(folder, dataset.recorded):
            if fault.where not in known:
                yield fault


def structure_faults(
    workers: Executor, dataset: DatasetToCheck, records: Sequence[FileRecord], others: list[FileRecord]
) -> Iterator[Fault]:
    """Faults of these files of a dataset, whose hashes are right, decoded by ``workers``; ``others`` gets those that
    another version wrote."""
    root, space = dataset.root, dataset.work.space
    tables = {table.name: table for table in space.all_tables}
    for record in records:
        if record.table and record.table not in tables:
            yield Fault("structure", record.path, f"of no table: {record.table!r}")
    of_arrays = sorted((record for record in records if record.array), key=lambda record: record.path)
    cells = workers.files(partial(_shard_digest, root, space.name), of_arrays, lambda record: record.bytes)
    yield from _table_faults(workers, dataset, tables, records, others)
    yield from _metadata_faults(dataset, records)
    yield from _array_faults(dataset, cells)


def _table_faults(
    workers: Executor,
    dataset: DatasetToCheck,
    tables: Mapping[str, Table],
    records: Sequence[FileRecord],
    others: list[FileRecord],
) -> Iterator[Fault]:
    root = dataset.root
    ends: dict[str, tuple[str, tuple[Any, ...]]] = {}
    of_tables = sorted((record for record in records if record.table in tables), key=lambda r: r.path)
    # Intermediates are no data: their SHA-256 is right, and shards that are made again find what is false in them.
    for record in (record for record in of_tables if not tables[record.table].published):
        dataset.progress(record.bytes)
    of_tables = [record for record in of_tables if tables[record.table].published]
    shards = {file.path: receipt.shard for receipt in dataset.recorded.receipts for file in receipt.files if file.table}
    due = [(record, tables[record.table], shards[record.path]) for record in of_tables]
    stamp = stamp_by(dataset.work.space, dataset.work.plan)
    for (record, _, _), rows in workers.files(partial(_check_table, root, stamp), due, lambda one: one[0].rows):
        dataset.progress(record.bytes)
        if isinstance(rows, FileFaultError):
            yield Fault("structure", record.path, str(rows))
            continue  # what its receipt says of its keys may be nothing that can be compared
        if not rows.rewritten:
            others.append(record)
        folder = f"{Path(record.path).parent} {record.table}"
        before = ends.get(folder)
        if record.rows and before and not before[1] < record.first:
            overlap = f"starts at {record.first}, not above the end {before[1]} of {before[0]}"
            yield Fault("structure", record.path, overlap)
        if record.rows:
            ends[folder] = (record.path, record.last)


def _metadata_faults(dataset: DatasetToCheck, records: Sequence[FileRecord]) -> Iterator[Fault]:
    """Faults of files that hold neither rows nor cells: metadata of arrays, and of the groups above them."""
    space, base = dataset.work.space, f"{dataset.work.space.name}/{ARRAYS}/"
    stamp, group = stamp_by(space, dataset.work.plan), dataset.root / base
    others = [record.path for record in records if not (record.table or record.array or record.blob)]
    arrays = {record.array for record in records if record.array}
    for path in others:
        name = path.removeprefix(base).removesuffix(METADATA).removesuffix("/")
        try:
            check_metadata(group, name, space, stamp)
            holds = any(f"{array}/".startswith(f"{name}/" if name else "") for array in arrays)
            if not holds and layout_of(group / name / METADATA).files:
                raise FileFaultError("belongs to no array")
        except FileFaultError as error:
            yield Fault("structure", path, str(error))


def _array_faults(dataset: DatasetToCheck, cells: Iterator[tuple[FileRecord, str | FileFaultError]]) -> Iterator[Fault]:
    """Each array consists of the shards that its metadata names, with the cells that its receipts do."""
    group = dataset.root / dataset.folder.space / ARRAYS
    shards: dict[str, list[tuple[FileRecord, str | FileFaultError]]] = {}
    for record, digest in cells:
        dataset.progress(record.bytes)
        shards.setdefault(record.array, []).append((record, digest))
    for array, found in shards.items():
        bad = [(record, digest) for record, digest in found if isinstance(digest, FileFaultError)]
        where = Path(found[0][0].path).parent.as_posix()
        if bad:
            yield Fault("structure", where, str(bad[0][1]))
            continue
        names = {record.path.partition(f"/{ARRAYS}/{array}/")[2] for record, _ in found}
        layout = layout_of(group / array / METADATA)
        if layout.files != len(names) or names != set(layout.names()):
            what = f"its metadata names {layout.files} files, there are {len(names)}"
            yield Fault("structure", where, what)
        elif add(str(digest) for _, digest in found) != add(record.digest for record, _ in found if record.digest):
            yield Fault("structure", where, "its cells do not have the digest of its receipts")


def _check_hash(root: Path, record: FileRecord) -> int:
    return check_hash(root / record.path, record.sha256, record.bytes)


def _shard_digest(root: Path, space: str, record: FileRecord) -> str:
    group = f"{space}/{ARRAYS}"
    return shard_digest(root / group, record.array, record.path.removeprefix(f"{group}/{record.array}/"))


def _check_table(root: Path, stamp: Mapping[str, str], due: tuple[FileRecord, Table, str]) -> Rows:
    """Compare the file of a table and a shard with its receipt: metadata, rows, their ends, and digests where the
    receipt has one; FileFaultError tells the difference."""
    record, table, shard = due

    def wrong_number(rows: int) -> str:
        return "" if rows == record.rows else f"{rows} rows, its receipt says {record.rows}"

    rows = check_table(root / record.path, table, {**stamp, "shard": shard}, wrong_number)
    if record.digest and rows.digest != record.digest:
        raise FileFaultError("its rows do not have the digest of its receipt")
    if record.rows and (record.first, record.last) != (rows.first, rows.last):
        raise FileFaultError("its first or last row does not have the key that its receipt says")
    return rows
