"""Dask clusters: scheduler and workers on this machine, or those that are already there, and what these are told.

On this machine nobody but the user can take part: they speak TLS with keys that are made for the run and live in
memory, and the workers' scratch folder is private.
"""

import errno
import logging
import os
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import dask
from dask.utils import format_bytes, parse_bytes
from distributed import Client, LocalCluster, Nanny, NannyPlugin, Security, Worker, WorkerPlugin
from distributed.utils import get_mp_context

from boardspace.engine import compilation, fork_server, graceful_stop
from boardspace.engine.config import ClusterConfig
from boardspace.engine.gpu import RESOURCE, gpu_for
from boardspace.engine.machine import cpus
from boardspace.spec.errors import BoardspaceError
from boardspace.spec.texts import counted
from boardspace.storage.scratch import scratch_folder

LOOPBACK = "127.0.0.1"
DESCRIPTORS, DESCRIPTORS_OF_A_WORKER = 40, 11
"""Open files that the command needs by itself and for each worker, the latter as measured with 1 to 8 of them."""
ADVICE = {
    errno.EFBIG: "allow larger files with `ulimit -f`",
    errno.ENOSPC: "free some space in the folder of TMPDIR",
    errno.EDQUOT: "free some space in the folder of TMPDIR",
    errno.EMFILE: "ask for fewer with --workers, allow more open files with `ulimit -n 1024`",
    errno.ENFILE: "ask for fewer with --workers",
}
"""What to do where workers cannot be started, by the number of the error."""
SETTINGS = {
    "distributed.admin.system-monitor.gil.enabled": False,
    # One task a worker: when one dies, what it had is what was running.
    "distributed.scheduler.worker-saturation": 1.0,
    "distributed.worker.multiprocessing-method": "forkserver",
    # A paused worker frees nothing here, so pausing would be to wait for ever: a process that outgrows its limit ends.
    "distributed.worker.memory.target": False,
    "distributed.worker.memory.spill": False,
    "distributed.worker.memory.pause": False,
    "distributed.worker.memory.terminate": 0.95,
    "distributed.worker.memory.monitor-interval": "300 ms",  # each look at a worker takes milliseconds of this process
    "distributed.nanny.pre-spawn-environ": fork_server.ENVIRONMENT,
}
# Without a dashboard, too, scheduler and workers serve pages over plain HTTP, to all users of a machine: none here.
NO_PAGES: dict[str, list[str]] = {"distributed.scheduler.http.routes": [], "distributed.worker.http.routes": []}
# What those pages would show is not gathered either: it took half of the CPU seconds of this process in a default run.
NOT_WATCHED = {
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "1 s",
    "distributed.admin.system-monitor.interval": "5 s",
    "distributed.admin.system-monitor.disk": False,
}

CONNECT_SECONDS = 20


class Joining(WorkerPlugin):
    """Has each worker of a cluster, those that join later too, do ``act`` as it joins."""

    idempotent = True

    def __init__(self, name: str, act: Callable[[Worker], Any]) -> None:
        self.name = f"boardspace-{name}"
        self.act = act

    def setup(self, worker: Worker) -> Any:
        """Called by Dask on each worker as it joins."""
        return self.act(worker)


def _end_pages(worker: Worker) -> None:
    # Without pages it would still answer which pages there are.
    worker.http_server.stop()


def _check_descriptors(workers: int) -> None:
    """Refuses more workers than the limit on open files allows: they would fail one by one, each in its way."""
    allowed, needed = os.sysconf("SC_OPEN_MAX"), DESCRIPTORS + DESCRIPTORS_OF_A_WORKER * workers
    if 0 <= allowed < needed:
        raise BoardspaceError(
            f"{counted(workers, 'worker')} cannot work with {allowed} open files, {needed} are needed: ask for fewer "
            f"with --workers, allow more with `ulimit -n {needed}`, or run in this process with --workers 0"
        )


@contextmanager
def local(count: int | None, memory: str, retries: int) -> Iterator[Client]:
    """``count`` single-threaded worker processes on loopback (one per core where None), stopped at the end.

    Each may use ``memory``, such as "4GiB", or its share of the machine's with "auto". A task whose workers died
    ``retries`` + 1 times fails.
    """
    count = count or cpus()
    _check_descriptors(count)
    with scratch_folder() as scratch, _started(count, memory, retries, scratch) as cluster, Client(cluster) as client:
        client.run_on_scheduler(lambda dask_scheduler: dask_scheduler.http_server.stop())
        client.register_plugin(Joining("no-pages", _end_pages))
        yield client


