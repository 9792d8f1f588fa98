"""What a long shard says of itself is heard while it runs, now and then, and no longer than it runs."""

import re
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from boardspace.engine import inside, work
from boardspace.engine.config import validate
from boardspace.engine.inside import EVERY_SECONDS, LONGEST, QUIET_SECONDS, Reporter, Said
from boardspace.engine.run import NoListener, run
from boardspace.spec import registry
from tests.pipeline.conftest import dataset_bytes, environment
from tests.pipeline.test_engine import run_toy

Config = Callable[..., Path]
Call = Callable[[], object]


class Time:
    """A clock that a test sets, and what waits for its time."""

    def __init__(self) -> None:
        self.now = 0.0
        self.waiting: dict[int, tuple[float, Call]] = {}

    def clock(self) -> float:
        return self.now

    def later(self, seconds: float, call: Call) -> Call:
        number = len(self.waiting)
        self.waiting[number] = self.now + seconds, call
        return lambda: self.waiting.pop(number, None)

    def pass_until(self, moment: float) -> None:
        """Let time go by, in steps of 0.01 s; what is due happens."""
        while self.now < moment:
            self.now = round(self.now + 0.01, 2)
            for number, (due, call) in list(self.waiting.items()):
                if due <= self.now:
                    del self.waiting[number]
                    call()


@pytest.fixture
def time() -> Time:
    return Time()


def reporter(time: Time, heard: list[Said]) -> Reporter:
    return Reporter("toy/squares/0", heard.append, time.clock, time.later)


def test_a_shard_of_seconds_says_nothing(time: Time) -> None:
    heard: list[Said] = []
    report = reporter(time, heard)
    while time.now < QUIET_SECONDS - 0.02:
        report("here I am")
        time.pass_until(time.now + 0.01)
    report.close()
    time.pass_until(10)
    assert heard == []
    assert time.waiting == {}


def test_of_many_texts_few_are_told_and_always_the_last(time: Time) -> None:
    heard: list[Said] = []
    report = reporter(time, heard)
    for number in range(1000):
        report(f"row {number}")
        time.pass_until(time.now + 0.01)
    time.pass_until(20)
    told = [said.seconds for said in heard]
    assert told[0] == pytest.approx(QUIET_SECONDS, abs=0.02)
    assert all(later - sooner >= EVERY_SECONDS for sooner, later in pairwise(told))
    assert len(told) == 1 + round((10 - QUIET_SECONDS) / EVERY_SECONDS + 0.5)
    assert heard[-1].text == "row 999"
    assert told[-1] < 10 + EVERY_SECONDS


def test_what_was_said_once_and_early_is_told_when_the_shard_turns_out_to_be_long(time: Time) -> None:
    heard: list[Said] = []
    reporter(time, heard)("a row that takes an hour")
    time.pass_until(60)
    assert [said.text for said in heard] == ["a row that takes an hour"]


def test_a_text_that_waits_for_its_turn_does_not_come_early_because_one_was_told_meanwhile(time: Time) -> None:
    heard: list[Said] = []
    report = reporter(time, heard)
    report("first")
    time.now = QUIET_SECONDS  # and nothing of what waits has happened yet
    report("second")
    report("third")
    time.pass_until(20)
    assert [said.text for said in heard] == ["second", "third"]
    assert heard[1].seconds - heard[0].seconds >= EVERY_SECONDS


@pytest.mark.parametrize("waiting", [(), ("row 2",)])
def test_the_end_is_told_of_a_shard_that_was_heard_and_nothing_after_it(time: Time, waiting: Sequence[str]) -> None:
    heard: list[Said] = []
    report = reporter(time, heard)
    time.pass_until(5)
    for text in ("row 1", *waiting):
        report(text)
    report.close()
    report("row 3")
    time.pass_until(30)
    assert heard == [Said("toy/squares/0", "row 1", 5.0), Said("toy/squares/0", "", 5.0)]


