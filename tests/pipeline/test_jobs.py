"""Runs as job arrays: tasks that a shell or a batch system starts, without Dask, to the bytes of any other run."""

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from boardspace.cli.main import cli
from boardspace.spec.texts import counted
from boardspace.storage.run_folder import SpaceFolder
from boardspace.verify import verify
from tests.cluster.conftest import block
from tests.pipeline.conftest import boardspace, dataset_bytes, environment
from tests.pipeline.forging import write_forged
from tests.shared import wait_until

Config = Callable[..., Path]


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out"


def invoke(*arguments: object) -> Result:
    return CliRunner().invoke(cli, [str(argument) for argument in arguments])


def number_of(result: Result) -> int:
    """The number of tasks, which standard output holds alone."""
    assert result.exit_code == 0, result.output
    return int(result.stdout)


def compute_all(out: Path, tasks: int) -> None:
    """Compute the tasks of each job array, the last ones first, until nothing is left."""
    while tasks:
        for number in reversed(range(tasks)):
            assert invoke("shard", out, number).exit_code == 0
        tasks = number_of(invoke("advance", out))


def here(folder: Path, config: Path) -> Path:
    """A run in one process."""
    assert invoke("run", config, "--workers", 0, "--out", folder).exit_code == 0
    return folder


def computed(log: Path) -> Counter[str]:
    return Counter(log.read_text().split())


