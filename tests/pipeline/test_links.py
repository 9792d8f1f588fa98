"""A link in the folder of a run leads nothing elsewhere: what it points to is neither written nor deleted."""

import os
import shutil
from pathlib import Path

import pytest

from boardspace.verify import verify
from tests.pipeline.test_repair import finished, run

__all__ = ["finished"]
FOLDERS = [".run", ".run/toy", ".run/toy/receipts", "toy", "toy/sums", "toy/arrays.zarr", "toy/arrays.zarr/ways"]


@pytest.fixture
def folder(finished: Path, tmp_path: Path) -> Path:
    """A copy of a finished run."""
    shutil.copytree(finished, tmp_path / "run")
    return tmp_path / "run"


def contents(folder: Path) -> dict[str, bytes]:
    """All files below a folder, by their names."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def linked(folder: Path, name: str) -> Path:
    """Move a part of a run elsewhere and leave a link to it; the other place."""
    elsewhere = folder.with_name("elsewhere")
    (folder / name).rename(elsewhere)
    (folder / name).symlink_to(elsewhere)
    return elsewhere


def unfinished(folder: Path) -> None:
    """Forget that a run was finished: all its shards are to be computed again."""
    (folder / "toy" / "COMPLETE").unlink()
    shutil.rmtree(folder / ".run" / "toy")


@pytest.mark.parametrize("name", FOLDERS[3:])
def test_no_shard_is_written_through_a_link(folder: Path, name: str) -> None:
    unfinished(folder)
    elsewhere = linked(folder, name)
    before = contents(elsewhere)
    done = run(folder)
    assert (done.exit_code, "symbolic link" in done.output) == (2, True), done.output
    assert contents(elsewhere) == before
    assert not (folder / "toy" / "COMPLETE").exists()


@pytest.mark.parametrize("name", FOLDERS)
@pytest.mark.parametrize("flags", [(), ("--fresh",), ("--repair",)])
def test_nothing_is_deleted_through_a_link(folder: Path, name: str, flags: tuple[str, ...]) -> None:
    elsewhere = linked(folder, name)
    before = contents(elsewhere)
    done = run(folder, *flags)
    assert done.exit_code in {0, 2}, done.output
    assert done.exit_code == 0 or "symbolic link" in done.output
    assert contents(elsewhere) == before


def test_who_writes_is_noted_in_a_file_of_the_run_alone(folder: Path) -> None:
    precious = folder.with_name("precious")
    precious.write_text("mine")
    holder = folder / ".run" / "holder"
    holder.unlink()
    holder.symlink_to(precious)
    assert run(folder).exit_code == 0
    assert precious.read_text() == "mine"
    holder.unlink()
    os.mkfifo(holder)
    assert run(folder).exit_code == 0
    assert holder.is_file()


def test_a_lock_that_is_a_link_is_told(folder: Path) -> None:
    lock = folder / ".run" / "lock"
    lock.unlink()
    lock.symlink_to(folder.with_name("precious"))
    done = run(folder)
    assert (done.exit_code, "lock: a symbolic link" in done.output) == (2, True), done.output


@pytest.mark.parametrize("name", FOLDERS)
def test_a_link_in_a_run_is_a_fault_though_what_it_leads_to_is_right(folder: Path, name: str) -> None:
    linked(folder, name)
    faults = verify(folder, "hashes").faults
    assert any("symbolic link" in fault.what and name.startswith(fault.where) for fault in faults), faults
