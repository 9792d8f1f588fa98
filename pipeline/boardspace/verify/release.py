"""Does a downloaded dataset hold what it says? Nothing but the dataset is needed, and nothing in it is trusted.

* ``hashes``: every file of ``SHA256SUMS`` is there with its SHA-256, and nothing else is: no other file, link, device
  or folder. Where the archive lies beside the dataset, it is the one that these files make, to the byte.
* ``structure``: every file is a document, or belongs to a table or an array of ``COMPLETE``; Parquet files decode with
  their page checksums, have the registered schema and strictly increasing keys, Zarr arrays decode with their
  checksums; the numbers of rows, and the digests of rows and of cells, are those of ``COMPLETE``; schemas and the data
  dictionary are what the program makes of its tables, and the published plan has the digest that ``COMPLETE`` holds.
* ``logic``: the checks of the space (:mod:`boardspace.spec.check`), on what is published. Those that need what only the
  run has (its receipts, or tables that its stages exchange) cannot be made, and are named in a note.
"""

import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any

from boardspace.spec.check import Draw, Outcome
from boardspace.spec.claims import all_checks
from boardspace.spec.described import dictionary, json_text, table_schema
from boardspace.spec.errors import BoardspaceError, NotInReleaseError
from boardspace.spec.registry import space_named
from boardspace.spec.space import CLAIMS, Space, Table
from boardspace.storage.archive import archive_digest
from boardspace.storage.arrays import METADATA
from boardspace.storage.arrays import ROOT as ARRAYS
from boardspace.storage.complete import Complete, Content
from boardspace.storage.deposits import ZENODO
from boardspace.storage.digest import add
from boardspace.storage.records import read_record
from boardspace.storage.release_documents import (
    LONGEST,
    PAGE,
    archive_of,
    entries_in,
    entry_of,
    profiles_in,
    release_documents,
)
from boardspace.storage.release_folder import (
    DOCUMENTS,
    LONGEST_SUMS,
    MANIFEST,
    RELEASE_DOCUMENTS,
    SUMS,
    SumsError,
    parse_sums,
    schema_path,
)
from boardspace.storage.run_folder import COMPLETE
from boardspace.storage.site_folder import FOLDER as SITE_FOLDER
from boardspace.storage.site_folder import SITE
from boardspace.verify.arrays import check_group, check_root, layout_of, shard_digest
from boardspace.verify.crew import Crew, crew
from boardspace.verify.files import (
    FileFaultError,
    Rows,
    check_hash,
    check_table,
    memory_bounded,
    opened,
    row_count,
    side_by_side,
)
from boardspace.verify.release_inputs import PACKAGE, PublishedTables, published_work
from boardspace.verify.result import Fault, Level, Rederived, Verification
from boardspace.verify.tree import Tree, empty_folders, tree_of

# tar: a header a file (three where its name is long), both padded to 512 bytes, and two records of nothing at the end.
TAR_OVERHEAD = 2048
TAR_END = 10240

FIRST_DRAW = Draw()

Faults = Iterator[tuple[str, str]]


@dataclass
class Counts:
    """What was looked at."""

    files: int = 0
    bytes: int = 0
    rows: int = 0


def datasets_in(folder: Path) -> list[Path]:
    """The published datasets at or directly below a folder, by name."""
    if _has_sums(folder):
        return [folder]
    return sorted(path for path in folder.iterdir() if _has_sums(path))


def verify_release(
    root: Path, level: Level, names: Sequence[str], draw: Draw = FIRST_DRAW, processes: bool = False
) -> Verification:
    """Check the published datasets at or below a folder, or those named; ``draw`` chooses what the logic level tries,
    ``processes`` lets other processes of this program do it where there is much to check."""
    counts = Counts()
    faults: list[Fault] = []
    notes: list[str] = []
    folders = [folder for folder in datasets_in(root) if not names or folder.resolve().name in names]
    for folder in folders:
        name = folder.resolve().name
        found = [Fault(at, f"{name}/{where}", what) for at, where, what in _faults(folder, level, counts)]
        whole = all(fault.level != "hashes" for fault in found)
        faults += found
        faults += [Fault("hashes", where, what) for where, what in _archive_faults(folder, name, whole, notes)]
    if _has_sums(root):
        notes.append("the folder of one dataset; what lies beside it, its archive apart, was not looked at")
    else:
        faults += [Fault("hashes", where, what) for where, what in _foreign(root)]
        faults += [Fault("hashes", where, what) for where, what in _front_faults(root, faults, notes)]
    rederived: list[Rederived] = []
    unchecked: dict[str, Mapping[str, str]] = {}
    if level == "logic":
        faulty = {fault.where.split("/")[0] for fault in faults}
        sound = [folder for folder in folders if folder.resolve().name not in faulty]
        with crew(sum(sum(tree_of(folder).files.values()) for folder in sound), processes) as workers:
            for folder in sound:
                made, found = _rederived(workers, folder, draw)
                rederived += made
                faults += found
                unchecked[folder.resolve().name] = dict(space_named(folder.resolve().name).unchecked)
        notes += _impossible(rederived)
    cases = sum(one.cases for one in rederived)
    return Verification(
        level,
        counts.files,
        counts.bytes,
        counts.rows,
        cases,
        tuple(faults),
        tuple(notes),
        tuple(rederived),
        unchecked,
    )


