"""Dask clusters that are already there: the client, and what their workers are told."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager

from distributed import Client, Nanny, NannyPlugin, Security, Worker, WorkerPlugin

from boardspace.engine import compilation, graceful_stop
from boardspace.engine.config import ClusterConfig
from boardspace.engine.gpu import RESOURCE, gpu_for
from boardspace.spec.errors import BoardspaceError

CONNECT_SECONDS = 20


class Prepare(WorkerPlugin):
    """Fills numba's cache once per host, as workers of an existing cluster join."""

    idempotent = True

    def __init__(self, spaces: compilation.Needs) -> None:
        self.spaces = spaces
        self.name = "-".join(["boardspace", *(name for space, more in spaces.items() for name in (space, *more))])

    def setup(self, worker: Worker) -> None:
        """Called by Dask on each worker as it joins; BoardspaceError, with the host's name, where it cannot."""
        try:
            compilation.fill(self.spaces)
        except BoardspaceError as error:
            raise BoardspaceError(f"host {socket.gethostname()}: {error}") from error


class Leaving(WorkerPlugin):
    """Has each worker of an existing cluster leave in good order when it gets SIGTERM."""

    name = "boardspace-graceful-stop"
    idempotent = True

    def setup(self, worker: Worker) -> None:
        """Called by Dask on each worker as it joins."""
        graceful_stop.worker_leaves_on_sigterm(worker, graceful_stop.GRACE_SECONDS)


class LeavingNanny(NannyPlugin):
    """Has the nanny of each worker pass SIGTERM on."""

    name = "boardspace-graceful-stop-nanny"
    restart = False

    def setup(self, nanny: Nanny) -> None:
        """Called by Dask on each nanny as it joins."""
        graceful_stop.nanny_leaves_on_sigterm(nanny, graceful_stop.GRACE_SECONDS)


class AnnouncingGpus(WorkerPlugin):
    """Gives each worker whose host has a GPU the resource that says so."""

    name = "boardspace-gpus"
    idempotent = True

    async def setup(self, worker: Worker) -> None:
        """Called by Dask on each worker as it joins."""
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
    client.register_plugin(Prepare(spaces))
    client.register_plugin(Leaving())
    client.register_plugin(LeavingNanny())


def announce_gpus(client: Client) -> None:
    """Have the workers of a cluster that have a GPU say so, those that join later too."""
    client.register_plugin(AnnouncingGpus())


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
