"""Files that a run wrote, told from those of anybody else, which are neither moved nor deleted, and stop it.

A name says where a file of a run may lie. Where that is not enough, before files are moved or deleted, a receipt has to
name the file, or its own stamp the dataset: a table somebody put among others is not a run's.
"""

import os
import re
from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from boardspace.spec.space import Space
from boardspace.spec.texts import named
from boardspace.storage.arrays import METADATA
from boardspace.storage.arrays import ROOT as ARRAYS
from boardspace.storage.files import StorageError, is_temporary
from boardspace.storage.locations import Location
from boardspace.storage.receipts import Receipt, read_receipts
from boardspace.storage.run_folder import COMPLETE, PLAN, SpaceFolder, stamp_of
from boardspace.storage.stored import stored, within

RELEASED = ("release.json", "SHA256SUMS")
"""Files of a release, and of no run."""
RUN, OF_EVERY_RUN = ".run", frozenset({"lock", "holder", "progress.json", "progress.json.new"})
PRIVATE = re.compile(
    r"receipts/.+\.jsonl|(stages|rounds)/.+\.json|intermediates/.+\.(parquet|npy)|(verified|published)\.json"
)
"""Names of what a run keeps about a dataset; the last two are of earlier versions."""
CHUNK = re.compile(r".*/c(/\d+)*")
MOST_NAMED = 3
LEAST_PARTS = 3
"""Parts of the address of a place in a bucket that is not all of it."""


def refuse_taken_folder(root: Location, plan_may_be_lost: bool) -> None:
    """StorageError where ``root`` is a folder of somebody else: it holds something, and no plan of a run; or a release.

    A run whose plan is lost may have the folder if it is told to make it anew.
    """
    there = _entries(root)
    for name in RELEASED:
        if name in there:
            raise StorageError(f"{root}: holds a release ({name}), and no run writes there; use another --out")
    refuse_inside(root)
    if PLAN in there:
        return
    datasets = _entries(root / RUN) - OF_EVERY_RUN if RUN in there else set()
    strange = sorted(there - {RUN} - datasets)
    if strange:
        raise StorageError(
            f"{root}: is not empty, and no run made what is there (there is no {PLAN}): "
            f"{named(strange, MOST_NAMED)}; use another --out"
        )
    if datasets and not plan_may_be_lost:
        raise StorageError(
            f"{root}: its {PLAN} is gone; run its config again with --keep, which keeps the shards that are finished, "
            "or with --fresh, or use another --out"
        )


def refuse_inside(root: Location) -> None:
    """StorageError for a place inside a dataset of a run, or inside its own folder, or inside a published dataset."""
    inner: Location = Path(os.path.realpath(root)) if isinstance(root, Path) else root
    while len(inner.parts) > (1 if isinstance(inner, Path) else LEAST_PARTS):
        outer: Location = inner.parent
        if stored(outer / PLAN).exists() and inner.name in {RUN, *_entries(outer / RUN)}:
            raise StorageError(f"{root}: lies inside the run {outer}, in {inner.name}; use another --out")
        if all(stored(outer / name).exists() for name in (RELEASED[1], COMPLETE)):
            raise StorageError(f"{root}: lies inside the published dataset {outer}; use another --out")
        inner = outer


def refuse_foreign_files(folder: SpaceFolder, space: Space) -> None:
    """StorageError where files lie among those of a dataset that no run writes there, by their names."""
    if foreign := _foreign_files(folder, space):
        raise _foreign(folder, foreign)


def sweep(folder: SpaceFolder, space: Space, receipts: Sequence[Receipt]) -> list[Location]:
    """Move what no receipt vouches for out of a dataset, delete temporaries; returns the files moved.

    StorageError, and nothing is moved, where no run wrote some of these.
    """
    for place in (folder.dataset, folder.private):
        stored(place).sweep()
    known = {file.path for receipt in receipts for file in receipt.files} | {f"{folder.space}/{COMPLETE}"}
    there = [f"{folder.space}/{name}" for name in stored(folder.dataset).names() if not _is_of_the_system(name)]
    unknown = [name for name in there if name not in known]
    if foreign := [name for name in unknown if not _is_written(folder, space, name)]:
        raise _foreign(folder, foreign)
    folder.set_aside(unknown)
    return [folder.root / name for name in unknown]


