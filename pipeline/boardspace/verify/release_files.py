"""The files of a downloaded dataset, by its list of sums: each there with its SHA-256 and nothing else; its archive."""

import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from boardspace.storage.archive import archive_digest
from boardspace.storage.release_folder import LONGEST_SUMS, SUMS, parse_sums
from boardspace.verify.files import FileFaultError, check_hash, content_of, opened, side_by_side
from boardspace.verify.tree import Tree, empty_folders

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
