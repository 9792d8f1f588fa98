"""Where a run's workers come from: processes on this machine, or a Dask cluster that is already there.

The graph of a run is Dask's: queueing, priorities, retries, adaptivity and what a worker's death costs are the
scheduler's. On this machine nobody but the user can take part: scheduler and workers speak TLS with keys that are made
for the run and live in memory, and the workers' scratch folder is private.
"""

import logging
import os
import queue
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import dask
from dask._task_spec import List, Task, TaskRef
from dask.utils import format_bytes, parse_bytes
from distributed import (
    Client,
    Future,
    KilledWorker,
    LocalCluster,
    Nanny,
    NannyPlugin,
    Reschedule,
    Security,
    Worker,
    WorkerPlugin,
    get_worker,
)
from distributed.utils import get_mp_context

from boardspace.engine import compilation, fork_server, leaving
from boardspace.engine.config import ClusterConfig
from boardspace.engine.events import Listener, WorkerDiedError
from boardspace.engine.graph import Ended, Key, Node
from boardspace.engine.machine import cpus
from boardspace.engine.progress import OnProgress, ignored
from boardspace.engine.work import ShardError
from boardspace.spec.errors import BoardspaceError
from boardspace.storage.progress_file import ProgressEvent
from boardspace.storage.scratch import scratch_folder

LOOPBACK = "127.0.0.1"
CONNECT_SECONDS = 20
# How often a run that hears nothing looks whether its cluster is still well, and after how long without a word from a
# worker the user is told.
LOOK_SECONDS = 5.0
SILENT_SECONDS = 30.0
FAILED = "boardspace-shard-failed"
PROGRESS = "boardspace-shard-progress"
"""Topics of events, of which a scheduler keeps the last thousand each."""
# A worker that has imported all it needs holds 100 to 150 MiB; what is left of this limit is for one small shard.
LEAST_MEMORY = 256 << 20
DESCRIPTORS, DESCRIPTORS_OF_A_WORKER = 40, 11
ADDRESSES, DATA = 4 << 30, 1 << 30
"""Bytes of address space, and of data, that a worker takes with what it imports and the least of shards."""
"""Open files that the command needs by itself and for each worker, the latter as measured with 1 to 8 of them."""
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
# What a stage sends is what its shards are given: 12 MB for 100,000. Dask would advise to load such data elsewhere.
ANY_SIZE = {"distributed.admin.large-graph-warning-threshold": "1 TiB"}


class Prepare(WorkerPlugin):
    """Fills numba's cache once per host, as workers of an existing cluster join."""

    idempotent = True

    def __init__(self, spaces: Sequence[str]) -> None:
        self.spaces = tuple(spaces)
        self.name = f"boardspace-{'-'.join(self.spaces)}"

    def setup(self, worker: Worker) -> None:
        """Called by Dask on each worker as it joins; BoardspaceError, with the host's name, where it cannot."""
        try:
            compilation.fill(self.spaces)
        except BoardspaceError as error:
            raise BoardspaceError(f"host {socket.gethostname()}: {error}") from error


class Leaving(WorkerPlugin):
    """Has each worker of an existing cluster leave in good order when it gets SIGTERM."""

    name = "boardspace-leaving"
    idempotent = True

    def setup(self, worker: Worker) -> None:
        """Called by Dask on each worker as it joins."""
        leaving.worker_leaves_on_sigterm(worker, leaving.GRACE_SECONDS)


class LeavingNanny(NannyPlugin):
    """Has the nanny of each worker pass SIGTERM on."""

    name = "boardspace-leaving-nanny"
    restart = False

    def setup(self, nanny: Nanny) -> None:
        """Called by Dask on each nanny as it joins."""
        leaving.nanny_leaves_on_sigterm(nanny, leaving.GRACE_SECONDS)


class NoPages(WorkerPlugin):
    """Ends the web server of each worker as it joins: without pages it would still answer which pages there are."""

    name = "boardspace-no-pages"
    idempotent = True

    def setup(self, worker: Worker) -> None:
        """Called by Dask on each worker as it joins."""
        worker.http_server.stop()


