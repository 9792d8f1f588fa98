"""A run in a bucket, reached by obstore (:mod:`.objects`): S3, and what speaks its protocol.

A put is whole or not there, so nothing has temporary names. What is written is made in private scratch (memory, or an
unnamed file where it is larger), read back, and put with its SHA-256, which the store compares; large objects go in
parts. What is read is fetched whole where it is small, by ranges where it is not; arrays that stages map lie in unnamed
scratch files, so a process that is killed leaves nothing. Scratch is in the folder of ``TMPDIR``.
"""

import contextlib
import functools
import hashlib
import io
import tempfile
import time
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, cast

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from boardspace.storage import files
from boardspace.storage.files import Check, Fill, Sizes, StorageError, Warn, Written
from boardspace.storage.lease import leased
from boardspace.storage.locations import BucketPath
from boardspace.storage.objects import client, content_of, copy_to, obstore_package, put_if, repeated, store_errors

# What is larger is spooled to a file, fetched by ranges, or put in parts.
IN_MEMORY = 8 << 20
WHOLE = 8 << 20
IN_PARTS = 64 << 20
PART = 16 << 20
PARTS_AT_ONCE = 4
BLOBS_KEPT = 16
MOST_LISTED = 5_000_000
LISTING_SECONDS = 600.0


@dataclass(frozen=True)
class InBucket:
    """Object of a bucket, or all objects below a prefix, with the methods of :class:`.OnDisk`."""

    path: BucketPath

    def read(self, most: int) -> bytes:
        """Return the object's content; StorageError where it is longer than ``most`` bytes."""
        content = content_of(self.path, most)
        if content is None:
            raise StorageError(f"{self.path}: it is longer than {most:,} bytes")
        return content

    def write(self, fill: Fill, check: Check, kind: str) -> Written:
        """Let ``fill`` write to a spooled file and ``check`` read it, then put the object."""
        with store_errors(self.path), tempfile.SpooledTemporaryFile(max_size=IN_MEMORY) as spooled:
            stream = cast(BinaryIO, spooled)
            files.reached(f"{kind}-opened")
            fill(stream)
            files.reached(f"{kind}-written")
            stream.seek(0)
            check(stream)
            size = stream.seek(0, io.SEEK_END)
            stream.seek(0)
            sha256 = hashlib.file_digest(spooled, "sha256").hexdigest()
            files.reached(f"{kind}-checked")
            stream.seek(0)
            self._put(stream, size)
        files.reached(f"{kind}-done")
        return Written(size, sha256)

    def create(self, content: bytes, kind: str) -> bool:
        """Put the content unless an object is there, which the store itself sees to. Return True if it was put."""
        files.reached(f"{kind}-opened")
        files.reached(f"{kind}-checked")
        with store_errors(self.path):
            try:
                repeated(lambda: put_if(self.path, content, "create"))
            except obstore_package().exceptions.AlreadyExistsError:
                # An answer that was lost is asked for again, and then what is there is ours.
                return self.read(len(content) + 1) == content if self.size() == len(content) else False
        files.reached(f"{kind}-done")
        return True

    def exists(self) -> bool:
        return self.size() is not None

    def size(self) -> int | None:
        with store_errors(self.path):
            try:
                return int(obstore_package().head(client(self.path.bucket), self.path.key)["size"])
            except FileNotFoundError:
                return None

    def remove(self) -> None:
        with store_errors(self.path), contextlib.suppress(FileNotFoundError):
            obstore_package().delete(client(self.path.bucket), self.path.key)

    def table_file(self) -> pa.NativeFile:
        """Open the object for Arrow: a small one is fetched whole, of a large one only the ranges that are read."""
        content = content_of(self.path, WHOLE)
        if content is not None:
            return pa.BufferReader(content)
        return pa.PythonFile(_Ranges(self.path, self.size() or 0), mode="r")

    def blob(self, sha256: str) -> npt.NDArray[Any]:
        """Fetch the object to an unnamed file, check its SHA-256 and return its array, mapped read-only."""
        # The last few that a process fetched are kept.
        return _fetched_blob(self.path, sha256)

    def names(self) -> list[str]:
        return sorted(self._listed())

    def sizes(self, folders: Sequence[str]) -> Sizes:
        """List these ``folders`` once, and return a function from a name to its size in bytes, None where missing.

        A request lists a thousand files.
        """
        known: dict[str, int] = {}
        for folder in folders:
            listed = InBucket(self.path / folder)._listed()
            known |= {f"{folder}/{name}": size for name, size in listed.items()}
        return known.get

    def move(self, name: str, target: str) -> None:
        """Have the store copy an object below to another name below, and delete the old one."""
        with store_errors(self.path / name):
            obstore_package().rename(client(self.path.bucket), (self.path / name).key, (self.path / target).key)

    def sweep(self, below: bool = True) -> None:
        """Do nothing: a put leaves nothing half written that has a name."""

    def remove_all(self) -> None:
        with store_errors(self.path):
            keys = [(self.path / name).key for name in self._listed()]
            if keys:
                obstore_package().delete(client(self.path.bucket), keys)

    def zarr_store(self) -> Any:
        from zarr.storage import ObjectStore  # half a second to import, and most commands do without

        return ObjectStore(client(self.path.bucket, self.path.key), read_only=True)

    def held(self, warn: Warn, break_lock: bool) -> AbstractContextManager[None]:
        """Hold the run's lock: an object that its owner renews (see :mod:`.lease`). ``warn`` hears of the wait for an
        owner that may be dead, unless ``break_lock`` says that it is."""
        above = self.path.parent
        return leased(_LockObject(self.path), str(above.parent if above.name == ".run" else above), warn, break_lock)

    def is_held(self) -> bool:
        """True where the lock is there: its owner deletes it, unless it died."""
        return self.exists()

    def put_file(self, path: Path) -> None:
        """Put the content of a file of a release."""
        with store_errors(self.path), path.open("rb") as stream:
            self._put(stream, path.stat().st_size)
        files.reached("release-done")

    def _put(self, stream: BinaryIO, size: int) -> None:
        where = client(self.path.bucket), self.path.key
        if size <= IN_PARTS:
            obstore_package().put(*where, stream.read(), use_multipart=False)
        else:
            obstore_package().put(*where, stream, use_multipart=True, chunk_size=PART, max_concurrency=PARTS_AT_ONCE)

    def _listed(self) -> dict[str, int]:
        """Sizes by name of what lies below; objects that consoles make for empty folders are none."""
        start = len(self.path.key) + 1 if self.path.key else 0

        due = time.monotonic() + LISTING_SECONDS

        def attempt() -> dict[str, int]:
            pages = obstore_package().list(client(self.path.bucket), self.path.key or None)
            found: dict[str, int] = {}
            for page in pages:
                found |= {meta["path"][start:]: meta["size"] for meta in page}
                if len(found) > MOST_LISTED or time.monotonic() > due:
                    raise StorageError(
                        f"{self.path}: the store lists more than {MOST_LISTED:,} objects, or takes more than "
                        f"{LISTING_SECONDS:.0f} s to list them; give the prefix of a run, or of a dataset"
                    )
            return found

        with store_errors(self.path):
            return repeated(attempt)


