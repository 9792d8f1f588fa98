"""Where a run's workers come from: processes on this machine, or a Dask cluster that is already there."""

import logging
import os
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import dask
from distributed import Client, LocalCluster, Worker, WorkerPlugin

from pipeline import jit_cache
from pipeline.engine import DaskWorkers, InProcess, Workers
from pipeline.errors import BoardspaceError
from pipeline.registry import space_named

LOOPBACK = "127.0.0.1"
CONNECT_SECONDS = 20


class Prepare(WorkerPlugin):
    """Readies a worker process: Ctrl-C is the run's to handle, and numba's cache is filled once per host."""

    idempotent = True

    def __init__(self, spaces: Sequence[str]) -> None:
        self.spaces = tuple(spaces)
        self.name = f"boardspace-{'-'.join(self.spaces)}"

    def setup(self, worker: Worker) -> None:
        """Called by Dask on each worker as it joins."""
        jit_cache.fill({name: space_named(name).warm_up for name in self.spaces})


@contextmanager
def workers(count: int | None, memory: str, scheduler: str | None, spaces: Sequence[str]) -> Iterator[Workers]:
    """Workers for a run over ``spaces``, released at the end.

    ``scheduler`` is the address of an existing cluster; without one ``count`` single-threaded processes are started on
    loopback (one per core where None), each allowed ``memory`` (such as "4GiB", or "auto"). With a count of 0 tasks run
    in this process.
    """
    if scheduler:
        with _connected(scheduler) as client:
            client.register_plugin(Prepare(spaces))
            yield DaskWorkers(client)
    elif count == 0:
        yield InProcess()
    else:
        with _local(count or len(os.sched_getaffinity(0)), memory) as client:
            yield DaskWorkers(client)


@contextmanager
def _connected(address: str) -> Iterator[Client]:
    try:
        client = Client(address, timeout=CONNECT_SECONDS)
    except (OSError, ValueError) as error:
        raise BoardspaceError(f"{address}: no Dask scheduler answers there ({error}); is it running?") from error
    with client:
        if not client.nthreads():
            client.wait_for_workers(1, timeout=CONNECT_SECONDS)
        yield client


@contextmanager
def _local(count: int, memory: str) -> Iterator[Client]:
    # Workers are started with SIGINT ignored, which they inherit: on Ctrl-C the run stops them in good order.
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with dask.config.set({"distributed.admin.system-monitor.gil.enabled": False}):
            cluster = LocalCluster(
                n_workers=count,
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
        yield client
