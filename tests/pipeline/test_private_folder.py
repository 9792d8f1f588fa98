"""What a run keeps for itself is checked too: receipts, and that nothing else lies there."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from boardspace.engine.plan import recorded_work
from boardspace.verify import verify
from boardspace.verify.repair import set_damaged_aside
from tests.pipeline.forging import receipts_of, write_receipts
from tests.pipeline.test_verify import faulty, run_folder

__all__ = ["run_folder"]


def receipt_of(run_folder: Path) -> Path:
    """A file with receipts of a stage."""
    return sorted((run_folder / ".run/toy/receipts/sums").iterdir())[-1]


def change_last(path: Path, alter: Callable[[dict[str, Any]], object]) -> None:
    """Alter the last receipt of a file, its checksum included."""
    receipts = receipts_of(path)
    alter(receipts[-1])
    write_receipts(path, receipts)


ALTERATIONS: dict[str, Callable[[dict[str, Any]], object]] = {
    "facts": lambda receipt: receipt["facts"].update(sums=1),
    "rows": lambda receipt: receipt["files"][0].update(bytes=1),
    "work": lambda receipt: receipt.update(work="0" * 64),
    "stage": lambda receipt: receipt.update(stage="squares"),
}


@pytest.mark.parametrize("name", ALTERATIONS)
def test_a_receipt_that_differs_from_the_record_of_its_stage_is_named(run_folder: Path, name: str) -> None:
    path = receipt_of(run_folder)
    change_last(path, ALTERATIONS[name])
    of_other_work = name == "work"  # it may be of another plan, but then the right one is missing
    named = [] if of_other_work else [path.relative_to(run_folder).as_posix()]
    assert faulty(verify(run_folder, "hashes")) == [*named, ".run/toy/receipts/sums"]


def test_receipts_that_are_torn_or_gone_are_named(run_folder: Path) -> None:
    path = receipt_of(run_folder)
    path.write_bytes(path.read_bytes()[:-2])
    named = [path.relative_to(run_folder).as_posix(), ".run/toy/receipts/sums"]
    assert faulty(verify(run_folder, "hashes")) == named
    path.unlink()
    assert faulty(verify(run_folder, "hashes")) == named[1:]


def test_seconds_of_another_attempt_are_no_fault(run_folder: Path) -> None:
    change_last(receipt_of(run_folder), lambda receipt: receipt.update(seconds=3.5))
    assert verify(run_folder, "hashes").faults == ()


def test_an_attempt_that_died_as_it_began_and_one_that_did_the_same_again_are_no_faults(run_folder: Path) -> None:
    path = receipt_of(run_folder)
    first = path.name.partition(".")[0]
    path.with_name(f"{first}.1.jsonl").touch()
    shutil.copy(path, path.with_name(f"{first}.2.jsonl"))
    assert verify(run_folder, "hashes").faults == ()


def test_notes_that_version_1_left_are_no_fault(run_folder: Path) -> None:
    for name in ("verified.json", "published.json"):
        (run_folder / ".run/toy" / name).write_text("whatever")
    assert verify(run_folder, "hashes").faults == ()


@pytest.mark.parametrize(
    "name",
    [
        ".run/notes.txt",
        ".run/chess",
        ".run/toy/notes.txt",
        ".run/toy/receipts/sums/9.txt",
        ".run/toy/receipts/sums/9.jsonl",
        ".run/toy/stages/9.json",
        ".run/toy/intermediates/squares/squares/9.parquet",
    ],
)
def test_a_stray_file_is_named(run_folder: Path, name: str) -> None:
    (run_folder / name).write_text("foreign")
    assert faulty(verify(run_folder, "hashes")) == [name]


@pytest.mark.parametrize(
    "name", [".run/.tmp-0", ".run/toy/.tmp-0", ".run/toy/stages/.tmp-0", ".run/toy/receipts/sums/.tmp-0", "toy/.tmp-0"]
)
def test_temporary_files_are_named(run_folder: Path, name: str) -> None:
    (run_folder / name).write_text("foreign")
    assert faulty(verify(run_folder, "hashes")) == [name]


def test_a_receipt_that_another_plan_left_is_no_fault(run_folder: Path) -> None:
    path = receipt_of(run_folder)
    other = path.with_name("0000009999.0.jsonl")
    shutil.copy(path, other)
    change_last(other, lambda receipt: receipt.update(shard="0000009999"))
    change_last(other, lambda receipt: receipt.update(work="0" * 64))
    assert verify(run_folder, "hashes").faults == ()


@pytest.mark.parametrize("name", ["plan.json", ".run/toy/stages/sums.json", ".run/toy/stages", ".run/toy", ".run"])
def test_a_link_in_the_place_of_a_record_or_its_folder_is_named(
    run_folder: Path, tmp_path_factory: pytest.TempPathFactory, name: str
) -> None:
    path = run_folder / name
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "moved"
    path.rename(elsewhere)
    path.symlink_to(elsewhere)
    assert any(where == name for where in faulty(verify(run_folder, "hashes")))


def test_pipes_among_the_records_are_named_and_not_read(run_folder: Path) -> None:
    os.mkfifo(run_folder / ".run/toy/receipts/sums/pipe.jsonl")
    assert faulty(verify(run_folder, "hashes")) == [".run/toy/receipts/sums/pipe.jsonl"]


@pytest.mark.parametrize("name", [".run/toy/notes.txt", ".run/toy/receipts/sums/9.jsonl"])
def test_what_is_foreign_or_altered_is_set_aside_by_a_repair(run_folder: Path, name: str) -> None:
    (run_folder / name).write_text("foreign")
    set_damaged_aside(run_folder, recorded_work(run_folder), lambda _: None)
    assert verify(run_folder, "logic").faults == ()


@pytest.mark.parametrize("damage", [Path.unlink, lambda path: change_last(path, ALTERATIONS["facts"])])
def test_receipts_that_are_altered_or_gone_are_written_anew_by_a_repair(
    run_folder: Path, damage: Callable[[Path], None]
) -> None:
    path = receipt_of(run_folder)
    before = path.read_bytes()
    damage(path)
    set_damaged_aside(run_folder, recorded_work(run_folder), lambda _: None)
    assert path.read_bytes() == before
    assert verify(run_folder, "logic").faults == ()
