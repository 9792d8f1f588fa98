"""Cost of a run with very many receipts to those who come after: ``python -m benchmarks.receipts [--shards N]``.

The receipts of empty shards are written as bundles of shards write theirs, without a run; then each question is asked
in a process of its own: how far is it (status), go on (resume, in one process), is all done (the same again), is it
whole (verify, hashes), what is next (a job array). Told are seconds, CPU seconds and peak memory. Files lie in memory
where there is a file system for that, or in ``--folder``, which may be a place in a bucket; the variables of the
environment that reach it are those of a run. With ``--bundle 1`` each shard was a task of its own. With
``--delay 0.002`` each operation on a file or a folder, by those functions of Python that this storage uses, takes 2 ms
more, as in a network; their number is told.
"""

import argparse
import io
import json
import multiprocessing
import os
import resource
import tempfile
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

from boardspace.engine.schedule import BUNDLE_SHARDS
from boardspace.storage.locations import Location, located

os.environ["BOARDSPACE_SPACES"] = "benchmarks.empty_space"  # before the registry looks, here and in the processes
MEMORY = "/dev/shm" if Path("/dev/shm").is_dir() else None


def make(root: Location, shards: int, of: int) -> None:
    """Write the plan of a run of so many shards, and their receipts, in bundles of so many."""
    from boardspace.engine.config import validate
    from boardspace.engine.run import Resume, prepared
    from boardspace.engine.work import RunDataset, cut_stage
    from boardspace.storage.receipts import Receipt

    (work,) = prepared(validate({"empty": {"shards": shards}}, "empty", "empty"), root, Resume())
    dataset = RunDataset(root, "empty", work.plan.model_dump_json())
    todo = cut_stage(dataset, "nothing", {}).todo
    for start in range(0, shards, of):
        bundle = todo[start : start + of]
        receipts = [
            Receipt(stage="nothing", shard=one.shard.name, work=one.work, files=[], facts={}, seconds=0.01)
            for one in bundle
        ]
        dataset.folder.attempt("nothing", bundle[0].shard.name).add(*receipts)


def resume(root: Location, shards: int, of: int) -> None:
    """Go on with the run: all shards are done."""
    from boardspace.engine.config import validate
    from boardspace.engine.run import Workers, run

    run(validate({"empty": {"shards": shards}}, "empty", "empty"), root, Workers(count=0))


def status(root: Location, shards: int, of: int) -> None:
    """Ask how far the run is."""
    from boardspace.cli.commands.status import stages_status

    assert sum(row.done for row in stages_status(root)) >= shards


def hashes(root: Location, shards: int, of: int) -> None:
    """Verify the run, by hashes."""
    from boardspace.verify import verify

    assert not verify(root, "hashes").faults


def job_array(root: Location, shards: int, of: int) -> None:
    """Ask for the next job array; nothing is left."""
    from boardspace.engine.config import validate
    from boardspace.engine.jobs import plan_jobs
    from boardspace.engine.run import Resume

    config = validate({"empty": {"shards": shards}}, "empty", "empty")
    assert plan_jobs(config, root, Resume(), print).array.tasks == 0


def first_job_array(root: Location, shards: int, of: int) -> None:
    """Write the first job array of a new run."""
    from boardspace.engine.config import validate
    from boardspace.engine.jobs import plan_jobs
    from boardspace.engine.run import Resume

    config = validate({"empty": {"shards": shards}}, "empty", "empty")
    assert plan_jobs(config, root.with_name("new"), Resume(), print).array.tasks


def one_task(root: Location, shards: int, of: int) -> None:
    """Compute the last task of that job array."""
    from boardspace.engine.events import Listener
    from boardspace.engine.jobs import job_array as array_of
    from boardspace.engine.jobs import run_tasks

    new = root.with_name("new")
    run_tasks(new, array_of(new).tasks - 1, None, Listener())


Step = Callable[[Location, int, int], None]
STEPS: tuple[tuple[str, Step], ...] = (
    ("make", make),
    ("status, no record yet", status),
    ("resume, no record yet", resume),
    ("resume, all done", resume),
    ("status, all done", status),
    ("verify hashes", hashes),
    ("jobs, nothing left", job_array),
    ("jobs, new", first_job_array),
    ("shard, one task", one_task),
)


class Delayed:
    """Operations on files that begin so many seconds later, and their number."""

    NAMES = ("open", "scandir", "stat", "lstat", "fstat", "replace", "rename", "mkdir", "unlink", "fsync")

    def __init__(self, seconds: float) -> None:
        self.count = 0
        for name in self.NAMES:
            setattr(os, name, self._delayed(getattr(os, name), seconds))
        io.open = self._delayed(io.open, seconds)  # that of pathlib

    def _delayed(self, operation: Callable[..., Any], seconds: float) -> Callable[..., Any]:
        def later(*arguments: Any, **named: Any) -> Any:
            self.count += 1
            time.sleep(seconds)
            return operation(*arguments, **named)

        return later


def measured(function: Step, root: str, shards: int, of: int, delay: float, queue: Any) -> None:
    """Call a function and tell what this process used, its imports included."""
    import boardspace.cli.commands.status
    import boardspace.verify  # noqa: F401
    from boardspace.engine import jobs, run  # noqa: F401

    delayed = Delayed(delay) if delay else None
    start = time.monotonic()
    function(located(root), shards, of)
    used = resource.getrusage(resource.RUSAGE_SELF)
    cpu, most = round(used.ru_utime + used.ru_stime, 1), round(used.ru_maxrss / 1024)
    told = {"operations": delayed.count} if delayed else {}
    queue.put({"seconds": round(time.monotonic() - start, 1), "CPU seconds": cpu, "MiB": most, **told})


def main() -> None:
    """Print what each step used, as JSON, one after the other."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shards", type=int, default=10_000)
    parser.add_argument("--folder", default=MEMORY, help="where the run lies, in a folder of its own; or in a bucket")
    parser.add_argument("--bundle", type=int, default=BUNDLE_SHARDS, help="how many shards travelled together")
    parser.add_argument("--delay", type=float, default=0.0, metavar="SECONDS", help="that a file operation takes more")
    parser.add_argument("--steps", type=int, default=len(STEPS), help="how many of the steps, in order")
    chosen = parser.parse_args()
    with _folder(chosen.folder) as folder:
        for name, function in STEPS[: chosen.steps]:
            delay = chosen.delay if function is not make else 0.0  # that is no question
            arguments = (function, f"{folder}/run", chosen.shards, chosen.bundle, delay)
            print(json.dumps({"step": name, "shards": chosen.shards, **_asked(arguments)}), flush=True)


def _folder(name: str | None) -> AbstractContextManager[str]:
    """A folder that is deleted afterwards, or a place in a bucket, which is not."""
    return nullcontext(name) if name and name.startswith("s3://") else tempfile.TemporaryDirectory(dir=name)


def _asked(arguments: tuple[Any, ...]) -> dict[str, Any]:
    """Figures that a process of :func:`measured` found."""
    context = multiprocessing.get_context("spawn")
    queue: Any = context.Queue()
    process = context.Process(target=measured, args=(*arguments, queue))
    process.start()
    found: dict[str, Any] = queue.get()
    process.join()
    return found


if __name__ == "__main__":
    main()
