"""What running shards said last is seen from another terminal as long as the run goes on, and disturbs nothing."""

import fcntl
import json
import os
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import psutil
import pytest
from click.testing import CliRunner, Result

from boardspace.cli.main import cli
from boardspace.engine import progress
from boardspace.engine import run as engine_run
from boardspace.engine.events import Listener
from boardspace.engine.progress import RunningShards
from boardspace.engine.run import progress_events
from boardspace.release.publish import publish
from boardspace.spec import registry
from boardspace.storage import progress_file, stored
from boardspace.storage.files import StorageError
from boardspace.storage.locations import BucketPath
from boardspace.storage.progress_file import NAME, ProgressEvent, read_progress, write_progress
from boardspace.storage.records import encoded
from boardspace.storage.run_folder import locked
from boardspace.verify import verify
from tests.daily import daily
from tests.pipeline.conftest import BOARDSPACE, boardspace, dataset_bytes, started
from tests.shared import wait_until

Config = Callable[..., Path]
TALKING = {registry.PLUGINS: "tests.talking"}
EVENT = ProgressEvent(shard="toy/squares/00050", text="row 1 of 2", seconds=750.0)


def status(out: Path, *options: str) -> Result:
    return CliRunner().invoke(cli, ["status", str(out), *options])


def run(out: Path) -> Result:
    return CliRunner().invoke(cli, ["run", str(out.parent / "toy.toml"), "--out", str(out), "--workers", "0"])


@pytest.fixture
def config(toy_config: Config, tmp_path: Path) -> Path:
    """A run whose third shard hangs the first time that it is computed."""
    trouble = {"trouble": f"hang@{tmp_path / 'token'}", "trouble_shard": "squares/00050"}
    return toy_config(says=["row 1 of 2"], **trouble)


