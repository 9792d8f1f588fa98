"""A web server for one folder, on loopback: range requests, the right types, nothing outside the folder.

It is for looking at a site on the machine it lies on. To the world any static host serves the same folder.
"""

import gzip
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import SplitResult, unquote, urlsplit

from boardspace.spec.errors import BoardspaceError

LOOPBACK = "127.0.0.1"
NAMES = {"localhost", LOOPBACK, "[::1]"}
BUFFER = 1 << 18
RANGE = re.compile(r"bytes=([0-9]{0,18})-([0-9]{0,18})")
TYPES = {
    ".css": "text/css; charset=utf-8",
    ".csv": "text/csv; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".md": "text/markdown; charset=utf-8",
    ".parquet": "application/vnd.apache.parquet",
    ".sha256": "text/plain; charset=utf-8",
    ".svg": "image/svg+xml",
    ".tar": "application/x-tar",
}
TEXTS = {".css", ".html", ".js", ".json", ".md", ".svg"}
"""What is sent compressed to those who take it, whole; ranges are of the bytes that lie on the disk."""
LARGEST_TEXT = 1 << 24
PLAIN = {"SHA256SUMS": "text/plain; charset=utf-8", "COMPLETE": "application/json"}


class Span(NamedTuple):
    """Bytes [first, last) of a file, and whether the request ``asked`` for a range."""

    first: int
    last: int
    asked: bool


class ServeError(BoardspaceError):
    """A folder or a port that cannot be served."""


class LocalHandler(BaseHTTPRequestHandler):
    """GET and HEAD of programs and pages on this machine."""

    protocol_version = "HTTP/1.1"
    server_version = "boardspace"
    sys_version = ""

    def do_GET(self) -> None:
        """Answer; with the headers alone where the request is HEAD."""
        host = re.sub(r":\d+$", "", self.headers.get("Host", ""))
        if host in NAMES:
            self.answer()
        else:  # a page of another site that had its name point here
            self.refuse(HTTPStatus.FORBIDDEN, "served to this machine alone")

    do_HEAD = do_GET  # noqa: N815

    def log_message(self, format: str, *args: Any) -> None:
        """Stay quiet."""

    def answer(self) -> None:
        """Answer a request that names this machine."""
        raise NotImplementedError

    def asked(self) -> SplitResult:
        """The address asked for; curl, say, escapes nothing in it. ValueError where that is no UTF-8."""
        return urlsplit(self.path.encode("latin-1").decode())

    def refuse(self, status: HTTPStatus, text: str, headers: Mapping[str, str] | None = None) -> None:
        """Answer with a status and a line of text."""
        self.send(status, f"{status.value} {text or status.phrase}\n".encode(), "text/plain; charset=utf-8", headers)

    def send(
        self, status: HTTPStatus, content: bytes, content_type: str, headers: Mapping[str, str] | None = None
    ) -> None:
        """Send a whole answer; without its content where the request is HEAD."""
        self.send_head(status, len(content), content_type, headers)
        if self.command != "HEAD":
            self.wfile.write(content)

    def send_head(
        self, status: HTTPStatus, length: int, content_type: str, headers: Mapping[str, str] | None = None
    ) -> None:
        """Send the headers of an answer of so many bytes."""
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(length))
        self.end_headers()


class Handler(LocalHandler):
    """The files of a folder; one range a request."""

    def __init__(self, *args: Any, folder: Path, **kwargs: Any) -> None:
        self.folder = folder
        super().__init__(*args, **kwargs)

    def answer(self) -> None:
        path = self._file()
        if path is None:
            self.refuse(HTTPStatus.NOT_FOUND, "no such file")
            return
        size = path.stat().st_size
        span = _span(self.headers.get("Range"), size)
        if span is None:
            self.refuse(HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE, "", {"Content-Range": f"bytes */{size}"})
            return
        content_type = TYPES.get(path.suffix) or PLAIN.get(path.name, "application/octet-stream")
        headers = {"Accept-Ranges": "bytes", "Cache-Control": "no-cache", "X-Content-Type-Options": "nosniff"}
        if path.suffix in TEXTS:
            headers["Vary"] = "Accept-Encoding"
        takes_gzip = "gzip" in map(str.strip, self.headers.get("Accept-Encoding", "").split(","))
        if not span.asked and path.suffix in TEXTS and size <= LARGEST_TEXT and takes_gzip:
            content = gzip.compress(path.read_bytes(), 6, mtime=0)
            self.send(HTTPStatus.OK, content, content_type, {**headers, "Content-Encoding": "gzip"})
            return
        if span.asked:
            headers["Content-Range"] = f"bytes {span.first}-{span.last - 1}/{size}"
        status = HTTPStatus.PARTIAL_CONTENT if span.asked else HTTPStatus.OK
        self.send_head(status, span.last - span.first, content_type, headers)
        if self.command != "HEAD":
            self._send(path, span)

    def _file(self) -> Path | None:
        """The file asked for, or the page of a folder; None where there is none, or where a link leads outside."""
        try:
            name = unquote(self.asked().path).lstrip("/")
            path = (self.folder / name).resolve()
            if path.is_dir():
                path = (path / "index.html").resolve()
            return path if path.is_relative_to(self.folder) and path.is_file() else None
        except (OSError, ValueError, RuntimeError):  # a name that is too long or holds \0; links in a circle
            return None

    def _send(self, path: Path, span: Span) -> None:
        with path.open("rb") as stream:
            stream.seek(span.first)
            left = span.last - span.first
            while left:
                part = stream.read(min(BUFFER, left))
                if not part:
                    self.close_connection = True
                    return
                self.wfile.write(part)
                left -= len(part)


class Server(ThreadingHTTPServer):
    """The server; a reader that goes away in the middle is no error."""

    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of broken connections."""


@contextmanager
def serving(folder: Path, port: int) -> Iterator[Server]:
    """A server of ``folder`` on this port of loopback (0: any free one), to be run by ``serve_forever``."""
    with server_of(partial(Handler, folder=folder.resolve()), port) as server:
        yield server


def server_of(handler: Callable[..., BaseHTTPRequestHandler], port: int) -> Server:
    """A server on this port of loopback, whose requests are a handler's; ServeError where it cannot be opened."""
    try:
        return Server((LOOPBACK, port), handler)
    except OSError as error:
        raise ServeError(f"port {port} cannot be opened ({error.strerror}); choose another with --port") from error


def _span(wanted: str | None, size: int) -> Span | None:
    """Bytes that a request asks for: the whole file where it names no range that is understood; None off the end."""
    match = RANGE.fullmatch(wanted.strip()) if wanted else None
    if match is None or match.groups() == ("", ""):
        return Span(0, size, asked=False)
    first, last = match.groups()
    if not first:
        return Span(max(size - int(last), 0), size, asked=True) if int(last) and size else None
    if int(first) >= size or (last and int(last) < int(first)):
        return None
    return Span(int(first), min(int(last) + 1, size) if last else size, asked=True)
