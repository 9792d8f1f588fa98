"""Second copies of shards that take far longer than expected: ``[run] speculative = true``.

A worker may be slow for no fault of the shard: a bad disk, a neighbour, a processor that is too hot. When nothing else
is left to do, the whole run waits for it. So a bundle that has run far longer than its estimate, and than other bundles
of its stage took, is given to the graph once more. It waits there behind everything else, so it takes only workers that
have nothing to do, and not the slow one, which is busy. Whichever copy ends first counts. The other goes on, since
compiled code cannot be interrupted, and writes the same bytes.

In other runs, receipts stay with the workers that wrote them, and the finish of a stage asks for them there. A slow
worker may not answer, so here the finish reads receipts in the run's folder.

Here is no Dask: :class:`Speculative` wraps a graph that can tell which of its nodes run.
"""

import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from typing import Protocol

from boardspace.engine.events import Listener
from boardspace.engine.graph import Ended, Graph, Key, Node, Nodes, without_results

# A bundle is far too long at work when it has taken so many times as long as expected, and at least so many seconds.
TIMES = 3.0
LEAST_SECONDS = 3.0
LOOK_SECONDS = 1.0
BEHIND_ALL = -1
"""Priority of copies: those of stages are positive."""


class WatchedGraph(Graph, Protocol):
    """Graph that tells which of its nodes run."""

    def running(self) -> Collection[Key]:
        """Nodes that workers have."""

    def next_within(self, seconds: float) -> Ended | None:
        """The next node that ends, or None where none does in time."""


@dataclass
class Watch:
    """Clock of the bundles that run: it finds those that take far longer than their estimate and their siblings.

    clock: tells seconds.
    _since: seconds at which bundles were first seen to run.
    _slowest: by stage, most seconds that an ended bundle took for each second that was expected, at least 1.
    """

    clock: Callable[[], float] = time.monotonic
    _since: dict[Key, float] = field(default_factory=dict)
    _slowest: dict[str, float] = field(default_factory=dict)

    def see(self, running: Collection[Key]) -> None:
        """Note which bundles run now."""
        now = self.clock()
        self._since = {key: self._since.get(key, now) for key in running}

    def ended(self, node: Node) -> None:
        """Note that a bundle has ended: others of its stage may take as long."""
        took = self.clock() - self._since.pop(node.key, self.clock())
        if node.seconds > 0:
            self._slowest[node.key[0]] = max(self._slowest.get(node.key[0], 1.0), took / node.seconds)

    def forget(self, node: Node) -> None:
        """Note nothing of a bundle that ended: it was a straggler, or failed."""
        self._since.pop(node.key, None)

    def seconds(self, node: Node) -> float:
        """Seconds that a bundle has run; 0 where it does not run."""
        return self.clock() - self._since[node.key] if node.key in self._since else 0.0

    def is_straggler(self, node: Node) -> bool:
        """True where a bundle has run far too long."""
        expected = self._slowest.get(node.key[0], 1.0) * node.seconds
        return self.seconds(node) > max(LEAST_SECONDS, TIMES * expected)


@dataclass
class _Waiting:
    """Node that is added to the graph when all that it needs has ended.

    node: it.
    priority: of it.
    left: nodes that it needs and that have not ended.
    """

    node: Node
    priority: int
    left: set[Key]


class Speculative:
    """Graph that gives stragglers of another graph a second copy.

    A node that needs bundles is held back until they have ended, and given none of their results: it finds receipts in
    the run's folder.
    """

    def __init__(self, graph: WatchedGraph, listener: Listener, watch: Watch | None = None) -> None:
        self.graph, self.listener = graph, listener
        self.watch = watch or Watch()
        self._shards: dict[Key, Node] = {}  # bundles that have not ended
        self._copies: dict[Key, Key] = {}  # of those that have one: bundle, copy
        self._originals: dict[Key, Key] = {}  # copy, bundle
        self._failed: set[Key] = set()  # bundles of which one of two copies failed
        self._waiting: list[_Waiting] = []
        self._looked = self.watch.clock()

    def add(self, nodes: Nodes, priority: int) -> None:
        """Give the other graph nodes that need no others; those that do wait here until their nodes have ended."""
        added = list(nodes)
        self._shards |= {node.key: node for node in added if node.reports}
        self._waiting += [_Waiting(node, priority, set(node.needs)) for node in added if node.needs]
        self.graph.add([node for node in added if not node.needs], priority)

    def next_ended(self) -> Ended | None:
        """Wait for the next node that ends, and start second copies of stragglers meanwhile."""
        while True:
            ended = self.graph.next_within(LOOK_SECONDS)
            if self.watch.clock() - self._looked >= LOOK_SECONDS:
                self._look()
            counted = None if ended is None else self._counted(ended)
            if counted is not None:
                return counted

    def stop(self) -> None:
        """Stop the other graph."""
        self.graph.stop()

    def cancel(self) -> None:
        """Cancel all nodes of the other graph."""
        self.graph.cancel()

    def _look(self) -> None:
        """Copy the bundles that have run far too long, each once."""
        running = [key for key in self.graph.running() if key in self._shards]
        self.watch.see(running)
        self._looked = self.watch.clock()
        alone = [self._shards[key] for key in running if key not in self._copies]
        for node in [node for node in alone if self.watch.is_straggler(node)]:
            copy = (f"{node.key[0]}-copy", node.key[1])
            self._copies[node.key], self._originals[copy] = copy, node.key
            self.listener.warned(
                f"{node.key[0]}: shards that should take {node.seconds:.1f} s have run for "
                f"{self.watch.seconds(node):.0f} s; a second copy of them waits for a free worker"
            )
            self.graph.add([replace(node, key=copy)], BEHIND_ALL)

    def _counted(self, ended: Ended) -> Ended | None:
        """Return what ended, as the loop knows it; None for the second of two copies, or the first that failed."""
        key = self._originals.get(ended.key, ended.key)
        node = self._shards.get(key)
        if node is None:
            return None if key in self._copies else ended
        if ended.error is not None and key in self._copies and key not in self._failed:
            self._failed.add(key)
            return None
        del self._shards[key]
        (self.watch.forget if key in self._copies or ended.error else self.watch.ended)(node)
        if ended.error is None:
            self._release(key)
        return Ended(key, error=ended.error)

    def _release(self, key: Key) -> None:
        """Add the nodes for which this one was the last that they needed."""
        for waiting in self._waiting:
            waiting.left.discard(key)
        for waiting in [waiting for waiting in self._waiting if not waiting.left]:
            self._waiting.remove(waiting)
            self.graph.add([without_results(waiting.node)], waiting.priority)