@contextmanager
def _started(count: int, memory: str, retries: int, scratch: Path) -> Iterator[LocalCluster]:
    """The scheduler, in this process, and its workers; BoardspaceError where they cannot be had.

    The settings hold as long as the cluster does: Dask asks for them again for each worker that it starts in the place
    of one that died.
    """
    # Scratch folders are on the path that modules are imported from, the scheduler's on this process's.
    own = {"temporary-directory": str(scratch), "distributed.scheduler.allowed-failures": retries}
    with dask.config.set({**SETTINGS, **NO_PAGES, **NOT_WATCHED, **own}):
        try:
            with fork_server.uninterrupted():
                get_mp_context()  # makes its own list of modules to preload, once; ours has to come after
                fork_server.begin()
                cluster = LocalCluster(
                    n_workers=count,
                    threads_per_worker=1,
                    processes=True,
                    host=LOOPBACK,
                    protocol="tls://",
                    security=Security.temporary(),
                    dashboard_address=None,
                    scheduler_kwargs={"dashboard_address": f"{LOOPBACK}:0"},  # any port: 8787 may be another run's
                    memory_limit=memory,
                    silence_logs=logging.CRITICAL,
                )
        except (OSError, RuntimeError) as error:
            advice = ADVICE.get(_number(error), "ask for fewer with --workers")
            raise BoardspaceError(
                f"the worker processes cannot be started ({error}): {advice}, or run in this process with --workers 0"
            ) from error
        with cluster:
            yield cluster


def _number(error: BaseException | None) -> int:
    """Number of an error of the system, or of the one that it came from; 0 where there is none."""
    while error is not None and getattr(error, "errno", None) is None:
        error = error.__cause__
    return getattr(error, "errno", 0)


# A worker that has imported all it needs holds 100 to 150 MiB; what is left of this limit is for one small shard.
LEAST_MEMORY = 256 << 20


def check_memory(text: str) -> None:
    """BoardspaceError where this is no memory limit as Dask reads it, or too small for any worker."""
    if text == "auto":
        return
    try:
        size = parse_bytes(text)
    except (ValueError, OverflowError):
        size = -1
    if size < LEAST_MEMORY:
        least = format_bytes(LEAST_MEMORY)
        raise BoardspaceError(
            f"--memory-limit {text!r}: give auto, or at least {least}, such as 4GiB: a worker needs that to start"
        )


def _compile(spaces: compilation.Needs, worker: Worker) -> None:
    """Fill numba's cache, once a host; BoardspaceError, with the host's name, where that fails."""
    try:
        compilation.fill(spaces)
    except BoardspaceError as error:
        raise BoardspaceError(f"host {socket.gethostname()}: {error}") from error


class LeavingNanny(NannyPlugin):
    """Has the nanny of each worker pass SIGTERM on."""

    name = "boardspace-graceful-stop-nanny"
    restart = False

    def setup(self, nanny: Nanny) -> None:
        """Called by Dask on each nanny as it joins."""
        graceful_stop.nanny_leaves_on_sigterm(nanny)


async def _announce(worker: Worker) -> None:
    if gpu_for("auto") is not None:
        await worker.set_resources(**{RESOURCE: worker.state.nthreads})


@contextmanager
def connected(config: ClusterConfig, spaces: compilation.Needs) -> Iterator[Client]:
    """A client of a cluster that is already there, made ready for ``spaces``."""
    where = address_of(config)
    address = {"address": config.scheduler} if config.scheduler else {"scheduler_file": config.scheduler_file}
    try:
        client = Client(**address, security=_security(config), timeout=CONNECT_SECONDS)
    except (OSError, ValueError, TypeError) as error:
        raise BoardspaceError(f"{where}: no Dask scheduler answers there ({error}); is it running?") from error
    with client:
        prepare(client, spaces)
        yield client


def prepare(client: Client, spaces: compilation.Needs) -> None:
    """Have the workers of a cluster, those that join later too, compile the kernels of ``spaces``, once a host, and
    leave in good order when they get SIGTERM."""
    names = "-".join(name for space, more in spaces.items() for name in (space, *more))
    client.register_plugin(Joining(names, partial(_compile, spaces)))
    client.register_plugin(Joining("graceful-stop", graceful_stop.worker_leaves_on_sigterm))
    client.register_plugin(LeavingNanny())


def announce_gpus(client: Client) -> None:
    """Have the workers of a cluster that have a GPU say so, those that join later too."""
    client.register_plugin(Joining("gpus", _announce))


def address_of(config: ClusterConfig) -> str:
    """Name of a cluster in messages."""
    return config.scheduler or config.scheduler_file


def slots_of(client: Client) -> int:
    """Number of tasks that a cluster can run at the moment, at least 1."""
    return max(1, sum(client.nthreads().values()))


def least_memory(client: Client) -> int | None:
    """The memory limit of the worker that has the smallest, in bytes; None where none has one, or none is there yet."""
    limits = [worker["memory_limit"] for worker in client.scheduler_info(n_workers=-1)["workers"].values()]
    return min(filter(None, limits), default=None)


def _security(config: ClusterConfig) -> Security | None:
    if not config.ca:
        return None
    return Security(
        tls_ca_file=config.ca, tls_client_cert=config.cert, tls_client_key=config.key, require_encryption=True
    )
