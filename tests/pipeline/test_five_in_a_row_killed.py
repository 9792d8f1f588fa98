"""Boards searched in parts: whatever dies in the middle of a part, and whichever part outgrows its memory, the data are
the same bytes. The processes are real, and so is SIGKILL; :mod:`tests.dying` gives parts little room."""

import signal
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from boardspace.spec import registry
from tests.pipeline.conftest import boardspace, dataset_bytes
from tests.pipeline.forging import receipts_of

CONFIG = "[five_in_a_row]\nsquares = []\nsplit = [[4, 8, 6, 0, 3]]\ncells = []\n"
PLUG_IN = {registry.PLUGINS: "tests.dying"}
# In the second sweep of a part of the first round, the second and the third; two of them have to be cut again.
POINTS = [
    "part:000012-000003:13",
    *(pytest.param(point, marks=pytest.mark.slow) for point in ("part:000003-000001:13", "part:000048-000017:13")),
]


def run(folder: Path, workers: int, point: str = "") -> Any:
    """A run whose first process to come to ``point`` dies there."""
    config = folder / "parts.toml"
    config.write_text(CONFIG)
    armed = {"BOARDSPACE_FAILPOINT": f"{point}@kill@{folder / 'token'}"} if point else {}
    return boardspace("run", config, "--out", folder / "out", "--workers", workers, env=PLUG_IN | armed)


def parts(folder: Path) -> dict[str, dict[str, Any]]:
    """The receipts of parts, by name."""
    files = (folder / "out" / ".run").rglob("receipts/parts/**/[!.]*.jsonl")
    return {receipt["shard"].rpartition("/")[2]: receipt for path in files for receipt in receipts_of(path)}


def outgrown(folder: Path) -> set[str]:
    """The parts that were too large."""
    return {name for name, receipt in parts(folder).items() if "outgrown" in receipt["facts"]}


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("undisturbed")
    done = run(folder, workers=0)
    assert done.returncode == 0, done.stderr
    return folder


def published(folder: Path) -> dict[str, bytes]:
    return dataset_bytes(folder / "out" / "five_in_a_row")


def test_parts_outgrow_their_memory_and_are_cut_again(undisturbed: Path) -> None:
    assert {name[:6] for name in outgrown(undisturbed)} == {"000003", "000012"}
    (row,) = pq.read_table(undisturbed / "out" / "five_in_a_row" / "results").to_pylist()
    assert row["recounted"]
    assert row["peak"] <= 960


@pytest.mark.parametrize("point", POINTS)
def test_a_worker_that_is_killed_in_the_middle_of_a_part_costs_that_part(
    undisturbed: Path, tmp_path: Path, point: str
) -> None:
    done = run(tmp_path, 2, point)
    assert (tmp_path / "token").exists()
    assert "a worker process died" in done.stderr
    assert done.returncode == 0, done.stderr
    assert parts(tmp_path).keys() == parts(undisturbed).keys()
    assert outgrown(tmp_path) == outgrown(undisturbed)
    assert published(tmp_path) == published(undisturbed)


@pytest.mark.slow
@pytest.mark.parametrize("point", POINTS)
def test_a_run_that_is_killed_in_the_middle_of_a_part_goes_on_with_that_part(
    undisturbed: Path, tmp_path: Path, point: str
) -> None:
    assert run(tmp_path, 0, point).returncode == -signal.SIGKILL
    kept = parts(tmp_path)
    assert point.split(":")[1] not in kept
    done = run(tmp_path, 0)
    assert done.returncode == 0, done.stderr
    assert {name: parts(tmp_path)[name] for name in kept} == kept
    assert published(tmp_path) == published(undisturbed)