class DaskGraph:
    """The nodes of a run as tasks of a Dask cluster, whose size may change while they run.

    ``worker_seconds`` is how long it may be without a worker; ``on_progress`` takes the progress events of shards, in
    the client's own thread.
    """

    def __init__(
        self,
        client: Client,
        listener: Listener,
        retries: int,
        worker_seconds: float,
        where: str,
        on_progress: OnProgress = ignored,
    ) -> None:
        self.client = client
        self.listener = listener
        self.on_progress = on_progress
        self.retries = retries
        self.where = where
        self.health = _Health(client, listener, worker_seconds, where)
        self._pending: dict[Key, tuple[Node, Future]] = {}
        self._ended: queue.SimpleQueue[Future] = queue.SimpleQueue()
        self._run = f"-{time.monotonic_ns():x}"  # a cluster may still hold the keys of a run before
        self._attempts: dict[str, int] = {}
        self._reporting: dict[str, str] = {}  # shards that reported, and the workers that have them
        self._topics = {FAILED: self._on_failure, PROGRESS: self._on_progress, "all": self._on_cluster_event}
        for topic, handler in self._topics.items():
            client.subscribe_topic(topic, handler)

    def close(self) -> None:
        """Hear no more of the cluster, and leave it as it was; second copies that still run are given up."""
        if self._pending and self.client.status == "running":
            self.cancel()
        for topic in self._topics:
            self.client.unsubscribe_topic(topic)

    def add(self, nodes: Sequence[Node], priority: int) -> None:
        tasks = {self._name(node.key): self._task(node) for node in nodes}
        with dask.config.set(ANY_SIZE):
            futures = self.client.get(tasks, list(tasks), sync=False, retries=self.retries, priority=priority)
        self._pending |= {node.key: (node, future) for node, future in zip(nodes, futures, strict=True)}
        for future in futures:
            future.add_done_callback(self._ended.put)

    def next_ended(self) -> Ended:
        while True:
            ended = self.next_within(min(LOOK_SECONDS, self.health.worker_seconds))
            if ended is not None:
                return ended

    def next_within(self, seconds: float) -> Ended | None:
        """The next node that ends, or None where none does in time; the cluster is looked after meanwhile."""
        try:
            future = self._ended.get(timeout=seconds)
        except queue.Empty:
            self.health.look()
            return None
        node, _ = self._pending.pop(self._key(future.key), (None, None))
        if node is None:
            return None  # a future that was lost and found again ends twice
        return self._outcome(node, future)

    def running(self) -> list[Key]:
        """Nodes that workers have."""
        return [
            self._key(name)
            for names in self.client.processing().values()
            for name in names
            if str(name[0]).endswith(self._run)
        ]

    def stop(self) -> None:
        running = {key for keys in self.client.processing().values() for key in keys}
        futures = [future for _, future in self._pending.values()]
        waiting = [future for future in futures if future.key not in running]
        self.client.cancel(waiting, force=True, reason="the run ends")
        for future in futures:
            if future.key in running:
                future.exception(timeout=None)
        self._pending.clear()

    def cancel(self) -> None:
        futures = [future for _, future in self._pending.values()]
        self._pending.clear()
        self.client.cancel(futures, force=True, reason="the run was stopped")

    def _outcome(self, node: Node, future: Future) -> Ended:
        if future.status == "finished" and future.type is ShardError:
            return Ended(node.key, error=future.result())
        if future.status == "finished":
            return Ended(node.key, future.result() if node.wanted else None)
        error = future.exception() if future.status == "error" else None
        if isinstance(error, KilledWorker):
            return Ended(self._key(error.task), error=WorkerDiedError(f"its worker process died ({_how(error)})"))
        return Ended(
            node.key, error=error or WorkerDiedError(f"{self.where}: the scheduler was lost, or lost this task")
        )

    def _task(self, node: Node) -> Task:
        needed = [List(*(TaskRef(self._name(key)) for key in node.needs))] if node.needs else []
        # Marked as producing data, tasks wait on the scheduler until a worker is free.
        function = _WorkerCall(node.function, self._run, node.reports)
        return Task(self._name(node.key), function, *node.arguments, *needed, _data_producer=not node.needs)

    def _name(self, key: Key) -> tuple[str, int]:
        return (f"{key[0]}{self._run}", key[1])

    def _key(self, name: Any) -> Key:
        return (str(name[0]).removesuffix(self._run), int(name[1]))

    def _on_failure(self, event: tuple[float, dict[str, str]]) -> None:
        """A shard of this run raised: say so, unless the loop will, because it was the last attempt."""
        if event[1]["run"] != self._run:
            return
        shard, cause = event[1]["shard"], event[1]["cause"]
        attempts = self._attempts[shard] = self._attempts.get(shard, 0) + 1
        if attempts <= self.retries:
            self.listener.shard_failed(shard, cause, again=True)

    def _on_progress(self, event: tuple[float, dict[str, Any]]) -> None:
        """A shard reports how far it is, or it has ended; shards of other runs on the cluster are none of ours."""
        content = event[1]
        progress = ProgressEvent(shard=content["shard"], text=content["text"], seconds=content["seconds"])
        if content["run"] != self._run:
            return
        if progress.text:
            self._reporting[progress.shard] = content["worker"]
        elif self._reporting.get(progress.shard) != content["worker"]:
            return  # another worker has it by now
        else:
            del self._reporting[progress.shard]
        self.on_progress(progress)

    def _on_cluster_event(self, event: tuple[float, dict[str, Any]]) -> None:
        """A worker went: end the progress of its shards, and warn of what is done again."""
        content = event[1]
        if content.get("action") == "remove-worker":
            for shard in [shard for shard, worker in self._reporting.items() if worker == content["worker"]]:
                del self._reporting[shard]
                self.on_progress(ProgressEvent(shard=shard, text="", seconds=0.0))
        if content.get("action") == "remove-worker" and not content.get("expected", True):
            for name in content["processing-tasks"]:
                if str(name[0]).endswith(self._run):
                    self.listener.warned(
                        f"{self._key(name)[0]}: a worker process died (killed, crashed, over its time limit, or out of "
                        "memory), or its host was lost; what it was doing is done again"
                    )


