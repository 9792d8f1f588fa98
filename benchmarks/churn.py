"""What a run does whose workers die: ``python -m benchmarks.churn [--workers N] [--dying A MINUTE] [--minutes N]``.

Shards sleep and note when they begin and end. Workers are processes of ``--of`` slots each; of these processes some are
killed with SIGKILL in each minute, by chance, and another one joins for each. At the end the notes say what was
computed twice: it has to be what a killed process had under way, and nothing else; and each shard has to have one
receipt.

With ``--lose-scheduler`` the scheduler is killed instead, once, when half of the shards are done; the workers end, the
run ends with an error, and a second one, on a cluster of its own, has to go on from the receipts.
"""

import argparse
import asyncio
import json
import multiprocessing
import os
import random
import signal
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any

import dask
from distributed import Client, Worker

from benchmarks.scale import MEMORY, server
from boardspace.engine import loop
from boardspace.engine.config import validate
from boardspace.engine.dask_clusters import SETTINGS
from boardspace.engine.dask_graph import DaskGraph
from boardspace.engine.events import Listener
from boardspace.engine.plan import work_of
from boardspace.engine.work import RunDataset
from boardspace.spec.errors import BoardspaceError

CONTEXT = multiprocessing.get_context("forkserver")
PRELOADED = ["distributed", "numba", "zarr", "boardspace.engine.work", "benchmarks.empty_space"]


def work(address: str, slots: int) -> None:
    """The main function of a process of workers: it ends when the cluster has no use for them, or is killed."""
    with dask.config.set(SETTINGS):
        asyncio.run(_work(address, slots))


async def _work(address: str, slots: int) -> None:
    workers = [Worker(address, nthreads=1, memory_limit=0, dashboard=False) for _ in range(slots)]
    await asyncio.gather(*workers)
    await asyncio.gather(*(worker.finished() for worker in workers))


@dataclass
class Workers:
    """So many processes of so many slots each, some of which are killed, by chance, and replaced."""

    address: str
    count: int
    slots: int
    seed: int = 1
    alive: list[ForkServerProcess] = field(default_factory=list)
    killed: list[tuple[float, int]] = field(default_factory=list)

    def start(self) -> None:
        """Start one process."""
        process = CONTEXT.Process(target=work, args=(self.address, self.slots), daemon=True)
        process.start()
        self.alive.append(process)

    def churn(self, seconds: float, ended: threading.Event) -> None:
        """Kill one process and start another one, each so many seconds, until the end."""
        chance = random.Random(self.seed)
        while not ended.wait(seconds):
            victim = self.alive.pop(chance.randrange(len(self.alive)))
            os.kill(victim.pid or 0, signal.SIGKILL)
            victim.join()
            self.killed.append((time.time(), victim.pid or 0))
            self.start()

    def end(self) -> None:
        """Kill those that are left."""
        for process in self.alive:
            process.kill()


@contextmanager
def cluster(count: int, slots: int) -> Iterator[tuple[Workers, Client, int]]:
    """Workers, a client, and the number of the scheduler's process."""
    with server() as (_, address, process):
        workers = Workers(address, count, slots)
        try:
            for _ in range(count):
                workers.start()
            with Client(address, timeout=120) as client:
                client.wait_for_workers(count * slots, timeout=300)
                yield workers, client, process
        finally:
            workers.end()


class Counting(Listener):
    """Counts shards that are done and warnings, and does something once so many are."""

    def __init__(self, at: int = 0, process: int = 0) -> None:
        self.done, self.warnings, self.died = 0, 0, 0
        self._at, self._process = at, process

    def shards_done(self, space: str, stage: str, shards: int) -> None:
        self.done += shards if stage == "nothing" else 0  # the others are the claims
        if self._at and self.done >= self._at:
            self._at = 0
            os.kill(self._process, signal.SIGKILL)

    def shard_failed(self, shard: str, cause: str, again: bool) -> None:
        self.died += 1

    def warned(self, text: str) -> None:
        self.warnings += 1


def run(client: Client, folder: Path, shards: int, seconds: float, heard: Counting, slots: int) -> None:
    """Run so many shards that sleep so many seconds, with notes in ``folder``."""
    config = {"shards": shards, "seconds": seconds, "sleep": seconds, "log": str(folder / "notes")}
    plan = work_of(validate({"empty": config}, "empty", "empty"))
    graph = DaskGraph(client, heard, 0, 600.0, "here")
    try:
        loop.run(plan, folder / "run", graph, heard, loop.Limits(slots=slots))
    finally:
        if client.status == "running":
            graph.close()


