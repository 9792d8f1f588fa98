"""What an installation can do: all of it, far from any checkout."""

import json
import re
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.data_versions import faults
from tests.pipeline.conftest import dataset_bytes
from tests.wheel.conftest import HELP_OF_EVERY_COMMAND, Installation

pytestmark = pytest.mark.wheel
DATASETS = ("klotski", "board_division", "five_in_a_row")


def test_what_is_imported_is_the_wheel(installed: Installation) -> None:
    found = installed.run("python", "-c", "import boardspace; print(boardspace.__file__)").stdout.strip()
    assert Path(found).is_relative_to(installed.prefix)


def test_the_page_of_the_first_ten_minutes_works_as_it_stands(smoke: Path, printed: dict[str, str]) -> None:
    for written in ("heng-dao-li-ma.svg", "five.svg", "first/klotski/COMPLETE", "release/index.html"):
        assert (smoke.parent / written).stat().st_size
    for verified in ("first", "release"):
        assert "0 faults" in printed[f"boardspace verify {verified}"]


def test_a_run_is_judged(installed: Installation, smoke: Path) -> None:
    verdicts = json.loads(installed.run("boardspace", "claims", smoke, "--json").stdout)
    assert {row["verdict"] for rows in verdicts.values() for row in rows} >= {"confirmed", "corrected"}


def test_the_data_have_the_digests_of_their_versions(smoke: Path) -> None:
    found = [fault for path in sorted(smoke.glob("*/COMPLETE")) for fault in faults(path.parent, "smoke")]
    assert found == []


def test_a_second_run_finds_everything_done(installed: Installation, smoke: Path) -> None:
    again = json.loads(installed.run("boardspace", "run", "smoke", "--out", smoke, "--json").stdout)
    assert all(dataset["skipped"] == dataset["shards"] for dataset in again["datasets"].values())


def test_every_command_explains_itself(installed: Installation) -> None:
    installed.run("python", "-c", HELP_OF_EVERY_COMMAND)
    assert installed.run("boardspace", "klotski", "solve", "--help").stdout.startswith("Usage: ")


def test_a_question_of_each_space_is_answered(installed: Installation) -> None:
    assert "81" in installed.run("boardspace", "klotski", "solve", "1A9BF0C").stdout
    assert "1" in installed.run("boardspace", "rectangle", 4, 5).stdout
    assert "10 moves" in installed.run("boardspace", "solitaire", "solve", "--board", "triangle15").stdout
    assert "X(6, 7, 5) = 8" in installed.run("boardspace", "five", "X", 6, 7).stdout


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
            some = [f"--space={name}" for name in DATASETS]
            installed.run("boardspace", "run", "smoke", *some, "--scheduler", address, "--out", "on-cluster")
    for dataset in DATASETS:
        assert dataset_bytes(installed.folder / "on-cluster" / dataset) == dataset_bytes(smoke / dataset)
