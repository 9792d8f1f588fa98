"""Memo of what a release holds already, so that nothing is made again to find that out."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

from boardspace.engine.plan import Work
from boardspace.spec.citation import Citation
from boardspace.storage.complete import read_complete
from boardspace.storage.files import Written
from boardspace.storage.locations import Location
from boardspace.storage.records import digest_of
from boardspace.storage.release_documents import archive_of
from boardspace.storage.release_folder import LONGEST_SUMS, SUMS, ReleaseFolder
from boardspace.storage.run_folder import SpaceFolder
from boardspace.storage.stored import stored
from boardspace.verify.memo import Released, basis, recall, remember


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


def remember_published(root: Location, release: Location, work: Work, published: Published, citation: Citation) -> None:
    """Keep what a dataset came to, where the run may be written to."""
    folder = SpaceFolder(root, work.space.name)
    complete = read_complete(folder)
    if complete is not None:
        of, sums = basis(folder, work, complete, Released), _sums(release, published.dataset)
        files, size, cited = published.files, published.bytes, digest_of(citation.document())
        remember(folder, Released(of=of, sums=sums, files=files, bytes=size, cited=cited))


def published_before(root: Location, release: Location, work: Work, citation: Citation) -> Published | None:
    """The dataset as it lies in the release, whole and with its archive; None where it is not there, or where the run
    does not know what it would come to."""
    name = work.space.name
    memo = recall(SpaceFolder(root, name), work, Released)
    if memo is None or (memo.sums, memo.cited) != (_sums(release, name), digest_of(citation.document())):
        return None
    archive = ReleaseFolder(release, name).kept_archive() if isinstance(release, Path) else _archive(release / name)
    return Published(name, memo.files, memo.bytes, archive, new=False) if archive else None


def _archive(dataset: Location) -> Written | None:
    found = archive_of(dataset)
    return Written(found["bytes"], found["sha256"]) if found else None


def _sums(release: Location, name: str) -> str:
    """The SHA-256 of a dataset's list of files; empty where there is none."""
    listing = stored(release / name / SUMS)
    return hashlib.sha256(listing.read(LONGEST_SUMS)).hexdigest() if listing.exists() else ""
