"""Publishing: from the complete datasets of a run's folder to a release that anyone can download, open and check."""

import re
import time
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Any

from boardspace.engine.machine import cpus
from boardspace.engine.plan import Work, has_plan, recorded_work, refuse_unknown
from boardspace.release.dataset import Dataset, PublishError, TableFiles, load
from boardspace.release.file_layout import Join, joins_of
from boardspace.release.regenerate import documents
from boardspace.release.sign import drop_signature
from boardspace.spec.check import Draw
from boardspace.spec.space import Table
from boardspace.storage.archive import check_archive, fill_archive
from boardspace.storage.arrays import METADATA, consolidated
from boardspace.storage.arrays import ROOT as ARRAYS
from boardspace.storage.deposits import NO_DEPOSIT, Deposit, Profile, require_within_zenodo
from boardspace.storage.files import Written, sha256_of
from boardspace.storage.locations import Location
from boardspace.storage.mirror import held, local_copy, staging_folder
from boardspace.storage.ownership import refuse_inside
from boardspace.storage.parquet import write_joined
from boardspace.storage.receipts import FileRecord
from boardspace.storage.release_documents import LONGEST, PAGE, archive_of, entry_of, profiles_in, release_documents
from boardspace.storage.release_folder import (
    ARCHIVE,
    MANIFEST,
    SITE_FOLDER,
    SUMS,
    Content,
    Copied,
    Made,
    ReleaseFolder,
    put_release_documents,
    read_sums,
)
from boardspace.storage.run_folder import COMPLETE, stamp_of
from boardspace.storage.stored import stored
from boardspace.verify.coverage import coverage_faults
from boardspace.verify.records import plan_notes
from boardspace.verify.result import faults_text
from boardspace.verify.run import Reports, verify_datasets

Report = Callable[[str], None]
REPORT_SECONDS = 5.0
MOST_SHOWN = 200


@dataclass(frozen=True)
class Published:
    """Dataset as it was published.

    dataset: its name.
    files, bytes: of its data.
    archive: the dataset as one file.
    new: false where exactly this was published before.
    """

    dataset: str
    files: int
    bytes: int
    archive: Written
    new: bool


def publish(
    root: Location,
    release: Location,
    names: Sequence[str],
    report: Report,
    processes: bool = False,
    deposit: Deposit = NO_DEPOSIT,
    verified: bool = False,
) -> list[Published]:
    """Verify the datasets ``names`` of a run's folder (all where none is named) and publish them in ``release``.

    PublishError where one is not complete or fails a check: then none is published. Either may lie in a bucket.
    ``processes`` is as in :func:`boardspace.verify.verify`. ``verified`` says that they were verified already, so that
    it is not done here; the release is the same, to the byte.
    """
    chosen = _chosen(root, names)
    refuse_inside(release)
    if has_plan(release):
        raise PublishError(f"{release}: is the folder of a run, and a release has one of its own; choose another --out")
    for work in chosen:
        if faults := coverage_faults(work.space):
            raise PublishError(
                f"{work.space.name}: not to be published:\n" + "\n".join(f"  {fault}" for fault in faults)
            )
    with ExitStack() as stack:
        for note in (note for work in chosen for note in plan_notes(work)):
            report(f"note: {note}")
        run = stack.enter_context(local_copy(root, [work.space.name for work in chosen]))
        if not verified:
            _require_sound(run, chosen, processes, report)
        datasets = [load(run, work, deposit.citation) for work in chosen]
        if "zenodo" in deposit.profiles:
            # Before hours of copying; the archives are larger still, by a header for each file.
            require_within_zenodo(
                {f"{one.name}{ARCHIVE}": sum(f.bytes for f in one.files.values()) for one in datasets}
            )
        stack.enter_context(held(release, report))
        there = {dataset.name for dataset in datasets if stored(release / dataset.name / SUMS).exists()}
        _entries(release, but={dataset.name for dataset in datasets})  # what is wrong there is told before the copying
        with staging_folder(release) as target:
            made = _publish_all(run, target, datasets, report)
        _write_documents(release, deposit.profiles, report)
    return [replace(one, new=one.new and one.dataset not in there) for one in made]


