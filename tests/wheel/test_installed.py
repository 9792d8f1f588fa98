"""What an installation can do: all of it, far from any checkout."""

import json
import re
import shlex
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from tests.data_versions import faults
from tests.pipeline.conftest import dataset_bytes
from tests.wheel.conftest import ROOT, Installation

pytestmark = pytest.mark.wheel

LIST_COMMANDS = """
import click, json
from boardspace.cli.main import cli

def walk(command, path, context):
    yield path
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            yield from walk(command.get_command(context, name), [*path, name], context)

print(json.dumps(list(walk(cli, [], click.Context(cli)))))
"""


@pytest.fixture(scope="module")
def smoke(installed: Installation) -> Path:
    """The folder of a smoke run on two worker processes."""
    installed.run("boardspace", "run", "smoke", "--out", "smoke", "--workers", 2)
    return installed.folder / "smoke"


def test_what_is_imported_is_the_wheel(installed: Installation) -> None:
    found = installed.run("python", "-c", "import boardspace; print(boardspace.__file__)").stdout.strip()
    assert Path(found).is_relative_to(installed.prefix)


def test_a_run_is_judged_and_verified(installed: Installation, smoke: Path) -> None:
    verdicts = json.loads(installed.run("boardspace", "claims", smoke, "--json").stdout)
    assert {row["verdict"] for rows in verdicts.values() for row in rows} >= {"confirmed", "corrected"}
    assert "0 faults" in installed.run("boardspace", "verify", smoke).stdout


def test_the_data_have_the_digests_of_their_versions(smoke: Path) -> None:
    found = [fault for path in sorted(smoke.glob("*/COMPLETE")) for fault in faults(path.parent, "smoke")]
    assert found == []


def test_a_second_run_finds_everything_done(installed: Installation, smoke: Path) -> None:
    again = json.loads(installed.run("boardspace", "run", "smoke", "--out", smoke, "--json").stdout)
    assert all(dataset["skipped"] == dataset["shards"] for dataset in again["datasets"].values())


def test_a_release_is_published_and_verified(installed: Installation, smoke: Path) -> None:
    installed.run("boardspace", "publish", smoke, "--out", "release")
    assert "0 faults" in installed.run("boardspace", "verify", "release").stdout


def test_every_command_explains_itself(installed: Installation) -> None:
    commands = json.loads(installed.run("python", "-c", LIST_COMMANDS).stdout)
    assert ["run"] in commands
    assert ["klotski", "solve"] in commands
    for command in commands:
        assert installed.run("boardspace", *command, "--help").stdout.startswith("Usage: ")


def test_a_question_of_each_space_is_answered(installed: Installation) -> None:
    assert "81" in installed.run("boardspace", "klotski", "solve", "1A9BF0C").stdout
    assert "1" in installed.run("boardspace", "rectangle", 4, 5).stdout
    assert "10 moves" in installed.run("boardspace", "solitaire", "solve", "--board", "triangle15").stdout
    assert "X(6, 7, 5) = 8" in installed.run("boardspace", "five", "X", 6, 7).stdout


PAGE = (ROOT / "docs" / "first_ten_minutes.md").read_text()


def test_the_page_of_the_first_ten_minutes_works_as_it_stands(installed: Installation) -> None:
    """Every command, in order, then the Python example, in an empty folder."""
    folder = installed.folder / "first_ten_minutes"
    folder.mkdir()
    beginner = replace(installed, folder=folder)
    for block in re.findall(r"^```(sh|python)\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL):
        language, text = block
        commands = [shlex.split(line) for line in text.splitlines()] if language == "sh" else [["python", "-c", text]]
        for command in commands:
            beginner.run(*command)
    for written in ("heng-dao-li-ma.svg", "five.svg", "first/klotski/COMPLETE", "release/index.html"):
        assert (folder / written).stat().st_size


@contextmanager
def started(installed: Installation, name: str, *arguments: str) -> Iterator[Path]:
    """Python of the installation with these arguments, stopped at the end; yields its log."""
    log = installed.folder / f"{name}.log"
    with log.open("wb") as stream:
        process = subprocess.Popen(
            [str(installed.python), *arguments],
            cwd=installed.folder,
            env=installed.environment,
            stdout=stream,
            stderr=stream,
        )
        try:
            yield log
        finally:
            process.terminate()
            process.wait(30)


def address_in(log: Path) -> str:
    """The address a scheduler wrote to its log."""
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        if found := re.search(r"Scheduler at:\s+(tcp://\S+)", log.read_text()):
            return found[1]
        time.sleep(0.2)
    raise AssertionError(log.read_text())


def test_workers_need_nothing_but_the_wheel(installed: Installation, smoke: Path) -> None:
    """Two workers of a cluster write the very bytes that local ones wrote."""
    scheduler = ("-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard")
    worker = ("-m", "distributed.cli.dask_worker", "--nthreads", "1", "--no-dashboard")
    with started(installed, "scheduler", *scheduler, "--no-show") as log:
        address = address_in(log)
        with started(installed, "worker1", *worker, address), started(installed, "worker2", *worker, address):
            installed.run("boardspace", "run", "smoke", "--scheduler", address, "--out", "on-cluster")
    for dataset in ("klotski", "solitaire", "five_in_a_row", "board_division"):
        assert dataset_bytes(installed.folder / "on-cluster" / dataset) == dataset_bytes(smoke / dataset)