@pytest.fixture(params=[0, 2])
def under_way(config: Path, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[psutil.Process]:
    """That run, in one process or with two workers, with all that it started ended at the end."""
    words = ["run", config, "--out", tmp_path / "out", "--workers", request.param, "--json"]
    process = psutil.Process(started(BOARDSPACE, *words, env=TALKING).number)
    try:
        yield process
    finally:
        family = [process, *process.children(recursive=True)] if process.is_running() else []
        for one in family:
            one.kill()


def test_status_tells_what_shards_say_while_the_run_goes_on_and_not_after_it_was_killed(
    config: Path, tmp_path: Path, under_way: psutil.Process
) -> None:
    out = tmp_path / "out"
    wait_until((out / NAME).exists)
    wait_until(lambda: b"00050" in (out / NAME).read_bytes())
    assert "00050, " in status(out).output
    assert ": row 1 of 2" in status(out).output
    squares, *others = json.loads(status(out, "--json").output)
    (said,) = [one for one in squares["progress"] if one["shard"] == "toy/squares/00050"]
    assert said["text"] == "row 1 of 2"
    assert said["seconds"] > 0
    assert not any(row["progress"] for row in others)

    family = [under_way, *under_way.children(recursive=True)]
    under_way.kill()
    assert not psutil.wait_procs(family, 300)[1]
    assert (out / NAME).exists()
    assert "row" not in status(out).output
    assert status(out).exit_code == 0

    done = boardspace("run", config, "--out", out, "--workers", 0, env=TALKING)
    assert done.returncode == 0, done.stderr
    assert not list((out / ".run").glob("progress*"))
    assert boardspace("verify", out, env=TALKING).returncode == 0


@pytest.mark.slow
def test_a_run_that_ends_in_good_order_takes_its_note_along(tmp_path: Path, under_way: psutil.Process) -> None:
    wait_until((tmp_path / "out" / NAME).exists)
    under_way.send_signal(signal.SIGINT)
    under_way.wait(300)
    assert not list((tmp_path / "out" / ".run").glob("progress*"))


@pytest.fixture
def finished(toy_config: Config, tmp_path: Path) -> Path:
    toy_config()
    done = run(tmp_path / "out")
    assert done.exit_code == 0, done.output
    for gone in (".run/toy/stages/sums.json", "toy/COMPLETE"):  # as if the stage were under way
        (tmp_path / "out" / gone).unlink()
    return tmp_path / "out"


def plant(path: Path, kind: str) -> None:
    """Something that is no note where the note belongs."""
    whole = encoded({"shards": [EVENT.model_dump()]})
    contents = {
        "nothing": b"",
        "torn": whole[:-20],
        "altered": whole.replace(b"row 1", b"row 7"),
        "noise": bytes(range(256)),
        "list": b"[]",
        "deep": b"[" * 200_000,
        "other": encoded({"shards": [{"shard": 7}]}),
        "long": encoded({"shards": [EVENT.model_dump() | {"text": "x" * progress_file.LONGEST}]}),
    }
    if kind in contents:
        path.write_bytes(contents[kind])
    elif kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "device":
        path.symlink_to("/dev/zero")
    elif kind == "loop":
        path.symlink_to(path)


KINDS = ["nothing", "torn", "altered", "noise", "list", "deep", "other", "long", "folder", "pipe", "device", "loop"]


@pytest.mark.parametrize("kind", daily(KINDS, 3))
def test_a_damaged_note_is_told_of_and_stands_in_nobody_s_way(finished: Path, kind: str) -> None:
    with locked(finished):
        plant(finished / NAME, kind)
        shown = status(finished)
        assert shown.exit_code == 0, shown.output
        assert f"{NAME}: damaged" in shown.output
        assert "toy: 1 of 3 stages finished" in shown.output
    assert "damaged" not in status(finished).output  # no run goes on, so nobody looks
    again = run(finished)
    assert again.exit_code == 0, again.output
    assert verify(finished, "structure").faults == ()


def test_a_note_that_a_killed_run_left_changes_neither_data_nor_checks_nor_releases(
    finished: Path, tmp_path: Path
) -> None:
    assert run(finished).exit_code == 0
    released = []
    for number in (1, 2):
        before = dataset_bytes(finished / "toy")
        assert verify(finished, "logic").faults == ()
        publish(finished, tmp_path / f"release{number}", [], lambda _: None, verified=True)
        released.append(dataset_bytes(tmp_path / f"release{number}" / "toy"))
        assert dataset_bytes(finished / "toy") == before
        (finished / NAME).write_bytes(encoded({"shards": [EVENT.model_dump()]}))
        (finished / f"{NAME}.new").write_bytes(b"half")
    assert released[0] == released[1]


def test_what_a_note_says_is_shown_on_one_line_each_that_a_terminal_does_not_obey(finished: Path) -> None:
    said = EVENT.model_copy(update={"shard": "toy/sums/0\x1b[2J", "text": "a\nb\x07\u202e" + "x" * 5000})
    with locked(finished):
        write_progress(finished, [said])
        shown = status(finished).output
    (line,) = [line for line in shown.splitlines() if "12 min" in line]
    assert line.startswith("    0\\x1b[2J, 12 min: a\\nb\\x07\\u202exxx")
    assert line.isprintable()


def test_a_note_is_written_at_most_every_few_seconds_and_the_last_state_always(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "EVERY_SECONDS", 0.5)
    monkeypatch.setattr(engine_run, "EVERY_SECONDS", 0.5)
    written: list[str] = []

    def write(root: Path, events: Sequence[ProgressEvent]) -> None:
        written.append(events[0].text)
        write_progress(root, events)

    monkeypatch.setattr(engine_run, "write_progress", write)
    with locked(tmp_path), progress_events(tmp_path, RunningShards(), Listener()) as on_progress:
        start = time.monotonic()
        for row in range(1, 201):
            on_progress(EVENT.model_copy(update={"text": f"row {row}"}))
            time.sleep(0.005)
        wait_until(lambda: [event.text for event in read_progress(tmp_path, pytest.fail)] == ["row 200"])
        lasted = time.monotonic() - start
    assert len(written) <= 2 + lasted / 0.5
    assert len(written) < 200
    assert not (tmp_path / NAME).exists()


def test_a_note_holds_the_shards_at_work_for_longest(tmp_path: Path) -> None:
    many = [EVENT.model_copy(update={"shard": f"toy/squares/{n}", "seconds": 1000.0 - n}) for n in range(100)]
    with locked(tmp_path):
        write_progress(tmp_path, many)
        assert list(read_progress(tmp_path, pytest.fail)) == many[: progress_file.MOST_SHARDS]


def test_where_the_note_cannot_be_written_the_run_goes_on(tmp_path: Path) -> None:
    (tmp_path / NAME).mkdir(parents=True)
    with locked(tmp_path):
        write_progress(tmp_path, [EVENT])
        told: list[str] = []
        assert list(read_progress(tmp_path, told.append)) == []
        assert told


def test_nothing_is_written_beside_a_run_in_a_bucket() -> None:
    place = BucketPath("s3://no-such-bucket/runs")
    write_progress(place, [EVENT])
    assert read_progress(place, pytest.fail) == []


def test_who_looks_whether_a_run_goes_on_keeps_no_run_from_starting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with locked(tmp_path):
        assert stored.OnDisk(tmp_path / ".run" / "lock").is_held()
    assert not stored.OnDisk(tmp_path / ".run" / "lock").is_held()
    assert not stored.OnDisk(tmp_path / ".run" / "none").is_held()
    with (tmp_path / ".run" / "lock").open("rb") as looking:
        fcntl.flock(looking, fcntl.LOCK_SH)
        monkeypatch.setattr(time, "sleep", lambda _: fcntl.flock(looking, fcntl.LOCK_UN))  # while a run waits
        with locked(tmp_path):
            monkeypatch.undo()
            with pytest.raises(StorageError, match="is writing to this folder"), locked(tmp_path):
                pass
