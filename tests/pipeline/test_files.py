"""Files are whole or not there, whatever happens while they are written."""

import errno
import hashlib
import os
import tracemalloc
from pathlib import Path

import pytest

from boardspace.spec.errors import BoardspaceError
from boardspace.storage.files import (
    UNFINISHED,
    StorageError,
    read_regular,
    read_up_to,
    require_empty,
    temporary_files,
    write,
    write_bytes,
    write_files,
)
from tests.pipeline.conftest import python

POINTS = ("opened", "written", "synced", "checked", "renamed", "done")


def test_what_is_written_is_described_by_its_size_and_hash(tmp_path: Path) -> None:
    written = write_bytes(tmp_path / "deep" / "file", b"content")
    assert (tmp_path / "deep" / "file").read_bytes() == b"content"
    assert (written.bytes, written.sha256) == (7, hashlib.sha256(b"content").hexdigest())


def test_a_check_that_fails_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_bytes(path, b"old")

    def refuse(temporary: Path) -> None:
        raise StorageError(f"{temporary} is not good")

    with pytest.raises(StorageError):
        write(path, lambda stream: stream.write(b"new"), refuse)
    assert path.read_bytes() == b"old"
    assert not list(temporary_files(tmp_path))


@pytest.mark.parametrize("point", POINTS)
def test_a_writer_killed_at_any_point_leaves_the_old_content_or_the_new(tmp_path: Path, point: str) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    code = "import sys, pathlib; from boardspace.storage.files import write_bytes; "
    code += "write_bytes(pathlib.Path(sys.argv[1]), b'new', 'trial')"
    killed = python(code, path, env={"BOARDSPACE_FAILPOINT": f"trial-{point}@kill@{tmp_path / 'token'}"})
    assert killed.returncode == -9
    assert path.read_bytes() == (b"new" if point in {"renamed", "done"} else b"old")


@pytest.mark.parametrize("armed", ["x", "*@kill", "*@kill@", "*@NONE@token", "*@errorcode@token", "*@kill*x@token"])
def test_a_failpoint_that_is_none_is_told(tmp_path: Path, armed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOARDSPACE_FAILPOINT", armed)
    with pytest.raises(BoardspaceError, match="POINT@ACTION@TOKEN"):
        write_bytes(tmp_path / "file", b"new", "trial")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("point", POINTS[:4])
def test_a_full_disk_is_said_and_leaves_no_trace(tmp_path: Path, point: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOARDSPACE_FAILPOINT", f"trial-{point}@ENOSPC@{tmp_path / 'token'}")
    with pytest.raises(StorageError, match="no space left") as caught:
        write_bytes(tmp_path / "out" / "file", b"new", "trial")
    assert str(tmp_path / "out" / "file") in str(caught.value)
    assert list((tmp_path / "out").iterdir()) == []


def test_a_path_that_cannot_be_written_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOARDSPACE_FAILPOINT", f"trial-opened@EROFS@{tmp_path / 'token'}")
    with pytest.raises(StorageError, match=os.strerror(errno.EROFS)):
        write_bytes(tmp_path / "file", b"new", "trial")


def test_a_file_is_read_into_as_much_memory_as_it_has_bytes(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"record")
    tracemalloc.start()
    try:
        assert read_regular(path, 1 << 30) == b"record"
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 1 << 20


def test_a_file_is_read_up_to_a_limit_and_no_further(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"record")
    assert read_regular(path, 6) == b"record"
    with pytest.raises(OSError, match="longer than 5 bytes"):
        read_regular(path, 5)


def test_what_says_no_size_is_read_up_to_a_limit_too() -> None:
    with Path("/proc/self/status").open("rb") as status:
        assert read_up_to(status, 1 << 20).count(b"\n") > 10
    with Path("/dev/zero").open("rb") as endless, pytest.raises(OSError, match="longer than 3,000,000 bytes"):
        read_up_to(endless, 3_000_000)


def test_a_folder_that_was_not_written_to_its_end_is_written_anew_and_no_other(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    write_files(folder, {"a": b"1", "below/b": b"2"})
    with pytest.raises(StorageError, match="is not empty"):
        require_empty(folder)
    (folder / UNFINISHED).write_text("a\nbelow/b\nnever\n")
    require_empty(folder)
    assert list(folder.iterdir()) == []
    (folder / UNFINISHED).write_text("a\n")
    (folder / "mine").touch()
    with pytest.raises(StorageError, match="is not empty"):
        require_empty(folder)
    assert (folder / "mine").exists()
