"""A run in a bucket, reached by obstore: S3, and what speaks its protocol.

A put is whole or not there, so nothing has temporary names. What is written is made in private scratch (memory, or an
unnamed file where it is larger), read back, and put with its SHA-256, which the store compares; large objects go in
parts. What is read is fetched whole where it is small, by ranges where it is not; arrays that stages map lie in unnamed
scratch files, so a process that is killed leaves nothing. Scratch is in the folder of ``TMPDIR``.

Credentials, region and endpoint come from the environment (``AWS_ACCESS_KEY_ID``, ``AWS_ENDPOINT_URL``, ...).
"""

import contextlib
import functools
import hashlib
import io
import os
import re
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, BinaryIO, TypeVar, cast

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from boardspace.pipeline.storage import failpoints
from boardspace.pipeline.storage.files import StorageError, Written, explain
from boardspace.pipeline.storage.lease import leased
from boardspace.pipeline.storage.locations import BucketPath

if TYPE_CHECKING:
    from boardspace.pipeline.storage.stored import Check, Fill, Sizes, Tell

# What is larger is spooled to a file, fetched by ranges, or put in parts.
IN_MEMORY = 8 << 20
WHOLE = 8 << 20
IN_PARTS = 64 << 20
PART = 16 << 20
PARTS_AT_ONCE = 4
ATTEMPTS = 3
BLOBS_KEPT = 16
REQUEST_SECONDS = "120s"
RETRIES = {
    "max_retries": 8,
    "retry_timeout": timedelta(seconds=60),
    "backoff": {"init_backoff": timedelta(seconds=0.1), "max_backoff": timedelta(seconds=5), "base": 2},
}
ENDPOINT = re.compile(r"https?://[A-Za-z0-9._:\[\]-]+(/[!-~]*)?")
REPEATED = re.compile(r"after \d+ retries")
CODE = re.compile(r"<Code>([A-Za-z]+)</Code>")
CREDENTIALS = {
    "SignatureDoesNotMatch",
    "InvalidAccessKeyId",
    "InvalidToken",
    "ExpiredToken",
    "AuthorizationHeaderMalformed",
}


Found = TypeVar("Found")


@dataclass(frozen=True)
class InBucket:
    """See :class:`boardspace.pipeline.storage.stored.Stored`."""

    path: BucketPath

    def read(self, most: int) -> bytes:
        """See :class:`.Stored`."""
        content = _content(self.path, most)
        if content is None:
            raise StorageError(f"{self.path}: it is longer than {most:,} bytes")
        return content

    def write(self, fill: "Fill", check: "Check", kind: str) -> Written:
        """See :class:`.Stored`."""
        with told(self.path), tempfile.SpooledTemporaryFile(max_size=IN_MEMORY) as spooled:
            stream = cast(BinaryIO, spooled)
            failpoints.reached(f"{kind}-opened")
            fill(stream)
            failpoints.reached(f"{kind}-written")
            stream.seek(0)
            check(stream)
            size = stream.seek(0, io.SEEK_END)
            stream.seek(0)
            sha256 = hashlib.file_digest(spooled, "sha256").hexdigest()
            failpoints.reached(f"{kind}-checked")
            stream.seek(0)
            self._put(stream, size)
        failpoints.reached(f"{kind}-done")
        return Written(size, sha256)

    def create(self, content: bytes, kind: str) -> bool:
        """See :class:`.Stored`: the store itself refuses to replace."""
        failpoints.reached(f"{kind}-opened")
        failpoints.reached(f"{kind}-checked")
        with told(self.path):
            try:
                _repeated(lambda: _put_if(self.path, content, "create"))
            except _obstore().exceptions.AlreadyExistsError:
                # An answer that was lost is asked for again, and then what is there is ours.
                return self.read(len(content) + 1) == content if self.size() == len(content) else False
        failpoints.reached(f"{kind}-done")
        return True

    def exists(self) -> bool:
        """See :class:`.Stored`."""
        return self.size() is not None

    def size(self) -> int | None:
        """See :class:`.Stored`."""
        with told(self.path):
            try:
                return int(_obstore().head(client(self.path.bucket), self.path.key)["size"])
            except FileNotFoundError:
                return None

    def remove(self) -> None:
        """See :class:`.Stored`."""
        with told(self.path), contextlib.suppress(FileNotFoundError):
            _obstore().delete(client(self.path.bucket), self.path.key)

    def table_file(self) -> pa.NativeFile:
        """See :class:`.Stored`."""
        content = _content(self.path, WHOLE)
        if content is not None:
            return pa.BufferReader(content)
        return pa.PythonFile(_Ranges(self.path, self.size() or 0), mode="r")

    def blob(self, sha256: str) -> npt.NDArray[Any]:
        """See :class:`.Stored`; the last few that a process fetched are kept."""
        return _fetched_blob(self.path, sha256)

    def names(self) -> list[str]:
        """See :class:`.Stored`."""
        return sorted(self._listed())

    def sizes(self, folders: Sequence[str]) -> "Sizes":
        """See :class:`.Stored`; a thousand files are one request."""
        known: dict[str, int] = {}
        for folder in folders:
            listed = InBucket(self.path / folder)._listed()
            known |= {f"{folder}/{name}": size for name, size in listed.items()}
        return known.get

    def move(self, name: str, target: str) -> None:
        """See :class:`.Stored`: a copy that the store makes, then the old one is deleted."""
        with told(self.path / name):
            _obstore().rename(client(self.path.bucket), (self.path / name).key, (self.path / target).key)

    def sweep(self) -> None:
        """See :class:`.Stored`: puts leave nothing half written that has a name."""

    def remove_all(self) -> None:
        """See :class:`.Stored`."""
        with told(self.path):
            keys = [(self.path / name).key for name in self._listed()]
            if keys:
                _obstore().delete(client(self.path.bucket), keys)

    def zarr_store(self) -> Any:
        """See :class:`.Stored`."""
        from zarr.storage import ObjectStore

        return ObjectStore(client(self.path.bucket, self.path.key), read_only=True)

    def held(self, tell: "Tell", break_lock: bool) -> AbstractContextManager[None]:
        """See :class:`.Stored` and :mod:`boardspace.pipeline.storage.lease`."""
        above = self.path.parent
        return leased(_LockObject(self.path), str(above.parent if above.name == ".run" else above), tell, break_lock)

    def put_file(self, path: Path, kind: str) -> None:
        """Put a file's content."""
        with told(self.path), path.open("rb") as stream:
            self._put(stream, path.stat().st_size)
        failpoints.reached(f"{kind}-done")

    def _put(self, stream: BinaryIO, size: int) -> None:
        where = client(self.path.bucket), self.path.key
        if size <= IN_PARTS:
            _obstore().put(*where, stream.read(), use_multipart=False)
        else:
            _obstore().put(*where, stream, use_multipart=True, chunk_size=PART, max_concurrency=PARTS_AT_ONCE)

    def _listed(self) -> dict[str, int]:
        """Sizes by name of what lies below; objects that consoles make for empty folders are none."""
        start = len(self.path.key) + 1 if self.path.key else 0

        def attempt() -> dict[str, int]:
            pages = _obstore().list(client(self.path.bucket), self.path.key or None)
            return {meta["path"][start:]: meta["size"] for page in pages for meta in page}

        with told(self.path):
            return _repeated(attempt)


