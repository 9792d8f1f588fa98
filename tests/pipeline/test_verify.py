"""Whatever is altered, ``verify`` finds it and names the file."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pyarrow.parquet as pq
import pytest

from boardspace.cli.commands.status import stages_status
from boardspace.engine import loop
from boardspace.engine.config import validate
from boardspace.engine.graph import InProcess
from boardspace.engine.plan import save_plan, work_of
from boardspace.release.publish import publish
from boardspace.spec.check import Draw
from boardspace.spec.errors import BoardspaceError
from boardspace.storage.complete import Complete
from boardspace.storage.digest import rows_digest
from boardspace.storage.receipts import StageRecord
from boardspace.storage.records import read_record, write_record
from boardspace.verify import Verification, executor, verify
from boardspace.verify.files import why_undecoded
from tests.pipeline.forging import of_file, seal, write_forged, write_rows
from tests.pipeline.test_engine import Recorder
from tests.toy import SUMS

SHARDS = 7  # of the run, which verify makes again


@pytest.fixture
def run_folder(tmp_path: Path) -> Path:
    work = work_of(validate({"toy": {"shards": 3}}, "trial", "trial.toml"))
    save_plan(tmp_path, work)
    loop.run(work, tmp_path, InProcess(), Recorder(), loop.Limits())
    return tmp_path


def faulty(result: Verification) -> list[str]:
    return [fault.where for fault in result.faults]


def test_an_untouched_run_has_no_faults(run_folder: Path) -> None:
    result = verify(run_folder, "logic")
    assert result.faults == ()
    assert result.cases == 26 + SHARDS
    assert result.rows > 2698


def test_of_a_run_that_has_written_nothing_yet_this_is_all_that_is_said(run_folder: Path) -> None:
    for folder in ("toy", ".run"):
        shutil.rmtree(run_folder / folder)
    (fault,) = verify(run_folder, "logic").faults
    assert (fault.where, fault.what.split(",")[0]) == ("toy/COMPLETE", "missing: the run is not finished")


def test_processes_find_the_same_as_threads(run_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executor, "WORTH_PROCESSES", 0)
    forge(run_folder, lambda rows: rows.__setitem__(slice(0, 2), rows[1::-1]))
    found = verify(run_folder, "logic", Draw(), processes=True)
    assert len(found.faults) == 1
    assert found == verify(run_folder, "logic", Draw())


SLEEPING = """
import time
from boardspace.verify import executor
if __name__ == "__main__":
    with executor.executor(executor.WORTH_PROCESSES, True) as pool:
        sleeping = pool.begin(time.sleep, 600)
        pool.begin(time.sleep, 0)()  # so both processes are there
        print(flush=True)
        sleeping()
