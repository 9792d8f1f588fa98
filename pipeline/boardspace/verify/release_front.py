"""Checks of the top of a release, beside its datasets: the manifest and the pages that follow from them, the site."""

import os
from collections.abc import Sequence
from pathlib import Path

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
from boardspace.storage.release_folder import FOLDER as SITE_FOLDER
from boardspace.storage.release_folder import MANIFEST, RELEASE_DOCUMENTS, SIGNATURE, SITE, SUMS
from boardspace.verify.files import FileFaultError, content_of
from boardspace.verify.plans import is_of_these_sources
from boardspace.verify.release_files import Faults, datasets_in
from boardspace.verify.release_inputs import published_in
from boardspace.verify.result import Fault
from boardspace.verify.tree import tree_of


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


def front_faults(root: Path, others: Sequence[Fault], notes: list[str]) -> Faults:
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
