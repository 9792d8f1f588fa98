"""Running a configuration: from a validated config to finished datasets, on this machine or on a cluster."""

import functools
import shutil
import signal
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from boardspace.engine import compilation, fork_server, loop
from boardspace.engine.config import ClusterConfig, Config
from boardspace.engine.events import Listener, SpaceSummary
from boardspace.engine.graph import Ended, InProcess, Nodes, TaskGraph
from boardspace.engine.machine import check_memory_limits, cpus, handled
from boardspace.engine.outputs import most_bytes
from boardspace.engine.plan import Work, refuse_other_format, refuse_other_plans, save_plan, work_of
from boardspace.engine.progress import EVERY_SECONDS, OnProgress, Repeated, RunningShards
from boardspace.engine.work import ShardError
from boardspace.spec.errors import BoardspaceError
from boardspace.spec.stages import stages_of
from boardspace.storage.complete import is_complete, read_complete
from boardspace.storage.locations import Location
from boardspace.storage.ownership import refuse_foreign_files, refuse_taken_folder, remove
from boardspace.storage.progress_file import ProgressEvent, remove_progress, write_progress
from boardspace.storage.run_folder import SpaceFolder, locked

if TYPE_CHECKING:
    from distributed import Client


class LazyCluster:
    """Graph that runs nodes in this process, ``here``, until shards are added; then it begins another one for the rest.

    Of several nodes that are added together, all but the last are bundles of shards.
    """

    def __init__(self, here: InProcess, begin: Callable[[], TaskGraph]) -> None:
        self._begin = begin
        self._here = here
        self._graph: TaskGraph = here

    def add(self, nodes: Nodes, priority: int) -> None:
        """Add nodes; where they are the first shards, the other graph begins with them and all that wait."""
        if self._graph is self._here and len(nodes) > 1:
            self._graph = self._begin()
            for node, its_priority in self._here.taken():
                self._graph.add([node], its_priority)
        self._graph.add(nodes, priority)

    def next_ended(self) -> Ended | None:
        return self._graph.next_ended()

    def stop(self) -> None:
        self._graph.stop()

    def cancel(self) -> None:
        self._graph.cancel()


SetAside = Callable[[Location, list[Work], Callable[[str], None]], None]
# How long a client that a caller hands over may be without a worker.
WORKER_SECONDS = 300.0


@dataclass(frozen=True)
class Workers:
    """Processes that do the work of a run: those of a Dask cluster, or some on this machine.

    client: of a Dask cluster that is already there.
    cluster: else, the cluster to connect to.
    count: else, processes on this machine; one per core where None, this very process with 0.
    memory_limit: of each of these processes, such as "4GiB".
    """

    client: "Client | None" = None
    cluster: ClusterConfig | None = None
    count: int | None = None
    memory_limit: str = "auto"

    @property
    def are_here(self) -> bool:
        """True where they are processes of their own on this machine."""
        return self.client is None and self.cluster is None and self.count != 0

    def check(self) -> None:
        """BoardspaceError where no such workers can start here."""
        if self.are_here:
            check_memory_limits()
        if self.memory_limit != "auto":
            from boardspace.engine.dask_clusters import check_memory  # Dask takes a second to import

            check_memory(self.memory_limit)


@dataclass(frozen=True)
class Resume:
    """Treatment of what an earlier run left in the folder; by default its finished shards are kept.

    fresh: delete it first.
    keep: keep shards of the same parameters and inputs although another plan made them.
    set_aside: called before the run; moves files away that are to be made again
        (:func:`boardspace.verify.repair.set_damaged_aside`).
    break_lock: the owner of a lock in a bucket, which would be waited for, is dead.
    """

    fresh: bool = False
    keep: bool = False
    set_aside: SetAside | None = None
    break_lock: bool = False

    @property
    def anew(self) -> bool:
        """True where the plan in the folder, be it torn or gone, is written anew."""
        return self.fresh or self.keep