def remove(folder: SpaceFolder, space: Space) -> None:
    """Delete the dataset and everything kept about it; COMPLETE goes first. StorageError, and nothing is deleted, where
    no run wrote some of it."""
    refuse_foreign_files(folder, space)
    of_receipts = (one for _, found in read_receipts(folder.private / "receipts") for one in filter(None, found))
    named = {file.path for one in of_receipts for file in one.files}  # of other plans, too
    there = [name for name in stored(folder.dataset).names() if not _is_of_the_system(name)]
    unsure = [name for name in there if f"{folder.space}/{name}" not in named and name != COMPLETE]
    foreign = [name for name in unsure if not _is_written(folder, space, f"{folder.space}/{name}")]
    if foreign:
        raise _foreign(folder, [f"{folder.space}/{name}" for name in foreign])
    folder.reopen()
    stored(folder.dataset).remove_all()
    stored(folder.private).remove_all()


def _foreign(folder: SpaceFolder, names: Sequence[str]) -> StorageError:
    links = [name for name in names if isinstance(folder.root, Path) and (folder.root / name).is_symlink()]
    few = named(links or names, MOST_NAMED)
    what = f"{few}: a symbolic link, and no run" if links else f"no run wrote {few}, and a dataset"
    return StorageError(
        f"{folder.root}: {what} holds {'one' if links else 'nothing else'}: move it elsewhere, or use another --out"
    )


def _entries(folder: Location) -> set[str]:
    """Names of files and folders in a folder, but for those that a writer was at; none where it cannot be listed."""
    if not isinstance(folder, Path):
        return {name.split("/")[0] for name in stored(folder).names()}
    try:
        return {path.name for path in folder.iterdir() if not _is_of_the_system(path.name)}
    except OSError:
        return set()


def _foreign_files(folder: SpaceFolder, space: Space) -> list[str]:
    """Names, in the run's folder, of files of a dataset that no run writes there."""
    published = [name for name in stored(folder.dataset).names() if not _has_own_name(space, name)]
    names = [f"{folder.space}/{name}" for name in published]
    private = [name for name in stored(folder.private).names() if not PRIVATE.fullmatch(name)]
    return [name for name in names if not _is_stamped(folder, space, name)] + [
        f"{RUN}/{folder.space}/{name}" for name in private if not _is_of_the_system(name)
    ]


def _has_own_name(space: Space, name: str) -> bool:
    """True for a name, in the folder of a dataset, that a shard of the space gives a file."""
    if name == COMPLETE or _is_of_the_system(name):
        return True
    if name.startswith(f"{ARRAYS}/"):
        return name.rsplit("/", 1)[-1] == METADATA or CHUNK.fullmatch(name) is not None
    published = [table for table in space.all_tables if table.published]
    return name.endswith(".parquet") and any(
        name == f"{table.name}.parquet" if table.one_file else name.startswith(f"{table.name}/") for table in published
    )


def _is_of_the_system(name: str) -> bool:
    """True for a file that a writer is at, or that a file server keeps as long as somebody has it open."""
    last = name.rsplit("/", 1)[-1]
    return is_temporary(last) or last.startswith(".nfs")


def _is_written(folder: SpaceFolder, space: Space, name: str) -> bool:
    """True for a file of the run's folder, of which no receipt is known, that a run of the space wrote."""
    inside = name.removeprefix(f"{folder.space}/")
    if inside.startswith(f"{ARRAYS}/"):
        return _has_own_name(space, inside)
    return _is_stamped(folder, space, name)


def _is_stamped(folder: SpaceFolder, space: Space, name: str) -> bool:
    """True for a table of the space: its file says so."""
    try:
        if not name.endswith(".parquet") or (place := stored(within(folder.root, name))).size() is None:
            return False
        metadata = pq.read_schema(place.table_file()).metadata or {}
    except (OSError, StorageError, pa.ArrowException):
        return False
    return metadata.get(b"dataset") == stamp_of(space, "")["dataset"].encode()
