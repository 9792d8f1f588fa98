"""Where a run's workers come from: processes on this machine, or a Dask cluster that is already there."""

import itertools
import logging
import multiprocessing
import os
import signal
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import cast
from urllib.parse import urlsplit

import dask
from dask.typing import Key
from distributed import Client, Future, KilledWorker, LocalCluster, Security, Worker, WorkerPlugin, as_completed
from distributed.utils import get_mp_context

from boardspace.pipeline import jit_cache
from boardspace.pipeline.config import ClusterConfig
from boardspace.pipeline.engine import WorkerDiedError, Workers
from boardspace.pipeline.errors import BoardspaceError
from boardspace.pipeline.task import Done, Task, run_bundle

LOOPBACK = "127.0.0.1"
CONNECT_SECONDS = 20
DEMAND = "boardspace-demand"
MOST_DEMANDS = 100
SLOTS_SECONDS = 2.0
SETTINGS = {
    "distributed.scheduler.allowed-failures": 0,  # the engine counts failures, deaths of workers among them
    "distributed.admin.system-monitor.gil.enabled": False,
    "distributed.worker.multiprocessing-method": "forkserver",
    # Without Dask's MALLOC_TRIM_THRESHOLD_ and Arrow's own pool: both give large arrays back at once, only to map the
    # next one anew, page fault by page fault, which took half of the time of stages that read and write tables.
    "distributed.nanny.pre-spawn-environ": {
        "OMP_NUM_THREADS": 1,
        "OPENBLAS_NUM_THREADS": 1,
        "ARROW_DEFAULT_MEMORY_POOL": "system",
    },
}
# Imported once, by the process that workers are forked from: half the time it takes to start a cluster.
PRELOADED = ["distributed", "numba", "zarr", "boardspace.pipeline.task"]


class Prepare(WorkerPlugin):
    """Fills numba's cache once per host, as workers of an existing cluster join."""

    idempotent = True

    def __init__(self, spaces: Sequence[str]) -> None:
        self.spaces = tuple(spaces)
        self.name = f"boardspace-{'-'.join(self.spaces)}"

    def setup(self, worker: Worker) -> None:
        """Called by Dask on each worker as it joins."""
        jit_cache.fill(self.spaces)


class DaskWorkers:
    """Bundles on a Dask cluster, whose size may change while they run.

    No more bundles are submitted than there are slots, so an adaptive cluster would see no reason to grow. What waits
    is told to it by *demands*, ``most_demands`` at most: tasks for a resource that no worker has. They never run, and
    they go as what waits does.
    """

    def __init__(self, client: Client, shard_seconds: float, most_demands: int = 0) -> None:
        self.client = client
        self.shard_seconds = shard_seconds
        self.most_demands = most_demands
        self._bundles: dict[Key, Sequence[Task]] = {}
        self._done = as_completed(with_results=True, raise_errors=False)
        self._demands: list[Future] = []
        self._names = itertools.count()
        self._slots = 0
        self._slots_known = -SLOTS_SECONDS

    @property
    def slots(self) -> int:
        """See :class:`boardspace.pipeline.engine.Workers`."""
        if time.monotonic() - self._slots_known > SLOTS_SECONDS:
            self._slots = max(1, sum(self.client.nthreads().values()))
            self._slots_known = time.monotonic()
        return self._slots

    def submit(self, bundle: Sequence[Task]) -> None:
        """See :class:`boardspace.pipeline.engine.Workers`."""
        # Dask learns how long the tasks of one prefix take.
        key = (f"{bundle[0].space}/{bundle[0].stage}", next(self._names))
        self._bundles[key] = bundle
        self._done.add(self.client.submit(run_bundle, bundle, self.shard_seconds, key=key, pure=False))

    def next_done(self) -> Sequence[Done]:
        """See :class:`boardspace.pipeline.engine.Workers`."""
        future, result = next(self._done)
        bundle = self._bundles.pop(future.key)
        if future.status != "finished":
            reason = _reason(future.exception())
            result = [(task, reason) for task in bundle]
        future.release()
        return cast(Sequence[Done], result)

    def waiting(self, tasks: int) -> None:
        """See :class:`boardspace.pipeline.engine.Workers`."""
        wanted = min(tasks, self.most_demands)
        while len(self._demands) > wanted:
            self._demands.pop().release()
        while len(self._demands) < wanted:
            key = (DEMAND, next(self._names))
            self._demands.append(self.client.submit(int, key=key, resources={DEMAND: 1}))

    def cancel(self) -> None:
        """See :class:`boardspace.pipeline.engine.Workers`."""
        self.waiting(0)
        self.client.cancel(list(self._done.futures), force=True)


