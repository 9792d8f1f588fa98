"""What a run knows of its publications, so that what is published already is not made again to find that out.

Files that are joined from shards have no SHA-256 before they are written. So a run keeps that of the ``SHA256SUMS`` it
came to, with what decides it: the digests of the data, which COMPLETE has, and the sources that made the release.
"""

import hashlib
from dataclasses import dataclass
from pathlib import Path

from boardspace.engine.plan import Work, work_by
from boardspace.storage.complete import read_complete
from boardspace.storage.files import StorageError, Written
from boardspace.storage.locations import Location
from boardspace.storage.records import Record, digest_of, read_record, write_record
from boardspace.storage.release_documents import archive_of
from boardspace.storage.release_folder import LONGEST_SUMS, SUMS, ReleaseFolder
from boardspace.storage.run_folder import SpaceFolder
from boardspace.storage.stored import stored
from boardspace_kernels.kernel_cache import source_digest

PIPELINE = Path(__file__).resolve().parents[1]
"""Sources that make a release."""


@dataclass(frozen=True)
class Published:
    """What was published of one dataset; ``new`` is false where exactly this was published before."""

    dataset: str
    files: int
    bytes: int
    archive: Written
    new: bool


class Remembered(Record):
    """A release of a dataset: the SHA-256 of its ``SHA256SUMS``, how many files and bytes of data it has, and a digest
    of what it follows ``of``."""

    of: str
    sums: str
    files: int
    bytes: int


def remember(root: Location, release: Location, work: Work, published: Published) -> None:
    """Keep what a dataset came to, where the run may be written to."""
    folder = SpaceFolder(root, work.space.name)
    record = Remembered(
        of=_what(folder, work), sums=_sums(release, published.dataset), files=published.files, bytes=published.bytes
    )
    try:
        write_record(_path(folder), record, "published")
    except StorageError:  # a run may be published from where it lies read-only
        return


def published_before(root: Location, release: Location, work: Work) -> Published | None:
    """The dataset as it lies in the release, whole and with its archive; None where it is not there, or where the run
    does not know what it would come to."""
    folder, name = SpaceFolder(root, work.space.name), work.space.name
    record = read_record(_path(folder), Remembered)
    if record is None or record.of != _what(folder, work) or record.sums != _sums(release, name):
        return None
    archive = ReleaseFolder(release, name).kept_archive() if isinstance(release, Path) else _archive(release / name)
    return Published(name, record.files, record.bytes, archive, new=False) if archive else None


def _archive(dataset: Location) -> Written | None:
    found = archive_of(dataset)
    return Written(found["bytes"], found["sha256"]) if found else None


def _sums(release: Location, name: str) -> str:
    """The SHA-256 of a dataset's list of files; empty where there is none."""
    listing = stored(release / name / SUMS)
    return hashlib.sha256(listing.read(LONGEST_SUMS)).hexdigest() if listing.exists() else ""


def _what(folder: SpaceFolder, work: Work) -> str:
    """Digest of what decides a release: the data, the space as installed, and all of the pipeline."""
    complete, installed = read_complete(folder), work_by(work.space, work.plan).plan
    sources = source_digest(PIPELINE)
    return digest_of([complete and complete.model_dump(), installed.model_dump(), sources])


def _path(folder: SpaceFolder) -> Location:
    return folder.private / "published.json"
