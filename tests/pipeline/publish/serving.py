"""A web server on loopback that serves a folder as any static host does, ranges included, and counts what it sent."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, BinaryIO


@dataclass
class Traffic:
    """What was asked for: a line per request that carried content, and the bytes of content sent."""

    url: str = ""
    requests: list[tuple[str, int]] = field(default_factory=list)

    @property
    def bytes(self) -> int:
        """Content sent, without headers."""
        return sum(size for _, size in self.requests)


class RangeHandler(SimpleHTTPRequestHandler):
    """GET and HEAD with ``Range: bytes=first-last``, ``first-`` and ``-length``."""

    protocol_version = "HTTP/1.1"

    def __init__(self, *args: Any, traffic: Traffic, **kwargs: Any) -> None:
        self.traffic = traffic
        super().__init__(*args, **kwargs)

    def do_GET(self) -> None:
        content = self._head()
        if content is not None:
            self.traffic.requests.append((self.path, len(content)))
            self.wfile.write(content)

    def do_HEAD(self) -> None:
        self._head()

    def log_message(self, *args: object) -> None:
        """Stay quiet."""

    def _head(self) -> bytes | None:
        path = Path(self.translate_path(self.path))
        if not path.is_file():
            self.send_error(404)
            return None
        size = path.stat().st_size
        wanted = re.fullmatch(r"bytes=(\d*)-(\d*)", self.headers.get("Range", ""))
        first, last = _bounds(wanted, size)
        self.send_response(206 if wanted else 200)
        self.send_header("Accept-Ranges", "bytes")
        self.send_header("Content-Length", str(last - first))
        if wanted:
            self.send_header("Content-Range", f"bytes {first}-{last - 1}/{size}")
        self.end_headers()
        with path.open("rb") as stream:
            return _part(stream, first, last)


@contextmanager
def served(folder: Path) -> Iterator[Traffic]:
    """Serve a folder; the traffic's ``url`` is its address."""
    traffic = Traffic()
    handler = partial(RangeHandler, traffic=traffic, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.daemon_threads = True
        traffic.url = f"http://127.0.0.1:{server.server_port}"
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield traffic
        finally:
            server.shutdown()
            thread.join()


def _bounds(wanted: re.Match[str] | None, size: int) -> tuple[int, int]:
    if wanted is None:
        return 0, size
    first, last = wanted.groups()
    if not first:
        return max(size - int(last), 0), size
    return int(first), min(int(last) + 1, size) if last else size


def _part(stream: BinaryIO, first: int, last: int) -> bytes:
    stream.seek(first)
    return stream.read(last - first)
