"""A web server of a release, read within bounds: nobody vouches for what it sends, how much, or how slowly.

A document (a manifest, a list of sums, metadata) has at most :data:`MOST_DOCUMENT` bytes and :data:`DOCUMENT_SECONDS`;
a range has the bytes that were asked for, and the time that they take at :data:`LEAST_RATE` besides. Nothing is
decompressed: a release's files are what they are, and some bytes can be made to swell to a great many. What does not
keep to that, or does not answer, ends in a :class:`WebError` of a line.
"""

import asyncio
import functools
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from boardspace.spec.errors import BoardspaceError

BLOCK = 1 << 20
MOST_DOCUMENT = 1 << 26
DOCUMENT_SECONDS = 60.0
LEAST_RATE = 100_000
"""Bytes a second."""
ANSWER_SECONDS = 30.0
"""For the connection, and between two parts of an answer."""
RANGE = re.compile(r"bytes=(\d*)-(\d*)")


class WebError(BoardspaceError):
    """A web server that does not answer, or not as one that has a release."""


@functools.cache
def web(asynchronous: bool = False) -> Any:
    """The file system of fsspec for web servers, whose answers are bounded; ``asynchronous`` for Zarr."""
    try:
        import fsspec  # an extra
        import fsspec.implementations.http  # an extra
    except ImportError as error:
        raise BoardspaceError(f"reading over HTTP needs more: pip install 'boardspace[http]' ({error})") from error
    return fsspec.filesystem("http", get_client=_session, asynchronous=asynchronous, skip_instance_cache=True)


@contextmanager
def explained(url: str) -> Iterator[None]:
    """Turn what goes wrong on the way to a server into a :class:`WebError` of a line; a missing file stays a
    FileNotFoundError."""
    import aiohttp  # an extra, installed where :func:`web` can be called

    try:
        yield
    except (FileNotFoundError, BoardspaceError):
        raise
    except TimeoutError as error:
        raise WebError(f"{url}: the server does not answer in time; try again, or download the release") from error
    except (aiohttp.ClientError, OSError, ValueError) as error:
        what = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise WebError(f"{url}: cannot be read ({what}); see whether the address is right, and try again") from error


def document(url: str, most: int = MOST_DOCUMENT) -> bytes:
    """A whole file; WebError where it is longer than ``most``, or the server does not send it in time."""
    with explained(url):
        content: bytes = web().cat_file(url)
    if len(content) > most:
        raise WebError(f"{url}: longer than {most:,} bytes, which no such file is")
    return content


def blocks(url: str) -> Iterator[bytes]:
    """A file of any size block by block; WebError where it is longer than the server said, or comes too slowly."""
    with explained(url):
        size = web().info(url)["size"]
        if size is None:
            raise WebError(f"{url}: the server does not say how long it is")
        rest, due = size, time.monotonic() + DOCUMENT_SECONDS + size / LEAST_RATE
        with web().open(url, block_size=0) as stream:
            while block := stream.read(BLOCK):
                rest -= len(block)
                if rest < 0:
                    raise WebError(f"{url}: longer than the {size:,} bytes that the server stated")
                if time.monotonic() > due:
                    raise WebError(f"{url}: comes too slowly; try again, or download the release")
                yield block


async def _session(**options: Any) -> Any:
    """A client whose answers are read within bounds."""
    import aiohttp

    class Bounded(aiohttp.ClientResponse):
        """An answer of which no more is read than was asked for."""

        async def read(self) -> bytes:
            """The body; WebError where there is more of it, or where it takes too long."""
            url, wanted = str(self.url), RANGE.fullmatch(self.request_info.headers.get("Range", ""))
            if self.headers.get("Content-Encoding", "identity") != "identity":
                raise WebError(f"{url}: the server sends it compressed, though it was asked not to")
            most = _length(wanted) if wanted else MOST_DOCUMENT
            parts, size = [], 0
            try:
                async with asyncio.timeout(DOCUMENT_SECONDS + most / LEAST_RATE * bool(wanted)):
                    while block := await self.content.read(BLOCK):
                        parts.append(block)
                        size += len(block)
                        if size > most:
                            self.close()
                            raise WebError(f"{url}: sends more than {most:,} bytes, which is more than there can be")
            except TimeoutError as error:
                self.close()
                raise WebError(f"{url}: comes too slowly; try again, or download the release") from error
            return b"".join(parts)

    options = {**options, "auto_decompress": False, "response_class": Bounded}
    timeout = aiohttp.ClientTimeout(total=None, sock_connect=ANSWER_SECONDS, sock_read=ANSWER_SECONDS)
    return aiohttp.ClientSession(headers={"Accept-Encoding": "identity"}, timeout=timeout, **options)


def _length(wanted: "re.Match[str]") -> int:
    """How many bytes a range has, at most."""
    first, last = wanted.groups()
    if first and last:
        return max(0, int(last) - int(first) + 1)
    return MOST_DOCUMENT if first or not last else int(last)
