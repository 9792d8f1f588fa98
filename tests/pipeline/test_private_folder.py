"""What a run keeps for itself is checked too: receipts, memos, and that nothing else lies there."""

import json
import os
import shutil
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from boardspace.engine.plan import recorded_work
from boardspace.release.dataset import PublishError
from boardspace.release.publish import publish
from boardspace.storage.complete import read_complete
from boardspace.storage.run_folder import SpaceFolder
from boardspace.verify import verify
from boardspace.verify.memo import Verified, basis
from boardspace.verify.repair import set_damaged_aside
from tests.pipeline.conftest import boardspace
from tests.pipeline.forge import Forgery, campaigns
from tests.pipeline.forging import receipts_of, write_forged, write_receipts
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


def change(path: Path, alter: Callable[[dict[str, Any]], object]) -> None:
    """Alter a record, its checksum included."""
    record = json.loads(path.read_bytes())["record"]
    alter(record)
    write_forged(path, record)


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


@pytest.mark.parametrize("name", ["verified.json", "published.json"])
def test_a_memo_that_is_altered_is_named(run_folder: Path, tmp_path_factory: pytest.TempPathFactory, name: str) -> None:
    publish(run_folder, tmp_path_factory.mktemp("released"), [], lambda _: None)
    path = run_folder / ".run/toy" / name
    content = path.read_bytes()
    assert verify(run_folder, "hashes").faults == ()
    path.write_bytes(content.replace(b'"files":', b'"files":1', 1))
    assert faulty(verify(run_folder, "hashes")) == [f".run/toy/{name}"]


def test_a_memo_that_says_other_numbers_is_named_though_its_checksum_is_right(run_folder: Path) -> None:
    verify(run_folder, "logic")
    change(run_folder / ".run/toy/verified.json", lambda memo: memo.update(rows=12))
    assert faulty(verify(run_folder, "hashes")) == [".run/toy/verified.json"]


@pytest.mark.parametrize(
    "name",
    [
        ".run/notes.txt",
        ".run/chess",
        ".run/toy/notes.txt",
        ".run/toy/receipts/sums/9.txt",
        ".run/toy/receipts/sums/9.jsonl",
        ".run/toy/stages/9.json",
        ".run/toy/exchange/squares/squares/9.parquet",
    ],
)
def test_a_stray_file_is_named(run_folder: Path, name: str) -> None:
    (run_folder / name).write_text("foreign")
    assert faulty(verify(run_folder, "hashes")) == [name]


@pytest.mark.parametrize(
    "step", ["checked", *(pytest.param(one, marks=pytest.mark.slow) for one in ("opened", "written", "synced"))]
)
def test_what_a_killed_verification_left_is_no_fault_and_goes_with_the_next(
    run_folder: Path, tmp_path_factory: pytest.TempPathFactory, step: str
) -> None:
    armed = f"verified-{step}@kill@{tmp_path_factory.mktemp('armed') / 'token'}"
    killed = boardspace("verify", run_folder, env={"BOARDSPACE_FAILPOINT": armed})
    assert killed.returncode == -signal.SIGKILL
    left = [*(run_folder / ".run/toy").glob(".tmp-*")]
    assert len(left) == 1
    assert verify(run_folder, "hashes").faults == ()
    assert left[0].exists()
    assert verify(run_folder, "logic").faults == ()
    assert not left[0].exists()


@pytest.mark.parametrize(
    "name", [".run/.tmp-0", ".run/toy/stages/.tmp-0", ".run/toy/receipts/sums/.tmp-0", "toy/.tmp-0"]
)
def test_temporary_files_where_no_memo_is_written_are_named(run_folder: Path, name: str) -> None:
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


@pytest.mark.parametrize("name", [".run/toy/notes.txt", ".run/toy/verified.json", ".run/toy/receipts/sums/9.jsonl"])
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


FORGERY = Forgery("sums", "ways", "all values")


def forge_memo(root: Path, seal: str) -> None:
    """Write the memo that a verification of these data would leave, with another seal."""
    (work,) = recorded_work(root)
    folder = SpaceFolder(root, "toy")
    complete, found = read_complete(folder), verify(root, "structure")
    assert complete is not None
    assert found.faults == ()
    of = basis(folder, work, complete, Verified)
    memo = Verified(of=of, files=found.files, bytes=found.bytes, rows=found.rows, cases=100, seal=seal)
    write_forged(root / ".run/toy/verified.json", memo.model_dump(mode="json"))


def test_false_data_with_a_forged_memo_of_their_verification_are_not_published(
    run_folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Who may write to the folder of a run can make everything agree, but not this user's seal."""
    release = tmp_path_factory.mktemp("released")
    verify(run_folder, "logic")
    seal_of_true_data = json.loads((run_folder / ".run/toy/verified.json").read_bytes())["record"]["seal"]
    (campaign,) = campaigns(run_folder, [])
    with campaign.forged(FORGERY):
        for seal in ("", "0" * 64, seal_of_true_data, "\N{SNOWMAN}"):
            forge_memo(run_folder, seal)
            with pytest.raises(PublishError, match="toy: ways"):
                publish(run_folder, release, [], lambda _: None)
    assert not (release / "toy").exists()


def test_a_memo_holds_for_the_very_records_of_the_stages(
    run_folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """COMPLETE holds no digest of what a record says of single files but for their SHA-256."""
    said: list[str] = []
    verify(run_folder, "logic")
    publish(run_folder, tmp_path_factory.mktemp("one"), [], said.append)
    assert "toy: verifying" not in said
    (run_folder / ".run/toy/published.json").unlink()
    change(run_folder / ".run/toy/stages/sums.json", lambda record: record["receipts"][0].update(seconds=1.5))
    publish(run_folder, tmp_path_factory.mktemp("two"), [], said.append)
    assert "toy: verifying" in said


def test_the_memo_of_another_user_proves_nothing_and_is_no_fault(
    run_folder: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    verify(run_folder, "logic")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("another")))
    assert verify(run_folder, "hashes").faults == ()
    publish(run_folder, tmp_path_factory.mktemp("released"), [], said.append)
    assert "toy: verifying" in said


def test_a_forged_memo_of_a_publication_is_not_believed(
    run_folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    release = tmp_path_factory.mktemp("released")
    publish(run_folder, release, [], lambda _: None)
    (first,) = publish(run_folder, release, [], lambda _: None)
    assert not first.new
    said: list[str] = []
    change(run_folder / ".run/toy/published.json", lambda memo: memo.update(seal="0" * 64, bytes=1))
    (second,) = publish(run_folder, release, [], said.append)
    assert second == first
    assert any("joining and copying" in line for line in said)
