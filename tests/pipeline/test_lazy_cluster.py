"""A complete run starts no workers, and one of which something is missing does."""

from pathlib import Path

import pytest

from boardspace.engine import dask_clusters, loop
from boardspace.engine.config import Config, validate
from boardspace.engine.events import Listener
from boardspace.engine.graph import InProcess, Node, TaskGraph
from boardspace.engine.plan import save_plan, work_of
from boardspace.engine.run import LazyCluster, Workers, run
from boardspace.engine.work import ShardError
from boardspace.spec.errors import BoardspaceError
from tests.pipeline.conftest import dataset_bytes

ONE = Workers(count=1)


class NoWorkersError(Exception):
    """Somebody asked for workers."""


def toy() -> Config:
    return validate({"toy": {"shards": 3}}, "trial", "trial.toml")


@pytest.fixture
def complete(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A complete run; workers cannot be had any more."""
    run(toy(), tmp_path / "run", Workers(count=0))

    def refused(*_: object) -> None:
        raise NoWorkersError

    monkeypatch.setattr(dask_clusters, "local", refused)
    return tmp_path / "run"


def test_a_complete_run_starts_no_workers(complete: Path) -> None:
    before = dataset_bytes(complete / "toy")
    summary = run(toy(), complete, ONE)["toy"]
    assert summary.skipped == summary.shards > 0
    assert dataset_bytes(complete / "toy") == before


def test_a_run_that_lacks_a_file_starts_them(complete: Path) -> None:
    min((complete / "toy").rglob("*.parquet")).unlink()
    with pytest.raises(NoWorkersError):
        run(toy(), complete, ONE)


def test_a_run_of_another_plan_starts_them_at_once(complete: Path) -> None:
    with pytest.raises(NoWorkersError):
        run(validate({"toy": {"shards": 4}}, "trial", "trial.toml"), complete.with_name("new"), ONE)


def test_a_limit_of_memory_is_read_although_no_worker_gets_it(complete: Path) -> None:
    with pytest.raises(BoardspaceError, match="--memory-limit '5'"):
        run(toy(), complete, Workers(count=1, memory_limit="5"))


def test_nodes_that_wait_go_to_the_other_graph_with_the_first_shards(tmp_path: Path) -> None:
    work = work_of(toy())
    save_plan(tmp_path, work)
    begun: list[TaskGraph] = []

    def begin() -> TaskGraph:
        begun.append(InProcess())
        return begun[-1]

    summary = loop.run(work, tmp_path, LazyCluster(InProcess(), begin), Listener(), loop.Limits())["toy"]
    assert summary.shards == 7
    assert len(begun) == 1


def test_what_fails_before_there_are_workers_is_tried_again_as_by_them() -> None:
    tried: list[str] = []

    def cut() -> str:
        tried.append("cut")
        if len(tried) < 3:
            raise ShardError("toy/sums", "the folder did not answer", "")
        return "done"

    warned: list[ShardError] = []
    graph = LazyCluster(InProcess(retries=2, on_failure=warned.append), InProcess)
    graph.add([Node(("toy", 0), cut, (), wanted=True)], 0)
    ended = graph.next_ended()
    assert (ended and ended.result, len(tried), len(warned)) == ("done", 3, 2)
