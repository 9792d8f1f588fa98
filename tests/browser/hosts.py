"""Hosts of a site, good and bad: what a static server does, and what goes wrong with one."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path
from threading import Thread

from boardspace.release.atlas.serve import serving
from tests.pipeline.publish.serving import RangeHandler, Traffic


@dataclass
class Host:
    """A plain static server with ranges, and its faults; paths are those of requests, as ``/klotski/README.md``."""

    url: str = ""
    flips: dict[str, int] = field(default_factory=dict)  # the byte of a file that has a bit flipped
    missing: set[str] = field(default_factory=set)
    ranges: bool = True
    held: str = ""  # answers to paths that begin so wait until this is "" again
    traffic: Traffic = field(default_factory=Traffic)

    def well(self) -> None:
        """Have no fault from now on."""
        self.flips.clear()
        self.missing.clear()
        self.ranges, self.held = True, ""


class FaultyHandler(RangeHandler):
    """Answers as the host's faults have it."""

    def __init__(self, *args: object, host: Host, **kwargs: object) -> None:
        self.host = host
        super().__init__(*args, traffic=host.traffic, **kwargs)

    def _head(self) -> bytes | None:
        name = self.path.split("?")[0]
        while self.host.held and name.startswith(self.host.held):
            time.sleep(0.01)
        self.path = "/index.html" if name == "/" else name
        if name in self.host.missing:
            self.send_error(404)
            return None
        if not self.host.ranges:
            del self.headers["Range"]
        content = super()._head()
        return content if content is None else self._flipped(name, content)

    def _flipped(self, name: str, content: bytes) -> bytes:
        if name not in self.host.flips:
            return content
        size = Path(self.translate_path(name)).stat().st_size
        first, _, _ = self.headers.get("Range", "bytes=0-").removeprefix("bytes=").partition("-")
        at = self.host.flips[name] - (int(first) if first else size - len(content))
        flipped = bytearray(content)
        if 0 <= at < len(flipped):
            flipped[at] ^= 0x10
        return bytes(flipped)

    def end_headers(self) -> None:
        """Scripts are run, and styles applied, by their types alone."""
        self.send_header("Content-Type", self.guess_type(self.path))
        super().end_headers()


@contextmanager
def plain_host(folder: Path) -> Iterator[Host]:
    """Serve a folder as a static host does."""
    host = Host()
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(FaultyHandler, host=host, directory=str(folder))) as server:
        server.daemon_threads = True
        host.url = f"http://127.0.0.1:{server.server_port}"
        with _running(server):
            yield host


@contextmanager
def own_host(folder: Path) -> Iterator[str]:
    """Serve a folder as ``boardspace serve`` does; its address."""
    with serving(folder, 0) as server, _running(server):
        yield f"http://127.0.0.1:{server.server_port}"


@contextmanager
def _running(server: ThreadingHTTPServer) -> Iterator[None]:
    thread = Thread(target=partial(server.serve_forever, 0.05), daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        thread.join()
