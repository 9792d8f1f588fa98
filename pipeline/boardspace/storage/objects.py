"""Objects of a store, reached by obstore: the client, requests that are repeated, and errors in a line.

Credentials, region and endpoint come from the environment (``AWS_ACCESS_KEY_ID``, ``AWS_ENDPOINT_URL``, ...).
"""

import functools
import hashlib
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import IO, Any, TypeVar

from boardspace.storage.files import StorageError, explain
from boardspace.storage.locations import BucketPath

ATTEMPTS = 3
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


@functools.cache
def client(bucket: str, prefix: str = "") -> Any:
    """The client of a bucket, of this process; StorageError where it cannot be made."""
    store = obstore_package().store
    config, options = _settings(bucket)
    try:
        address = f"{bucket}/{prefix}" if prefix else bucket
        return store.from_url(address, config=config, client_options=options, retry_config=RETRIES)
    except obstore_package().exceptions.BaseError as error:
        raise StorageError(f"{bucket}: cannot be used ({_first_line(error)})") from error


def file_system(path: BucketPath) -> Any:
    """Store as fsspec's file system, for :mod:`pyarrow.dataset`, with names such as ``bucket/key``."""
    obstore_package()
    from obstore.fsspec import FsspecStore  # an extra

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


def obstore_package() -> Any:
    """The package, which is an extra; StorageError where it is not installed."""
    try:
        import obstore.exceptions  # an extra
        import obstore.store
    except ImportError as error:
        raise StorageError(f"buckets need more: pip install 'boardspace[s3]' ({error})") from error
    return obstore


def content_of(path: BucketPath, most: int) -> bytes | None:
    """Content of an object; None where it is longer than ``most``."""

    def attempt() -> bytes | None:
        found = obstore_package().get(client(path.bucket), path.key)
        return bytes(found.bytes()) if found.meta["size"] <= most else None

    with store_errors(path):
        return repeated(attempt)


def fetch(path: BucketPath, target: Path) -> None:
    """Copy an object to a file."""
    with store_errors(path):
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("wb") as file:
            copy_to(path, file)


def copy_to(path: BucketPath, file: IO[bytes]) -> str:
    """Write what an object holds to a file, from its start; the SHA-256."""

    def attempt() -> str:
        file.seek(0)
        file.truncate()
        digest = hashlib.sha256()
        for block in obstore_package().get(client(path.bucket), path.key).stream(min_chunk_size=1 << 20):
            digest.update(block)
            file.write(block)
        return digest.hexdigest()

    return repeated(attempt)


def put_if(path: BucketPath, content: bytes, mode: Any) -> str:
    """Put an object under a condition; its tag. The client does not repeat such a put by itself."""
    return str(obstore_package().put(client(path.bucket), path.key, content, mode=mode)["e_tag"])


def repeated(attempt: Callable[[], Found]) -> Found:
    """Try again where the way broke off; the client itself repeats what was not answered and may be repeated."""
    for _ in range(ATTEMPTS - 1):
        try:
            return attempt()
        except obstore_package().exceptions.GenericError as error:
            if REPEATED.search(str(error)):
                raise
    return attempt()


@contextmanager
def store_errors(path: BucketPath) -> Iterator[None]:
    """Turn errors of the store, or of the way to it, into StorageErrors of one line; FileNotFoundError stays."""
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
    except obstore_package().exceptions.BaseError as error:
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
    if isinstance(error, obstore_package().exceptions.PermissionDeniedError) or code == "AccessDenied":
        return (
            "these credentials may not do that here (AccessDenied): reading, writing, listing and deleting are needed"
        )
    if "169.254.169.254" in text or "credential" in text.lower():
        return "no credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
    if code == "NotImplemented" or isinstance(error, obstore_package().exceptions.NotSupportedError):
        return "this store lacks what a run needs: puts that are made only if nothing is there (If-None-Match)"
    if code:
        return f"the store answers {code} ({_first_line(error)})"
    return f"the store does not answer ({_first_line(error)}); finished shards are kept"


def _first_line(error: Exception) -> str:
    """First line of an error of obstore, before its answers and traces."""
    text = re.split(r"\n|: <\?xml", str(error).removeprefix("Generic S3 error: "))[0]
    return text.strip()
