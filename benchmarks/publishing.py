"""Publishing against the disk: bytes per second of the checked copies and of the archive, next to a plain copy."""

import atexit
import hashlib
import shutil
import tempfile
from pathlib import Path

import numpy as np

from benchmarks.harness import Job, benchmark
from boardspace.storage.archive import check_archive, fill_archive
from boardspace.storage.release_folder import Copied, ReleaseFolder, publishing

FILES, SIZE = 64, 4 << 20


def _folder() -> Path:
    folder = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def _dataset() -> dict[str, Copied]:
    """64 files of 4 MiB that no compressor makes smaller, by the names they are published under."""
    folder, content = _folder(), np.random.default_rng(0)
    files = {}
    for number in range(FILES):
        path = folder / f"{number:04}.parquet"
        path.write_bytes(content.bytes(SIZE))
        files[f"main/{path.name}"] = Copied(path, hashlib.sha256(path.read_bytes()).hexdigest())
    return files


@benchmark(unit="bytes", runs=3)
def plain_copy() -> Job:
    """What the disk takes: the same files by shutil, neither synced nor read back."""
    files, target = _dataset(), _folder()

    def job() -> int:
        for name, file in files.items():
            (target / name).parent.mkdir(exist_ok=True)
            shutil.copyfile(file.source, target / name)
        return FILES * SIZE

    return job


@benchmark(unit="bytes", baseline="plain_copy", runs=3)
def checked_copies() -> Job:
    """Every file synced, read back, compared with its receipt; then renamed into place together."""
    files, target = _dataset(), _folder()

    def job() -> int:
        shutil.rmtree(target)
        with publishing(target):
            ReleaseFolder(target, "data").put(files)
        return FILES * SIZE

    return job


@benchmark(unit="bytes", baseline="plain_copy", runs=3)
def archive() -> Job:
    """The folder as one tar file, synced, every member read back and compared."""
    files, target = _dataset(), _folder()
    folder = ReleaseFolder(target, "data")
    folder.put(files)
    sums = {name: file.sha256 for name, file in files.items()}

    def job() -> int:
        folder.put_archive(
            lambda stream: fill_archive(folder.folder, sorted(sums), stream),
            lambda path: check_archive(path, "data", sums),
        )
        return FILES * SIZE

    return job
