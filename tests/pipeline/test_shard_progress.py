"""What a long shard says of itself is heard while it runs, now and then, and no longer than it runs."""

import re
import threading
import time
from collections.abc import Callable, Mapping
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from boardspace.engine import progress, work
from boardspace.engine.config import validate
from boardspace.engine.events import Listener
from boardspace.engine.progress import LONGEST, ShardProgress
from boardspace.engine.run import Workers, run
from boardspace.spec import registry
from boardspace.storage.progress_file import ProgressEvent
from tests.pipeline.conftest import dataset_bytes, python
from tests.pipeline.test_engine import run_toy
from tests.shared import wait_until

Config = Callable[..., Path]


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "QUIET_SECONDS", 0.2)
    monkeypatch.setattr(progress, "EVERY_SECONDS", 0.1)


def shard_progress(heard: list[ProgressEvent]) -> ShardProgress:
    return ShardProgress("toy/squares/0", heard.append)


def test_a_short_shard_sends_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "QUIET_SECONDS", 3600.0)
    heard: list[ProgressEvent] = []
    report = shard_progress(heard)
    for number in range(100):
        report(f"row {number}")
    report.close()
    assert heard == []
    assert "boardspace-progress" not in {thread.name for thread in threading.enumerate()}


@pytest.mark.usefixtures("quick")
def test_of_many_texts_few_are_sent_and_always_the_last() -> None:
    heard: list[ProgressEvent] = []
    report = shard_progress(heard)
    for number in range(100):
        report(f"row {number}")
        time.sleep(0.01)
    wait_until(lambda: heard and heard[-1].text == "row 99")
    moments = [event.seconds for event in heard]
    assert moments[0] >= 0.2
    assert all(later - sooner > 0.05 for sooner, later in pairwise(moments))
    assert len(heard) <= 2 + moments[-1] / 0.1
    report.close()


@pytest.mark.usefixtures("quick")
def test_a_text_that_was_reported_once_and_early_is_sent_when_the_shard_turns_out_to_be_long() -> None:
    heard: list[ProgressEvent] = []
    report = shard_progress(heard)
    report("a row that takes an hour")
    wait_until(lambda: heard)
    report.close()
    assert [event.text for event in heard] == ["a row that takes an hour", ""]


@pytest.mark.usefixtures("quick")
def test_the_end_is_sent_of_a_shard_that_was_heard_and_nothing_after_it() -> None:
    heard: list[ProgressEvent] = []
    report = shard_progress(heard)
    report("row 1")
    wait_until(lambda: heard)
    report("row 2")
    report.close()
    report("row 3")
    time.sleep(0.3)
    assert heard[0].text == "row 1"
    assert [event.text for event in heard[1:]] in ([""], ["row 2", ""])


@pytest.mark.usefixtures("quick")
def test_a_text_is_cut_and_half_a_letter_becomes_an_escape() -> None:
    heard: list[ProgressEvent] = []
    for text in ("x" * 10_000, "a\udc80b"):
        report = shard_progress(heard)
        report(text)
        wait_until(lambda: heard and heard[-1].text)
        report.close()
    assert [event.text for event in heard] == ["x" * LONGEST, "", "a\\udc80b", ""]


class Unthrottled(ShardProgress):
    """Sends every text at once."""

    def __call__(self, text: str) -> None:
        self._text = text
        self._send_new()


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "ShardProgress", Unthrottled)


@pytest.mark.usefixtures("at_once")
def test_in_this_process_every_shard_is_heard_until_it_ends_also_where_it_fails(tmp_path: Path) -> None:
    trouble = f"raise@{tmp_path / 'token'}"
    says = ("row 1 of 2", "row 2 of 2")
    _, recorder = run_toy(tmp_path / "out", shards=4, says=says, trouble=trouble, trouble_shard="squares/00050")
    heard = [(event.shard, event.text) for event in recorder.progress]
    shards = [f"toy/squares/000{low:02}" for low in (0, 25, 50, 50, 75)]
    assert heard == [(shard, text) for shard in shards for text in ("row 1 of 2", "row 2 of 2", "")]


@pytest.mark.usefixtures("at_once")
def test_what_shards_say_changes_no_byte_of_a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "QUIET_SECONDS", 3600.0)
    # Receipts hold the seconds that a shard took.
    monkeypatch.setattr(work, "time", SimpleNamespace(perf_counter=lambda: 0.0, process_time=lambda: 0.0))
    _, recorder = run_toy(tmp_path / "heard", says=("row 1 of 2",), log="")
    monkeypatch.setattr(work, "ShardProgress", ShardProgress)
    _, other = run_toy(tmp_path / "unheard", says=("row 1 of 2",), log="")
    assert recorder.progress
    assert not other.progress
    assert dataset_bytes(tmp_path / "heard") == dataset_bytes(tmp_path / "unheard")


