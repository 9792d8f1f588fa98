"""What a terminal of 80 columns, and a file, are shown of shards that take long."""

import io
import re
from collections.abc import Sequence
from dataclasses import replace

import pytest
from rich.cells import cell_len
from rich.console import Console

from boardspace.cli.commands.questions import search_progress
from boardspace.cli.progress import fitted_line, progress
from boardspace.engine.config import validate
from boardspace.engine.events import Listener
from boardspace.engine.plan import work_of
from boardspace.engine.progress import RunningShards
from boardspace.spec.space import Stage
from boardspace.spec.stages import stages_of
from boardspace.storage.progress_file import ProgressEvent

PART = "five_in_a_row/parts/k03-n0017-m0017/000016-000003"
STAMP = len("2026-11-26 21:40:03 ")
TEXT = "with 146 stones: row 9 of 17, 3,210,554 states at once"


def test_a_search_says_ever_more_seldom_how_far_it_is_where_no_terminal_shows_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    clock = Clock()
    with search_progress(clock) as tell:
        for clock.now in range(95):
            tell(f"row {clock.now}")
    assert capsys.readouterr().err.splitlines() == [
        f"boardspace: row {second} ({second} s)" for second in (10, 20, 40, 80)
    ]


def event(shard: str, text: str, seconds: float) -> ProgressEvent:
    return ProgressEvent(shard=shard, text=text, seconds=seconds)


class Clock:
    """Seconds that a test sets."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def squares() -> Stage:
    (work,) = work_of(validate({"toy": {}}, "trial", "trial.toml"))
    return stages_of(work.space, work.config)["squares"]


def last_frame(said: Sequence[ProgressEvent], **console: object) -> list[str]:
    """What is left in a terminal after a run in which shards said these things."""
    stream = io.StringIO()
    options = {"width": 80, "force_terminal": True, "legacy_windows": False, "color_system": None, **console}
    with progress(Console(file=stream, **options), quiet=False, stages=2) as listener:  # type: ignore[arg-type]
        running = RunningShards()
        listener.begun(running)
        listener.stage_cut("toy", squares(), 4, 0)
        for one in said:
            running.update(one)
            listener.shard_progress(one)
    frame = re.split(r"\x1b\[\d*[A-KM]", stream.getvalue())[-1]
    return re.sub(r"\x1b\[[?\d;]*[a-zA-Z]", "", frame).rstrip("\n").splitlines()


def test_one_line_below_the_bars_is_of_the_shard_that_has_run_longest_and_fits_80_columns() -> None:
    younger = event("toy/squares/00025", "row 2 of 4", 5.0)
    frame = last_frame([younger, event(PART, TEXT, 740.0), younger])
    assert len(frame) == 3
    assert frame[0].startswith("toy")
    assert frame[1].strip() == ""
    assert frame[2] == f"…7/000016-000003, 12 min: {TEXT}"
    assert len(frame[2]) == 80


def test_the_line_goes_when_its_shard_ends_and_gives_way_to_the_next() -> None:
    younger = event("toy/squares/00025", "row 2 of 4", 5.0)
    older = event(PART, TEXT, 740.0)
    assert last_frame([younger, older, event(PART, "", 760.0)])[2] == "toy/squares/00025, 5 s: row 2 of 4"
    (bar,) = last_frame([older, event(PART, "", 760.0)])
    assert bar.startswith("toy")


@pytest.mark.parametrize(
    "text",
    ["x" * 200, "棋盤" * 60, "\x1b[31mred\x07\r\n\x9b2J" * 9, "[bold]not markup[/bold] " * 8, "\u202eoverride" * 20],
)
def test_whatever_a_shard_says_is_one_line_of_80_columns_that_a_terminal_does_not_obey(text: str) -> None:
    frame = last_frame([event(PART, text, 7.0)])
    assert len(frame) == 3
    assert 70 < cell_len(frame[2]) <= 80
    assert frame[2].endswith("…")
    assert frame[2].isprintable()
    assert ("[bold]" in frame[2]) == ("[bold]" in text)


def test_a_terminal_without_the_letters_gets_others() -> None:
    line = fitted_line(event(PART, "棋" * 60, 7.0), 80, "...")
    assert line.isascii()
    assert len(line) <= 80
    assert line.startswith("...")
    assert line.endswith("...")


@pytest.mark.parametrize("width", [1, 5, 12, 30, 79, 80, 81, 200])
def test_a_line_fits_every_width(width: int) -> None:
    for text in ("", "row 1", TEXT, "棋盤" * 60):
        assert cell_len(fitted_line(event(PART, text, 7.0), width)) <= width


def test_a_shard_is_as_old_as_it_says_whenever_it_is_heard_first(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    monkeypatch.setattr("time.monotonic", clock)
    running = RunningShards()
    running.update(event("a", "first heard", 4.0))
    clock.now = 100.0
    running.update(event("b", "in its first row for long", 104.5))
    assert [one.shard for one in running.longest_first()] == ["b", "a"]
    clock.now = 200.0
    running.update(event("a", "heard again", 204.0))
    assert running.longest() == event("b", "in its first row for long", 204.5)
    running.update(event("b", "", 210.0))
    assert running.longest() == event("a", "heard again", 204.0)


def lines_of(said: Sequence[ProgressEvent], monkeypatch: pytest.MonkeyPatch, quiet: bool = False) -> list[str]:
    """What a file gets of a run, in which a second goes by before each of these is said."""
    clock = Clock()
    monkeypatch.setattr("time.monotonic", clock)
    stream = io.StringIO()
    listener: Listener
    with progress(Console(file=stream, width=80), quiet=quiet, stages=2) as listener:
        running = RunningShards()
        listener.begun(running)
        listener.stage_cut("toy", squares(), 4, 0)
        for one in said:
            clock.now += 1.0
            running.update(one)
            listener.shard_progress(one)
    return [line[STAMP:] for line in stream.getvalue().splitlines() if "row" in line]


def test_a_file_gets_a_line_of_the_longest_at_work_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    said = [
        one
        for row in range(20)
        for one in (event(PART, f"row {row}\n", 100.0 + 2 * row), event("toy/squares/1", "row x", 1.0 + 2 * row))
    ]
    assert lines_of(said, monkeypatch) == [f"{PART}, 2 min: row {row}\\n" for row in (3, 6, 9, 12, 15, 18)]


def test_a_script_gets_none(monkeypatch: pytest.MonkeyPatch) -> None:
    said = [event(PART, f"row {row}", 100.0 + row) for row in range(30)]
    assert lines_of(said, monkeypatch)
    assert lines_of(said, monkeypatch, quiet=True) == []


def test_rounds_of_a_stage_that_follow_one_another_at_once_are_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, stream, levels = Clock(), io.StringIO(), replace(squares(), after=("squares",))
    monkeypatch.setattr("time.monotonic", clock)
    with progress(Console(file=stream, width=80), quiet=False, stages=2) as listener:
        for clock.now in (0.0, 1.0, 2.0, 5.5, 6.0):
            listener.stage_cut("toy", levels, 1, 0)
            listener.shards_done("toy", "squares", 1)
    lines = [line[STAMP:] for line in stream.getvalue().splitlines()]
    assert lines == ["toy: stage squares, 1 shard"] * 2