ON_THIS_MACHINE, AS_IT_IS = Workers(), Resume()


def run(
    config: Config,
    out: Location | None = None,
    workers: Workers = ON_THIS_MACHINE,
    resume: Resume = AS_IT_IS,
    listener: Listener | None = None,
) -> Mapping[str, SpaceSummary]:
    """Run a configuration into the folder ``out`` and return what was done for each space.

    ``out`` may be a place in a bucket (:func:`boardspace.storage.locations.located`).

    Raises BoardspaceError where the folder, the cluster or a shard stand in the way; finished shards are kept.
    """
    root = (out or config.out).absolute()
    workers.check()
    refuse_taken_folder(root, plan_may_be_lost=resume.anew)
    listener = listener or Listener()
    running = RunningShards()
    with (
        locked(root, listener.warned, resume.break_lock),
        handled(signal.SIGTERM, signal.default_int_handler),  # it ends a run as Ctrl-C does
        progress_events(root, running, listener) as on_progress,
    ):
        work = prepared(config, root, resume)
        for text in short_of_room(work, root):
            listener.warned(text)
        if resume.set_aside is not None:
            resume.set_aside(root, work, listener.warned)
        listener.begun(running)
        made = _GraphMaker(config, root, work, workers, listener, on_progress)
        with ExitStack() as stack:
            graph, slots = made.graph(stack)
            limits = loop.Limits(config.run.retries, slots, config.run.shard_seconds, config.run.gpu)
            try:
                return loop.run(work, root, graph, listener, limits)
            except KeyboardInterrupt:
                graph.cancel()
                raise


def begin_early(config: Config, root: Location, workers: Workers) -> None:
    """Start what workers on this machine are forked from, where a run of ``config`` will have some: it imports while
    the caller plans. Where that cannot be told, or done, the run does it later, or reports why not."""
    if workers.are_here and isinstance(root, Path):
        with suppress(OSError, BoardspaceError):
            if any(read_complete(SpaceFolder(root.absolute(), space)) is None for space in config.spaces):
                check_memory_limits()
                fork_server.begin()


def short_of_memory(work: Sequence[Work], limit: int | None) -> Iterator[str]:
    """A line for each space with shards that may take more memory than a worker's ``limit``."""
    for one in work:
        largest = max(stages_of(one.space, one.config).values(), key=lambda stage: stage.memory)
        if limit is not None and largest.memory > limit:
            yield (
                f"{one.space.name}: a shard of {largest.name} may take {largest.memory / 1e9:.1f} GB of memory, and a "
                f"worker here {limit / 1e9:.1f} GB: give each more with --memory-limit, or by fewer --workers"
            )


def short_of_room(work: Sequence[Work], root: Location) -> Iterator[str]:
    """A line where the plan says that a run may write more than the disk of its folder has free."""
    if not isinstance(root, Path):
        return
    needed, free = sum(most_bytes(stages_of(one.space, one.config)) for one in work), shutil.disk_usage(root).free
    if needed > free and any(read_complete(SpaceFolder(root, one.space.name)) is None for one in work):
        yield (
            f"{root}: by the plan {needed / 1e9:,.1f} GB may lie there, less what is there already, and its disk has "
            f"{free / 1e9:,.1f} GB free: the run ends where the disk is full; name another with --out"
        )


def prepared(config: Config, root: Location, resume: Resume) -> list[Work]:
    """Work of a configuration, with its plan saved in the folder ``root``, whose lock is held.

    Raises BoardspaceError where the config names no space, or what lies there was made by another plan.
    """
    work = work_of(config)
    for one in work:
        refuse_foreign_files(SpaceFolder(root, one.space.name), one.space)
    if resume.fresh:
        for one in work:
            remove(SpaceFolder(root, one.space.name), one.space)
    elif resume.keep:
        refuse_other_format(root)
    else:
        refuse_other_plans(root, work)
    save_plan(root, work, anew=resume.anew)
    return work


