"""Verification makes shards again, and so finds what was altered until everything agreed."""

import shutil
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from boardspace.engine.config import validate
from boardspace.engine.plan import recorded_work
from boardspace.engine.run import Workers, run
from boardspace.spec.check import Draw
from boardspace.spec.space import Outcome
from boardspace.storage.run_folder import FinishedStages, SpaceFolder
from boardspace.verify import recompute, verify
from tests.daily import daily
from tests.pipeline.forging import seal, write_forged

CONFIG = {
    "board_division": {
        "special_boards": 2,
        "cover_counts": 4,
        "strips": 3,
        "values": 20,
        "replays": 4,
        "sequences": 4,
        "lines": 5,
        "search_pegs": 6,
    }
}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("again") / "run"
    run(validate(CONFIG, "again", "again.toml"), root, Workers(count=0))
    return root


@pytest.fixture
def copied(whole: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(whole, tmp_path / "run"))


def alter_facts(root: Path, stage: str, alter: Callable[[dict[str, Any]], None]) -> None:
    """Alter the facts of the first shard of a stage, and all that follows from the records."""
    folder = SpaceFolder(root, "board_division")
    record = folder.finished(stage).model_dump(mode="json")
    alter(record["receipts"][0]["facts"])
    write_forged(Path(str(folder.stage(stage))), record)
    seal(root)


def outcome_of(root: Path, draw: Draw) -> Outcome:
    (work,) = recorded_work(root)
    inputs = FinishedStages(SpaceFolder(root, work.space.name), work.space)
    return recompute.checks_of_run(work)[0].run(work.config, inputs, draw)


def test_a_small_dataset_is_made_again_whole(whole: Path) -> None:
    found = outcome_of(whole, Draw())
    assert found.fault == ""
    assert found.cases == found.of > 10


ALTERED: dict[str, Callable[[dict[str, Any]], None]] = {
    "values": lambda facts: facts.update(threes=facts["threes"] + 1),
    "replays": lambda facts: facts.update(jumps=facts["jumps"] + 1),
    "special_boards": lambda facts: facts.update(boards=facts["boards"] + 1),
    "modules": lambda facts: facts["strips"].pop(),
}


@pytest.mark.parametrize("stage", daily([*ALTERED], 4))
def test_facts_that_claims_are_measured_from_are_found(copied: Path, stage: str) -> None:
    alter_facts(copied, stage, ALTERED[stage])
    found = verify(copied, "logic").faults
    assert any("made again" in fault.where and stage in fault.what for fault in found)


def test_of_a_large_dataset_shards_are_drawn(whole: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recompute, "SMALL", 0.0)
    monkeypatch.setattr(recompute, "SECONDS", 0.3)
    monkeypatch.setattr(recompute, "SECONDS_OF_OTHERS", 0.1)
    found = outcome_of(whole, Draw())
    assert found.fault == ""
    assert 0 < found.cases < found.of
    assert outcome_of(whole, Draw(everything=True)).cases == found.of


def test_a_drawn_shard_that_was_altered_is_found(copied: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recompute, "SMALL", 0.0)
    monkeypatch.setattr(recompute, "SECONDS", 0.9)
    monkeypatch.setattr(recompute, "SECONDS_OF_OTHERS", 0.0)
    alter_facts(copied, "values", lambda facts: facts.update(threes=facts["threes"] + 1))
    found = [outcome_of(copied, Draw(seed)).fault for seed in range(12)]
    assert {fault.split(":")[0] for fault in found if fault} == {"values/0001"}


def test_every_shard_may_be_drawn_but_those_that_take_long_which_are_told_of(
    whole: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recompute, "SMALL", 0.0)
    monkeypatch.setattr(recompute, "SECONDS", 0.0)
    monkeypatch.setattr(recompute, "SECONDS_OF_OTHERS", 0.0)
    found = outcome_of(whole, Draw())
    assert (found.cases, found.left) == (2, "")  # one whose facts the claims read, and another one
    monkeypatch.setattr(recompute, "LONGEST", 0.0)
    (result,) = [one for one in verify(whole, "logic").rederived if one.check == "made again"]
    assert result.cases == 0
    assert "are made again with --all only: they take more than 0 s" in result.left
    assert f"board_division: {result.left}" in verify(whole, "logic").notes


@pytest.mark.parametrize("claimed", [0, 4, 10])
def test_seconds_that_shards_of_claims_leave_are_for_others(claimed: int) -> None:
    one: Any = SimpleNamespace(seconds=1.0)
    assert len(recompute.DrawableShards([one] * claimed, [one] * 10, 0).chosen(Draw())) == 7


def test_a_draw_cannot_be_foreseen_and_is_told(whole: Path) -> None:
    seeds = {verify(whole, "logic").seed for _ in range(2)}
    assert len(seeds) == 2
    assert None not in seeds
    assert verify(whole, "logic", Draw(7)).seed == 7
    assert verify(whole, "hashes").seed is None
