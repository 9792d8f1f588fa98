"""Large stages bundle by bundle: what scheduler and driver hold follows what is under way, not the number of shards.

A bundle that waits in Dask's scheduler takes 11 kB of it and of the driver, and one that is done as much until the
finish of its stage has its receipts. Of a stage with very many bundles only so many are given to the graph at a time;
the others wait here, in order. Those done are forgotten, and the finish reads their receipts in the run's folder.

Here is no Dask: :class:`Windowed` wraps any graph.
"""

import heapq
import itertools
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from boardspace.engine.graph import Ended, Key, Node, without_results
from boardspace.engine.stragglers import WatchedGraph

# Bundles of large stages in the graph at a time: minutes of work for a thousand workers, 110 MB of a scheduler.
WINDOW = 10_000


@dataclass
class _LargeStage:
    """Stage of which not all bundles are in the graph.

    left: its bundles that have not ended.
    finishes: nodes that need them all; none where they are held back elsewhere.
    priority: of these.
    """

    left: set[Key]
    finishes: tuple[Node, ...]
    priority: int


class Windowed:
    """Graph that gives another one at most ``most`` bundles of large stages, which have more, at a time."""

    def __init__(self, graph: WatchedGraph, most: int = WINDOW) -> None:
        self.graph, self.most = graph, most
        self._waiting: list[tuple[int, int, Node]] = []
        self._order = itertools.count()
        self._inside: set[Key] = set()
        self._large: list[_LargeStage] = []

    def add(self, nodes: Sequence[Node], priority: int) -> None:
        """Pass nodes on; of a stage with more than ``most`` bundles only so many, and the rest as those end."""
        bundles = [node for node in nodes if node.reports]
        if len(bundles) <= self.most:
            self.graph.add(nodes, priority)
            return
        for node in bundles:
            heapq.heappush(self._waiting, (-priority, next(self._order), node))
        finishes = tuple(node for node in nodes if not node.reports)
        self._large.append(_LargeStage({node.key for node in bundles}, finishes, priority))
        self._fill()

    def next_ended(self) -> Ended | None:
        """Wait for the next node of the other graph that ends, and pass on a bundle in its place."""
        return self._followed(self.graph.next_ended())

    def next_within(self, seconds: float) -> Ended | None:
        """See :class:`.WatchedGraph`."""
        return self._followed(self.graph.next_within(seconds))

    def running(self) -> Collection[Key]:
        """See :class:`.WatchedGraph`."""
        return self.graph.running()

    def stop(self) -> None:
        """Give up what waits here, and stop the other graph."""
        self._waiting.clear()
        self.graph.stop()

    def cancel(self) -> None:
        """Give up what waits here, and cancel all nodes of the other graph."""
        self._waiting.clear()
        self.graph.cancel()

    def _fill(self) -> None:
        """Give bundles to the graph, those of the highest priority first, as many as have place."""
        free = min(self.most - len(self._inside), len(self._waiting))
        chosen = [heapq.heappop(self._waiting) for _ in range(free)]
        for priority, group in itertools.groupby(chosen, key=lambda one: one[0]):
            nodes = [node for _, _, node in group]
            self._inside |= {node.key for node in nodes}
            self.graph.add(nodes, -priority)

    def _followed(self, ended: Ended | None) -> Ended | None:
        """Add what has its place now that a node has ended; return the node."""
        if ended is not None and ended.key in self._inside:
            self._inside.remove(ended.key)
            if ended.error is None:
                self._count(ended.key)
            # A message to the scheduler for each bundle would cost more than it saves.
            if len(self._inside) <= self.most * 3 // 4:
                self._fill()
        return ended

    def _count(self, key: Key) -> None:
        """Add the finish of a large stage with its last bundle; it finds their receipts itself."""
        stage = next(stage for stage in self._large if key in stage.left)
        stage.left.remove(key)
        if not stage.left:
            self._large.remove(stage)
            self.graph.add([without_results(node) for node in stage.finishes], stage.priority)