@dataclass(frozen=True)
class Notes:
    """Notes of shards: (time, process) by shard, of those that began and of those that ended."""

    begun: dict[str, list[tuple[float, int]]]
    ended: dict[str, list[tuple[float, int]]]

    @staticmethod
    def read(path: Path) -> "Notes":
        """Read what :func:`benchmarks.empty_space.nothing` wrote."""
        found: dict[str, dict[str, list[tuple[float, int]]]] = {"begins": {}, "ends": {}}
        for line in path.read_text().splitlines():
            what, shard, moment, process = line.split()
            found[what].setdefault(shard, []).append((float(moment), int(process)))
        return Notes(found["begins"], found["ends"])

    def told(self, killed: set[int]) -> dict[str, int]:
        """What was computed, what again, and what of that not because a process was killed that had it."""
        again = {shard: times for shard, times in self.begun.items() if len(times) > 1}
        lost = Counter(
            shard
            for shard, times in self.begun.items()
            for moment in times
            if moment[1] in killed and not any(end[1] == moment[1] for end in self.ended.get(shard, ()))
        )
        return {
            "shards begun": len(self.begun),
            "begun again": sum(len(times) - 1 for times in again.values()),
            "lost under way": sum(lost.values()),
            "again without being lost": sum(max(0, len(times) - 1 - lost[shard]) for shard, times in again.items()),
            "ended twice": sum(len(times) > 1 for times in self.ended.values()),
        }


def receipts(folder: Path, shards: int, seconds: float) -> dict[str, int]:
    """How many receipts the record of the finished stage has, and of how many shards."""
    config = {"shards": shards, "seconds": seconds, "sleep": seconds, "log": str(folder / "notes")}
    (one,) = work_of(validate({"empty": config}, "empty", "empty"))
    dataset = RunDataset(folder / "run", "empty", one.plan.model_dump_json())
    record = dataset.folder.finished("nothing")
    return {"receipts": len(record.receipts), "of shards": len({one.shard for one in record.receipts})}


def dying(chosen: argparse.Namespace) -> dict[str, Any]:
    """A run whose workers die."""
    processes = chosen.workers // chosen.of
    shards = round(chosen.workers * chosen.minutes * 60 / chosen.seconds)
    with tempfile.TemporaryDirectory(dir=MEMORY) as name, cluster(processes, chosen.of) as (workers, client, _):
        folder, heard, ended = Path(name), Counting(), threading.Event()
        killer = threading.Thread(target=workers.churn, args=(60 / (chosen.dying * processes), ended))
        start = time.monotonic()
        killer.start()
        try:
            run(client, folder, shards, chosen.seconds, heard, chosen.workers)
        finally:
            ended.set()
            killer.join()
        wall = round(time.monotonic() - start)
        killed = {process for _, process in workers.killed}
        told = Notes.read(folder / "notes").told(killed) | receipts(folder, shards, chosen.seconds)
    lost = {"processes killed": len(killed), "workers killed": len(killed) * chosen.of, "warnings": heard.warnings}
    return {"shards": shards, "workers": chosen.workers, "wall": wall, "told done": heard.done, **lost, **told}


def without_scheduler(chosen: argparse.Namespace) -> dict[str, Any]:
    """A run whose scheduler is killed at half, and the one that goes on."""
    processes = chosen.workers // chosen.of
    shards = round(chosen.workers * chosen.minutes * 60 / chosen.seconds)
    with tempfile.TemporaryDirectory(dir=MEMORY) as name:
        folder, error = Path(name), "none"
        with cluster(processes, chosen.of) as (_, client, scheduler):
            first = Counting(shards // 2, scheduler)
            try:
                run(client, folder, shards, chosen.seconds, first, chosen.workers)
            except BoardspaceError as raised:
                error = str(raised)
            time.sleep(2 * chosen.seconds)  # what runs may end and leave its receipt
        before = Notes.read(folder / "notes")
        with cluster(processes, chosen.of) as (_, client, _):
            second = Counting()
            run(client, folder, shards, chosen.seconds, second, chosen.workers)
        after = Notes.read(folder / "notes")
        again = sum(len(after.begun[shard]) > len(before.begun[shard]) for shard in before.ended)
        told = receipts(folder, shards, chosen.seconds)
    counted = {"told done at first": first.done, "ended at first": len(before.ended), "told done then": second.done}
    begun = {
        "begun and not ended at first": len(before.begun.keys() - before.ended.keys()),
        "ended and done again": again,
    }
    return {"shards": shards, "workers": chosen.workers, "error": error, **counted, **begun, **told}


def main() -> None:
    """Print what was found, as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workers", type=int, default=200)
    parser.add_argument("--of", type=int, default=5, help="workers of a process")
    parser.add_argument("--dying", type=float, default=0.05, help="part of the workers that dies in a minute")
    parser.add_argument("--minutes", type=float, default=10.0, help="what the run would take if none died")
    parser.add_argument("--seconds", type=float, default=5.0, help="that a shard sleeps")
    parser.add_argument("--lose-scheduler", action="store_true")
    chosen = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that no process is left behind
    CONTEXT.set_forkserver_preload(PRELOADED)
    print(json.dumps(without_scheduler(chosen) if chosen.lose_scheduler else dying(chosen), indent=1))


if __name__ == "__main__":
    main()