@dataclass(frozen=True)
class _WorkerCall:
    """A node's function as a worker calls it: events go to the run for every shard that fails, tried again or not, and,
    where it ``reports``, for the progress of shards. The ShardError of a shard that need not be tried again is its
    result, of a type that :class:`DaskGraph` looks for."""

    function: Callable[..., Any]
    run: str
    reports: bool

    def __call__(self, *arguments: Any) -> Any:
        worker = get_worker()
        failed = next((one for one in _needed(arguments) if isinstance(one, ShardError)), None)
        if failed is not None:
            return failed

        def send(event: ProgressEvent) -> None:
            worker.log_event(PROGRESS, {"run": self.run, **event.model_dump()})

        try:
            return self.function(*arguments, **({"on_progress": send} if self.reports else {}))
        except ShardError as error:
            if error.lasting:
                return error  # a task that raises is tried again
            worker.log_event(FAILED, {"run": self.run, "shard": error.shard, "cause": error.cause})
            raise
        except leaving.HandedBackError as error:
            raise Reschedule from error


def _needed(arguments: Sequence[Any]) -> Sequence[Any]:
    """The results of the nodes that a node needs: its last argument, where that is a list."""
    return arguments[-1] if arguments and isinstance(arguments[-1], list) else ()


def _how(error: KilledWorker) -> str:
    """How a worker may have died, with what is known of its memory."""
    worker = error.last_worker
    used, limit = worker.metrics.get("memory", 0), worker.memory_limit
    memory = f"{format_bytes(used)} of {format_bytes(limit)} when last heard of" if limit else "no limit"
    return (
        f"{error.allowed_failures + 1} times: killed, crashed, over its time limit, or out of memory, which was "
        f"{memory}: see --memory-limit"
    )


class _Health:
    """Looks after a cluster that a run hears nothing of: is the scheduler there, are there workers, do they answer?"""

    def __init__(self, client: Client, listener: Listener, worker_seconds: float, where: str) -> None:
        self.client, self.listener, self.where = client, listener, where
        self.worker_seconds = worker_seconds
        self._without_since: float | None = None
        self._warned: set[str] = set()

    def look(self) -> None:
        """Warn of silent workers; BoardspaceError where the scheduler is gone, or no worker came in time."""
        if self.client.status in {"closed", "closing"}:
            raise BoardspaceError(f"{self.where}: the scheduler is lost; run the same command again to go on")
        try:
            workers = self.client.scheduler_info(n_workers=-1)["workers"]
        except (OSError, ValueError) as error:
            raise BoardspaceError(f"{self.where}: the scheduler does not answer ({error})") from error
        self._count(len(workers))
        newest = max((worker["last_seen"] for worker in workers.values()), default=0.0)
        for address, worker in workers.items():
            silent = newest - worker["last_seen"]
            if silent > SILENT_SECONDS and address not in self._warned:
                self._warned.add(address)
                self.listener.warned(
                    f"worker {address} has not been heard of for {silent:.0f} s; what it has waits for it"
                )

    def _count(self, workers: int) -> None:
        now = time.monotonic()
        if workers:
            self._without_since = None
        elif self._without_since is None:
            self._without_since = now
        elif now - self._without_since > self.worker_seconds:
            raise BoardspaceError(
                f"{self.where}: the scheduler answers, but no worker joined within {self.worker_seconds:.0f} s; start "
                "workers, or raise worker_seconds in the file of --cluster"
            )


