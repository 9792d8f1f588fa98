"""A dataset's folder as one tar file whose bytes depend on nothing but the folder's names and contents.

It is not compressed: Parquet pages and Zarr chunks are, so a second compressor would save next to nothing, and its
bytes would change with its version.
"""

import hashlib
import io
import tarfile
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import BinaryIO, cast

from boardspace.storage.files import StorageError

MODE = 0o644


def fill_archive(folder: Path, names: list[str], stream: BinaryIO) -> None:
    """Write the named files of ``folder`` to a tar stream, in order, as ``FOLDER/NAME``: owner 0, time 0, mode 0644."""
    with tarfile.open(fileobj=stream, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name in names:
            member = tarfile.TarInfo(f"{folder.name}/{name}")
            member.size = (folder / name).stat().st_size
            member.mode = MODE
            with (folder / name).open("rb") as file:
                archive.addfile(member, file)


def archive_digest(folder: Path, names: list[str]) -> str:
    """The SHA-256 that :func:`fill_archive` would give the archive of these files."""
    digest = hashlib.sha256()
    # No more is asked of a stream that an archive is written to; its places count from where it begins.
    fill_archive(folder, names, cast(BinaryIO, SimpleNamespace(write=digest.update, tell=lambda: 0)))
    return digest.hexdigest()


def check_archive(archive: Path, folder: str, sums: Mapping[str, str]) -> None:
    """StorageError unless the archive holds exactly the files of ``sums``, below ``folder``, with these SHA-256."""
    found = {}
    with tarfile.open(archive, mode="r:") as opened:
        for member in opened:
            stream = cast(io.BufferedReader, opened.extractfile(member))
            found[member.name] = hashlib.file_digest(stream, "sha256").hexdigest()
    if found != {f"{folder}/{name}": sha256 for name, sha256 in sums.items()}:
        raise StorageError(f"{archive}: the files read back differ from those written; do not trust this disk")