def _rederived(workers: Crew, folder: Path, draw: Draw) -> tuple[list[Rederived], list[Fault]]:
    """The checks of a dataset without faults of structure, and what they found."""
    name = folder.resolve().name
    checks = all_checks(space_named(name))
    waiting = [workers.begin(_run_check, (folder.resolve(), number, draw)) for number in range(len(checks))]
    outcomes = [wait() for wait in waiting]
    made = [
        Rederived(name, check.name, check.columns, check.means, outcome.cases, outcome.of, impossible)
        for check, (outcome, impossible) in zip(checks, outcomes, strict=True)
    ]
    faults = [
        Fault("logic", f"{name}: {check.name}", outcome.fault)
        for check, (outcome, _) in zip(checks, outcomes, strict=True)
        if outcome.fault
    ]
    if not faults and not any(one.cases for one in made):
        faults = [Fault("logic", f"{name}: checks", "re-derived no case, so nothing is known")]
    return made, faults


def _run_check(numbered: tuple[Path, int, Draw]) -> tuple[Outcome, str]:
    """The outcome of a check of a dataset, given by plain values; or why it cannot be made on a release."""
    folder, number, draw = numbered
    space = space_named(folder.name)
    try:
        complete = read_record(folder / COMPLETE, Complete)
        if complete is None:
            raise FileFaultError(f"{COMPLETE}: torn or altered")
        work = published_work(folder, space, complete)
        inputs = PublishedTables(folder, space, list(_sums(folder)))
        return all_checks(space)[number].run(work.config, inputs, draw), ""
    except NotInReleaseError as error:
        return Outcome(0, 0), str(error)
    except Exception as error:  # forged data make checks raise nearly anything
        return Outcome(0, 0, f"cannot be made: {error!r}"), ""


def _impossible(rederived: Sequence[Rederived]) -> Iterator[str]:
    """A note for each dataset on the checks that need the run."""
    for dataset, checks in groupby(rederived, key=lambda one: one.dataset):
        lacking = [one.check for one in checks if one.impossible]
        if lacking:
            yield (
                f"{dataset}: checks that only the run allows, which verified it before it was published: "
                + ", ".join(lacking)
            )


def _has_sums(folder: Path) -> bool:
    return os.path.lexists(folder / SUMS)


def _faults(folder: Path, level: Level, counts: Counts) -> Iterator[tuple[Level, str, str]]:
    """Faults of one dataset: level, place and text. Where the hashes have any, the structure is not looked at."""
    tree = tree_of(folder)
    try:
        sums = _sums(folder)
    except (FileFaultError, SumsError) as error:
        yield "hashes", SUMS, str(error)
        return
    found = list(_hash_faults(folder, tree, sums))
    counts.files += len(sums)
    yield from (("hashes", where, what) for where, what in found)
    if found:
        return
    counts.bytes += sum(tree.files[name] for name in sums)
    if level != "hashes":
        with memory_bounded():
            yield from (("structure", where, what) for where, what in _structure(folder, sums, counts))


def _sums(folder: Path) -> dict[str, str]:
    with opened(folder / SUMS) as stream:
        content = stream.read(LONGEST_SUMS + 1)
    if len(content) > LONGEST_SUMS:
        raise FileFaultError(f"longer than {LONGEST_SUMS:,} bytes")
    return parse_sums(content)


def _hash_faults(folder: Path, tree: Tree, sums: Mapping[str, str]) -> Faults:
    yield from tree.strangers.items()
    yield from ((name, "missing") for name in sums if name not in tree.files)
    there = [name for name in sums if name in tree.files]
    for name, found in side_by_side(lambda name: check_hash(folder / name, sums[name]), there):
        if isinstance(found, FileFaultError):
            yield name, str(found)
    yield from ((name, f"{SUMS} does not name this file") for name in tree.files if name not in sums and name != SUMS)
    yield from ((name, "an empty folder, which no dataset has") for name in sorted(empty_folders(tree)))


def _archive_faults(folder: Path, name: str, whole: bool, notes: list[str]) -> Faults:
    """The archive has to be what a ``whole`` dataset's files make. It is never unpacked: hashes are compared."""
    archive = folder.resolve().with_name(f"{name}.tar")
    listing = archive.with_name(f"{archive.name}.sha256")
    if not os.path.lexists(archive):
        notes.append(f"{archive.name}: not here, so not checked")
        return
    members = sorted([*_sums(folder), SUMS]) if whole else []
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


