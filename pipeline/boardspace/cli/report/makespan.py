"""How long a run would take with so many workers, by what its stages say of themselves.

Shards are handed out as the scheduler does: a stage's when all it comes after is finished, stages with the longest
chain behind them first (but a dataset's last before all), dear shards before cheap ones, each to the worker that is
free first. Files, starts and transfers cost nothing here, and a stage whose shards nobody knows yet is taken to fall
into as many equal ones as there are workers; so the result is a lower bound as good as the stages' own figures.
"""

import heapq
from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Load:
    """A stage: those it comes after, the seconds of its shards, and its priority (:func:`.stages.priorities`)."""

    after: Sequence[str]
    shards: Sequence[float]
    priority: int = 1


def makespan(stages: Mapping[str, Load], workers: int) -> float:
    """Seconds until the last shard ends; names are unique over all datasets of the run."""
    waiting = {name: {before for before in load.after if before != name} for name, load in stages.items()}
    left = {name: len(load.shards) for name, load in stages.items()}
    ready: list[tuple[int, float, str]] = []
    running: list[tuple[float, str]] = []
    now, free = 0.0, workers

    def finish(done: str | None) -> None:
        """Start what waited for nothing else; stages without shards are finished at once."""
        if done is not None:
            for before in waiting.values():
                before.discard(done)
        for name in [name for name, before in waiting.items() if not before]:
            if waiting.pop(name, None) is None:
                continue  # a stage without shards before it has started it
            for seconds in stages[name].shards:
                heapq.heappush(ready, (-stages[name].priority, -seconds, name))
            if not left[name]:
                finish(name)

    finish(None)
    while ready or running:
        while ready and free:
            _, seconds, name = heapq.heappop(ready)
            heapq.heappush(running, (now - seconds, name))
            free -= 1
        now, name = heapq.heappop(running)
        free += 1
        left[name] -= 1
        if not left[name]:
            finish(name)
    return now
