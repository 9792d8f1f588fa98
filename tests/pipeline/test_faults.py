"""Real processes, real SIGKILL: whatever dies, the next run ends with the same bytes and repeats no finished shard."""

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest
from click.testing import CliRunner

from boardspace.cli.main import cli
from boardspace.verify import verify
from tests.pipeline.conftest import BOARDSPACE, boardspace, dataset_bytes, environment, started
from tests.pipeline.forging import receipts_of
from tests.shared import wait_until

Config = Callable[..., Path]

# Every point that the storage code passes while it writes a table, an array, a receipt, a stage, the plan and COMPLETE.
KINDS = ("table", "array", "receipt", "stage", "plan", "complete")
STEPS = ("opened", "synced", "renamed", "done")
# One before each kind's rename is for every run: what is there after it is what is there before the next file is
# written. A file's own steps are all in test_files.
POINTS = [
    pytest.param(kind, step, marks=[] if column == row % 2 else [pytest.mark.slow])
    for row, kind in enumerate(KINDS)
    for column, step in enumerate(STEPS)
]


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    folder = tmp_path_factory.mktemp("undisturbed")
    config = folder / "toy.toml"
    config.write_text("[toy]\n")
    go_on(config, folder / "out")
    return dataset_bytes(folder / "out" / "toy")


def go_on(config: Path, out: Path) -> None:
    """Run in this process, as a repeated command would."""
    result = CliRunner().invoke(cli, ["run", str(config), "--out", str(out), "--workers", "0"])
    assert result.exit_code == 0, result.output


def finished(out: Path) -> set[str]:
    files = (out / ".run" / "toy" / "receipts").rglob("[!.]*.jsonl")
    return {f"{receipt['stage']}/{receipt['shard']}" for path in files for receipt in receipts_of(path)}


@pytest.mark.parametrize(("kind", "step"), POINTS)
def test_a_run_killed_at_any_point_of_any_write_goes_on_to_the_same_bytes(
    toy_config: Config, tmp_path: Path, undisturbed: dict[str, bytes], kind: str, step: str
) -> None:
    config, out = toy_config(), tmp_path / "out"
    killed = boardspace(
        *("run", config, "--out", out, "--workers", 0),
        env={"BOARDSPACE_FAILPOINT": f"{kind}-{step}@kill@{tmp_path / 'token'}"},
    )
    assert killed.returncode == -signal.SIGKILL
    go_on(config, out)
    assert dataset_bytes(out / "toy") == undisturbed
    assert verify(out, "structure").faults == ()


@pytest.mark.parametrize("workers", [*(pytest.param(few, marks=pytest.mark.slow) for few in (1, 2)), 4])
def test_any_number_of_workers_gives_the_same_bytes(
    toy_config: Config, tmp_path: Path, undisturbed: dict[str, bytes], workers: int
) -> None:
    done = boardspace("run", toy_config(), "--out", tmp_path / "out", "--workers", workers)
    assert done.returncode == 0, done.stderr
    assert dataset_bytes(tmp_path / "out" / "toy") == undisturbed


def test_a_worker_that_is_killed_costs_one_retry_and_nothing_else(toy_config: Config, tmp_path: Path) -> None:
    log = tmp_path / "log"
    config = toy_config(trouble=f"die@{tmp_path / 'token'}", trouble_shard="squares/00050", log=str(log))
    done = boardspace("run", config, "--out", tmp_path / "out", "--workers", 2)
    assert done.returncode == 0, done.stderr
    counts = Counter(log.read_text().split())
    assert counts["squares/00050"] == 2
    go_on(config, tmp_path / "reference")
    assert dataset_bytes(tmp_path / "out" / "toy") == dataset_bytes(tmp_path / "reference" / "toy")


def test_a_shard_that_kills_every_worker_is_named(toy_config: Config, tmp_path: Path) -> None:
    config = toy_config(trouble="die", trouble_shard="squares/00050")
    config.write_text(config.read_text() + "[run]\nretries = 1\n")
    done = boardspace("run", config, "--out", tmp_path / "out", "--workers", 1)
    assert done.returncode == 2
    assert "shard toy/squares/00050 failed 2 times: its worker process died" in done.stderr
    assert 'its parameters: {"high":75,"low":50}' in done.stderr


def test_a_shard_whose_code_is_wrong_is_computed_once(toy_config: Config, tmp_path: Path) -> None:
    log = tmp_path / "log"
    config = toy_config(trouble="poison", trouble_shard="squares/00050", log=str(log))
    done = boardspace("run", config, "--out", tmp_path / "out", "--workers", 1)
    assert done.returncode == 2
    assert "shard toy/squares/00050 failed: ArithmeticError: this shard is poison" in done.stderr
    assert "tried again" not in done.stderr
    assert Counter(log.read_text().split())["squares/00050"] == 1