@pytest.mark.slow
def test_dask_a_job_array_and_one_process_leave_the_same_bytes(tmp_path: Path, toy_config: Config) -> None:
    config = toy_config(roots=60, shards=5)
    expected = dataset_bytes(here(tmp_path / "here", config) / "toy")
    assert boardspace("run", config, "--workers", 2, "--out", tmp_path / "dask").returncode == 0
    assert dataset_bytes(tmp_path / "dask" / "toy") == expected
    commands = tmp_path / "commands"
    commands.mkdir()
    (commands / "boardspace").write_text(f'#!/bin/sh\nexec {sys.executable} -m boardspace "$@"\n')
    for number, name in ((0, "arrays.sh"), (3, "xargs.sh")):
        (commands / name).write_text(block("Job arrays", "sh", number))
    for path in commands.iterdir():
        path.chmod(0o755)
    done = subprocess.run(
        [commands / "arrays.sh", config, commands / "xargs.sh", "3"],
        env=environment({"PATH": f"{commands}:{os.environ['PATH']}"}),
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    out = tmp_path / "outputs" / "toy"
    assert done.returncode == 0, done.stderr
    assert dataset_bytes(out / "toy") == expected
    assert "COMPLETE" in expected
    assert verify(out, "logic").faults == ()


def test_no_process_of_a_job_array_loads_dask(out: Path, toy_config: Config) -> None:
    calls = [
        ("jobs", out, toy_config()),
        ("shard", out, 0, "--of", 1),
        ("advance", out),
        ("check-shard", out, "toy/squares/00000"),
    ]
    program = f"""import sys
from boardspace.cli.main import cli
for arguments in {[[str(word) for word in call] for call in calls]}:
    cli(arguments, standalone_mode=False)
loaded = [name for name in sys.modules if name.split(".")[0] in ("dask", "distributed")]
assert not loaded, loaded"""
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment(), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_a_shard_without_a_receipt_is_named_and_is_a_task_again(out: Path, toy_config: Config) -> None:
    tasks = number_of(invoke("jobs", out, toy_config(shards=4)))
    for number in (0, 1, 3):
        invoke("shard", out, number)
    advanced = invoke("advance", out)
    assert (advanced.exit_code, advanced.stdout) == (1, "1\n")
    assert tasks > 1
    assert "toy/squares: no receipt of 1 shard: 00050; now among the tasks" in advanced.stderr
    assert "toy/squares: 1 of 4 shards to compute" in advanced.stderr
    again = invoke("advance", out, "--json")
    assert json.loads(again.stdout)["missing"] == {"toy/squares": ["00050"]}
    compute_all(out, 1)
    assert "toy: complete" in invoke("status", out).stdout


def test_steps_may_be_repeated_and_what_has_receipts_is_not_computed_again(
    tmp_path: Path, out: Path, toy_config: Config
) -> None:
    config = toy_config(log=str(tmp_path / "log"))
    tasks = number_of(invoke("jobs", out, config))
    assert number_of(invoke("jobs", out, config)) == tasks
    assert invoke("advance", out).stdout == f"{tasks}\n"
    for number in (0, 0, *range(tasks)):
        assert invoke("shard", out, number).exit_code == 0
    assert invoke("shard", out, 1, "--of", 2).exit_code == 0
    first = number_of(invoke("advance", out))
    assert invoke("advance", out).stdout == f"{first}\n"
    assert number_of(invoke("jobs", out, config)) == first
    compute_all(out, first)
    before = dataset_bytes(out)
    assert number_of(invoke("advance", out)) == number_of(invoke("jobs", out, config)) == 0
    assert dataset_bytes(out) == before
    assert set(computed(tmp_path / "log").values()) == {1}


def test_two_processes_at_the_same_shard_at_once_do_no_harm(tmp_path: Path, out: Path, toy_config: Config) -> None:
    config = toy_config(shards=2, log=str(tmp_path / "log"), trouble="meet", trouble_shard="squares/00000")
    number_of(invoke("jobs", out, config))
    with ThreadPoolExecutor() as pool:
        done = list(pool.map(lambda _: boardspace("shard", out, 0, "--of", 1), range(2)))
    assert [one.returncode for one in done] == [0, 0], done
    assert computed(tmp_path / "log")["squares/00000"] == 2
    compute_all(out, number_of(invoke("advance", out)))
    assert dataset_bytes(out / "toy") == dataset_bytes(here(tmp_path / "here", config) / "toy")
    assert verify(out, "logic").faults == ()


def test_a_task_that_was_killed_is_computed_by_the_next_process(tmp_path: Path, out: Path, toy_config: Config) -> None:
    config = toy_config(trouble=f"die@{tmp_path / 'died'}", trouble_shard="squares/00025")
    tasks = number_of(invoke("jobs", out, config))
    assert boardspace("shard", out, 0, "--of", 1).returncode == -9
    assert invoke("shard", out, 0, "--of", 1).exit_code == 0
    compute_all(out, number_of(invoke("advance", out)))
    assert tasks == 4
    assert dataset_bytes(out / "toy") == dataset_bytes(here(tmp_path / "here", config) / "toy")


def test_a_task_that_gets_sigterm_finishes_its_shard_and_leaves_the_others(
    tmp_path: Path, out: Path, toy_config: Config
) -> None:
    log, token = tmp_path / "log", tmp_path / "token"
    held = {"trouble": f"hold@{token}", "trouble_shard": "squares/00000"}
    number_of(invoke("jobs", out, toy_config(log=str(log), **held)))
    command = [sys.executable, "-m", "boardspace", "shard", str(out), "0", "--of", "1"]
    with subprocess.Popen(command, env=environment(), stderr=subprocess.PIPE, text=True) as task:
        wait_until(token.exists)
        task.terminate()
        token.unlink()  # the shard goes on
        assert task.stderr is not None
        text = task.stderr.read()
    assert task.returncode == 143
    assert "compute the task again for the rest" in text
    assert len([*SpaceFolder(out, "toy").single_receipts("squares")]) == len(log.read_text().split()) == 1


def test_a_shard_that_fails_is_named_after_all_others_were_computed(out: Path, toy_config: Config) -> None:
    number_of(invoke("jobs", out, toy_config(trouble="raise", trouble_shard="squares/00000")))
    failed = invoke("shard", out, 0, "--of", 1)
    assert failed.exit_code == 2
    assert "shard toy/squares/00000 failed: OSError: this disk is away" in failed.stderr
    assert "compute the task again" in failed.stderr
    assert len([*SpaceFolder(out, "toy").single_receipts("squares")]) == 3


def test_a_shard_that_would_fail_again_has_an_exit_code_of_its_own_and_is_tried_once(
    tmp_path: Path, out: Path, toy_config: Config
) -> None:
    log = tmp_path / "log"
    number_of(invoke("jobs", out, toy_config(trouble="poison", trouble_shard="squares/00025", log=str(log))))
    failed = invoke("shard", out, 0, "--of", 1)
    assert failed.exit_code == 3
    assert failed.stderr.count("failed: ArithmeticError: this shard is poison") == 1
    (said,) = [line for line in failed.stderr.splitlines() if "would fail again" in line]
    assert "1 task failed, one with shard toy/squares/00025" in said
    assert 'its parameters: {"high":50,"low":25}' in said
    assert Counter(log.read_text().split()) == Counter(f"squares/000{first}" for first in ("00", "25", "50", "75"))
    assert invoke("advance", out).exit_code == 1


def test_a_stage_that_repeats_goes_through_job_arrays(tmp_path: Path, out: Path, growing: None) -> None:
    config = tmp_path / "growing.toml"
    config.write_text("[growing]\nbound = 20\n")
    compute_all(out, number_of(invoke("jobs", out, config)))
    assert dataset_bytes(out / "growing") == dataset_bytes(here(tmp_path / "here", config) / "growing")


@pytest.fixture
def begun(out: Path, toy_config: Config) -> Path:
    """The folder of a run with a job array of one page."""
    number_of(invoke("jobs", out, toy_config()))
    return out


def forge_array(out: Path, **changes: Any) -> None:
    """Change the job array, with a right checksum."""
    path = out / ".run/jobs/array.json"
    write_forged(path, json.loads(path.read_bytes())["record"] | changes)


def forge_task(out: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Change the first task of the first page, with a right checksum."""
    (path,) = out.glob(".run/jobs/*/000000.json")
    page = json.loads(path.read_bytes())["record"]
    change(page["tasks"][0])
    write_forged(path, page)


@pytest.mark.parametrize("name", ["/absolute", "../../../../outside", "a/../../b", "", "a//b", "a\\b", "a\nb"])
def test_a_task_whose_shard_would_lie_outside_the_run_is_refused(begun: Path, tmp_path: Path, name: str) -> None:
    name = name.replace("/absolute", str(tmp_path / "absolute"))
    forge_task(begun, lambda task: task["shards"][0].update(name=name))
    refused = invoke("shard", begun, 0)
    assert refused.exit_code == 2
    assert "task 0 of the job array" in refused.stderr
    assert {path.name for path in tmp_path.iterdir()} <= {"out", "toy.toml"}
    assert invoke("advance", begun).stdout == "4\n"
    assert invoke("shard", begun, 0).exit_code == 0


@pytest.mark.parametrize("stage", ["squares", "../squares"])
def test_a_receipt_belongs_into_the_folder_of_its_run(out: Path, stage: str) -> None:
    for bundle in ("/absolute", "../../00000"):
        with pytest.raises(ValueError, match="does not stay in its folder"):
            SpaceFolder(out, "toy").attempt(stage, bundle)


@pytest.mark.parametrize(
    "change",
    [{"space": "klotski"}, {"space": "../toy"}, {"stage": "cubes"}, {"stage": "../squares"}, {"shards": []}],
)
def test_a_task_of_no_stage_of_the_run_is_told_and_what_to_do(begun: Path, change: dict[str, Any]) -> None:
    forge_task(begun, lambda task: task.update(change))
    refused = invoke("shard", begun, 0, "--of", 1)
    assert (refused.exit_code, refused.stderr.count("\n")) == (2, 1), refused.stderr
    assert f"write the array again with: boardspace advance {begun}" in refused.stderr
    assert invoke("advance", begun).stdout == "4\n"
    assert invoke("shard", begun, 0, "--of", 1).exit_code == 0


@pytest.mark.parametrize("number", [4, 300])
def test_a_task_that_no_page_has_is_told(begun: Path, number: int) -> None:
    forge_array(begun, tasks=10**9)
    refused = invoke("shard", begun, number)
    assert refused.exit_code == 2
    assert f"task {number} of the job array" in refused.stderr


@pytest.mark.parametrize(
    "changes",
    [
        {"spaces": []},
        {"tasks": -5},
        {"tasks": 10**30},
        {"shard_seconds": -1.0},
        {"shard_seconds": 1e300},
        {"pages": "../../elsewhere"},
    ],
)
def test_an_array_that_is_none_is_told(begun: Path, changes: dict[str, Any]) -> None:
    forge_array(begun, **changes)
    for command in (("shard", begun, 0), ("advance", begun)):
        refused = invoke(*command)
        assert (refused.exit_code, refused.stdout) == (2, "")
        assert f"array.json: torn or altered; write it again with: boardspace jobs {begun} CONFIG" in refused.stderr


def test_an_array_of_a_space_that_is_not_planned_is_not_complete(begun: Path) -> None:
    forge_array(begun, spaces=["klotski"])
    for command in (("shard", begun, 0), ("advance", begun)):
        refused = invoke(*command)
        assert (refused.exit_code, refused.stdout) == (2, "")
        assert "its plan has no klotski any more" in refused.stderr


def test_a_shard_over_its_time_limit_is_named_before_its_process_ends(out: Path, toy_config: Config) -> None:
    config = toy_config(trouble="hang", trouble_shard="squares/00025")
    number_of(invoke("jobs", out, config, "--set", "run.shard_seconds=1"))
    ended = boardspace("shard", out, 0, "--of", 1)
    assert ended.returncode == 2
    assert "boardspace: shard toy/squares/00025 takes longer than its time limit" in ended.stderr.splitlines()[0]
    assert "in squares" in ended.stderr


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("advance", "."), "no job array here; begin with: boardspace jobs"),
        (("shard", ".", "0"), "no job array here; begin with: boardspace jobs"),
        (("shard", ".", "3", "--of", "3"), "numbered from 0 to 2"),
        (("jobs", ".", "no-such-config"), "no such config file"),
    ],
)
def test_what_cannot_be_done_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], text: str
) -> None:
    monkeypatch.chdir(tmp_path)
    refused = invoke(*arguments)
    assert (refused.exit_code, text in refused.output) == (2, True), refused.output


def test_a_number_beyond_the_tasks_is_an_error_and_with_of_there_is_nothing_to_do(
    out: Path, toy_config: Config
) -> None:
    tasks = number_of(invoke("jobs", out, toy_config()))
    assert f"of {counted(tasks, 'task')}, numbered from 0" in invoke("shard", out, tasks).output
    assert invoke("shard", out, tasks, "--of", tasks + 1).stdout == "0 tasks: 0 shards, 0 rows\n"


def test_another_plan_is_refused(out: Path, toy_config: Config) -> None:
    number_of(invoke("jobs", out, toy_config()))
    refused = invoke("jobs", out, toy_config("other", roots=10))
    assert refused.exit_code == 2
    assert "was made by another plan" in refused.output
