"""Folder of a release: what lies where, and how a dataset gets there whole or not at all.

::

    release/
      klotski/                 a dataset, to be read in place
        README.md  datapackage.json  croissant.json  dictionary.csv  CITATION.cff  schemas/  claims.parquet  COMPLETE
        main/00000000.parquet
        arrays.zarr/
        SHA256SUMS             of every other file of the folder
      klotski.tar              the same folder as one file
      klotski.tar.sha256       its checksum; written last
      release.json  README.md  index.html  CITATION.cff    of all datasets; made again when one is added
      .zenodo.json             of a release for Zenodo
      release.json.sig         the publisher's signature of release.json, if it is signed
      .partial-klotski/        a dataset on its way
      .publishing              held while a release is written

A dataset is gathered in its ``.partial`` folder, every file synced and read back, and renamed into place in one step;
so a folder with a dataset's name is a whole dataset. What is there is never changed: publishing the same again finishes
what a crash left undone, publishing something else under the same name is refused.

Data files are copied, not linked: a release must not change when the run's folder is damaged, edited or run anew, and
it often lies on another disk. Each copy is read back and compared with the SHA-256 of its receipt, so a file that
rotted in the run's folder is not published.
"""

import hashlib
import re
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import filelock

from boardspace.storage import files
from boardspace.storage.files import (
    TEMPORARY,
    StorageError,
    Written,
    inside,
    make_folder,
    move_folder,
    sha256_of,
    write,
    write_bytes,
)
from boardspace.storage.locations import Location, inner_path
from boardspace.storage.stored import put_bytes, stored

SUMS = "SHA256SUMS"
LONGEST_SUMS = 1 << 28
PARTIAL = ".partial-"
ARCHIVE = ".tar"
MANIFEST = "release.json"
SIGNATURE = f"{MANIFEST}.sig"
CITATION = "CITATION.cff"
DOCUMENTS = ("README.md", "dictionary.csv", "datapackage.json", "croissant.json", CITATION)
RELEASE_DOCUMENTS = (MANIFEST, "README.md", "index.html", CITATION)
BUFFER = 1 << 20
LINE = re.compile(r"([0-9a-f]{64})  (.*)", re.DOTALL)


@dataclass(frozen=True)
class Copied:
    """A file to be copied: from where, and the SHA-256 its receipt has."""

    source: Path
    sha256: str


@dataclass(frozen=True)
class Made:
    """A file that lies in the dataset's ``.partial`` folder already, with this SHA-256."""

    sha256: str


Content = Mapping[str, bytes | Copied | Made]


def schema_path(table: str) -> str:
    """Path of the schema of a table in a dataset."""
    return f"schemas/{table}.json"


@dataclass(frozen=True)
class ReleaseFolder:
    """The part of a release that belongs to one dataset."""

    root: Path
    dataset: str

    @property
    def folder(self) -> Path:
        """The dataset, to be read in place."""
        return self.root / self.dataset

    @property
    def archive(self) -> Path:
        """The dataset as one file."""
        return self.root / f"{self.dataset}{ARCHIVE}"

    @property
    def partial(self) -> Path:
        """The dataset on its way."""
        return self.root / f"{PARTIAL}{self.dataset}"

    def holds(self, content: Content) -> bool:
        """True where exactly these files, by path inside the dataset, are published; StorageError where others are."""
        if not self.folder.exists():
            return False
        there = self.folder / SUMS
        if not there.is_file() or there.read_bytes() != sums_of(content):
            raise StorageError(
                f"{self.folder}: is something else than this dataset, and what is published is not changed; "
                "choose another folder with --out, or delete it"
            )
        return True

    def put(self, content: Content, copied: Callable[[int], object] = lambda _: None) -> None:
        """Publish these files; StorageError where a copy differs from its receipt. ``copied`` hears of the bytes of
        each file as it is there."""
        partial = inside(self.root, self.partial.name)
        for name, file in content.items():
            if not isinstance(file, Made):
                target = inside(partial, name)
                if isinstance(file, bytes):
                    write_bytes(target, file, "release")
                else:
                    _copy(file, target, "release", "receipt")
                copied(target.stat().st_size)
        write_bytes(partial / SUMS, sums_of(content), "release")
        files.reached("release-gathered")
        for old in (self._archive_sum, self.archive):
            old.unlink(missing_ok=True)
        move_folder(partial, self.folder)
        files.reached("release-moved")

    def put_archive(self, fill: Callable[[BinaryIO], object], check: Callable[[Path], None]) -> Written:
        """Write the archive by ``fill``, have it read back by ``check``, then write its checksum."""
        written = write(self.archive, fill, check, "archive")
        line = f"{written.sha256}  {self.archive.name}\n"
        write_bytes(self._archive_sum, line.encode(), "archive-sum")
        return written

    def kept_archive(self) -> Written | None:
        """The archive of an earlier publication; None where it, or its checksum, is not there."""
        if not (self._archive_sum.exists() and self.archive.exists()):
            return None
        sha256 = sha256_of(self.archive)
        if self._archive_sum.read_bytes() != f"{sha256}  {self.archive.name}\n".encode():
            raise StorageError(f"{self.archive}: differs from its checksum; delete it and publish again")
        return Written(self.archive.stat().st_size, sha256)

    @property
    def _archive_sum(self) -> Path:
        return self.archive.with_name(f"{self.archive.name}.sha256")


