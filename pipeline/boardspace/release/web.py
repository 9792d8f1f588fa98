"""A web server of a release, read within bounds: nobody vouches for what it sends, how much, or how slowly.

A document (a manifest, a list of sums, metadata) has at most :data:`MOST_DOCUMENT` bytes and :data:`DOCUMENT_SECONDS`;
a range has the bytes that were asked for, and the time that they take at :data:`LEAST_RATE` besides. Before either come
the connection and the head of the answer, which have :data:`ANSWER_SECONDS` each, and at most :data:`MOST_REDIRECTS`
redirects. Nothing is decompressed: a release's files are what they are, and some bytes can be made to swell to a great
many. What does not keep to that, or does not answer, ends in a :class:`WebError` of a line.
"""

import asyncio
import functools
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from typing import Any

from boardspace.spec.errors import BoardspaceError

BLOCK = 1 << 20
MOST_DOCUMENT = 1 << 26
DOCUMENT_SECONDS = 60.0
LEAST_RATE = 100_000
"""Bytes a second."""
ANSWER_SECONDS = 30.0
"""For the connection, for the whole head of an answer, and between two parts of its body."""
MOST_REDIRECTS = 3
RANGE = re.compile(r"bytes=(\d*)-(\d*)")


class WebError(BoardspaceError):
    """A web server that does not answer, or not as one that has a release."""


class MissingError(WebError):
    """A file that a web server does not have, or does not send as one that is there."""


@functools.cache
def web(asynchronous: bool = False) -> Any:
    """The file system of fsspec for web servers, whose answers are bounded; ``asynchronous`` for Zarr."""
    try:
        from fsspec.implementations.http import HTTPFileSystem  # an extra
    except ImportError as error:
        raise BoardspaceError(f"reading over HTTP needs more: pip install 'boardspace[http]' ({error})") from error

    class Sized(HTTPFileSystem):
        """Files of web servers that say how long they are: of others, no range can be asked for."""

        def _open(self, path: str, mode: str = "rb", block_size: int | None = None, **options: Any) -> Any:
            """Open a file; with a ``block_size`` of 0 it is read from its start on, whatever the server says."""
            size = self.info(path)["size"]
            if size is None and block_size != 0:
                raise WebError(f"{path}: the server does not say how long it is; download the release")
            return super()._open(path, mode, block_size, size=size, **options)

    return Sized(get_client=_session, asynchronous=asynchronous, skip_instance_cache=True, max_redirects=MOST_REDIRECTS)


@contextmanager
def explained(url: str) -> Iterator[None]:
    """Turn what goes wrong on the way to a server into a :class:`WebError` of a line; a missing file is a
    :class:`MissingError`."""
    web()  # says what to install, where the extra is missing
    import aiohttp  # an extra

    try:
        yield
    except BoardspaceError:
        raise
    except FileNotFoundError as error:
        cause = error.__cause__  # fsspec takes a file for missing where the server answers badly
        what = f"{error}: {_first_line(cause)}" if cause is not None else str(error)
        raise MissingError(f"{url}: not there, or the server does not send it ({what}); see the address") from error
    except TimeoutError as error:
        raise WebError(f"{url}: the server does not answer in time; try again, or download the release") from error
    except (aiohttp.ClientError, OSError, ValueError) as error:
        raise WebError(
            f"{url}: cannot be read ({_first_line(error)}); see whether the address is right, and try again"
        ) from error


def _first_line(error: BaseException) -> str:
    """First line of an error's text, or its name where it has none."""
    return str(error).splitlines()[0] if str(error) else type(error).__name__


def document(url: str, most: int = MOST_DOCUMENT) -> bytes:
    """A whole file; WebError where it is longer than ``most``, or the server does not send it in time, MissingError
    where it has none."""
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
    import aiohttp  # an extra

    class Bounded(aiohttp.ClientResponse):
        """An answer of which no more is read than was asked for, and for no longer than that may take."""

        async def start(self, connection: Any) -> Any:
            """Read the head, and set the time that a range has from now on, whoever reads it; TimeoutError where the
            head takes too long: each of its bytes, and of the interim answers before it, would begin a pause anew.
            WebError where the whole of a longer file is to come."""
            async with asyncio.timeout(ANSWER_SECONDS):
                await super().start(connection)
            if self._wanted:
                most, length = _length(self._wanted), self.content_length
                if self.status == HTTPStatus.OK and (MOST_DOCUMENT if length is None else length) > most:
                    raise WebError(f"{self.url}: the server sends whole files, no parts of them; download the release")
                due = DOCUMENT_SECONDS + most / LEAST_RATE
                asyncio.get_running_loop().call_later(due, self.content.set_exception, TimeoutError())
            return self

        async def read(self) -> bytes:
            """The body; WebError where there is more of it, or where it takes too long."""
            url = str(self.url)
            if self.headers.get("Content-Encoding", "identity") != "identity":
                raise WebError(f"{url}: the server sends it compressed, though it was asked not to")
            most = _length(self._wanted) if self._wanted else MOST_DOCUMENT
            parts, size = [], 0
            try:
                async with asyncio.timeout(None if self._wanted else DOCUMENT_SECONDS):
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

        @property
        def _wanted(self) -> "re.Match[str] | None":
            return RANGE.fullmatch(self.request_info.headers.get("Range", ""))

    options = {**options, "auto_decompress": False, "response_class": Bounded}
    timeout = aiohttp.ClientTimeout(total=None, sock_connect=ANSWER_SECONDS, sock_read=ANSWER_SECONDS)
    return aiohttp.ClientSession(headers={"Accept-Encoding": "identity"}, timeout=timeout, **options)


def _length(wanted: "re.Match[str]") -> int:
    first, last = wanted.groups()
    if first and last:
        return max(0, int(last) - int(first) + 1)
    return MOST_DOCUMENT if first or not last else int(last)
