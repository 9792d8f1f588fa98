"""What scheduler and driver cost at scale: ``python -m benchmarks.scale [--shards N] [--slots N] [--seconds S]``.

Shards do nothing but write their synced receipts. Scheduler, workers and driver are three processes, so that each one's
CPU seconds and memory are its own; the workers are threads' worth of slots in one process, without nannies. CPU seconds
are told, which a busy machine does not change much. Shards of at least half a second, by their expected ``--seconds``,
are tasks of their own; cheaper ones travel together. What scheduler and driver hold is told as shards end, at a
hundredth, a tenth, half and all of them.
"""

import argparse
import asyncio
import json
import multiprocessing
import os
import resource
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import psutil

from boardspace.engine.events import Listener

os.environ["BOARDSPACE_SPACES"] = "benchmarks.empty_space"  # before the registry looks, here and in the workers
# The engine is measured, not the disk.
MEMORY = "/dev/shm" if Path("/dev/shm").is_dir() else None
Usage = dict[str, float]


def usage() -> Usage:
    """CPU seconds and peak memory of this process so far."""
    times = psutil.Process().cpu_times()
    return {"cpu": times.user + times.system, "MiB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}


def spent(before: Usage, after: Usage) -> Usage:
    """CPU seconds in between; peak memory and what of it was not there before."""
    return {"cpu": after["cpu"] - before["cpu"], "MiB": after["MiB"], "grown": after["MiB"] - before["MiB"]}


async def serve_scheduler(pipe: Connection) -> None:
    """A scheduler, as ``boardspace run`` starts one; tells its address, then what it used, each time it is asked."""
    from distributed import Scheduler

    async with Scheduler(host="127.0.0.1", port=0, dashboard=False) as scheduler:
        pipe.send(scheduler.address)
        await answer(pipe)


async def serve_workers(pipe: Connection, address: str, slots: int) -> None:
    """So many workers of one thread each; tells of itself as the scheduler does."""
    from distributed import Worker

    workers = [Worker(address, nthreads=1, memory_limit=0, dashboard=False) for _ in range(slots)]
    await asyncio.gather(*workers)
    pipe.send(None)
    await answer(pipe)
    await asyncio.gather(*(worker.close() for worker in workers))


async def answer(pipe: Connection) -> None:
    """Send what this process used whenever something but None comes."""
    while await asyncio.to_thread(pipe.recv) is not None:
        pipe.send(usage())


def serve(pipe: Connection, *arguments: Any) -> None:
    """The main function of both processes."""
    import dask

    from boardspace.engine.dask_clusters import SETTINGS

    with dask.config.set(SETTINGS):
        asyncio.run(serve_workers(pipe, *arguments) if arguments else serve_scheduler(pipe))


class Marks(Listener):
    """Hears of shards that ended, and notes what processes hold when so many have."""

    PARTS = (0.01, 0.1, 0.5, 1)

    def __init__(self, shards: int, processes: dict[str, int]) -> None:
        self.done = 0
        self.noted: list[dict[str, float]] = []
        self._left = [round(shards * part) for part in self.PARTS]
        self._processes = {name: psutil.Process(pid) for name, pid in processes.items()}

    def shards_done(self, space: str, stage: str, shards: int) -> None:
        self.done += shards
        if self._left and self.done >= self._left[0]:
            self._left.pop(0)
            held = {f"{name} MiB": one.memory_info().rss >> 20 for name, one in self._processes.items()}
            self.noted.append({"done": self.done, **held})


@contextmanager
def server(*arguments: Any) -> Iterator[tuple[Connection, Any, int]]:
    """A process of :func:`serve`, its pipe, what it said first, and its number."""
    here, there = multiprocessing.get_context("spawn").Pipe()
    process = multiprocessing.get_context("spawn").Process(target=serve, args=(there, *arguments), daemon=True)
    process.start()
    try:
        yield here, here.recv(), process.pid or 0
    finally:
        here.send(None)
        process.join(60)
        process.kill()


def measure(shards: int, slots: int, seconds: float) -> dict[str, Any]:
    """Run so many empty shards, and say what each process used."""
    from distributed import Client

    from boardspace.engine import loop
    from boardspace.engine.config import validate
    from boardspace.engine.dask_graph import DaskGraph
    from boardspace.engine.plan import work_of

    work = work_of(validate({"empty": {"shards": shards, "seconds": seconds}}, "empty", "empty"))
    with (
        server() as (scheduler, address, process),
        server(address, slots) as (workers, _, _),
        Client(address) as client,
    ):
        graph = DaskGraph(client, Listener(), 0, 600.0, "here")
        marks = Marks(shards, {"scheduler": process, "driver": os.getpid()})
        before = _asked(scheduler, workers)
        start = time.monotonic()
        with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
            loop.run(work, Path(folder), graph, marks, loop.Limits(slots=slots))
        wall = time.monotonic() - start
        after = _asked(scheduler, workers)
        graph.close()
    used = {name: spent(before[name], after[name]) for name in before}
    per_shard = {name: round(1000 * one["cpu"] / shards, 3) for name, one in used.items()}
    told = {"milliseconds of CPU a shard": per_shard, "used": used, "held": marks.noted}
    return {"shards": shards, "slots": slots, "wall": wall, **told}


def _asked(scheduler: Connection, workers: Connection) -> dict[str, Usage]:
    found = {"driver": usage()}
    for name, pipe in (("scheduler", scheduler), ("workers", workers)):
        pipe.send("usage")
        found[name] = pipe.recv()
    return found


def main() -> None:
    """Print what :func:`measure` found, as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shards", type=int, default=10_000)
    parser.add_argument("--slots", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=1.0)
    chosen = parser.parse_args()
    print(json.dumps(measure(chosen.shards, chosen.slots, chosen.seconds), indent=1))


if __name__ == "__main__":
    main()