def _chosen(root: Location, names: Sequence[str]) -> list[Work]:
    recorded = {work.space.name: work for work in recorded_work(root)}
    refuse_unknown(root, names, recorded)
    return [work for name, work in recorded.items() if not names or name in names]


def _require_sound(root: Path, chosen: Sequence[Work], processes: bool, report: Report) -> None:
    """PublishError where a dataset has a fault; the rows that are tried are drawn, so nobody knows them before."""
    draw, names = Draw.at_random(), [work.space.name for work in chosen]
    report(f"{', '.join(names)}: verifying (--seed {draw.seed})")
    reports = Reports(progress=_Progress("verified", report))
    for name, result in verify_datasets(root, "logic", draw, names, processes, reports).items():
        if result.faults:
            raise PublishError(faults_text(root / name, result.faults, "published"))


def _publish_all(root: Path, release: Path, datasets: Sequence[Dataset], report: Report) -> list[Published]:
    """All datasets side by side, so that where one has little to do at a time the next goes on; files are joined as
    many at a time as there are cores, whatever they belong to."""
    with ThreadPoolExecutor(cpus()) as joining, ThreadPoolExecutor(len(datasets)) as writing:
        return list(writing.map(lambda dataset: _publish(root, release, dataset, joining, report), datasets))


def _publish(root: Path, release: Path, dataset: Dataset, joining: Executor, report: Report) -> Published:
    folder = ReleaseFolder(release, dataset.name)
    size = sum(file.bytes for file in dataset.files.values())
    report(f"{dataset.name}: joining and copying {len(dataset.files):,} files, {size / 1e6:,.1f} MB")
    progress = _Progress(f"{dataset.name}: copied", report)
    copied = partial(progress, size=size)
    released, content = _content(root, dataset, folder, joining, copied)
    size = sum(file.bytes for file in released.files.values())
    new = not folder.holds(content)
    if new:
        folder.put(content, copied)
    archive = folder.kept_archive()
    if archive is None:
        report(f"{dataset.name}: writing {folder.archive.name}")
        archive = _archive(folder)
    return Published(dataset.name, len(content) + 1, size, archive, new)


def _write_documents(release: Location, profiles: Collection[Profile], report: Report) -> None:
    entries = _entries(release)
    every = {*profiles, *_profiles_of(release)}
    texts = release_documents(list(entries.values()), every)
    if "zenodo" in every:
        archives = [f"{name}{ending}" for name in entries for ending in (ARCHIVE, f"{ARCHIVE}.sha256")]
        sizes = {name: stored(release / name).size() or 0 for name in archives}
        require_within_zenodo({**sizes, **{name: len(text) for name, text in texts.items()}})
    if any(name.startswith(f"{SITE_FOLDER}/") for name in stored(release).names()):
        del texts[PAGE]  # the atlas is the page
    drop_signature(release, texts[MANIFEST], report)
    put_release_documents(release, texts)


def _entries(release: Location, but: Collection[str] = ()) -> dict[str, dict[str, Any]]:
    """The entries of the manifest, by name, of the datasets that lie in a release, ``but`` of some.

    PublishError where no document could be made of one: others may have put it there, or damaged it.
    """
    listings = sorted(name for name in stored(release).names() if re.fullmatch(rf"[^/]+/{SUMS}", name))
    found = {}
    for name in (listing.removesuffix(f"/{SUMS}") for listing in listings):
        if name in but:
            continue
        try:
            archive = archive_of(release / name)
            if archive is None:
                raise PublishError(
                    f"{release / name}{ARCHIVE}: it, or its checksum beside it, is missing; publish that dataset "
                    "again, or delete its folder, or choose another one with --out"
                )
            found[name] = {**entry_of(release / name), "archive": archive}
            release_documents([found[name]], ("huggingface", "zenodo"))
        except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
            raise PublishError(
                f"{release / name}: does not say what {MANIFEST} tells of a dataset ({repr(error)[:MOST_SHOWN]}); "
                f"`boardspace verify {release}` tells more. Delete that folder, or choose another one with --out"
            ) from error
    return found


