"""Graph of a run on a Dask cluster: queueing, priorities, retries, adaptivity and what a worker's death costs are the
scheduler's.
"""

import itertools
import queue
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import dask
from dask._task_spec import List, Task, TaskRef
from dask.utils import format_bytes
from distributed import Client, Future, KilledWorker, Reschedule, get_worker

from boardspace.engine import graceful_stop
from boardspace.engine.events import Listener, WorkerDiedError
from boardspace.engine.gpu import RESOURCE
from boardspace.engine.graph import Ended, Key, Node, Nodes
from boardspace.engine.progress import OnProgress, ignored
from boardspace.engine.work import ShardError
from boardspace.spec.errors import BoardspaceError
from boardspace.storage.progress_file import ProgressEvent

# How often a run that hears nothing looks whether its cluster is still well, and after how long without a word from a
# worker the user is told.
LOOK_SECONDS = 5.0
SILENT_SECONDS = 30.0


def scheduler_lost(where: str) -> BoardspaceError:
    """Error of a run whose scheduler is gone."""
    return BoardspaceError(f"{where}: the scheduler is lost; run the same command again to go on")


class Health:
    """Looks after a cluster that a run hears nothing of: is the scheduler there, are there workers, do they answer?"""

    def __init__(self, client: Client, listener: Listener, worker_seconds: float, where: str) -> None:
        self.client, self.listener, self.where = client, listener, where
        self.worker_seconds = worker_seconds
        self._without_since: float | None = None
        self._warned: set[str] = set()

    def look(self) -> None:
        """Warn of silent workers; BoardspaceError where the scheduler is gone, or no worker came in time."""
        if self.client.status in {"closed", "closing"}:
            raise scheduler_lost(self.where)
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


FAILED = "boardspace-shard-failed"
PROGRESS = "boardspace-shard-progress"
"""Topics of events, of which a scheduler keeps the last thousand each."""
# What a stage sends is what its shards are given: 5 MB for 100,000, and more with parameters. Dask would advise to load
# such data elsewhere.
ANY_SIZE = {"distributed.admin.large-graph-warning-threshold": "1 TiB"}


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
        self.health = Health(client, listener, worker_seconds, where)
        self._pending: dict[Key, tuple[bool, Future]] = {}  # True where the result is wanted
        self._ended: queue.SimpleQueue[Future] = queue.SimpleQueue()
        self._run = f"-{time.monotonic_ns():x}"  # a cluster may still hold the keys of a run before
        self._attempts: dict[str, int] = {}
        self._reporting: dict[str, str] = {}  # shards that reported, and the workers that have them
        self._topics = {FAILED: self._on_failure, PROGRESS: self._on_progress, "all": self._on_cluster_event}
        for topic, handler in self._topics.items():
            client.subscribe_topic(topic, handler)

    def close(self) -> None:
        """Hear no more of the cluster, and leave it as it was."""
        if self._pending and self.client.status == "running":
            self.cancel()
        for topic in self._topics:
            self.client.unsubscribe_topic(topic)

    def add(self, nodes: Nodes, priority: int) -> None:
        """Send nodes to the scheduler as tasks; Dask repeats those that fail, ``retries`` times.

        Where some workers have a GPU and others do not, nodes that use one go to those that do.
        """
        added = list(nodes)
        to_gpus = any(node.gpu for node in added) and self._some_lack_a_gpu()
        for gpu, some in itertools.groupby(added, lambda node: to_gpus and node.gpu):
            self._send(list(some), priority, {RESOURCE: 1} if gpu else None)

    def _some_lack_a_gpu(self) -> bool:
        workers = self.client.scheduler_info(n_workers=-1)["workers"].values()
        return len({RESOURCE in worker["resources"] for worker in workers}) > 1

    def _send(self, added: Sequence[Node], priority: int, resources: dict[str, int] | None) -> None:
        tasks = {self._name(node.key): self._task(node) for node in added}
        with dask.config.set(ANY_SIZE):
            futures = self.client.get(
                tasks, list(tasks), sync=False, retries=self.retries, priority=priority, resources=resources
            )
        self._pending |= {node.key: (node.wanted, future) for node, future in zip(added, futures, strict=True)}
        for future in futures:
            future.add_done_callback(self._ended.put)

    def next_ended(self) -> Ended:
        """Wait for the next task that ends, and look now and then whether the cluster still has workers."""
        while True:
            ended = self._next_within(min(LOOK_SECONDS, self.health.worker_seconds))
            if ended is not None:
                return ended

    def _next_within(self, seconds: float) -> Ended | None:
        """The next node that ends, or None where none does in time; the cluster is looked after meanwhile."""
        try:
            future = self._ended.get(timeout=seconds)
        except queue.Empty:
            self.health.look()
            return None
        status = future.status
        if status == "lost":  # its worker died since, and took the result with it: the scheduler has it done again
            future.add_done_callback(self._ended.put)
            return None
        key = self._key(future.key)
        wanted, _ = self._pending.pop(key, (None, None))
        if wanted is None:
            return None  # a future that was lost and found again ends twice
        return self._outcome(key, wanted, future, status)

    def stop(self) -> None:
        """Cancel the tasks that no worker runs yet, and wait for the others."""
        if self.client.status == "running":
            with suppress(OSError):  # the scheduler is lost, and nothing is left to stop
                self._stop()
        self._pending.clear()

    def _stop(self) -> None:
        running = {key for keys in self.client.processing().values() for key in keys}
        futures = [future for _, future in self._pending.values()]
        waiting = [future for future in futures if future.key not in running]
        self.client.cancel(waiting, force=True, reason="the run ends")
        for future in futures:
            if future.key in running:
                future.exception(timeout=None)

    def cancel(self) -> None:
        """Cancel all tasks, those that run included."""
        futures = [future for _, future in self._pending.values()]
        self._pending.clear()
        self.client.cancel(futures, force=True, reason="the run was stopped")

    def _outcome(self, key: Key, wanted: bool, future: Future, status: str) -> Ended:
        """Outcome of a node by its future, which has this status, with its result where it is wanted."""
        try:
            if status == "finished" and future.type is ShardError:
                return Ended(key, error=future.result())
            if status == "finished":
                return Ended(key, future.result() if wanted else None)
        except OSError:  # of the link to the scheduler: what a node raises has another status
            return Ended(key, error=scheduler_lost(self.where))
        error = future.exception() if status == "error" else None
        if isinstance(error, KilledWorker):
            return Ended(self._key(error.task), error=WorkerDiedError(f"its worker process died ({_how(error)})"))
        if error is None and self.client.status != "running":
            return Ended(key, error=scheduler_lost(self.where))
        return Ended(key, error=error or WorkerDiedError(f"{self.where}: the scheduler lost this task"))

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
        except graceful_stop.HandedBackError as error:
            raise Reschedule from error


def _needed(arguments: Sequence[Any]) -> Sequence[Any]:
    """The results of the nodes that a node needs: its last argument, where that is a list."""
    return arguments[-1] if arguments and isinstance(arguments[-1], list) else ()


def _how(error: KilledWorker) -> str:
    """Sentence on how a worker may have died, with what is known of its memory."""
    worker = error.last_worker
    used, limit = worker.metrics.get("memory", 0), worker.memory_limit
    memory = f"{format_bytes(used)} of {format_bytes(limit)} when last heard of" if limit else "no limit"
    return (
        f"{error.allowed_failures + 1} times: killed, crashed, over its time limit, or out of memory, which was "
        f"{memory}: see --memory-limit"
    )