@dataclass(frozen=True)
class _LockObject:
    """The object that is a run's lock; tags change with its content."""

    path: BucketPath

    def read(self) -> tuple[bytes, str] | None:
        """Its content and tag; None where there is none."""

        def attempt() -> tuple[bytes, str]:
            found = _obstore().get(client(self.path.bucket), self.path.key)
            return bytes(found.bytes()), str(found.meta["e_tag"])

        with told(self.path):
            try:
                return _repeated(attempt)
            except FileNotFoundError as error:
                if "NoSuchBucket" in str(error):
                    raise
                return None

    def create(self, content: bytes) -> str | None:
        """Write it where there is none: its tag, or None."""
        return self._put(content, "create")

    def replace(self, content: bytes, tag: str) -> str | None:
        """Write it where it has this tag: its new one, or None."""
        return self._put(content, {"e_tag": tag})

    def remove(self) -> None:
        """Delete it."""
        InBucket(self.path).remove()

    def _put(self, content: bytes, mode: Any) -> str | None:
        exceptions = _obstore().exceptions
        with told(self.path):
            try:
                return _repeated(lambda: _put_if(self.path, content, mode))
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
        self.position = offset + {io.SEEK_SET: 0, io.SEEK_CUR: self.position, io.SEEK_END: self.bytes}[whence]
        return self.position

    def read(self, size: int | None = -1, /) -> bytes:
        end = self.bytes if size is None or size < 0 else min(self.position + size, self.bytes)
        if end <= self.position:
            return b""
        store, start = client(self.path.bucket), self.position
        with told(self.path):
            content = _repeated(lambda: bytes(_obstore().get_range(store, self.path.key, start=start, end=end)))
        self.position = end
        return content


def fetch(path: BucketPath, target: Path) -> None:
    """Copy an object to a file."""
    with told(path):
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("wb") as file:
            _copy(path, file)


def _content(path: BucketPath, most: int) -> bytes | None:
    """What an object holds; None where it is longer than ``most``."""

    def attempt() -> bytes | None:
        found = _obstore().get(client(path.bucket), path.key)
        return bytes(found.bytes()) if found.meta["size"] <= most else None

    with told(path):
        return _repeated(attempt)


def _copy(path: BucketPath, file: IO[bytes]) -> str:
    """Write what an object holds to a file, from its start; the SHA-256."""

    def attempt() -> str:
        file.seek(0)
        file.truncate()
        digest = hashlib.sha256()
        for block in _obstore().get(client(path.bucket), path.key).stream(min_chunk_size=1 << 20):
            digest.update(block)
            file.write(block)
        return digest.hexdigest()

    return _repeated(attempt)


def _put_if(path: BucketPath, content: bytes, mode: Any) -> str:
    """Put an object under a condition; its tag. The client does not repeat such a put by itself."""
    return str(_obstore().put(client(path.bucket), path.key, content, mode=mode)["e_tag"])


