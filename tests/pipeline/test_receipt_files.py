"""Files of receipts: one for each attempt at a bundle, a line for each shard; and runs that keep them otherwise."""

import gc
import json
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from boardspace.cli.main import cli
from boardspace.engine import calibration
from boardspace.storage.receipts import MOST, Receipt, StageRecord, read_receipts
from boardspace.storage.records import collector_paused, decoded, digest_of, encoded
from boardspace.storage.run_folder import SpaceFolder
from tests.pipeline.forging import receipts_of, write_forged

Config = Callable[..., Path]
STAGE = "squares"


def receipt(shard: str, work: str = "0") -> Receipt:
    return Receipt(stage=STAGE, shard=shard, work=work, files=[], facts={"n": 1}, seconds=0.5)


@pytest.fixture
def folder(tmp_path: Path) -> SpaceFolder:
    return SpaceFolder(tmp_path, "toy")


def names(folder: SpaceFolder) -> list[str]:
    return [name for name, _ in read_receipts(folder.receipts(STAGE))]


@pytest.mark.parametrize("shards", [0, 1, 2, 3, 4, 5])
def test_the_record_of_a_stage_made_in_parts_is_that_of_its_values(
    shards: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its line and its digest, with two receipts a part."""
    monkeypatch.setattr("boardspace.storage.receipts.PART", 2)
    record = StageRecord(stage="s", receipts=[receipt(str(number)) for number in range(shards)])
    assert record.line() == encoded(record.model_dump(mode="json"))
    assert decoded(record.line(), StageRecord) == record
    results = [[{"facts": one.facts, "work": one.work}, []] for one in record.receipts]
    assert record.digest == digest_of(results)


@pytest.mark.parametrize("enabled", [True, False])
def test_the_collector_is_as_it_was_after_it_was_paused(enabled: bool) -> None:
    before = gc.isenabled()
    (gc.enable if enabled else gc.disable)()
    try:
        with collector_paused():
            assert not gc.isenabled()
        assert gc.isenabled() == enabled
    finally:
        (gc.enable if before else gc.disable)()


def test_attempts_at_one_bundle_at_the_same_time_write_a_file_each_and_lose_nothing(folder: SpaceFolder) -> None:
    together = threading.Barrier(8)

    def attempt(number: int) -> None:
        mine = folder.attempt(STAGE, "00000")
        together.wait()
        for shard in ("00000", "00001"):
            mine.add(receipt(shard, work=str(number)))

    threads = [threading.Thread(target=attempt, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert names(folder) == [f"00000.{number}.jsonl" for number in range(8)]
    found = {(one.shard, one.work) for one in folder.single_receipts(STAGE)}
    assert found == {(shard, str(number)) for shard in ("00000", "00001") for number in range(8)}


def test_an_attempt_finds_what_another_one_writes_meanwhile(folder: SpaceFolder) -> None:
    first, second = folder.attempt(STAGE, "00000"), folder.attempt(STAGE, "00000")
    first.add(receipt("00000"))
    assert second.find("00000", "0") == receipt("00000")
    assert second.find("00000", "of another plan") is None
    second.add(receipt("00001"))
    assert first.find("00001", "0") == receipt("00001")
    assert folder.receipts_for(STAGE, {"00000": "0", "00001": "0", "00002": "0"}, ()).keys() == {"00000", "00001"}


def test_a_name_that_was_taken_by_a_process_that_died_then_holds_nothing_and_stops_nobody(folder: SpaceFolder) -> None:
    taken = Path(str(folder.receipts(STAGE))) / "00000.0.jsonl"
    taken.parent.mkdir(parents=True)
    taken.touch()
    attempt = folder.attempt(STAGE, "00000")
    assert attempt.find("00000", "0") is None
    attempt.add(receipt("00000"))
    assert names(folder) == ["00000.0.jsonl", "00000.1.jsonl"]
    assert taken.read_bytes() == b""


def test_no_file_has_more_lines_than_a_bundle_has_shards(folder: SpaceFolder) -> None:
    attempt = folder.attempt(STAGE, "00000")
    for number in range(MOST + 1):
        attempt.add(receipt(f"{number:05}"))
    root = Path(str(folder.receipts(STAGE)))
    assert [len(receipts_of(root / name)) for name in names(folder)] == [MOST, 1]


@pytest.mark.parametrize("arguments", [("run",), ("run", "--keep"), ("status",), ("verify",), ("jobs",)])
def test_a_run_of_an_older_format_is_refused_in_a_line(
    tmp_path: Path, toy_config: Config, arguments: tuple[str, ...]
) -> None:
    command, *flags = arguments
    plan = {"format": 1, "spaces": {}}
    write_forged(tmp_path / "plan.json", plan)
    config, out = str(toy_config()), str(tmp_path)
    given = {"run": [config, "--out", out, "--workers", "0"], "jobs": [out, config]}
    told = CliRunner().invoke(cli, [command, *given.get(command, [out]), *flags])
    assert told.exit_code == 2
    assert "plan.json: a run of format 1, and this version reads and writes format 2: use another --out" in told.stderr
    assert "Traceback" not in told.output
    assert json.loads((tmp_path / "plan.json").read_bytes())["record"] == plan


def test_a_machine_is_measured_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(calibration, "loop", lambda: 2 * calibration.THERE)
    assert calibration.slowness() == 2
    monkeypatch.setattr(calibration, "loop", lambda: pytest.fail("measured again"))
    assert calibration.slowness() == 2


def test_the_loop_takes_time_and_not_much() -> None:
    assert 0.01 < calibration.loop() < 5
