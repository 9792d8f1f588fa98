"""What the engine costs apart from the work: 2,000 shards that do nothing, each with its synced receipt."""

import atexit
import os
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from rich.console import Console

from benchmarks.harness import Job, benchmark

SHARDS = 2000
os.environ["BOARDSPACE_SPACES"] = "benchmarks.empty_space"  # before the registry looks, here and in the workers


@benchmark(unit="shards", runs=3)
def empty_shards_two_workers() -> Job:
    """A LocalCluster of two processes, started beforehand."""
    from boardspace.pipeline import cluster

    stack = ExitStack()
    workers = stack.enter_context(cluster.local(2, "auto", 0.0))
    atexit.register(stack.close)
    return _run_into_fresh_folders(lambda: workers)


@benchmark(unit="shards", runs=3, baseline="empty_shards_two_workers")
def empty_shards_in_process() -> Job:
    """The same without Dask."""
    from boardspace.pipeline import engine

    return _run_into_fresh_folders(engine.InProcess)


def _run_into_fresh_folders(workers: Callable[[], object]) -> Job:
    from boardspace.pipeline import engine
    from boardspace.pipeline.config import validate
    from boardspace.pipeline.plan import work_of
    from boardspace.pipeline.report.progress import Silent

    work = work_of(validate({"empty": {"shards": SHARDS}}, "empty", "empty"))

    def job() -> int:
        with tempfile.TemporaryDirectory() as folder:
            summary = engine.run(work, Path(folder), workers(), Silent(Console()), 0)  # type: ignore[arg-type]
        return summary["empty"].shards

    return job
