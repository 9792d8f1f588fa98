"""What the engine costs apart from the work: 2,000 shards that do nothing, each with its synced receipt."""

import atexit
import os
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.harness import Job, benchmark

if TYPE_CHECKING:
    from boardspace.engine.graph import TaskGraph

SHARDS = 2000
os.environ["BOARDSPACE_SPACES"] = "benchmarks.empty_space"  # before the registry looks, here and in the workers


@benchmark(unit="shards", runs=3)
def empty_shards_two_workers() -> Job:
    """A LocalCluster of two processes, started beforehand."""
    from boardspace.engine import dask_clusters
    from boardspace.engine.dask_graph import DaskGraph
    from boardspace.engine.events import Listener

    stack = ExitStack()
    client = stack.enter_context(dask_clusters.local(2, "auto", 0))
    atexit.register(stack.close)
    return _run_into_fresh_folders(lambda: DaskGraph(client, Listener(), 0, 60.0, "here"), slots=2)


@benchmark(unit="shards", runs=3, baseline="empty_shards_two_workers")
def empty_shards_in_process() -> Job:
    """The same without Dask."""
    from boardspace.engine.graph import InProcess

    return _run_into_fresh_folders(InProcess, slots=1)


def _run_into_fresh_folders(graph: Callable[[], "TaskGraph"], slots: int) -> Job:
    from boardspace.engine import loop
    from boardspace.engine.config import validate
    from boardspace.engine.events import Listener
    from boardspace.engine.plan import work_of

    work = work_of(validate({"empty": {"shards": SHARDS}}, "empty", "empty"))

    def job() -> int:
        with tempfile.TemporaryDirectory() as folder:
            summary = loop.run(work, Path(folder), graph(), Listener(), loop.Limits(slots=slots))
        return summary["empty"].shards

    return job
