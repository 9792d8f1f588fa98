"""``boardspace serve``: ranges and types as web readers need them, no file outside the folder, this machine alone."""

import gzip
import http.client
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from threading import Thread

import pytest

from boardspace.release.atlas.serve import ServeError, serving
from boardspace.spec.errors import BoardspaceError

CONTENT = bytes(range(200))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("served") / "site"
    (root / "a b").mkdir(parents=True)
    (root / "data.parquet").write_bytes(CONTENT)
    (root / "index.html").write_text("<p>here")
    (root / "app.js").write_text("1")
    (root / "a b" / "c").write_bytes(b"chunk")
    (root / "empty").write_bytes(b"")
    (root.parent / "secret").write_text("no")
    (root / "link").symlink_to(root.parent / "secret")
    (root / "sub").mkdir()
    (root / "sub" / "index.html").symlink_to(root.parent / "secret")
    (root / "circle").symlink_to(root / "circle")
    return root


@pytest.fixture(scope="module")
def port(folder: Path) -> Iterator[int]:
    with serving(folder, 0) as server:
        thread = Thread(target=server.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


def ask(port: int, path: str, method: str = "GET", **headers: str) -> tuple[int, Mapping[str, str], bytes]:
    """Status, headers and content of an answer."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request(method, path, headers=headers)
    answer = connection.getresponse()
    content = answer.read()
    connection.close()
    return answer.status, dict(answer.getheaders()), content


@pytest.mark.parametrize(
    ("wanted", "first", "last"),
    [
        ("bytes=0-0", 0, 1),
        ("bytes=10-19", 10, 20),
        ("bytes=190-", 190, 200),
        ("bytes=-5", 195, 200),
        ("bytes=100-900", 100, 200),
        ("bytes=-900", 0, 200),
    ],
)
def test_a_range_is_answered_with_that_range(port: int, wanted: str, first: int, last: int) -> None:
    status, headers, content = ask(port, "/data.parquet", Range=wanted)
    assert (status, content) == (206, CONTENT[first:last])
    assert headers["Content-Range"] == f"bytes {first}-{last - 1}/200"
    assert headers["Content-Length"] == str(last - first)


def test_texts_are_compressed_for_those_who_take_it_and_ranges_never(port: int) -> None:
    status, headers, content = ask(port, "/index.html", **{"Accept-Encoding": "br, gzip"})
    assert (status, headers["Content-Encoding"], gzip.decompress(content)) == (200, "gzip", b"<p>here")
    for path, more, found in (
        ("/index.html", {}, b"<p>here"),
        ("/index.html", {"Accept-Encoding": "gzip;q=0"}, b"<p>here"),
        ("/index.html", {"Accept-Encoding": "gzip", "Range": "bytes=1-3"}, b"p>h"),
        ("/data.parquet", {"Accept-Encoding": "gzip"}, CONTENT),
    ):
        _, headers, content = ask(port, path, **more)
        assert "Content-Encoding" not in headers
        assert content == found


@pytest.mark.parametrize("wanted", ["bytes=200-", "bytes=500-600", "bytes=9-3", "bytes=-0"])
def test_a_range_off_the_end_is_refused_with_the_size(port: int, wanted: str) -> None:
    status, headers, _ = ask(port, "/data.parquet", Range=wanted)
    assert (status, headers["Content-Range"]) == (416, "bytes */200")


@pytest.mark.parametrize("wanted", ["bytes=0-1,4-5", "lines=1-2", "bytes=-", "bytes=a-b"])
def test_a_range_it_does_not_know_is_answered_with_the_file(port: int, wanted: str) -> None:
    assert ask(port, "/data.parquet", Range=wanted)[::2] == (200, CONTENT)


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/data.parquet", "application/vnd.apache.parquet"),
        ("/app.js", "text/javascript"),
        ("/", "text/html"),
        ("/a%20b/c", "application/octet-stream"),
    ],
)
def test_files_have_their_types(port: int, path: str, kind: str) -> None:
    status, headers, content = ask(port, path)
    assert status == 200
    assert headers["Content-Type"].startswith(kind)
    assert headers["Content-Length"] == str(len(content))
    assert headers["Accept-Ranges"] == "bytes"
    assert headers["X-Content-Type-Options"] == "nosniff"


def test_head_is_get_without_the_content(port: int) -> None:
    status, headers, content = ask(port, "/data.parquet", "HEAD")
    assert (status, headers["Content-Length"], content) == (200, "200", b"")
    assert ask(port, "/empty")[::2] == (200, b"")


@pytest.mark.parametrize(
    "path", ["/../secret", "/%2e%2e/secret", "//etc/passwd", "/link", "/absent", "/a b%00", "/a%20b"]
)
def test_nothing_else_is_served(port: int, path: str) -> None:
    assert ask(port, path.replace(" ", "%20"))[0] == 404


def test_a_page_whose_name_was_made_to_point_here_is_refused(port: int) -> None:
    assert ask(port, "/", Host="evil.example")[0] == 403
    assert ask(port, "/", Host=f"localhost:{port}")[0] == 200


def test_a_taken_port_is_an_error_that_says_what_to_do(port: int, folder: Path) -> None:
    with pytest.raises(ServeError, match="--port"), serving(folder, port):
        pass
    assert issubclass(ServeError, BoardspaceError)


def test_ctrl_c_ends_the_command(folder: Path) -> None:
    command = [sys.executable, "-m", "boardspace", "serve", str(folder), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as served:
        assert served.stdout
        assert served.stderr
        found = re.search(r"http://127\.0\.0\.1:(\d+)/", served.stdout.readline())
        assert found
        assert ask(int(found[1]), "/")[2] == b"<p>here"
        served.send_signal(signal.SIGINT)
        assert served.wait(timeout=300) == 0
        assert served.stderr.read() == "stopped\n"


@pytest.mark.parametrize("path", ["/sub", "/sub/", "/sub/index.html", "/circle", "/circle/a", "/" + "a" * 5000])
def test_links_out_of_the_folder_or_in_a_circle_and_long_names_are_no_files(port: int, path: str) -> None:
    assert ask(port, path)[0] == 404


def test_a_range_of_very_many_digits_is_none(port: int) -> None:
    assert ask(port, "/data.parquet", Range=f"bytes={'9' * 5000}-")[0] == 200