def test_a_shard_that_hangs_is_ended_by_its_time_limit(toy_config: Config, tmp_path: Path) -> None:
    config = toy_config(trouble=f"hang@{tmp_path / 'token'}", trouble_shard="squares/00050")
    plain = config.read_text()
    config.write_text(plain + "[run]\nshard_seconds = 5.0\n")
    done = boardspace("run", config, "--out", tmp_path / "out", "--workers", 2)
    assert done.returncode == 0, done.stderr
    assert "over its time limit" in done.stderr
    config.write_text(plain)
    go_on(config, tmp_path / "reference")
    assert dataset_bytes(tmp_path / "out" / "toy") == dataset_bytes(tmp_path / "reference" / "toy")


def long_run(toy_config: Config, tmp_path: Path) -> list[str]:
    """The command of a run on two workers, of which one shard waits until it is computed again."""
    config = toy_config(shards=8, pause=0.1, log=str(tmp_path / "log"), trouble="meet", trouble_shard="squares/00091")
    return ["run", str(config), "--out", str(tmp_path / "out"), "--workers", "2"]


def wait_for_the_middle(tmp_path: Path) -> None:
    """Some of its shards have receipts."""
    wait_until(lambda: len(finished(tmp_path / "out")) >= 4)


def go_on_and_compare(tmp_path: Path, before: set[str]) -> None:
    """Resume; shards that had receipts are not computed again; the digests are those of an undisturbed run."""
    log = tmp_path / "log"
    counted = Counter(log.read_text().split())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(time, "sleep", lambda _: None)  # the pauses of the toy's shards
        go_on(tmp_path / "toy.toml", tmp_path / "out")
        again = Counter(log.read_text().split()) - counted
        go_on(tmp_path / "toy.toml", tmp_path / "reference")
    assert before
    assert not before & set(again)
    assert dataset_bytes(tmp_path / "out" / "toy") == dataset_bytes(tmp_path / "reference" / "toy")


def test_only_the_command_killed_leaves_no_workers_behind(toy_config: Config, tmp_path: Path) -> None:
    run = started(BOARDSPACE, *long_run(toy_config, tmp_path))
    wait_for_the_middle(tmp_path)
    workers = psutil.Process(run.number).children(recursive=True)
    assert len(workers) > 2
    run.send_signal(signal.SIGKILL)
    assert run.wait() == -signal.SIGKILL
    _gone, alive = psutil.wait_procs(workers, timeout=300)
    assert not alive
    go_on_and_compare(tmp_path, finished(tmp_path / "out"))


def test_ctrl_c_stops_cleanly_and_a_repeat_goes_on(toy_config: Config, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "boardspace", *long_run(toy_config, tmp_path)]
    with subprocess.Popen(
        command, env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as run:
        wait_for_the_middle(tmp_path)
        os.killpg(run.pid, signal.SIGINT)
        _, errors = run.communicate(timeout=300)
    assert run.returncode == 130
    assert "finished shards are kept" in errors
    assert "Traceback" not in errors
    go_on_and_compare(tmp_path, finished(tmp_path / "out"))


def test_two_runs_cannot_write_one_folder(toy_config: Config, tmp_path: Path) -> None:
    token = tmp_path / "token"
    config = toy_config(trouble=f"stop@{token}", trouble_shard="squares/00000")  # the first run does not end
    command = ["run", str(config), "--out", str(tmp_path / "out"), "--workers", "0"]
    first = started(BOARDSPACE, *command)
    try:
        wait_until(token.exists)
        second = CliRunner().invoke(cli, command)
    finally:
        first.send_signal(signal.SIGKILL)
        first.wait()
    assert second.exit_code == 2
    assert f"process {first.number}" in second.stderr


def test_a_full_disk_in_the_middle_is_said_and_the_run_goes_on_later(
    toy_config: Config, tmp_path: Path, undisturbed: dict[str, bytes]
) -> None:
    config, out = toy_config(), tmp_path / "out"
    config.write_text(config.read_text() + "[run]\nretries = 0\n")
    full = boardspace(
        *("run", config, "--out", out, "--workers", 0),
        env={"BOARDSPACE_FAILPOINT": f"array-written@ENOSPC@{tmp_path / 'token'}"},
    )
    assert full.returncode == 2
    assert "no space left" in full.stderr
    go_on(config, out)
    assert dataset_bytes(out / "toy") == undisturbed
