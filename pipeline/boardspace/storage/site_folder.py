"""Folder of a site: what lies where, and copies of published datasets below it."""

import shutil
from pathlib import Path
from typing import BinaryIO

from boardspace.storage.files import StorageError, inside, sha256_of, write, write_bytes
from boardspace.storage.release_folder import BUFFER, SUMS, read_sums

PAGE = "index.html"
FOLDER = "atlas"
WORKER = "sw.js"
"""The service worker, which has to lie beside the page whose requests it answers."""
SITE = frozenset({PAGE, FOLDER, WORKER})
"""A site that lies beside the datasets of a release consists of these."""


def copy_dataset(source: Path, target: Path) -> None:
    """Copy the files that ``SHA256SUMS`` names, and it; what is there with its digest is kept.

    StorageError where a copy differs, or where ``target`` is another dataset.
    """
    listing = source / SUMS
    if target.exists() and (not (target / SUMS).is_file() or sha256_of(target / SUMS) != sha256_of(listing)):
        raise StorageError(f"{target}: is something else than {source}; choose another folder with --out, or delete it")
    write_bytes(inside(target, SUMS), listing.read_bytes(), "site")
    for name, sha256 in read_sums(listing).items():
        copy = inside(target, name)
        if not copy.is_file() or sha256_of(copy) != sha256:
            _copy(source / name, copy, sha256)


def _copy(source: Path, target: Path, sha256: str) -> None:
    def fill(stream: BinaryIO) -> None:
        """Copy the file to a stream."""
        with source.open("rb") as opened:
            shutil.copyfileobj(opened, stream, BUFFER)

    if write(target, fill, lambda _: None, "site").sha256 != sha256:
        raise StorageError(f"{source}: differs from its checksum; `boardspace verify` tells more")
