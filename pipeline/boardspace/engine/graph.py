"""The task graph of a run, as the loop sees it: nodes that depend on nodes, added while others run.

Three implementations: Dask's (:mod:`boardspace.engine.dask_graph`); :class:`InProcess`, which runs one node after
the other in this very process; and that of job arrays (:mod:`boardspace.engine.jobs`), which keeps shards for other
processes. :mod:`boardspace.engine.run` wraps one.
"""

import heapq
import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from boardspace.engine.progress import OnProgress, ignored
from boardspace.engine.work import ShardError

Key = tuple[str, int]
OnFailure = Callable[[ShardError], None]


@dataclass(frozen=True)
class Node:
    """One task: ``function(*arguments)``.

    key: its name in the graph.
    function, arguments: what is called.
    needs: nodes whose results are one more argument, the last: a list.
    wanted: its result comes back to the loop; other results stay where they were made.
    reports: it is a bundle of shards, and is given ``on_progress`` too, which takes their progress events.
    gpu: it uses a GPU where there is one.
    """

    key: Key
    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    needs: tuple[Key, ...] = ()
    wanted: bool = False
    reports: bool = False
    gpu: bool = False


class Nodes(Protocol):
    """Some nodes, in order; they may be made only when they are asked for, and anew each time."""

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[Node]: ...


@dataclass(frozen=True)
class Ended:
    """A node that ran, with its result where it is wanted, or failed for good with ``error``."""

    key: Key
    result: Any = None
    error: BaseException | None = None


class TaskGraph(Protocol):
    """Graph of the nodes of a run, which executes them."""

    def add(self, nodes: Nodes, priority: int) -> None:
        """Add nodes, in the order in which they should start; those they need are among them or were added before.
        Nodes of a higher priority go first."""

    def next_ended(self) -> Ended | None:
        """Wait for the next node that ends, whichever it is; each ends once. None where all that are left are for
        other processes."""

    def stop(self) -> None:
        """Give up what does not run yet, and wait for what does."""

    def cancel(self) -> None:
        """Give up all."""


class InProcess:
    """Graph that runs one node after the other in this very process, without Dask."""

    def __init__(
        self, retries: int = 0, on_failure: OnFailure = lambda _: None, on_progress: OnProgress = ignored
    ) -> None:
        self.retries = retries
        self.on_failure = on_failure
        self.on_progress = on_progress
        self._heap: list[tuple[int, int, Node]] = []
        self._arrival = itertools.count()
        self._results: dict[Key, Any] = {}

    def add(self, nodes: Nodes, priority: int) -> None:
        """Queue nodes, by priority and then in the order given."""
        for node in nodes:
            heapq.heappush(self._heap, (-priority, next(self._arrival), node))

    def next_ended(self) -> Ended | None:
        """Run the next node and return how it ended; its result is kept for the nodes that need it."""
        _, _, node = heapq.heappop(self._heap)
        needed = [[self._results.pop(key) for key in node.needs]] if node.needs else []
        try:
            result = self._attempt(node, needed)
        except Exception as error:
            return Ended(node.key, error=error)
        if node.wanted:
            return Ended(node.key, result)
        self._results[node.key] = result
        return Ended(node.key)

    def taken(self) -> Iterator[tuple[Node, int]]:
        """Give up all queued nodes, and give each with its priority, in their order."""
        while self._heap:
            priority, _, node = heapq.heappop(self._heap)
            yield node, -priority

    def stop(self) -> None:
        self._heap.clear()

    cancel = stop

    def _attempt(self, node: Node, needed: list[Any]) -> Any:
        report = {"on_progress": self.on_progress} if node.reports else {}
        for _ in range(self.retries):
            try:
                return node.function(*node.arguments, *needed, **report)
            except ShardError as error:
                if error.lasting:
                    raise
                self.on_failure(error)
        return node.function(*node.arguments, *needed, **report)
