"""What a folder is, run or release, is decided by its plan alone; nothing passes for checked that was not."""

import dataclasses
import hashlib
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from boardspace.release.dataset import PublishError
from boardspace.release.datasets import open_datasets
from boardspace.release.publish import publish
from boardspace.spec.errors import BoardspaceError
from boardspace.spec.registry import spaces
from boardspace.spec.space import Check, Outcome
from boardspace.storage.run_folder import locked
from boardspace.verify import verify
from tests.pipeline.publish.conftest import publish_quietly
from tests.pipeline.test_verify import faulty, run_folder

__all__ = ["run_folder"]


def plant_sums(folder: Path) -> None:
    """Write a list of sums that is right for all that lies there."""
    files = sorted(p for p in folder.rglob("*") if p.is_file())
    lines = [f"{hashlib.sha256(p.read_bytes()).hexdigest()}  {p.relative_to(folder).as_posix()}\n" for p in files]
    (folder / "SHA256SUMS").write_text("".join(lines))


@pytest.mark.parametrize("place", ["", "toy"])
def test_sums_planted_in_a_run_do_not_make_it_a_release(run_folder: Path, place: str) -> None:
    sorted((run_folder / "toy" / "sums").iterdir())[0].unlink()
    plant_sums(run_folder / place)
    for folder in (run_folder, run_folder / "toy"):
        assert "toy/sums/0000000000.parquet" in faulty(verify(folder, "logic"))


def test_a_hidden_link_to_a_release_does_not_make_a_run_one(
    run_folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    release = tmp_path_factory.mktemp("release")
    publish_quietly(run_folder, release)
    (run_folder / ".hidden").symlink_to(release / "toy")
    result = verify(run_folder, "logic")
    assert (result.level, result.cases) == ("logic", 26 + 7)


def test_a_dataset_of_a_run_is_verified_as_part_of_the_run(run_folder: Path) -> None:
    result = verify(run_folder / "toy", "logic")
    assert (result.level, result.cases, result.faults) == ("logic", 26 + 7, ())


def test_checks_that_check_nothing_are_a_fault_and_nothing_is_published(
    run_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (part,) = spaces()["toy"].parts
    columns = {"sums": ("sum", "ways"), "ways": ()}
    nothing = Check("ways", columns, "nothing", lambda config, inputs, draw: Outcome(0, 0))
    toy = dataclasses.replace(spaces()["toy"], parts=(dataclasses.replace(part, checks=(nothing,)),))
    monkeypatch.setattr("boardspace.verify.run.checks_of_run", lambda work: work.space.checks)
    monkeypatch.setattr("boardspace.engine.plan.space_named", lambda name: toy)
    assert faulty(verify(run_folder, "logic")) == ["toy: checks"]
    with pytest.raises(PublishError, match="re-derived no case"):
        publish(run_folder, tmp_path / "release", [], lambda _: None)
    assert not (tmp_path / "release" / "toy").exists()


def test_verify_says_that_a_run_is_writing_where_something_is_wrong(run_folder: Path) -> None:
    (run_folder / "toy" / "COMPLETE").unlink()
    with locked(run_folder):
        for place in (run_folder, run_folder / "toy"):
            result = verify(place, "hashes")
            assert result.notes[0].startswith("a run writes to this folder")
            assert result.faults
    assert verify(run_folder, "hashes").notes == ()


MAKERS: dict[str, Callable[[Path], object]] = {
    "pipe": os.mkfifo,
    "folder": Path.mkdir,
    "dangling link": lambda path: path.symlink_to("nowhere"),
}


@pytest.mark.parametrize("kind", MAKERS)
def test_a_dataset_whose_mark_of_completeness_is_no_file_is_not_left_out(run_folder: Path, kind: str) -> None:
    mark = run_folder / "toy" / "COMPLETE"
    mark.unlink()
    MAKERS[kind](mark)
    with pytest.raises(BoardspaceError, match="COMPLETE: no regular file"):
        open_datasets(run_folder)
    with pytest.raises(BoardspaceError, match="COMPLETE: no regular file"):
        open_datasets(run_folder / "toy")