def _profiles_of(release: Location) -> set[Profile]:
    """The profiles that the release has already; none where its manifest is torn, which is made again."""
    manifest = stored(release / MANIFEST)
    try:
        return profiles_in(manifest.read(LONGEST)) if manifest.exists() else set()
    except ValueError:
        return set()


class _Progress:
    """Reports now and then how much is done."""

    def __init__(self, what: str, report: Report) -> None:
        self.what, self.report = what, report
        self.done, self.reported, self.lock = 0, time.monotonic(), Lock()

    def __call__(self, more: int, size: int) -> None:
        """Count so many bytes more, of ``size`` in all; from several threads."""
        with self.lock:
            self.done += more
            due = time.monotonic() - self.reported >= REPORT_SECONDS
            if due:
                self.reported = time.monotonic()
        if due:
            self.report(f"{self.what} {self.done / 1e6:,.0f} of {size / 1e6:,.0f} MB")


def _content(
    root: Path, dataset: Dataset, folder: ReleaseFolder, joining: Executor, progress: Callable[[int], None]
) -> tuple[Dataset, Content]:
    """The dataset in the files that a release has of it, and what they are; those joined from shards are written."""
    source = root / dataset.name
    content: dict[str, bytes | Copied | Made] = {
        name: Copied(source / name, file.sha256) for name, file in dataset.files.items() if not file.table
    }
    tables = []
    for table, records in zip(dataset.tables, _joined(source, dataset, folder, joining, progress), strict=True):
        tables.append(TableFiles(table.table.unfolded, tuple(record for _, record in records)))
        content |= {
            record.path: Copied(source / copied.path, record.sha256) if copied else Made(record.sha256)
            for copied, record in records
        }
    released = dataset.with_tables(tables)
    texts = {name: text.encode() for name, text in documents(released).items()}
    if dataset.arrays:
        texts[f"{ARRAYS}/{METADATA}"] = _consolidated(source, dataset)
    return released, {**content, **texts, COMPLETE: (source / COMPLETE).read_bytes()}


Released = list[tuple[FileRecord | None, FileRecord]]
"""Files of a table of a release, each with the file of the run of which it is a copy, if it is."""


def _joined(
    source: Path, dataset: Dataset, folder: ReleaseFolder, joining: Executor, progress: Callable[[int], None]
) -> list[Released]:
    """The files of each table, those that are joined written."""
    stamp = stamp_of(dataset.space, dataset.work.plan.digest)

    def make(item: tuple[Table, Join]) -> Released:
        """Write the files of a join; each with its shard where it is a copy of that shard's."""
        table, join = item
        if join.copied:
            (shard,), (path,) = join.shards, join.paths
            return [(shard, shard.model_copy(update={"path": path}))]
        files = list(zip(join.paths, join.sizes, strict=True))
        records = write_joined(source, join.shards, table, folder.partial, files, stamp)
        progress(sum(shard.bytes for shard in join.shards))
        return [(None, record) for record in records]

    items = [(table.table, join) for table in dataset.tables for join in joins_of(table.table, table.files)]
    made = list(zip(items, joining.map(make, items), strict=True))
    return [
        [one for (table, _), records in made if table == every.table for one in records] for every in dataset.tables
    ]


def _consolidated(source: Path, dataset: Dataset) -> bytes:
    """Metadata of the root of a release's arrays, which names them all. The root of a run, where anyone may write any
    array, names none."""
    names = [name for name in dataset.files if name.startswith(f"{ARRAYS}/") and name.endswith(f"/{METADATA}")]
    below = {name.removeprefix(f"{ARRAYS}/").removesuffix(f"/{METADATA}"): name for name in names}
    return consolidated(
        {path: (source / name).read_bytes() for path, name in below.items() if name != f"{ARRAYS}/{METADATA}"}
    )


def _archive(folder: ReleaseFolder) -> Written:
    listing = folder.folder / SUMS
    sums = {**read_sums(listing), SUMS: sha256_of(listing)}
    return folder.put_archive(
        lambda stream: fill_archive(folder.folder, sorted(sums), stream),
        lambda archive: check_archive(archive, folder.dataset, sums),
    )
