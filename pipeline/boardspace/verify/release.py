"""Verification of a downloaded dataset: nothing but the dataset is needed, and nothing in it is trusted.

* ``hashes``: every file of ``SHA256SUMS`` is there with its SHA-256, and nothing else is: no other file, link, device
  or folder. Where the archive lies beside the dataset, it is the one that these files make, to the byte.
* ``structure``: every file is a document, or belongs to a table or an array of ``COMPLETE``; Parquet files decode with
  their page checksums, have the registered schema and strictly increasing keys, Zarr arrays decode with their
  checksums; statistics, page indexes and metadata of both agree with rows, plan and registry; the numbers of rows, and
  the digests of rows and of cells, are those of ``COMPLETE``, which names all tables and arrays that the config
  asks for (:mod:`.release_structure`); schemas and the data dictionary are what the program makes of its tables, and
  the published plan has the digest that ``COMPLETE`` holds.
* ``logic``: the checks of the space (:mod:`boardspace.spec.check`), on what is published, and its claims judged
  anew. Checks that need what only the run has (its receipts, or intermediates) cannot be made, nor can such claims be
  measured; both are named in notes.

Beside its datasets, a release has a manifest, pages that follow from them, and a site, which are compared with them.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any

from boardspace.spec.check import Draw
from boardspace.spec.registry import error_text, space_named
from boardspace.storage.deposits import ZENODO
from boardspace.storage.release_documents import (
    LONGEST,
    PAGE,
    README,
    archive_of,
    entries_in,
    entry_of,
    profiles_in,
    release_documents,
)
from boardspace.storage.release_folder import MANIFEST, RELEASE_DOCUMENTS, SIGNATURE, SITE, SITE_FOLDER, SUMS, SumsError
from boardspace.verify.executor import Executor, executor
from boardspace.verify.files import FileFaultError, content_of, memory_bounded
from boardspace.verify.logic import Opened, begin_checks, logic_of
from boardspace.verify.recompute import checks_of_release
from boardspace.verify.records import is_of_these_sources, plan_notes
from boardspace.verify.release_inputs import (
    Faults,
    archive_faults,
    datasets_in,
    has_sums,
    hash_faults,
    published_in,
    published_inputs,
    sums_in,
)
from boardspace.verify.release_structure import Counts, structure_faults
from boardspace.verify.result import Fault, Level, Rederived, Verification, what_was_left
from boardspace.verify.rewriting import note_of
from boardspace.verify.tree import tree_of


def rederived_from(workers: Executor, folder: Path, draw: Draw) -> tuple[list[Rederived], list[Fault]]:
    """The checks of a dataset without faults of structure, and what they found."""
    opened = partial(_opened, folder.resolve())
    try:
        checks, work, _ = opened()
    except Exception as error:  # forged data make readers raise nearly anything
        return [], [Fault("logic", f"{folder.resolve().name}: checks", f"cannot be made: {error_text(error)}")]
    return logic_of(work, checks, begin_checks(workers, opened, checks, draw)())


def _opened(folder: Path) -> Opened:
    """The checks of a dataset, what made it, and what they read; FileFaultError where it does not say."""
    work, complete = published_in(folder)
    return checks_of_release(work, complete), work, published_inputs(folder, work.space, list(sums_in(folder)))


def what_needs_the_run(rederived: Sequence[Rederived]) -> Iterator[str]:
    """Notes on the checks, and the claims, of each dataset that need the run."""
    for dataset, checks in groupby(rederived, key=lambda one: one.dataset):
        lacking = [one.check for one in checks if one.impossible]
        if lacking:
            yield (
                f"{dataset}: checks that only the run allows, which verified it before it was published: "
                + ", ".join(lacking)
            )
    yield from what_was_left(rederived)


def foreign_faults(root: Path) -> Faults:
    """Faults of paths that are no dataset, archive or checksum of a release, nor the site that shows them."""
    datasets = {path.name for path in datasets_in(root)}
    known = {f"{name}{ending}" for name in datasets for ending in ("", ".tar", ".tar.sha256")}
    known |= {*RELEASE_DOCUMENTS, ZENODO, SIGNATURE}
    for path in sorted(root.iterdir()):
        if path.name in datasets and path.is_symlink():
            yield path.name, "a symbolic link, and a release holds datasets themselves"
        elif path.name not in known | SITE:
            yield path.name, f"no part of a release: neither a dataset (with its {SUMS}) nor the archive of one"
        elif path.name == SITE_FOLDER:
            yield from _foreign_in_site(path)


def _foreign_in_site(folder: Path) -> Faults:
    """Faults of paths in the folder of the site that are no regular files; its files are compared with nothing here."""
    if folder.is_symlink():
        yield folder.name, "a symbolic link, and a site's folder lies in the release itself"
        return
    for name, what in tree_of(folder).unexpected.items():
        yield f"{folder.name}/{name}", what


def document_faults(root: Path, others: Sequence[Fault], notes: list[str]) -> Faults:
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
            content[name] = content_of(root / name, LONGEST)
        except FileFaultError as error:
            yield name, str(error)
            return
    try:
        entries = {entry["name"]: entry for entry in entries_in(content[MANIFEST])}
        made = release_documents(list(entries.values()), profiles_in(content[MANIFEST]))
    except Exception as error:  # a forged manifest makes nearly anything be raised
        yield MANIFEST, f"is not the manifest of a release: {error!r}"
        return
    page = content.get(README, b"")
    if page and made[README].endswith(b"---\n\n" + page) and "huggingface" not in profiles_in(content[MANIFEST]):
        made[README] = page  # before version 2 it began with the list of tables by that profile alone
    for name in (name for name in there if content[name] != made.get(name)):
        if name == README and not all(map(_is_made_here, datasets_in(root))):
            notes.append(f"{README}: was written by another version, so it was not made again")
        else:
            yield name, f"is not what {MANIFEST} makes it"
    if ZENODO in made and ZENODO not in there:
        yield ZENODO, f"missing: {MANIFEST} has the profile of Zenodo"
    yield from _entry_faults(root, entries, others, notes)


def _entry_faults(root: Path, entries: Mapping[str, Any], others: Sequence[Fault], notes: list[str]) -> Faults:
    """The manifest's entries have to say of each dataset what its files do; of faulty ones that is not asked."""
    faulty = {fault.where.split("/")[0].split(".tar")[0] for fault in others}
    here = {folder.name: folder for folder in datasets_in(root)}
    for name in sorted(entries.keys() - here.keys()):
        notes.append(f"{name}: {MANIFEST} names it, and it is not here")
    for name in sorted(here.keys() - faulty):
        try:
            entry = dict(entries.get(name, {}))
            archive = entry.pop("archive", None)
            if entry != entry_of(here[name]) or archive_of(here[name]) not in (None, archive):
                yield MANIFEST, f"says something else of {name} than the files of that dataset do"
        except Exception as error:  # so do forged documents
            yield f"{name}/datapackage.json", f"does not say what {MANIFEST} tells of a dataset: {error!r}"


