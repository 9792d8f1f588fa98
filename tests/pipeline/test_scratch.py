"""Private temporary folders: one's own while one lives, and nobody's when one was killed."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from boardspace.storage.files import ScratchError, StorageError, write_bytes
from boardspace.storage.scratch import scratch_folder
from boardspace.verify import verify
from tests.pipeline.conftest import environment
from tests.pipeline.finished import run_of

HOLD = """
from boardspace.storage.scratch import scratch_folder
with scratch_folder() as folder:
    print(folder, flush=True)
    input()
"""


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return tmp_path


def holder(temporary: Path) -> tuple[subprocess.Popen[str], Path]:
    """A process that holds a folder, and the folder."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD],
        env=environment({"TMPDIR": str(temporary)}),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    return process, Path(process.stdout.readline().strip())


def test_the_folder_of_a_killed_process_is_removed_by_the_next_and_that_of_a_living_one_is_not(temporary: Path) -> None:
    (killed, left_over), (alive, used) = holder(temporary), holder(temporary)
    os.kill(killed.pid, signal.SIGKILL)
    killed.wait()
    assert left_over.is_dir()
    with scratch_folder() as own:
        assert {path for path in temporary.iterdir() if path.is_dir()} == {own, used}
    alive.communicate("\n")
    assert not [path for path in temporary.iterdir() if path.is_dir()]


def test_folders_that_others_may_write_to_and_links_stay_as_they_are(temporary: Path, tmp_path: Path) -> None:
    shared = temporary / "boardspace-shared"
    shared.mkdir()
    shared.chmod(0o777)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir(0o700)
    (temporary / "boardspace-link").symlink_to(elsewhere)
    with scratch_folder():
        assert shared.is_dir()
        assert elsewhere.is_dir()


def test_files_in_scratch_are_not_synced_and_others_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", synced.append)
    with scratch_folder() as scratch:
        write_bytes(scratch / "one" / "file", b"1")
        assert synced == []
        write_bytes(tmp_path / "file", b"1")
    assert len(synced) == 2
    write_bytes(scratch / "file", b"1")  # a folder of the name, once it is no scratch any more
    assert len(synced) == 4
    shutil.rmtree(scratch)


def written_in_scratch() -> None:
    with scratch_folder() as folder:
        try:
            write_bytes(folder / "file", b"content")
        except StorageError as error:
            raise ValueError("a shard failed") from error


def test_where_temporary_files_have_no_room_the_message_names_tmpdir(
    temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BOARDSPACE_FAILPOINT", f"*-written@ENOSPC@{temporary / 'token'}")
    with pytest.raises(ScratchError, match=r"no space left.*TMPDIR"):
        written_in_scratch()
    assert [path.name for path in temporary.iterdir()] == ["token"]
    monkeypatch.setattr("tempfile.tempdir", str(temporary / "nowhere"))
    with pytest.raises(ScratchError, match=r"no temporary folder can be made.*TMPDIR"):
        written_in_scratch()


def test_sound_data_have_no_fault_where_temporary_files_have_no_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = run_of("[toy]\nroots = 12\n", tmp_path)
    monkeypatch.setenv("BOARDSPACE_FAILPOINT", f"*-written@ENOSPC@{tmp_path / 'token'}")
    with pytest.raises(ScratchError, match=r"no space left.*TMPDIR"):
        verify(root, "logic")
    assert not verify(root, "logic").faults  # the failpoint is spent
