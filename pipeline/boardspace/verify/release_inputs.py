"""A published dataset, read by the checks of its space without the run that made it.

Its tables and arrays are there by name; what stages leave for one another (facts, receipts, blobs, tables that are not
published) is not, and a check that asks for it cannot be made on a release. The config that the checks go by is the one
in ``datapackage.json``; with the versions and the sources beside it, it has the digest that ``COMPLETE`` holds.
"""

import hashlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn, cast

import pyarrow as pa
import pyarrow.compute as pc

from boardspace.engine.plan import PlanError, SpacePlan, Work, config_of
from boardspace.spec.errors import NotInReleaseError
from boardspace.spec.registry import space_named
from boardspace.spec.space import Inputs, Space
from boardspace.storage.archive import archive_digest
from boardspace.storage.arrays import open_array
from boardspace.storage.complete import Complete
from boardspace.storage.parquet import read_tables
from boardspace.storage.records import json_value, read_record
from boardspace.storage.release_folder import LONGEST_SUMS, SUMS, parse_sums
from boardspace.storage.run_folder import COMPLETE
from boardspace.verify.files import FileFaultError, check_hash, content_of, opened, side_by_side
from boardspace.verify.tree import Tree, empty_folders

PACKAGE = "datapackage.json"
LONGEST_PACKAGE = 1 << 26


def published_work(folder: Path, space: Space, complete: Complete) -> Work:
    """Return the space, as it was at that version of its data, the config and the plan that made a published dataset.

    FileFaultError where its datapackage does not say, or says something else than COMPLETE.
    """
    content = content_of(folder / PACKAGE, LONGEST_PACKAGE)
    try:
        plan = SpacePlan.model_validate(json_value(content)["plan"])
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise FileFaultError(f"does not say by what plan the dataset was made: {error!r}") from error
    if plan.digest != complete.plan:
        raise FileFaultError("its plan is not the one whose digest COMPLETE holds")
    try:
        return Work(space.of_version(plan.version), config_of(space, plan), plan)
    except PlanError as error:
        raise FileFaultError(str(error)) from error


def published_in(folder: Path) -> tuple[Work, Complete]:
    """Return the space, config and plan that made the published dataset in a folder, and its COMPLETE; FileFaultError
    where it does not say."""
    complete = read_record(folder / COMPLETE, Complete)
    if complete is None:
        raise FileFaultError(f"{COMPLETE}: torn or altered")
    return published_work(folder, space_named(folder.resolve().name), complete), complete


@dataclass(frozen=True)
class PublishedTables:
    """The :class:`.Inputs` of checks of a release.

    folder: of the dataset.
    space: of which it is a dataset.
    names: of its files, as its list of sums has them.
    """

    folder: Path
    space: Space
    names: Sequence[str] = field(repr=False)
    gpu: None = None

    def table(
        self, name: str, *, columns: Sequence[str] | None = None, between: tuple[Any, Any] | None = None
    ) -> pa.Table:
        table = self.space.table(name)
        if not table.published:
            _refuse(f"the table {name!r}")
        wanted = [column.name for column in table.unfolded.columns] if columns is None else list(columns)
        files = sorted(file for file in self.names if file == f"{name}.parquet" or file.startswith(f"{name}/"))
        paths = [self.folder / file for file in files]
        if between is None or not table.folders:
            return read_tables(paths, table.unfolded, wanted, between)
        # Rows are sorted by what were folders first, so those between are no range of them.
        rows = read_tables(paths, table.unfolded, [*dict.fromkeys([*wanted, table.key[0]])], None)
        key = pc.field(table.key[0])
        return rows.filter((key >= between[0]) & (key < between[1])).select(wanted)

    def array(self, path: str) -> Any:
        return open_array(self.folder, path)

    def report(self, text: str) -> None:
        """Drop a progress text: nobody listens."""

    def __getattr__(self, name: str) -> Callable[..., NoReturn]:
        """Functions of runs alone: whatever they are asked, they raise NotInReleaseError with what a release lacks."""
        if name not in OF_RUNS:
            raise AttributeError(f"a release has no {name}")
        return lambda stage, of="", *_, **__: _refuse(OF_RUNS[name].format(stage, of))