@contextmanager
def connected(config: ClusterConfig, spaces: Sequence[str]) -> Iterator[Client]:
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


def prepare(client: Client, spaces: Sequence[str]) -> None:
    """Have the workers of a cluster, those that join later too, compile the kernels of ``spaces``, once a host, and
    leave in good order when they get SIGTERM."""
    client.register_plugin(Prepare(spaces))
    client.register_plugin(Leaving())
    client.register_plugin(LeavingNanny())


def address_of(config: ClusterConfig) -> str:
    """How messages name a cluster."""
    return config.scheduler or config.scheduler_file


def slots_of(client: Client) -> int:
    """How many tasks a cluster can run at the moment, at least 1."""
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


def checked_memory(text: str) -> str:
    """A memory limit as Dask reads it; BoardspaceError where it is none, or too small for any worker."""
    if text == "auto":
        return text
    try:
        size = parse_bytes(text)
    except (ValueError, OverflowError):
        size = -1
    if size < LEAST_MEMORY:
        least = format_bytes(LEAST_MEMORY)
        raise BoardspaceError(
            f"--memory-limit {text!r}: give auto, or at least {least}, such as 4GiB: a worker needs that to start"
        )
    return text


def _check_descriptors(workers: int) -> None:
    """Refuses more workers than the limit on open files allows: they would fail one by one, each in its way."""
    allowed, needed = os.sysconf("SC_OPEN_MAX"), DESCRIPTORS + DESCRIPTORS_OF_A_WORKER * workers
    if 0 <= allowed < needed:
        raise BoardspaceError(
            f"{workers} worker(s) need {needed} open files and {allowed} are allowed: ask for fewer with --workers, "
            "allow more with `ulimit -n 1024`, or run in this process with --workers 0"
        )


def _check_memory_limits() -> None:
    """Refuses limits within which workers start and then die, or wait for one another."""
    try:
        import resource  # not on every system
    except ImportError:  # not on this system, which has no such limits
        return
    for limit, letter, needed in ((resource.RLIMIT_AS, "v", ADDRESSES), (resource.RLIMIT_DATA, "d", DATA)):
        allowed = resource.getrlimit(limit)[0]
        if allowed != resource.RLIM_INFINITY and allowed < needed:
            raise BoardspaceError(
                f"a worker needs {needed >> 20:,} MB and a process may take {allowed >> 20:,} MB here: allow more with "
                f"`ulimit -{letter} {needed >> 10}`, or run in this process with --workers 0"
            )


@contextmanager
def local(count: int | None, memory: str, retries: int) -> Iterator[Client]:
    """``count`` single-threaded worker processes on loopback (one per core where None), stopped at the end.

    Each may use ``memory``, such as "4GiB", or its share of the machine's with "auto". A task whose workers died
    ``retries`` + 1 times fails.
    """
    memory, count = checked_memory(memory), count or cpus()
    _check_descriptors(count)
    _check_memory_limits()
    with scratch_folder() as scratch, _started(count, memory, retries, scratch) as cluster, Client(cluster) as client:
        client.run_on_scheduler(_end_pages)
        client.register_plugin(NoPages())
        yield client


def _started(count: int, memory: str, retries: int, scratch: Path) -> LocalCluster:
    """The scheduler, in this process, and its workers; BoardspaceError where they cannot be had."""
    # Scratch folders are on the path that modules are imported from, the scheduler's on this process's.
    own = {"temporary-directory": str(scratch), "distributed.scheduler.allowed-failures": retries}
    try:
        with dask.config.set({**SETTINGS, **NO_PAGES, **NOT_WATCHED, **own}), fork_server.uninterrupted():
            get_mp_context()  # makes its own list of modules to preload, once; ours has to come after
            fork_server.begin()
            return LocalCluster(
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
        raise BoardspaceError(
            f"the worker processes cannot be started ({error}): ask for fewer with --workers, allow more open files "
            "with `ulimit -n 1024`, or run in this process with --workers 0"
        ) from error


def _end_pages(dask_scheduler: Any) -> None:
    """End the web server of the scheduler."""
    dask_scheduler.http_server.stop()
