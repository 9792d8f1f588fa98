"""What an installation can do: all of it, far from any checkout."""

import json
import re
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from tests.data_versions import faults
from tests.pipeline.conftest import dataset_bytes
from tests.wheel.conftest import Installation
from tests.wheel.test_versions import ASK, QUESTIONS

pytestmark = pytest.mark.wheel
DATASET = "board_division"
"""It has tables and arrays, and the fewest kernels to load."""
STONES = 8
"""The fewest that leave no five cells in a row free on 6 x 7."""


def test_what_is_imported_is_the_wheel(installed: Installation) -> None:
    found = installed.run("python", "-c", "import boardspace; print(boardspace.__file__)").stdout.strip()
    assert Path(found).is_relative_to(installed.prefix)


def test_the_page_of_the_first_ten_minutes_works_as_it_stands(smoke: Path, printed: dict[str, str]) -> None:
    for written in ("heng-dao-li-ma.svg", "five.svg", "first/klotski/COMPLETE", "release/index.html"):
        assert (smoke.parent / written).stat().st_size
    for verified in ("first", "release --level structure"):
        assert "0 faults" in printed[f"boardspace verify {verified}"]
    assert "81" in printed["boardspace klotski solve heng-dao-li-ma"]
    assert "(18) " in printed["boardspace solitaire solve --board english --problem central"]
    assert printed["boardspace five place 6 7"].count("#") == STONES


def test_questions_have_their_answers(installed: Installation, tmp_path: Path) -> None:
    asked = replace(installed, folder=tmp_path).run("python", "-c", ASK, json.dumps([*QUESTIONS.items()]))
    assert "warning" not in asked.stderr


def test_a_run_is_judged(printed: dict[str, str]) -> None:
    for space in ("klotski", "solitaire", "five_in_a_row", "board_division", "sliding_blocks", "rush_hour"):
        assert re.search(rf"^{space}: (\d+ \w+, )*\d+ confirmed", printed["boardspace claims first"], re.MULTILINE)
    assert re.search(r"^board_division: .*\d+ corrected", printed["boardspace claims first"], re.MULTILINE)


def test_the_data_have_the_digests_of_their_versions(smoke: Path) -> None:
    found = [fault for path in sorted(smoke.glob("*/COMPLETE")) for fault in faults(path.parent, "smoke")]
    assert found == []


def test_a_second_run_finds_everything_done(installed: Installation, smoke: Path) -> None:
    again = json.loads(installed.run("boardspace", "run", "smoke", "--out", smoke, "--json").stdout)
    assert all(dataset["skipped"] == dataset["shards"] for dataset in again["datasets"].values())


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
            installed.run(
                "boardspace", "run", "smoke", "--space", DATASET, "--scheduler", address, "--out", "on-cluster"
            )
    assert dataset_bytes(installed.folder / "on-cluster" / DATASET) == dataset_bytes(smoke / DATASET)