"""


def test_processes_of_a_command_that_is_killed_end_in_the_midst_of_what_they_do(tmp_path: Path) -> None:
    (tmp_path / "sleeping.py").write_text(SLEEPING)
    command = subprocess.Popen([sys.executable, tmp_path / "sleeping.py"], stdout=subprocess.PIPE)
    assert command.stdout
    command.stdout.readline()
    processes = psutil.Process(command.pid).children(recursive=True)
    command.kill()
    command.wait()
    assert len(processes) > 1
    assert not psutil.wait_procs(processes, timeout=60)[1]


def truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])


def flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


@pytest.mark.parametrize("damage", [truncate, flip, Path.unlink])
@pytest.mark.parametrize(
    "pattern",
    ["toy/sums/*", "toy/arrays.zarr/ways/c/1", "toy/arrays.zarr/ways/zarr.json", ".run/toy/intermediates/*/*/*"],
)
def test_damage_to_any_kind_of_file_is_found_and_named(
    run_folder: Path, damage: Callable[[Path], None], pattern: str
) -> None:
    path = sorted(run_folder.glob(pattern))[-1]
    damage(path)
    assert faulty(verify(run_folder, "hashes")) == [path.relative_to(run_folder).as_posix()]


def test_two_files_swapped_are_both_named(run_folder: Path) -> None:
    first, second = sorted((run_folder / "toy" / "sums").iterdir())[:2]
    content = first.read_bytes()
    first.write_bytes(second.read_bytes())
    second.write_bytes(content)
    assert len(faulty(verify(run_folder, "hashes"))) == 2


def test_a_foreign_file_is_named(run_folder: Path) -> None:
    (run_folder / "toy" / "sums" / "9.parquet").write_bytes(b"foreign")
    assert faulty(verify(run_folder, "hashes")) == ["toy/sums/9.parquet"]


@pytest.mark.parametrize("name", ["toy/claims.parquet", "toy/COMPLETE"])
@pytest.mark.parametrize("damage", [truncate, flip, Path.unlink])
def test_damage_to_what_is_written_last_is_found_and_named(
    run_folder: Path, damage: Callable[[Path], None], name: str
) -> None:
    damage(run_folder / name)
    assert faulty(verify(run_folder, "hashes")) == [name]


@pytest.mark.parametrize("name", ["toy/foreign.parquet", "toy/.hidden", "toy/notes/readme.txt"])
def test_a_file_that_should_not_be_there_is_named(run_folder: Path, name: str) -> None:
    (run_folder / name).parent.mkdir(exist_ok=True)
    (run_folder / name).write_bytes(b"foreign")
    assert faulty(verify(run_folder, "hashes")) == [name]


def test_a_complete_that_says_something_else_than_the_stages_is_named(run_folder: Path) -> None:
    complete = run_folder / "toy" / "COMPLETE"
    record = read_record(complete, Complete)
    assert record is not None
    tables = {**record.tables, "sums": record.tables["sums"].model_copy(update={"rows": 1})}
    write_record(complete, record.model_copy(update={"tables": tables}), "complete")
    assert faulty(verify(run_folder, "hashes")) == ["toy/COMPLETE"]


def test_a_missing_complete_is_named(run_folder: Path) -> None:
    (run_folder / "toy" / "COMPLETE").unlink()
    assert faulty(verify(run_folder, "hashes")) == ["toy/COMPLETE"]


def forge(run_folder: Path, change: Callable[[list[dict[str, int]]], None]) -> str:
    """Change rows of the last file and its records alike, as a bug in the writer would."""
    path = sorted((run_folder / "toy" / "sums").iterdir())[-1]
    table = pq.read_table(path)
    rows = table.to_pylist()
    change(rows)
    write_rows(path, SUMS, type(table).from_pylist(rows, schema=table.schema))
    name = path.relative_to(run_folder).as_posix()
    record_path = run_folder / ".run" / "toy" / "stages" / "sums.json"
    record = read_record(record_path, StageRecord)
    assert record is not None
    document = record.model_dump()
    for receipt in document["receipts"]:
        for file in receipt["files"]:
            if file["path"] == name:
                file |= {**of_file(path), "digest": rows_digest(pq.read_table(path, partitioning=None))}
    write_record(record_path, StageRecord.model_validate(document), "stage")
    seal(run_folder)
    return name


def test_rows_out_of_order_are_found_below_the_hashes(run_folder: Path) -> None:
    name = forge(run_folder, lambda rows: rows.__setitem__(slice(0, 2), rows[1::-1]))
    assert verify(run_folder, "hashes").faults == ()
    assert faulty(verify(run_folder, "structure")) == [name]


def test_cells_that_are_not_those_of_the_receipts_are_found_below_the_hashes(run_folder: Path) -> None:
    path, record = records(run_folder, "sums")
    file = next(f for receipt in record["receipts"] for f in receipt["files"] if f["array"])
    file["digest"] = f"{int(file['digest'], 16) ^ 1:032x}"
    write_forged(path, record)
    seal(run_folder)
    assert verify(run_folder, "hashes").faults == ()
    assert [fault.what for fault in verify(run_folder, "structure").faults] == [
        "its cells do not have the digest of its receipts"
    ]


def test_a_wrong_value_is_found_by_logic(run_folder: Path) -> None:
    def spoil(rows: list[dict[str, int]]) -> None:
        for row in rows:
            row["ways"] += 1

    forge(run_folder, spoil)
    assert verify(run_folder, "structure").faults == ()
    assert faulty(verify(run_folder, "logic")) == ["toy: made again", "toy: ways"]


def test_every_single_bit_flip_of_a_record_is_found_or_harmless(run_folder: Path) -> None:
    path = run_folder / ".run" / "toy" / "stages" / "squares.json"
    good = path.read_bytes()
    before = read_record(path, StageRecord)
    found = 0
    for bit in range(0, 8 * len(good), 7):
        content = bytearray(good)
        content[bit // 8] ^= 1 << (bit % 8)
        path.write_bytes(content)
        record = read_record(path, StageRecord)
        found += record is None
        assert record is None or record == before, f"bit {bit} changed the record unnoticed"
    assert found > len(good) // 2


def records(run_folder: Path, stage: str) -> tuple[Path, dict[str, Any]]:
    path = run_folder / ".run" / "toy" / "stages" / f"{stage}.json"
    return path, json.loads(path.read_bytes())["record"]


def test_two_records_swapped_are_named(run_folder: Path) -> None:
    (first, squares), (second, sums) = records(run_folder, "squares"), records(run_folder, "sums")
    write_forged(first, sums)
    write_forged(second, squares)
    assert ".run/toy/stages/squares.json" in faulty(verify(run_folder, "logic"))


def test_a_record_that_lacks_half_of_its_shards_is_named_although_all_else_follows_from_it(run_folder: Path) -> None:
    path, record = records(run_folder, "sums")
    gone, record["receipts"] = record["receipts"][::2], record["receipts"][1::2]
    write_forged(path, record)
    for receipt in gone:
        for file in receipt["files"]:
            if not file["path"].endswith("zarr.json"):
                (run_folder / file["path"]).unlink()
    seal(run_folder)
    result = verify(run_folder, "logic")
    assert faulty(result) == [".run/toy/stages/sums.json"]
    assert f"lacks shard {gone[0]['shard']}" in result.faults[0].what


def test_a_plan_that_another_run_left_half_done_is_told(run_folder: Path) -> None:
    other = work_of(validate({"toy": {"shards": 3, "log": "kept"}}, "trial", "trial.toml"))
    save_plan(run_folder, other)  # as `run --keep` does first
    assert faulty(verify(run_folder, "logic")) == ["toy/COMPLETE"]


def test_a_file_that_lies_where_no_file_of_its_shard_belongs_is_told(run_folder: Path) -> None:
    path, record = records(run_folder, "sums")
    file = next(f for receipt in record["receipts"] for f in receipt["files"] if f["table"])
    moved = "toy/elsewhere.parquet"
    (run_folder / file["path"]).rename(run_folder / moved)
    file["path"] = moved
    write_forged(path, record)
    seal(run_folder)
    assert "is not where a file of this shard belongs" in verify(run_folder, "hashes").faults[0].what


@pytest.mark.parametrize("name", ["more", "more.parquet", "notes.txt", "sums/more", "arrays.zarr/more", ".hidden"])
def test_a_link_a_pipe_or_a_file_that_no_receipt_names_is_told(run_folder: Path, name: str) -> None:
    for make in (lambda path: path.symlink_to("/dev/zero"), os.mkfifo, Path.touch):
        make(run_folder / "toy" / name)
        assert faulty(verify(run_folder, "hashes")) == [f"toy/{name}"]
        (run_folder / "toy" / name).unlink()


def test_holes_links_and_pipes_in_the_place_of_files_are_not_read(run_folder: Path) -> None:
    path = sorted((run_folder / "toy" / "sums").iterdir())[0]

    def hole(path: Path) -> None:
        path.touch()
        os.truncate(path, 1 << 40)

    for make in (lambda path: path.symlink_to("/dev/zero"), os.mkfifo, hole):
        path.unlink()
        make(path)
        assert faulty(verify(run_folder, "hashes")) == [path.relative_to(run_folder).as_posix()]


def test_a_space_of_the_plan_that_cannot_be_read_does_not_keep_the_others_from_being_checked(run_folder: Path) -> None:
    plan = json.loads((run_folder / "plan.json").read_bytes())["record"]
    plan["spaces"]["chess"] = plan["spaces"]["toy"]
    write_forged(run_folder / "plan.json", plan)
    result = verify(run_folder, "logic")
    assert (faulty(result), result.cases) == (["plan.json"], 26 + SHARDS)
    assert {row.space: row.state for row in stages_status(run_folder)}["toy"] == "complete"
    assert faulty(verify(run_folder, "hashes", names=["chess"])) == ["plan.json"]


@pytest.mark.parametrize("below", ["", "toy"])
def test_a_name_of_no_dataset_is_refused_among_names_of_some(run_folder: Path, tmp_path: Path, below: str) -> None:
    publish(run_folder, tmp_path / "release", [], print, verified=True)
    for root in (run_folder, tmp_path / "release"):
        assert not verify(root / below, "hashes", names=["toy"]).faults
        with pytest.raises(BoardspaceError, match="no dataset 'chess' here; there are: toy"):
            verify(root / below, "hashes", names=["toy", "chess"])


def test_a_lack_of_memory_is_told_as_one() -> None:
    assert "takes more memory" in why_undecoded(MemoryError())
    assert "does not decode" in why_undecoded(ValueError("magic"))
