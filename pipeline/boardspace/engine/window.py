"""Large stages bundle by bundle: what scheduler and driver hold follows what is under way, not the number of shards.

A bundle that waits in Dask's scheduler takes 11 kB of it and of the driver, and one that is done as much until the
finish of its stage has its receipts. Of a stage with very many bundles only so many are given to the graph at a time;
the others are made when there is place for them. Those done are forgotten, and the finish reads their receipts in the
run's folder.

Here is no Dask: :class:`Windowed` wraps any graph.
"""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

from boardspace.engine.graph import Ended, Graph, Key, Node, Nodes, without_results

# Bundles of large stages in the graph at a time: minutes of work for a thousand workers, 110 MB of a scheduler.
WINDOW = 10_000


@dataclass(eq=False)
class _LargeStage:
    """Stage of which not all nodes are in the graph.

    nodes: those that have not been given to it: bundles, and behind them the finish.
    waiting: number of these bundles.
    left: number of bundles that have not ended.
    priority: of the nodes.
    """

    nodes: Iterator[Node]
    waiting: int
    left: int
    priority: int


class Windowed:
    """Graph that gives another one at most ``most`` bundles of large stages, which have more, at a time.

    Of several nodes that are added together, all but the last are bundles, and the last is their finish.
    """

    def __init__(self, graph: Graph, most: int = WINDOW) -> None:
        self.graph, self.most = graph, most
        self._inside: dict[Key, _LargeStage] = {}
        self._large: list[_LargeStage] = []  # those of the highest priority first

    def add(self, nodes: Nodes, priority: int) -> None:
        """Pass nodes on; of a stage with more than ``most`` bundles only so many, and the rest as those end."""
        bundles = len(nodes) - 1
        if bundles <= self.most:
            self.graph.add(nodes, priority)
            return
        self._large.append(_LargeStage(iter(nodes), bundles, bundles, priority))
        self._large.sort(key=lambda stage: -stage.priority)
        self._fill()

    def next_ended(self) -> Ended | None:
        """Wait for the next node of the other graph that ends, and pass on a bundle in its place."""
        ended = self.graph.next_ended()
        if ended is not None and ended.key in self._inside:
            stage = self._inside.pop(ended.key)
            if ended.error is None:
                self._count(stage)
            # A message to the scheduler for each bundle would cost more than it saves.
            if len(self._inside) <= self.most * 3 // 4:
                self._fill()
        return ended

    def stop(self) -> None:
        """Give up what waits here, and stop the other graph."""
        self._large.clear()
        self.graph.stop()

    def cancel(self) -> None:
        """Give up what waits here, and cancel all nodes of the other graph."""
        self._large.clear()
        self.graph.cancel()

    def _fill(self) -> None:
        """Give bundles to the graph, those of the highest priority first, as many as have place."""
        for stage in self._large:
            free = min(self.most - len(self._inside), stage.waiting)
            nodes = list(itertools.islice(stage.nodes, free))
            if nodes:
                stage.waiting -= free
                self._inside |= dict.fromkeys((node.key for node in nodes), stage)
                self.graph.add(nodes, stage.priority)

    def _count(self, stage: _LargeStage) -> None:
        """Add the finish of a large stage with its last bundle; it finds their receipts itself."""
        stage.left -= 1
        if not stage.left:
            self._large.remove(stage)
            self.graph.add([without_results(next(stage.nodes))], stage.priority)