@dataclass(frozen=True)
class _LockObject:
    """The object that is a run's lock; tags change with its content."""

    path: BucketPath

    def read(self) -> tuple[bytes, str] | None:

        def attempt() -> tuple[bytes, str]:
            found = obstore_package().get(client(self.path.bucket), self.path.key)
            return bytes(found.bytes()), str(found.meta["e_tag"])

        with store_errors(self.path):
            try:
                return repeated(attempt)
            except FileNotFoundError as error:
                if "NoSuchBucket" in str(error):
                    raise
                return None

    def create(self, content: bytes) -> str | None:
        return self._put(content, "create")

    def replace(self, content: bytes, tag: str) -> str | None:
        return self._put(content, {"e_tag": tag})

    def remove(self) -> None:
        InBucket(self.path).remove()

    def _put(self, content: bytes, mode: Any) -> str | None:
        exceptions = obstore_package().exceptions
        with store_errors(self.path):
            try:
                return repeated(lambda: put_if(self.path, content, mode))
            except (exceptions.AlreadyExistsError, exceptions.PreconditionError):
                return None


class _Ranges(io.RawIOBase):
    """An object as a file of which only what is asked for is fetched."""

    def __init__(self, path: BucketPath, size: int) -> None:
        self.path, self.bytes, self.position = path, size, 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self.position

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        """Go to a byte, counted from the start, the current place or the end; return its place."""
        self.position = offset + {io.SEEK_SET: 0, io.SEEK_CUR: self.position, io.SEEK_END: self.bytes}[whence]
        return self.position

    def read(self, size: int | None = -1, /) -> bytes:
        """Fetch ``size`` bytes from the current place on, fewer at the end; all that are left if None or below 0."""
        end = self.bytes if size is None or size < 0 else min(self.position + size, self.bytes)
        if end <= self.position:
            return b""
        store, start = client(self.path.bucket), self.position
        with store_errors(self.path):
            content = repeated(lambda: bytes(obstore_package().get_range(store, self.path.key, start=start, end=end)))
        self.position = end
        return content


@functools.lru_cache(maxsize=BLOBS_KEPT)
def _fetched_blob(path: BucketPath, sha256: str) -> npt.NDArray[Any]:
    """A ``.npy`` object in an unnamed scratch file, mapped; ValueError where it is damaged."""
    with store_errors(path), tempfile.TemporaryFile(prefix="boardspace-") as file:
        if copy_to(path, file) != sha256:
            raise ValueError("its SHA-256 is not that of its receipt")
        file.seek(0)
        np.lib.format.read_magic(file)
        shape, fortran, dtype = np.lib.format.read_array_header_1_0(file)
        if 0 in shape:
            return np.empty(shape, dtype)
        order: Any = "F" if fortran else "C"
        return np.asarray(np.memmap(file, dtype, "r", file.tell(), shape, order))