def _foreign(root: Path) -> Faults:
    """What is no dataset of a release, no archive and no checksum of one, nor the site that shows them."""
    datasets = {path.name for path in datasets_in(root)}
    known = {f"{name}{ending}" for name in datasets for ending in ("", ".tar", ".tar.sha256")}
    known |= {*RELEASE_DOCUMENTS, ZENODO}
    for path in sorted(root.iterdir()):
        if path.name in datasets and path.is_symlink():
            yield path.name, "a symbolic link, and a release holds datasets themselves"
        elif path.name not in known | SITE:
            yield path.name, f"no part of a release: neither a dataset (with its {SUMS}) nor the archive of one"
        elif path.name == SITE_FOLDER:
            yield from _foreign_in_site(path)


def _foreign_in_site(folder: Path) -> Faults:
    """What is no regular file in the folder of the site; its files are compared with nothing here."""
    if folder.is_symlink():
        yield folder.name, "a symbolic link, and a site's folder lies in the release itself"
        return
    for name, what in tree_of(folder).strangers.items():
        yield f"{folder.name}/{name}", what


def _front_faults(root: Path, others: Sequence[Fault], notes: list[str]) -> Faults:
    """The manifest has to say what the datasets here make it say, and the pages what it makes them say."""
    there = [name for name in (*RELEASE_DOCUMENTS, ZENODO) if os.path.lexists(root / name) and not _is_site(root, name)]
    if PAGE not in there and (root / PAGE).is_symlink():
        yield PAGE, "a symbolic link, and a site's page lies in the release itself"
    missing = [name for name in RELEASE_DOCUMENTS if name not in there and not _is_site(root, name)]
    if missing:
        notes.append(f"{', '.join(missing)}: not here, so not checked")
    if MANIFEST not in there:
        return
    content: dict[str, bytes] = {}
    for name in there:
        try:
            with opened(root / name) as stream:
                content[name] = stream.read(LONGEST)
        except FileFaultError as error:
            yield name, str(error)
            return
    try:
        entries = {entry["name"]: entry for entry in entries_in(content[MANIFEST])}
        made = release_documents(list(entries.values()), profiles_in(content[MANIFEST]))
    except Exception as error:  # a forged manifest makes nearly anything be raised
        yield MANIFEST, f"is not the manifest of a release: {error!r}"
        return
    yield from ((name, f"is not what {MANIFEST} makes it") for name in there if content[name] != made.get(name))
    if ZENODO in made and ZENODO not in there:
        yield ZENODO, f"missing: {MANIFEST} has the profile of Zenodo"
    faulty = {fault.where.split("/")[0].split(".tar")[0] for fault in others}
    here = {folder.name: folder for folder in datasets_in(root)}
    for name in sorted(entries.keys() - here.keys()):
        notes.append(f"{name}: {MANIFEST} speaks of it, and it is not here")
    for name in sorted(here.keys() - faulty):
        try:
            entry = dict(entries.get(name, {}))
            archive = entry.pop("archive", None)
            if entry != entry_of(here[name]) or archive_of(here[name]) not in (None, archive):
                yield MANIFEST, f"says something else of {name} than the files of that dataset do"
        except Exception as error:  # so do forged documents
            yield f"{name}/datapackage.json", f"does not say what {MANIFEST} tells of a dataset: {error!r}"


def _is_site(root: Path, name: str) -> bool:
    """Whether this is the page of a site, which took the place of a release's."""
    return name == PAGE and (root / SITE_FOLDER).is_dir()


def _structure(folder: Path, sums: Mapping[str, str], counts: Counts) -> Faults:
    try:
        space = space_named(folder.resolve().name)
    except BoardspaceError as error:
        yield ".", f"its structure cannot be checked: {error}"
        return
    complete = read_record(folder / COMPLETE, Complete)
    if complete is None:
        yield COMPLETE, "torn or altered"
        return
    tables = {table.name: table for table in space.all_tables}
    owned: set[str] = set()
    if CLAIMS.name not in complete.tables:
        yield COMPLETE, f"speaks of no {CLAIMS.name}, and every dataset has them"
    for table, content in complete.tables.items():
        files = sorted(name for name in sums if name.startswith(f"{table}/") or name == f"{table}.parquet")
        owned.update(files)
        if table not in tables:
            yield COMPLETE, f"speaks of a table {table!r}, and {space.name} has none of that name"
        else:
            yield from _table_faults(folder, tables[table].unfolded, files, content, counts)
    yield from _array_faults(folder, space, sums, complete.arrays, owned)
    yield from _document_faults(folder, space, complete)
    owned.update((COMPLETE, *DOCUMENTS, *map(schema_path, complete.tables)))
    for name in sums:
        if name not in owned:
            yield name, f"is no document of a dataset, and belongs to no table and no array that {COMPLETE} speaks of"