def _reason(error: BaseException | None) -> BaseException:
    """What the engine is told of a task that brought no receipt."""
    if isinstance(error, KilledWorker):
        return WorkerDiedError(
            "its worker process died (killed, crashed, over its time limit, or out of memory: see --memory-limit)"
        )
    return error or WorkerDiedError("the scheduler lost it")


@contextmanager
def existing(config: ClusterConfig, spaces: Sequence[str], shard_seconds: float) -> Iterator[Workers]:
    """The workers of a cluster that is already there, made ready for ``spaces``.

    A shard that takes longer than ``shard_seconds`` (0: no limit) costs its worker process and counts as failed.
    """
    where = config.scheduler or config.scheduler_file
    address = {"address": config.scheduler} if config.scheduler else {"scheduler_file": config.scheduler_file}
    try:
        client = Client(**address, security=_security(config), timeout=CONNECT_SECONDS)
    except (OSError, ValueError, TypeError) as error:
        raise BoardspaceError(f"{where}: no Dask scheduler answers there ({error}); is it running?") from error
    with client:
        workers = DaskWorkers(client, shard_seconds, MOST_DEMANDS)
        workers.waiting(1)  # without a demand a cluster that adapts would start no worker, or end it again
        _wait_for_workers(client, where, config.worker_seconds)
        client.register_plugin(Prepare(spaces))
        yield workers


def _wait_for_workers(client: Client, where: str, seconds: float) -> None:
    """Until one is there."""
    try:
        client.wait_for_workers(1, timeout=seconds)
    except TimeoutError:
        raise BoardspaceError(
            f"{where}: the scheduler answers, but no worker joined within {seconds:.0f} s; "
            "start workers, or raise worker_seconds in the file of --cluster"
        ) from None


def is_exposed(config: ClusterConfig) -> bool:
    """Whether tasks would travel in the clear to another machine: anyone who reaches that scheduler runs code there."""
    host = urlsplit(config.scheduler if "://" in config.scheduler else f"tcp://{config.scheduler}").hostname
    return bool(config.scheduler) and not config.ca and host not in {"localhost", "127.0.0.1", "::1"}


def _security(config: ClusterConfig) -> Security | None:
    if not config.ca:
        return None
    return Security(
        tls_ca_file=config.ca, tls_client_cert=config.cert, tls_client_key=config.key, require_encryption=True
    )


@contextmanager
def local(count: int | None, memory: str, shard_seconds: float) -> Iterator[Workers]:
    """``count`` single-threaded worker processes on loopback (one per core where None), stopped at the end.

    Each may use ``memory``, such as "4GiB", or its share of the machine's with "auto"; ``shard_seconds`` is as in
    :func:`existing`.
    """
    # Workers start with SIGINT ignored, which they inherit: on Ctrl-C the run stops them in good order.
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with dask.config.set(SETTINGS):
            get_mp_context()  # makes its own list of modules to preload, once; ours has to come after
            multiprocessing.set_forkserver_preload(PRELOADED)
            cluster = LocalCluster(
                n_workers=count or len(os.sched_getaffinity(0)),
                threads_per_worker=1,
                processes=True,
                host=LOOPBACK,
                dashboard_address=f"{LOOPBACK}:0",
                memory_limit=memory,
                silence_logs=logging.CRITICAL,
            )
    finally:
        signal.signal(signal.SIGINT, handler)
    with cluster, Client(cluster) as client:
        yield DaskWorkers(client, shard_seconds)