class Ear(Listener):
    """Hears what shards say, by the stages they belong to."""

    def __init__(self) -> None:
        self.heard: dict[str, list[str]] = {}

    def shard_progress(self, event: ProgressEvent) -> None:
        self.heard.setdefault(event.shard.split("/")[1], []).append(event.text)


def heard_of(section: Mapping[str, Any], out: Path) -> dict[str, list[str]]:
    ear = Ear()
    run(validate(section, "trial", "trial.toml"), out, Workers(count=0), listener=ear)
    return ear.heard


@pytest.mark.usefixtures("at_once")
def test_boards_and_parts_of_boards_tell_their_rows(tmp_path: Path) -> None:
    section = {"squares": [], "boards": [[4, 7, 6]], "split": [[4, 8, 6, 0, 2]], "boxes": [[3, 3, 3, 3]], "cells": []}
    heard = heard_of({"five_in_a_row": section}, tmp_path)
    row = r"with \d+ stones: row (\d) of (\d), [\d,]+ states? at once"
    for stage, rows, prefix in (("boards", 7, "7 x 6 "), ("bounds", 8, ""), ("parts", 8, ""), ("boxes", 9, "")):
        found = [matched for text in heard[stage] if (matched := re.fullmatch(prefix + row, text))]
        assert {int(matched[2]) for matched in found} == {rows}
        assert max(int(matched[1]) for matched in found) == rows
        assert heard[stage][-1] == ""
    assert "7 x 6: the root bound" in heard["boards"]
    assert "certificate and second count" in heard["joined"]


@pytest.mark.usefixtures("at_once")
def test_runs_of_a_class_of_solitaire_tell_their_weights(tmp_path: Path) -> None:
    classes = {"board": "triangle15", "vacancies": [1], "moves": True, "bitmaps": False}
    heard = heard_of({"solitaire": {"class_bytes": 2048, "classes": [classes]}}, tmp_path)
    for goal, last in (("reachable", "counting by pegs"), ("moves", "counting by pegs and moves")):
        of_runs = [texts for stage, texts in heard.items() if f".{goal}." in stage]
        assert len(of_runs) > 1
        assert {text for texts in of_runs for text in texts if text.startswith("counting")} == {last}
        for texts in of_runs:
            told = [text for text in texts if text.startswith("weight")]
            assert told[0].endswith(f", 1 of {told[0].split()[-1]}")
        weights = [int(text.split()[1][:-1]) for texts in of_runs for text in texts if text.startswith("weight")]
        assert weights == sorted(weights, reverse=True)


TELLING = """
import sys
from pathlib import Path
from boardspace.engine.config import load_config
from boardspace.engine.events import Listener
from boardspace.engine.run import Workers, run

class Telling(Listener):
    def shard_progress(self, event):
        print(event.shard, event.text, sep="|", flush=True)
        if event.text:
            Path(sys.argv[3], Path(event.shard).name).touch()

if __name__ == "__main__":
    run(load_config(sys.argv[1]), Path(sys.argv[2]), Workers(count=2), listener=Telling())
"""


def heard_of_two_workers(config: Path, out: Path, heard: Path) -> list[str]:
    """What a run on two worker processes tells of its shards, which wait for that by files in the folder ``heard``."""
    done = python(TELLING, config, out, heard, env={registry.PLUGINS: "tests.talking"})
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.parametrize(
    "trouble", ["die", *(pytest.param(trouble, marks=pytest.mark.slow) for trouble in ("", "raise"))]
)
def test_shards_of_two_workers_are_heard_until_they_end_fail_or_are_killed(
    toy_config: Config, tmp_path: Path, trouble: str
) -> None:
    """A worker that dies says no more: its shard is no longer shown, and heard again from the next worker."""
    (tmp_path / "heard").mkdir()
    config = toy_config(
        shards=4, says=["row 1 of 2"], heard=str(tmp_path / "heard"),
        trouble=f"{trouble}@{tmp_path / 'token'}", trouble_shard="squares/00050",
    )  # fmt: skip
    heard = heard_of_two_workers(config, tmp_path / "out", tmp_path / "heard")
    for low in (0, 25, 50, 75):
        shard = f"toy/squares/000{low:02}"
        attempts = 2 if trouble and low == 50 else 1
        assert [line for line in heard if line.startswith(shard)] == [f"{shard}|row 1 of 2", f"{shard}|"] * attempts