def put_release_documents(root: Location, texts: Mapping[str, bytes]) -> None:
    """Write what a release says of itself, where it does not say just that."""
    for name, text in texts.items():
        there = stored(inside(root, name) if isinstance(root, Path) else root / name)
        if there.size() != len(text) or there.read(len(text)) != text:
            put_bytes(root / name, text, "release-documents")


def sums_of(content: Content) -> bytes:
    """The text of ``SHA256SUMS``, as ``sha256sum`` writes it, in order of the names."""
    lines = [f"{_sha256(content[name])}  {inner_path(name)}\n" for name in sorted(content)]
    return "".join(lines).encode()


class SumsError(ValueError):
    """A text that is not a ``SHA256SUMS`` as this program writes it."""


def read_sums(path: Path) -> dict[str, str]:
    """SHA-256 by name of a ``SHA256SUMS`` that this program wrote."""
    return parse_sums(path.read_bytes())


def parse_sums(content: bytes) -> dict[str, str]:
    """SHA-256 by name; SumsError where a line is no sum, a name leads out of its folder, or stands twice."""
    sums: dict[str, str] = {}
    try:
        *lines, rest = content.decode().split("\n")
        if rest:
            raise SumsError("its last line does not end")
        for line in lines:
            matched = LINE.fullmatch(line)
            if matched is None:
                raise SumsError(f"{line[:100]!r} is not a SHA-256, two spaces and a name")
            sha256, name = matched.groups()
            if inner_path(name) in sums:
                raise SumsError(f"it names {name!r} twice")
            sums[name] = sha256
    except ValueError as error:
        raise SumsError(str(error)) from error
    return sums


@contextmanager
def publishing(root: Path) -> Iterator[None]:
    """Hold a release, so that no two commands write it at once; sweep what a dead one, or this one, left half done."""
    lock = inside(root, ".publishing")
    try:
        make_folder(root)
        with filelock.FileLock(lock).acquire(timeout=0):
            _sweep(root)
            try:
                yield
            finally:
                _sweep(root)
                lock.unlink()
    except filelock.Timeout:
        raise StorageError(
            f"{root}: another command is publishing here; wait for it, or choose another --out"
        ) from None
    except OSError as error:
        raise StorageError(f"{root}: cannot be published to ({error}); choose another folder with --out") from error


def sweep(root: Path) -> None:
    """Remove what a dead command left half done; StorageError where a living one writes there."""
    with publishing(root):
        pass


def _sweep(root: Path) -> None:
    for folder in root.glob(f"{PARTIAL}*"):
        shutil.rmtree(folder)
    for folder in (root, inside(root, SITE_FOLDER)):
        for file in folder.glob(f"{TEMPORARY}*"):
            file.unlink()


def _sha256(file: bytes | Copied | Made) -> str:
    return file.sha256 if isinstance(file, Copied | Made) else hashlib.sha256(file).hexdigest()


PAGE = "index.html"
SITE_FOLDER = "atlas"
SERVICE_WORKER = "sw.js"
"""The service worker, which has to lie beside the page whose requests it answers."""
SITE = frozenset({PAGE, SITE_FOLDER, SERVICE_WORKER})
"""A site that lies beside the datasets of a release consists of these."""


def copy_dataset(source: Path, target: Path) -> None:
    """Copy the files that ``SHA256SUMS`` names, and it; what is there with its digest is kept, and what a dead command
    was writing is removed.

    StorageError where a copy differs, or where ``target`` is another dataset.
    """
    listing = source / SUMS
    if target.exists() and (not (target / SUMS).is_file() or sha256_of(target / SUMS) != sha256_of(listing)):
        raise StorageError(f"{target}: is something else than {source}; choose another folder with --out, or delete it")
    for left in inside(target, SUMS).parent.rglob(f"{TEMPORARY}*"):
        left.unlink()
    write_bytes(inside(target, SUMS), listing.read_bytes(), "site")
    for name, sha256 in read_sums(listing).items():
        copy = inside(target, name)
        if not copy.is_file() or sha256_of(copy) != sha256:
            _copy(Copied(source / name, sha256), copy, "site", "checksum")


def _copy(file: Copied, target: Path, kind: str, named: str) -> None:
    def fill(stream: BinaryIO) -> None:
        with file.source.open("rb") as source:
            shutil.copyfileobj(source, stream, BUFFER)

    if write(target, fill, lambda _: None, kind).sha256 != file.sha256:
        raise StorageError(f"{file.source}: differs from its {named}; `boardspace verify` tells more")
