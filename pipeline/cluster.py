"""Where a run's workers come from: processes on this machine, or a Dask cluster that is already there."""

import itertools
import logging
import os
import signal
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import dask
from distributed import Client, Future, KilledWorker, LocalCluster, Worker, WorkerPlugin, as_completed

from pipeline import jit_cache
from pipeline.engine import WorkerDiedError, Workers
from pipeline.errors import BoardspaceError
from pipeline.registry import space_named
from pipeline.storage.receipts import Receipt
from pipeline.task import Task, run_task

LOOPBACK = "127.0.0.1"
CONNECT_SECONDS = 20
SLOTS_SECONDS = 2.0
SETTINGS = {
    "distributed.scheduler.allowed-failures": 0,  # the engine counts failures, deaths of workers among them
    "distributed.admin.system-monitor.gil.enabled": False,
}


class Prepare(WorkerPlugin):
    """Fills numba's cache once per host, as workers of an existing cluster join."""

    idempotent = True

    def __init__(self, spaces: Sequence[str]) -> None:
        self.spaces = tuple(spaces)
        self.name = f"boardspace-{'-'.join(self.spaces)}"

    def setup(self, worker: Worker) -> None:
        """Called by Dask on each worker as it joins."""
        jit_cache.fill({name: space_named(name).warm_up for name in self.spaces})


class DaskWorkers:
    """Tasks on a Dask cluster, whose size may change while they run."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self._tasks: dict[str, Task] = {}
        self._done = as_completed()
        self._names = itertools.count()
        self._slots = 0
        self._slots_known = -SLOTS_SECONDS

    @property
    def slots(self) -> int:
        """See :class:`pipeline.engine.Workers`."""
        if time.monotonic() - self._slots_known > SLOTS_SECONDS:
            self._slots = max(1, sum(self.client.nthreads().values()))
            self._slots_known = time.monotonic()
        return self._slots

    def submit(self, task: Task) -> None:
        """See :class:`pipeline.engine.Workers`."""
        key = f"{task.label}#{next(self._names)}"
        self._tasks[key] = task
        self._done.add(self.client.submit(run_task, task, key=key, pure=False))

    def next_done(self) -> tuple[Task, Receipt | BaseException]:
        """See :class:`pipeline.engine.Workers`."""
        future: Future = next(self._done)
        task = self._tasks.pop(future.key)
        try:
            result = future.result()
        except KilledWorker:
            result = WorkerDiedError("its worker process died (killed, crashed, or out of memory: see --memory-limit)")
        except Exception as error:  # whatever the shard raised is the engine's to count and report
            result = error
        future.release()
        return task, result

    def cancel(self) -> None:
        """See :class:`pipeline.engine.Workers`."""
        self.client.cancel(list(self._done.futures), force=True)


@contextmanager
def existing(address: str, spaces: Sequence[str]) -> Iterator[Workers]:
    """The workers of the cluster whose scheduler listens at ``address``, made ready for ``spaces``."""
    try:
        client = Client(address, timeout=CONNECT_SECONDS)
    except (OSError, ValueError) as error:
        raise BoardspaceError(f"{address}: no Dask scheduler answers there ({error}); is it running?") from error
    with client:
        if not client.nthreads():
            client.wait_for_workers(1, timeout=CONNECT_SECONDS)
        client.register_plugin(Prepare(spaces))
        yield DaskWorkers(client)


@contextmanager
def local(count: int | None, memory: str) -> Iterator[Workers]:
    """``count`` single-threaded worker processes on loopback (one per core where None), stopped at the end.

    Each may use ``memory``, such as "4GiB", or its share of the machine's with "auto".
    """
    # Workers start with SIGINT ignored, which they inherit: on Ctrl-C the run stops them in good order.
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with dask.config.set(SETTINGS):
            cluster = LocalCluster(
                n_workers=count or len(os.sched_getaffinity(0)),
                threads_per_worker=1,
                processes=True,
                host=LOOPBACK,
                dashboard_address=None,
                memory_limit=memory,
                silence_logs=logging.CRITICAL,
            )
    finally:
        signal.signal(signal.SIGINT, handler)
    with cluster, Client(cluster) as client:
        yield DaskWorkers(client)