def test_a_text_is_cut_and_half_a_letter_becomes_an_escape(time: Time) -> None:
    heard: list[Said] = []
    report = reporter(time, heard)
    time.pass_until(5)
    report("x" * 10_000)
    time.pass_until(10)
    report("a\udc80b")
    assert [said.text for said in heard] == ["x" * LONGEST, "a\\udc80b"]


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inside, "QUIET_SECONDS", 0.0)
    monkeypatch.setattr(inside, "EVERY_SECONDS", 0.0)


@pytest.mark.usefixtures("at_once")
def test_in_this_process_every_shard_is_heard_until_it_ends_also_where_it_fails(tmp_path: Path) -> None:
    trouble = f"raise@{tmp_path / 'token'}"
    says = ("row 1 of 2", "row 2 of 2")
    _, recorder = run_toy(tmp_path / "out", shards=4, says=says, trouble=trouble, trouble_shard="squares/00050")
    heard = [(said.shard, said.text) for said in recorder.said]
    shards = [f"toy/squares/000{low:02}" for low in (0, 25, 50, 50, 75)]
    assert heard == [(shard, text) for shard in shards for text in ("row 1 of 2", "row 2 of 2", "")]


@pytest.mark.usefixtures("at_once")
def test_what_shards_say_changes_no_byte_of_a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Receipts hold the seconds that a shard took.
    monkeypatch.setattr(work, "time", SimpleNamespace(perf_counter=lambda: 0.0))
    _, recorder = run_toy(tmp_path / "heard", says=("row 1 of 2",), log="")
    monkeypatch.setattr(inside, "QUIET_SECONDS", 1000.0)
    _, other = run_toy(tmp_path / "unheard", says=("row 1 of 2",), log="")
    assert recorder.said
    assert not other.said
    assert dataset_bytes(tmp_path / "heard") == dataset_bytes(tmp_path / "unheard")


class Ear(NoListener):
    """Hears what shards say, by the stages they belong to."""

    def __init__(self) -> None:
        self.heard: dict[str, list[str]] = {}

    def shard_said(self, said: Said) -> None:
        """See :class:`boardspace.engine.events.Listener`."""
        self.heard.setdefault(said.shard.split("/")[1], []).append(said.text)


def heard_of(section: Mapping[str, Any], out: Path) -> dict[str, list[str]]:
    ear = Ear()
    run(validate(section, "trial", "trial.toml"), out, workers=0, listener=ear)
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
from boardspace.engine.run import NoListener, run

class Telling(NoListener):
    def shard_said(self, said):
        print(said.shard, said.text, sep="|", flush=True)

if __name__ == "__main__":
    run(load_config(sys.argv[1]), Path(sys.argv[2]), workers=2, listener=Telling())
"""


def heard_of_two_workers(config: Path, out: Path) -> list[str]:
    """What a run on two worker processes tells of its shards."""
    command = [sys.executable, "-c", TELLING, str(config), str(out)]
    env = environment({registry.PLUGINS: "tests.talking"})
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.parametrize("trouble", ["", "raise", "die"])
def test_shards_of_two_workers_are_heard_until_they_end_fail_or_are_killed(
    toy_config: Config, tmp_path: Path, trouble: str
) -> None:
    """A worker that dies says no more: its shard is no longer shown, and heard again from the next worker."""
    config = toy_config(
        shards=4, pause=1.0, says=["row 1 of 2"],
        trouble=f"{trouble}@{tmp_path / 'token'}", trouble_shard="squares/00050",
    )  # fmt: skip
    heard = heard_of_two_workers(config, tmp_path / "out")
    for low in (0, 25, 50, 75):
        shard = f"toy/squares/000{low:02}"
        attempts = 2 if trouble and low == 50 else 1
        assert [line for line in heard if line.startswith(shard)] == [f"{shard}|row 1 of 2", f"{shard}|"] * attempts