@dataclass(frozen=True)
class _GraphMaker:
    """Makes the graph that the nodes of a run go to."""

    config: Config
    root: Location
    work: Sequence[Work]
    workers: Workers
    listener: Listener
    on_progress: OnProgress

    def graph(self, stack: ExitStack) -> tuple[TaskGraph, int]:
        """The graph, and how many nodes run at a time; ``stack`` ends what is started for it."""
        if self.workers.client is not None or self.workers.cluster is not None:
            return self._of_a_cluster(stack)
        if self.workers.count == 0:
            self._fill_cache()
            return self._in_this_process(), 1
        begin = functools.partial(self._of_this_machine, stack)
        was_complete = all(is_complete(SpaceFolder(self.root, w.space.name), w.plan.digest) for w in self.work)
        graph = LazyCluster(self._in_this_process(), begin) if was_complete else begin()
        return graph, self.workers.count or cpus()

    def _in_this_process(self) -> InProcess:
        def warn(error: ShardError) -> None:
            self.listener.shard_failed(error.shard, error.cause, again=True)

        return InProcess(self.config.run.retries, warn, self.on_progress)

    def _of_this_machine(self, stack: ExitStack) -> TaskGraph:
        self._fill_cache()
        with suppress(OSError):  # tried again below, and reported
            fork_server.begin()
        from boardspace.engine import dask_clusters  # Dask takes a second to import

        client = dask_clusters.local(self.workers.count, self.workers.memory_limit, self.config.run.retries)
        return self._on_dask(stack, stack.enter_context(client), WORKER_SECONDS, "the cluster")

    def _of_a_cluster(self, stack: ExitStack) -> tuple[TaskGraph, int]:
        from boardspace.engine import dask_clusters  # Dask takes a second to import

        client, cluster = self.workers.client, self.workers.cluster
        where, seconds = "the cluster", WORKER_SECONDS
        if client is not None:
            dask_clusters.prepare(client, compilation.needs(self.config.spaces))
        elif cluster is not None:
            where, seconds = dask_clusters.address_of(cluster), cluster.worker_seconds
            client = stack.enter_context(dask_clusters.connected(cluster, compilation.needs(self.config.spaces)))
        return self._on_dask(stack, client, seconds, where), dask_clusters.slots_of(client)

    def _on_dask(self, stack: ExitStack, client: "Client", worker_seconds: float, where: str) -> TaskGraph:
        from boardspace.engine import dask_clusters  # Dask takes a second to import
        from boardspace.engine.dask_graph import DaskGraph

        for text in short_of_memory(self.work, dask_clusters.least_memory(client)):
            self.listener.warned(text)
        run = self.config.run
        if run.gpu != "no" and any(
            stage.gpu for one in self.work for stage in stages_of(one.space, one.config).values()
        ):
            dask_clusters.announce_gpus(client)
        graph = DaskGraph(client, self.listener, run.retries, worker_seconds, where, self.on_progress)
        stack.enter_context(closing(graph))
        return graph

    def _fill_cache(self) -> None:
        compilation.fill(
            compilation.needs(self.config.spaces),
            lambda space: self.listener.warned(f"compiling the kernels of {space} (once per machine)"),
        )


@contextmanager
def progress_events(root: Location, running: RunningShards, listener: Listener) -> Iterator[OnProgress]:
    """Pass progress events on to ``running`` and to the listener; keep the progress file while the run goes on."""
    remove_progress(root)
    changed = threading.Event()

    def on_progress(event: ProgressEvent) -> None:
        running.update(event)
        changed.set()
        listener.shard_progress(event)

    def write_changes() -> None:
        """Write the file of progress, if an event came since the last time."""
        if changed.is_set():
            changed.clear()
            write_progress(root, running.longest_first())

    try:
        with closing(Repeated(write_changes, EVERY_SECONDS)):
            yield on_progress
    finally:
        remove_progress(root)
