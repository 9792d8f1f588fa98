"""The engine: what runs, in which order, how often, and what it says when something keeps failing."""

import itertools
import json
import os
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from boardspace.engine import loop
from boardspace.engine.config import validate
from boardspace.engine.events import Listener, ShardFailedError, SpaceSummary
from boardspace.engine.graph import InProcess
from boardspace.engine.plan import work_of
from boardspace.spec.space import Inputs, Output, Stage
from boardspace.storage.complete import read_complete
from boardspace.storage.locations import Location
from boardspace.storage.progress_file import ProgressEvent
from boardspace.storage.receipts import Receipt, StageRecord
from boardspace.storage.records import canonical_json
from boardspace.storage.run_folder import SpaceFolder
from tests import toy
from tests.pipeline.conftest import dataset_bytes
from tests.pipeline.forging import drop_receipt, file_of_receipt, receipts_of


class Recorder(Listener):
    """A listener that writes down what it hears."""

    def __init__(self) -> None:
        self.cut: list[tuple[str, int, int]] = []
        self.failed: list[tuple[str, bool]] = []
        self.swept: list[Location] = []
        self.done: list[str] = []
        self.warnings: list[str] = []
        self.progress: list[ProgressEvent] = []

    def stage_cut(self, space: str, stage: Stage, shards: int, done: int) -> None:
        self.cut.append((stage.name, shards, done))

    def shards_done(self, space: str, stage: str, shards: int) -> None:
        self.done += [f"{space}/{stage}"] * shards

    def shard_failed(self, shard: str, cause: str, again: bool) -> None:
        self.failed.append((shard, again))

    def shard_progress(self, event: ProgressEvent) -> None:
        self.progress.append(event)

    def warned(self, text: str) -> None:
        self.warnings.append(text)

    def space_done(self, space: str, swept: Sequence[Location]) -> None:
        self.swept += swept


def run_toy(root: Path, retries: int = 2, **keys: object) -> tuple[SpaceSummary, Recorder]:
    root.mkdir(exist_ok=True)
    config = validate({"toy": {"log": str(root / "log"), **keys}}, "trial", "trial.toml")
    recorder = Recorder()
    graph = InProcess(
        retries, lambda error: recorder.shard_failed(error.shard, error.cause, again=True), recorder.shard_progress
    )
    return loop.run(work_of(config), root, graph, recorder, loop.Limits(retries))["toy"], recorder


def computed(root: Path) -> Counter[str]:
    return Counter((root / "log").read_text().split())


def test_each_shard_is_computed_once_and_stages_in_order(tmp_path: Path) -> None:
    summary, recorder = run_toy(tmp_path, shards=3)
    assert set(computed(tmp_path).values()) == {1}
    assert recorder.cut == [("squares", 3, 0), ("sums", 3, 0), ("claims", 1, 0)]
    assert (summary.shards, summary.skipped) == (7, 0)
    order = (tmp_path / "log").read_text().split()
    assert order == sorted(order, key=lambda name: name.split("/")[0] == "sums")


def test_a_second_run_computes_nothing(tmp_path: Path) -> None:
    run_toy(tmp_path)
    before = computed(tmp_path)
    summary, recorder = run_toy(tmp_path)
    assert computed(tmp_path) == before
    assert summary.skipped == summary.shards == 9
    assert recorder.done == []


def test_a_lost_file_is_made_again_and_nothing_else(tmp_path: Path) -> None:
    run_toy(tmp_path)
    before = computed(tmp_path)
    lost = sorted((tmp_path / "toy" / "sums").iterdir())[1]
    content = lost.read_bytes()
    lost.unlink()
    run_toy(tmp_path)
    assert computed(tmp_path) - before == Counter([f"sums/{lost.stem}"])
    assert lost.read_bytes() == content


def test_a_torn_receipt_is_no_proof(tmp_path: Path) -> None:
    run_toy(tmp_path)
    before = computed(tmp_path)
    folder = SpaceFolder(tmp_path, "toy")
    Path(folder.stage("squares")).unlink()
    receipts = file_of_receipt(tmp_path, "toy", "squares", "00025")
    lines = receipts.read_text().splitlines(keepends=True)
    receipts.write_text("".join(line[:-40] if '"shard":"00025"' in line else line for line in lines))
    run_toy(tmp_path)
    assert computed(tmp_path) - before == Counter(["squares/00025"])


