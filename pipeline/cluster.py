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
from distributed import Client, KilledWorker, LocalCluster, Security, Worker, WorkerPlugin, as_completed
from distributed.utils import get_mp_context

from pipeline import jit_cache
from pipeline.config import ClusterConfig
from pipeline.engine import WorkerDiedError, Workers
from pipeline.errors import BoardspaceError
from pipeline.task import Done, Task, run_bundle

LOOPBACK = "127.0.0.1"
CONNECT_SECONDS = 20
SLOTS_SECONDS = 2.0
SETTINGS = {
    "distributed.scheduler.allowed-failures": 0,  # the engine counts failures, deaths of workers among them
    "distributed.admin.system-monitor.gil.enabled": False,
    "distributed.worker.multiprocessing-method": "forkserver",
}
# Imported once, by the process that workers are forked from: half the time it takes to start a cluster.
PRELOADED = ["distributed", "numba", "zarr", "pipeline.task"]


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
    """Bundles on a Dask cluster, whose size may change while they run."""

    def __init__(self, client: Client, shard_seconds: float) -> None:
        self.client = client
        self.shard_seconds = shard_seconds
        self._bundles: dict[str, Sequence[Task]] = {}
        self._done = as_completed(with_results=True, raise_errors=False)
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

    def submit(self, bundle: Sequence[Task]) -> None:
        """See :class:`pipeline.engine.Workers`."""
        key = f"{bundle[0].label}#{next(self._names)}"
        self._bundles[key] = bundle
        self._done.add(self.client.submit(run_bundle, bundle, self.shard_seconds, key=key, pure=False))

    def next_done(self) -> Sequence[Done]:
        """See :class:`pipeline.engine.Workers`."""
        future, result = next(self._done)
        bundle = self._bundles.pop(future.key)
        if future.status != "finished":
            reason = _reason(future.exception())
            result = [(task, reason) for task in bundle]
        future.release()
        return cast(Sequence[Done], result)

    def cancel(self) -> None:
        """See :class:`pipeline.engine.Workers`."""
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
        if not client.nthreads():
            client.wait_for_workers(1, timeout=CONNECT_SECONDS)
        client.register_plugin(Prepare(spaces))
        yield DaskWorkers(client, shard_seconds)


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