def _repeated(attempt: Callable[[], Found]) -> Found:
    """Try again where the way broke off; the client itself repeats what was not answered and may be repeated."""
    for _ in range(ATTEMPTS - 1):
        try:
            return attempt()
        except _obstore().exceptions.GenericError as error:
            if REPEATED.search(str(error)):
                raise
    return attempt()


@functools.lru_cache(maxsize=BLOBS_KEPT)
def _fetched_blob(path: BucketPath, sha256: str) -> npt.NDArray[Any]:
    """A ``.npy`` object in an unnamed scratch file, mapped; ValueError where it is damaged."""
    with told(path), tempfile.TemporaryFile(prefix="boardspace-") as file:
        if _copy(path, file) != sha256:
            raise ValueError("its SHA-256 is not that of its receipt")
        file.seek(0)
        np.lib.format.read_magic(file)
        shape, fortran, dtype = np.lib.format.read_array_header_1_0(file)
        if 0 in shape:
            return np.empty(shape, dtype)
        order: Any = "F" if fortran else "C"
        return np.asarray(np.memmap(file, dtype, "r", file.tell(), shape, order))


@functools.cache
def client(bucket: str, prefix: str = "") -> Any:
    """The client of a bucket, of this process; StorageError where it cannot be made."""
    store = _obstore().store
    config, options = _settings(bucket)
    try:
        address = f"{bucket}/{prefix}" if prefix else bucket
        return store.from_url(address, config=config, client_options=options, retry_config=RETRIES)
    except _obstore().exceptions.BaseError as error:
        raise StorageError(f"{bucket}: cannot be used ({_first_line(error)})") from error


def file_system(path: BucketPath) -> Any:
    """The same store as fsspec's file system, for :mod:`pyarrow.dataset`, with names such as ``bucket/key``."""
    _obstore()
    from obstore.fsspec import FsspecStore

    config, options = _settings(path.bucket)
    return FsspecStore(path.parts[0][:-1], config=config, client_options=options, retry_config=RETRIES)


def _settings(bucket: str) -> tuple[dict[str, str], dict[str, Any]]:
    """The store's options and the HTTP client's, beside what the environment says; StorageError for an odd endpoint."""
    endpoint = os.environ.get("AWS_ENDPOINT_URL_S3") or os.environ.get("AWS_ENDPOINT_URL") or ""
    if endpoint and not ENDPOINT.fullmatch(endpoint):
        raise StorageError(f"AWS_ENDPOINT_URL={endpoint!r}: not an address such as https://store.example")
    options = {"timeout": REQUEST_SECONDS, "connect_timeout": "10s", "allow_http": endpoint.startswith("http://")}
    config = {"checksum_algorithm": "sha256"} if bucket.startswith("s3:") else {}
    if bucket.startswith("s3:") and endpoint:
        config["endpoint"] = endpoint
    return config, options


def _obstore() -> Any:
    """The package, which is an extra; StorageError where it is not installed."""
    try:
        import obstore.exceptions
        import obstore.store
    except ImportError as error:
        raise StorageError(f"buckets need more: pip install 'boardspace[s3]' ({error})") from error
    return obstore


@contextmanager
def told(path: BucketPath) -> Iterator[None]:
    """Has what the store refuses, or the way to it, told in a line; a missing object stays a FileNotFoundError."""
    try:
        yield
    except FileNotFoundError as error:
        if "NoSuchBucket" in str(error):
            raise StorageError(f"{path}: there is no bucket {path.bucket}; make it first, or mend --out") from error
        raise FileNotFoundError(f"{path}: not there") from error
    except StorageError:
        raise
    except OSError as error:
        raise StorageError(explain(path, error)) from error
    except _obstore().exceptions.BaseError as error:
        raise StorageError(f"{path}: {_explained(error, path)}") from error


def _explained(error: Exception, path: BucketPath) -> str:
    text = str(error)
    matched = CODE.search(text)
    code = matched.group(1) if matched else ""
    if code == "NoSuchBucket":
        return f"there is no bucket {path.bucket}; make it first, or mend --out"
    if code in CREDENTIALS:
        return (
            f"wrong credentials ({code}): see AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_REGION"
        )
    if isinstance(error, _obstore().exceptions.PermissionDeniedError) or code == "AccessDenied":
        return (
            "these credentials may not do that here (AccessDenied): reading, writing, listing and deleting are needed"
        )
    if "169.254.169.254" in text or "credential" in text.lower():
        return "no credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
    if code == "NotImplemented" or isinstance(error, _obstore().exceptions.NotSupportedError):
        return "this store lacks what a run needs: puts that are made only if nothing is there (If-None-Match)"
    if code:
        return f"the store answers {code} ({_first_line(error)})"
    return f"the store does not answer ({_first_line(error)}); finished shards are kept"


def _first_line(error: Exception) -> str:
    """What an error of obstore says before its answers and traces."""
    text = re.split(r"\n|: <\?xml", str(error).removeprefix("Generic S3 error: "))[0]
    return text.strip()