def _document_faults(folder: Path, space: Space, complete: Complete) -> Faults:
    """Faults of schemas and dictionary, which the program makes again from its registry, and of the published plan."""
    tables = [table.unfolded for table in space.all_tables if table.name in complete.tables]
    arrays = [array for array in space.arrays if any(map(array.covers, complete.arrays))]
    texts = {schema_path(table.name): json_text(table_schema(table)) for table in tables}
    for name, text in {**texts, "dictionary.csv": dictionary(tables, arrays)}.items():
        try:
            with opened(folder / name) as stream:
                if stream.read(len(text.encode()) + 1) != text.encode():
                    yield name, f"is not what {space.name} says of its tables and arrays"
        except FileFaultError as error:
            yield name, str(error)
    try:
        published_work(folder, space, complete)
    except FileFaultError as error:
        yield PACKAGE, str(error)


def _table_faults(folder: Path, table: Table, files: Sequence[str], content: Content, counts: Counts) -> Faults:
    """Numbers first: a file is decoded when all of them together hold what they should."""
    counted = list(side_by_side(lambda name: row_count(folder / name), files))
    bad = [(name, str(rows)) for name, rows in counted if isinstance(rows, FileFaultError)]
    yield from bad
    rows = sum(count for _, count in counted if isinstance(count, int))
    if not bad and rows != content.rows:
        yield table.name, f"{rows} rows in {len(files)} files, {COMPLETE} speaks of {content.rows}"
        return
    digests = []
    before: tuple[Any, ...] = ()
    for name, read in side_by_side(partial(_read, folder, table), [name for name, _ in counted]):
        if isinstance(read, Rows):
            counts.rows += read.num_rows
            digests.append(read.digest)
            if before and read.first and not before < read.first:
                yield name, f"starts at {read.first}, not above the end {before} of the file before it"
            before = read.last or before
        elif (name, str(read)) not in bad:
            bad.append((name, str(read)))
            yield name, str(read)
    if not bad and add(digests) != content.digest:
        yield table.name, f"{rows} rows with other content than {COMPLETE} says of its {content.rows} rows"


def _read(folder: Path, table: Table, name: str) -> Rows:
    return check_table(folder / name, table)


def _array_faults(
    folder: Path, space: Space, sums: Mapping[str, str], arrays: Mapping[str, Content], owned: set[str]
) -> Faults:
    group = folder / ARRAYS
    for path, content in arrays.items():
        try:
            files = _files_of_array(group, path, sums)
            above = [f"{ARRAYS}/{folders}{METADATA}" for folders in _folders_above(path)]
            owned.update(above, (f"{ARRAYS}/{name}" for name in files))
            shards = [name for name in files if name != f"{path}/{METADATA}"]
            digests = []
            for _, digest in side_by_side(partial(_shard, group, path), shards):
                if isinstance(digest, FileFaultError):
                    raise digest
                digests.append(digest)
            if add(digests) != content.digest:
                raise FileFaultError(f"other cells than {COMPLETE} says")
            for name in above[1:]:
                check_group(folder / name)
        except FileFaultError as error:
            yield f"{ARRAYS}/{path}", str(error)
    if arrays:
        paths = [name.removeprefix(f"{ARRAYS}/") for name in sums if name.startswith(f"{ARRAYS}/")]
        try:
            check_root(group, [name.removesuffix(f"/{METADATA}") for name in paths if name.endswith(f"/{METADATA}")])
        except FileFaultError as error:
            yield f"{ARRAYS}/{METADATA}", str(error)


def _shard(group: Path, path: str, name: str) -> str:
    return shard_digest(group, path, name.removeprefix(f"{path}/"))


def _files_of_array(group: Path, path: str, sums: Mapping[str, str]) -> list[str]:
    """An array's files, by names inside the group; FileFaultError where they are others than its metadata says."""
    prefix = f"{ARRAYS}/{path}/"
    there = sorted(name.removeprefix(prefix) for name in sums if name.startswith(prefix))
    if METADATA not in there:
        raise FileFaultError("it has no metadata")
    layout = layout_of(group / path / METADATA)
    if layout.files != len(there) - 1:
        raise FileFaultError(f"its metadata speaks of {layout.files} files, there are {len(there) - 1}")
    if sorted([*layout.names(), METADATA]) != there:
        raise FileFaultError("its files are others than its metadata speaks of")
    return [f"{path}/{name}" for name in there]


def _folders_above(path: str) -> Iterator[str]:
    folders = path.split("/")[:-1]
    return ("".join(f"{folder}/" for folder in folders[:depth]) for depth in range(len(folders) + 1))