OF_RUNS = {
    **dict.fromkeys(("rounds", "facts", "named_facts", "rows"), "what the stage {0!r} recorded"),
    "read": "the files of the stage {0!r}",
    "blob": "the blob {1!r} of the stage {0!r}",
}
"""Lacks of a release, by the functions of :class:`.Inputs` that ask for them."""


def published_inputs(folder: Path, space: Space, names: Sequence[str]) -> Inputs:
    """A published dataset as what checks read; ``names`` are those of its files."""
    return cast(Inputs, PublishedTables(folder, space, names))


def _refuse(what: str) -> NoReturn:
    raise NotInReleaseError(what)


# tar: a header a file (three where its name is long), both padded to 512 bytes, and two records of nothing at the end.
TAR_OVERHEAD = 2048
TAR_END = 10240

Faults = Iterator[tuple[str, str]]
"""Place and text of each."""


def datasets_in(folder: Path) -> list[Path]:
    """The published datasets at or directly below a folder, by name."""
    if has_sums(folder):
        return [folder]
    return sorted(path for path in folder.iterdir() if has_sums(path))


def has_sums(folder: Path) -> bool:
    """Return True where a folder has a list of sums, which makes it a published dataset."""
    return os.path.lexists(folder / SUMS)


def sums_in(folder: Path) -> dict[str, str]:
    """SHA-256 of a dataset's files by their names, as its list has them; SumsError or FileFaultError for no list."""
    return parse_sums(content_of(folder / SUMS, LONGEST_SUMS))


def hash_faults(folder: Path, tree: Tree, sums: Mapping[str, str]) -> Faults:
    """Faults of files that are missing, differ from their sums, or have none, and of what is no file."""
    yield from tree.unexpected.items()
    yield from ((name, "missing") for name in sums if name not in tree.files)
    there = [name for name in sums if name in tree.files]
    for name, found in side_by_side(lambda name: check_hash(folder / name, sums[name]), there):
        if isinstance(found, FileFaultError):
            yield name, str(found)
    yield from ((name, f"{SUMS} does not name this file") for name in tree.files if name not in sums and name != SUMS)
    yield from ((name, "an empty folder, which no dataset has") for name in sorted(empty_folders(tree)))


def archive_faults(folder: Path, name: str, whole: bool, notes: list[str]) -> Faults:
    """The archive has to be what a ``whole`` dataset's files make. It is never unpacked: hashes are compared."""
    archive = folder.resolve().with_name(f"{name}.tar")
    listing = archive.with_name(f"{archive.name}.sha256")
    if not os.path.lexists(archive):
        notes.append(f"{archive.name}: not here, so not checked")
        return
    members = sorted([*sums_in(folder), SUMS]) if whole else []
    try:
        found = _archive_hash(folder, archive, members)
        if whole and found != archive_digest(folder.resolve(), members):
            yield archive.name, "is not the archive that the dataset's files make"
            return
        if not whole:
            notes.append(f"{archive.name}: not compared with the dataset, which has faults")
    except (OSError, FileFaultError) as error:
        yield archive.name, str(error)
        return
    if not os.path.lexists(listing):
        notes.append(f"{listing.name}: not here, so not checked")
        return
    try:
        with opened(listing) as stream:
            if stream.read(1000) != f"{found}  {archive.name}\n".encode():
                yield listing.name, f"is not the SHA-256 of {archive.name}"
    except FileFaultError as error:
        yield listing.name, str(error)


def _archive_hash(folder: Path, archive: Path, members: Sequence[str]) -> str:
    """SHA-256 of the archive, unless it is too long to be one of these members (if there are any)."""
    most = sum((folder / member).stat().st_size + TAR_OVERHEAD for member in members) + TAR_END
    with opened(archive) as stream:
        if members and os.fstat(stream.fileno()).st_size > most:
            raise FileFaultError("is longer than the dataset's files would make it")
        return hashlib.file_digest(stream, "sha256").hexdigest()