def _is_site(root: Path, name: str) -> bool:
    """Return whether this is the page of a site, which took the place of a release's."""
    return name == PAGE and (root / SITE_FOLDER).is_dir()


def _is_made_here(folder: Path) -> bool:
    try:
        work, _ = published_in(folder)
    except Exception:  # forged datasets make nearly anything be raised, and have faults of their own
        return True
    return is_of_these_sources(work)


FIRST_DRAW = Draw()


def verify_release(
    root: Path, level: Level, names: Sequence[str], draw: Draw = FIRST_DRAW, processes: bool = False
) -> Verification:
    """Check the published datasets at or below a folder, or those named; ``draw`` chooses what the logic level tries,
    ``processes`` lets other processes of this program do it where there is much to check."""
    counts, notes = Counts(), list[str]()
    folders = [folder for folder in datasets_in(root) if not names or folder.resolve().name in names]
    faults = [fault for folder in folders for fault in _dataset_faults(folder, level, counts, notes)]
    notes += note_of(counts.others)
    if has_sums(root):
        notes.append("the folder of one dataset; what lies beside it, its archive apart, was not looked at")
    else:
        faults += [Fault("hashes", where, what) for where, what in foreign_faults(root)]
        faults += [Fault("hashes", where, what) for where, what in document_faults(root, faults, notes)]
    rederived: list[Rederived] = []
    unchecked: dict[str, Mapping[str, str]] = {}
    if level == "logic":
        faulty = {fault.where.split("/")[0] for fault in faults}
        sound = [folder for folder in folders if folder.resolve().name not in faulty]
        rederived, found = _rederived(sound, draw, processes)
        faults += found
        unchecked = {folder.resolve().name: dict(space_named(folder.resolve().name).unchecked) for folder in sound}
        notes += what_needs_the_run(rederived)
    cases = sum(one.cases for one in rederived)
    found_in = (counts.files, counts.bytes, counts.rows, cases)
    return Verification(level, *found_in, tuple(faults), tuple(notes), tuple(rederived), unchecked)


def _dataset_faults(folder: Path, level: Level, counts: Counts, notes: list[str]) -> list[Fault]:
    name = folder.resolve().name
    found = [Fault(at, f"{name}/{where}", what) for at, where, what in _faults(folder, level, counts)]
    if level != "hashes" and not found:
        notes += plan_notes(published_in(folder)[0])
    whole = all(fault.level != "hashes" for fault in found)
    return found + [Fault("hashes", where, what) for where, what in archive_faults(folder, name, whole, notes)]


def _rederived(folders: Sequence[Path], draw: Draw, processes: bool) -> tuple[list[Rederived], list[Fault]]:
    """The checks of datasets without other faults, and what they found."""
    rederived: list[Rederived] = []
    faults: list[Fault] = []
    with executor(sum(sum(tree_of(folder).files.values()) for folder in folders), processes) as workers:
        for folder in folders:
            made, found = rederived_from(workers, folder, draw)
            rederived += made
            faults += found
    return rederived, faults


def _faults(folder: Path, level: Level, counts: Counts) -> Iterator[tuple[Level, str, str]]:
    """Faults of one dataset: level, place and text. Where the hashes have any, the structure is not looked at."""
    tree = tree_of(folder)
    try:
        sums = sums_in(folder)
    except (FileFaultError, SumsError) as error:
        yield "hashes", SUMS, str(error)
        return
    found = list(hash_faults(folder, tree, sums))
    counts.files += len(sums)
    yield from (("hashes", where, what) for where, what in found)
    if found:
        return
    counts.bytes += sum(tree.files[name] for name in sums)
    if level != "hashes":
        with memory_bounded():
            yield from (("structure", where, what) for where, what in structure_faults(folder, sums, counts))
