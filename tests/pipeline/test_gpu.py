"""Shards that use a GPU where there is one; numba's simulator stands for it."""

import functools
import gc
import importlib
import threading
from contextlib import AbstractContextManager, closing
from pathlib import Path

import filelock
import numpy as np
import pytest
from click.testing import CliRunner
from distributed import Client, LocalCluster, Worker, get_worker

from boardspace.cli.main import cli
from boardspace.engine import gpu
from boardspace.engine.dask_clusters import announce_gpus
from boardspace.engine.dask_graph import DaskGraph
from boardspace.engine.events import Listener
from boardspace.engine.graph import Node
from boardspace.engine.jobs import job_array
from boardspace.spaces.klotski.parts.farthest import costs, searches
from boardspace.spaces.rush_hour.parts.boards import compute
from boardspace.storage.receipts import StageRecord
from boardspace.storage.records import read_record
from boardspace.storage.run_folder import SpaceFolder
from boardspace_kernels.rush_hour.lines import lines
from tests.kernels.klotski.test_farthest import orbits_of
from tests.pipeline.conftest import dataset_bytes
from tests.pipeline.finished import run_of

KLOTSKI = """
[run]
gpu = "{use}"
[klotski]
classes = ["0-0-0", "1-0-0"]
farthest_seconds = 60.0
distance_seconds = 60.0
unit_distances = ["1-0-0"]
[rush_hour]
boards = [[3, 1]]
"""
USING = {"klotski": ("farthest_outlines", "farthest_parts", "unit_parts"), "rush_hour": ("search",)}


def run(folder: Path, use: str) -> Path:
    folder.mkdir()
    return run_of(KLOTSKI.format(use=use), folder)


def cards(root: Path, space: str, stage: str) -> list[str]:
    record = read_record(SpaceFolder(root, space).stage(stage), StageRecord)
    assert record is not None
    return [receipt.gpu for receipt in record.receipts]


@pytest.mark.usefixtures("simulated_gpu")
@pytest.mark.thorough
def test_a_run_gives_the_same_bytes_with_a_gpu_and_without_and_verify_finds_no_fault_in_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    klotski, rush_hour = (importlib.import_module(f"boardspace_kernels.{space}.cuda") for space in USING)
    monkeypatch.setattr(klotski, "search_counted", functools.partial(klotski.search_counted, words=1, blocks=1))
    monkeypatch.setattr(rush_hour, "search_labels", functools.partial(rush_hour.search_labels, threads=1))
    monkeypatch.setattr(compute, "GPU_FROM", 3)
    monkeypatch.setattr(searches, "GPU_PAIRS", 1)
    monkeypatch.setattr(costs, "PART_SECONDS", 3e-6)
    without, with_one = run(tmp_path / "without", "no"), run(tmp_path / "with", "only")
    for space, stages in USING.items():
        assert dataset_bytes(without / space) == dataset_bytes(with_one / space)
        for stage in stages:
            assert set(cards(without, space, stage)) == {""}
            assert "simulator" in cards(with_one, space, stage)
    verified = CliRunner().invoke(cli, ["verify", str(with_one)])
    assert verified.exit_code == 0, verified.output


def test_a_run_on_gpus_alone_says_what_is_lacking_where_there_is_none(tmp_path: Path) -> None:
    gpu.found.cache_clear()
    (tmp_path / "config.toml").write_text(KLOTSKI.format(use="only"))
    command = ["run", str(tmp_path / "config.toml"), "--out", str(tmp_path / "out"), "--workers", "0"]
    refused = CliRunner().invoke(cli, command)
    assert refused.exit_code == 2, refused.output
    assert "has no GPU for [run] gpu" in refused.output
    wrong = CliRunner().invoke(cli, [*command, "--set", "run.gpu='yes'"])
    assert wrong.exit_code == 2
    assert "run.gpu" in wrong.output


def test_job_arrays_keep_the_use_of_gpus(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text(KLOTSKI.format(use="no"))
    done = CliRunner().invoke(cli, ["jobs", str(tmp_path / "out"), str(tmp_path / "config.toml")])
    assert done.exit_code == 0, done.output
    assert job_array(tmp_path / "out").gpu == "no"


@pytest.mark.usefixtures("simulated_gpu")
def test_one_process_after_another_has_the_gpu(tmp_path: Path) -> None:
    first, second = (gpu.Gpu([filelock.FileLock(tmp_path / "gpu")]) for _ in range(2))
    entered = threading.Event()

    def enter() -> None:
        with second:
            entered.set()

    other = threading.Thread(target=enter)
    with first:
        other.start()
        assert not entered.wait(0.05)
    assert entered.wait(60)
    other.join()
    assert second.card == "simulator"


class CountingArrays(AbstractContextManager[None]):
    """Stands for a GPU, and counts the arrays that are there when it is left."""

    left = -1

    def __exit__(self, *error: object) -> None:
        self.left = sum(type(one).__name__ == "FakeCUDAArray" for one in gc.get_objects())


@pytest.mark.usefixtures("simulated_gpu")
def test_a_gpu_is_left_with_no_array_on_it() -> None:
    """What is there still, the next process lacks: it would search fewer passes side by side."""
    klotski, rush_hour = (importlib.import_module(f"boardspace_kernels.{space}.cuda") for space in USING)
    orbits, device = orbits_of((0, 0, 0)), CountingArrays()
    klotski.search_counted(orbits, orbits.order[:2], device, words=1, blocks=1)
    assert device.left == 0
    rush_hour.search_labels(lines(3, 1), 0, np.arange(3), 9, device, threads=1)
    assert device.left == 0


def place() -> str:
    return str(get_worker().address)


async def has_a_gpu(dask_worker: Worker) -> None:
    await dask_worker.set_resources(**{gpu.RESOURCE: 1})


def test_shards_that_use_a_gpu_go_to_the_workers_that_have_one() -> None:
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, processes=False, dashboard_address=":0") as cluster,
        Client(cluster) as client,
        closing(DaskGraph(client, Listener(), 0, 30.0, "here")) as graph,
    ):
        chosen = max(client.scheduler_info()["workers"])

        def places(uses: bool) -> set[str]:
            graph.add([Node((f"toy/{uses}", n), place, (), wanted=True, gpu=uses) for n in range(6)], 0)
            return {graph.next_ended().result for _ in range(6)}

        client.run(has_a_gpu, workers=[chosen])
        assert places(True) == {chosen}
        assert places(False)


@pytest.mark.usefixtures("simulated_gpu")
def test_workers_with_a_gpu_say_so() -> None:
    with Client(processes=False, n_workers=1, threads_per_worker=2, dashboard_address=":0") as client:
        announce_gpus(client)
        [worker] = client.scheduler_info()["workers"].values()
        assert worker["resources"] == {gpu.RESOURCE: 2}
