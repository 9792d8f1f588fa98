"""Workers started late: a run that was complete is looked through by the command itself, without any.

Processes that speak to a scheduler take seconds to start; the records of a complete run take as long to read. Where a
file or a receipt of it is missing, shards are to be computed, and workers start then.
"""

from collections.abc import Callable

from boardspace.engine.graph import Ended, Graph, InProcess, Nodes


class LateStart:
    """Graph that runs nodes in this process, ``here``, until shards are added; then it begins another one for the rest.

    Of several nodes that are added together, all but the last are bundles of shards.
    """

    def __init__(self, here: InProcess, begin: Callable[[], Graph]) -> None:
        self._begin = begin
        self._here = here
        self._graph: Graph = here

    def add(self, nodes: Nodes, priority: int) -> None:
        """Add nodes; where they are the first shards, the other graph begins with them and all that wait."""
        if self._graph is self._here and len(nodes) > 1:
            self._graph = self._begin()
            for node, its_priority in self._here.taken():
                self._graph.add([node], its_priority)
        self._graph.add(nodes, priority)

    def next_ended(self) -> Ended | None:
        """Wait for the next node that ends, wherever it runs."""
        return self._graph.next_ended()

    def stop(self) -> None:
        """Stop the graph that runs."""
        self._graph.stop()

    def cancel(self) -> None:
        """Cancel the graph that runs."""
        self._graph.cancel()
