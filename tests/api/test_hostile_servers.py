"""A web server that means harm: what it sends is bounded in bytes and time, and ends in a line."""

import functools
import gc
import gzip
import resource
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

import boardspace
from boardspace.release import web
from boardspace.spec.errors import BoardspaceError
from tests.api.test_datasets import release, run_folder

__all__ = ["release", "run_folder"]

Answer = Callable[[BaseHTTPRequestHandler], None]
PART = b"0" * (1 << 20)
MOST_MEMORY = 600 << 20
ENDLESS = 300.0
"""Seconds: what they send has no end, and so a busy machine is told from a reader that waits for one."""


@contextmanager
def serving(release: Path, hostile: str, answer: Answer) -> Iterator[str]:
    """A release on a web server that answers one path in its own way."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path = release / self.path.lstrip("/")
            try:
                if self.path.lstrip("/") == hostile:
                    answer(self)
                elif path.is_file():
                    self.send_response(200)
                    self.send_header("Content-Length", str(path.stat().st_size))
                    self.end_headers()
                    self.wfile.write(path.read_bytes())
                else:
                    self.send_error(404)
            except OSError:  # the client has had enough
                self.close_connection = True

        def do_HEAD(self) -> None:
            self.do_GET()

        def log_message(self, *args: object) -> None:
            """Stay quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()


def endless(request: BaseHTTPRequestHandler) -> None:
    request.send_response(200)
    request.end_headers()
    while True:
        request.wfile.write(PART)


@functools.cache
def bomb() -> bytes:
    """A quarter of a gigabyte, compressed."""
    return gzip.compress(b"\0" * (256 << 20), 1)


def compressed(request: BaseHTTPRequestHandler) -> None:
    content = bomb()
    request.send_response(200)
    request.send_header("Content-Encoding", "gzip")
    request.send_header("Content-Length", str(len(content)))
    request.end_headers()
    request.wfile.write(content)


def slow(request: BaseHTTPRequestHandler) -> None:
    request.send_response(200)
    request.end_headers()
    for _ in range(100):
        request.wfile.write(b" ")
        request.wfile.flush()
        time.sleep(0.1)


def rubbish(request: BaseHTTPRequestHandler) -> None:
    request.wfile.write(b"HTTP/1.1 2x0 ???\r\n\r\n\0\0\0")


def interim(request: BaseHTTPRequestHandler) -> None:
    while True:
        request.wfile.write(b"HTTP/1.1 102 Processing\r\n\r\n" * 1000)


def dripping(request: BaseHTTPRequestHandler) -> None:
    request.wfile.write(b"HTTP/1.1 200 OK\r\n")
    while True:
        request.wfile.write(b"X")
        request.wfile.flush()
        time.sleep(0.1)


def circular(request: BaseHTTPRequestHandler) -> None:
    time.sleep(0.5)
    request.send_response(302)
    request.send_header("Location", request.path)
    request.send_header("Content-Length", "0")
    request.end_headers()


def too_long(request: BaseHTTPRequestHandler) -> None:
    request.wfile.write(b"HTTP/1.1 200 OK\r\nAccept-Ranges: bytes\r\nContent-Length: " + b"9" * 26 + b"\r\n\r\n")


def slow_without_ranges(request: BaseHTTPRequestHandler) -> None:
    request.send_response(200)
    request.send_header("Content-Length", str(1 << 20))
    request.end_headers()
    while request.command == "GET":
        request.wfile.write(b" ")
        request.wfile.flush()
        time.sleep(0.1)


def use(url: str) -> Any:
    toy = boardspace.open(url)["toy"]
    return list(toy.tables), toy.arrays["ways"][25]


@pytest.mark.parametrize("answer", [endless, compressed, slow, rubbish, interim, dripping, circular, too_long])
@pytest.mark.parametrize("place", ["release.json", "toy/SHA256SUMS", "toy/COMPLETE", "toy/arrays.zarr/ways/zarr.json"])
def test_what_a_server_sends_is_bounded(
    release: Path, monkeypatch: pytest.MonkeyPatch, place: str, answer: Answer
) -> None:
    monkeypatch.setattr(web, "DOCUMENT_SECONDS", 1.0)
    monkeypatch.setattr(web, "ANSWER_SECONDS", 0.5)
    before, start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.monotonic()
    with serving(release, place, answer) as url, pytest.raises(BoardspaceError) as told:
        use(url)
    assert "\n" not in str(told.value)
    assert url in str(told.value)
    assert time.monotonic() - start < ENDLESS
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) << 10 < MOST_MEMORY


def test_a_server_that_is_not_there_is_told() -> None:
    with pytest.raises(BoardspaceError, match="see whether the address is right"):
        boardspace.open("http://127.0.0.1:9")


@pytest.mark.parametrize("answer", [rubbish, interim, dripping, circular, too_long, slow_without_ranges, endless])
def test_rows_that_a_server_does_not_send_end_in_a_line(
    release: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, answer: Answer
) -> None:
    with serving(release, "toy/claims.parquet", answer) as url:
        toy = boardspace.open(url)["toy"]
        assert toy.tables
        monkeypatch.setattr(web, "DOCUMENT_SECONDS", 1.0)
        monkeypatch.setattr(web, "ANSWER_SECONDS", 1.0)
        monkeypatch.setattr(web, "LEAST_RATE", 1 << 20)
        start = time.monotonic()
        with pytest.raises(BoardspaceError) as told:
            list(toy.claims)
    assert "\n" not in str(told.value)
    assert url in str(told.value)
    assert time.monotonic() - start < ENDLESS
    gc.collect()
    assert "Unclosed" not in caplog.text


def test_a_file_that_the_server_lacks_is_told(release: Path, tmp_path: Path) -> None:
    copied = tmp_path / "release"
    shutil.copytree(release, copied)
    for name in ("COMPLETE", "claims.parquet"):
        (copied / "toy" / name).unlink()
    with serving(copied, "", rubbish) as url:
        toy = boardspace.open(url)["toy"]
        with pytest.raises(BoardspaceError, match="COMPLETE: not there"):
            list(toy.tables)
        with pytest.raises(BoardspaceError, match=r"claims\.parquet.*not there|not there.*claims\.parquet"):
            list(toy.claims)


def test_a_server_that_sends_no_parts_of_files_is_told(release: Path) -> None:
    with serving(release, "", rubbish) as url:
        toy = boardspace.open(url)["toy"]
        assert toy.tables["sums"].to_table().num_rows  # a file in one part
        with pytest.raises(BoardspaceError, match="sends whole files, no parts of them; download the release"):
            toy.arrays["ways"][25]