def test_shards_whose_inputs_changed_are_done_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run_toy(tmp_path / "before")
    root = tmp_path / "after"  # this process holds the stages of the other folder, with the function as it was
    (tmp_path / "before").rename(root)
    before = computed(root)
    squares = toy.squares

    def fewer(config: toy.ToyConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
        output = squares(config, params, inputs)
        return Output({"squares": output.tables["squares"].slice(1)}, facts=output.facts)

    monkeypatch.setattr(toy, "squares", fewer)
    folder = SpaceFolder(root, "toy")
    Path(folder.stage("squares")).unlink()
    drop_receipt(root, "toy", "squares", "00025")
    run_toy(root)
    sums = [f"sums/{path.stem}" for path in (root / "toy" / "sums").iterdir()]
    assert computed(root) - before == Counter(["squares/00025", *sums])
    ways = {row["sum"]: row["ways"] for row in pq.read_table(root / "toy" / "sums").to_pylist()}
    assert ways[25 * 25] == 4  # 15^2 + 20^2 and 7^2 + 24^2, and no longer 25^2 + 0


def test_the_digest_of_a_stage_is_that_of_its_record_on_disk() -> None:
    facts = {"counts": {10: (1, 2), 9: (3,)}, "name": "x"}
    record = StageRecord(
        stage="s", receipts=[Receipt(stage="s", shard="a", work="w", files=[], facts=facts, seconds=0.5)]
    )
    read = StageRecord.model_validate(json.loads(canonical_json(record.model_dump(mode="json"))))
    assert read.digest == record.digest
    assert read.model_copy(update={"receipts": []}).digest != record.digest


def test_complete_is_written_last_and_removed_first(tmp_path: Path) -> None:
    run_toy(tmp_path)
    folder = SpaceFolder(tmp_path, "toy")
    assert read_complete(folder) is not None
    sorted((tmp_path / "toy" / "sums").iterdir())[0].unlink()
    with pytest.raises(ShardFailedError):
        run_toy(tmp_path, trouble="raise", trouble_shard="sums/0000000000", retries=0)
    assert read_complete(folder) is None


def test_a_shard_that_fails_once_is_tried_again(tmp_path: Path) -> None:
    trouble = f"raise@{tmp_path / 'token'}"
    _, recorder = run_toy(tmp_path, trouble=trouble, trouble_shard="squares/00050")
    assert recorder.failed == [("toy/squares/00050", True)]
    assert computed(tmp_path)["squares/00050"] == 2


def test_an_error_that_cannot_go_away_is_not_tried_again(tmp_path: Path) -> None:
    with pytest.raises(ShardFailedError, match="toy/squares/00050 failed: ArithmeticError: this shard is poison"):
        run_toy(tmp_path, trouble="poison", trouble_shard="squares/00050")
    assert computed(tmp_path)["squares/00050"] == 1


def test_a_failing_shard_is_named_with_its_parameters_and_the_rest_is_kept(tmp_path: Path) -> None:
    with pytest.raises(ShardFailedError, match="toy/squares/00050 failed 3 time") as caught:
        run_toy(tmp_path, trouble="raise", trouble_shard="squares/00050")
    assert '{"high":75,"low":50}' in str(caught.value)
    assert "this disk is away" in str(caught.value)
    before = computed(tmp_path)
    assert before["squares/00050"] == 3
    # The config is the same but for the trouble, which is part of no shard's parameters.
    run_toy(tmp_path)
    again = computed(tmp_path) - before
    assert again["squares/00050"] == 1
    assert sum(again[f"squares/{low:05}"] for low in (0, 25, 75)) <= 1


def test_files_of_runs_that_no_receipt_vouches_for_are_moved_out_of_the_dataset(tmp_path: Path) -> None:
    run_toy(tmp_path)
    [first, *_] = sorted((tmp_path / "toy" / "sums").iterdir())
    stranger = first.with_name("9999999999.parquet")
    stranger.write_bytes(first.read_bytes())
    leftover = tmp_path / "toy" / "sums" / f".tmp-{'0' * 32}"
    leftover.write_bytes(b"half")
    _, recorder = run_toy(tmp_path)
    assert recorder.swept == [stranger]
    assert (tmp_path / ".run" / "swept" / "toy" / "sums" / stranger.name).read_bytes() == first.read_bytes()
    assert not stranger.exists()
    assert not leftover.exists()


@pytest.mark.parametrize("shards", [1, 2, 5, 9])
def test_the_number_of_shards_does_not_change_the_dataset(tmp_path: Path, shards: int) -> None:
    run_toy(tmp_path / "four")
    run_toy(tmp_path / "other", shards=shards)
    four, other = (read_complete(SpaceFolder(tmp_path / name, "toy")) for name in ("four", "other"))
    assert four is not None
    assert other is not None
    assert other.tables["sums"].digest == four.tables["sums"].digest
    assert other.tables["sums"].rows == four.tables["sums"].rows
    assert other.arrays["ways"].digest == four.arrays["ways"].digest


def test_nothing_published_holds_a_time_a_host_or_a_path(tmp_path: Path) -> None:
    import os
    import socket

    run_toy(tmp_path)
    content = b"".join(path.read_bytes() for path in (tmp_path / "toy").rglob("*") if path.is_file())
    assert socket.gethostname().encode() not in content
    assert os.fsencode(tmp_path) not in content


@pytest.mark.parametrize("year", [1971, 2999])
def test_a_clock_that_jumps_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, year: int) -> None:
    log = str(tmp_path / "log")
    run_toy(tmp_path / "steady", log=log)
    jumps = itertools.cycle([0.0, (year - 1970) * 31_556_952.0])
    monkeypatch.setattr(time, "time", lambda: next(jumps))
    root = tmp_path / "jumping"
    run_toy(root, log=log)
    for path in (root / ".run").rglob("*.json"):
        os.utime(path, (next(jumps), next(jumps)))
    summary, _ = run_toy(root, log=log)
    assert summary.skipped == summary.shards
    assert dataset_bytes(root / "toy") == dataset_bytes(tmp_path / "steady" / "toy")


def test_a_receipt_holds_what_the_shard_found(tmp_path: Path) -> None:
    run_toy(tmp_path)
    receipts = receipts_of(file_of_receipt(tmp_path, "toy", "squares", "00075"))
    receipt = next(receipt for receipt in receipts if receipt["shard"] == "00075")
    assert receipt["facts"] == {"largest": 99 * 99}
    assert receipt["files"][0]["rows"] == 25
