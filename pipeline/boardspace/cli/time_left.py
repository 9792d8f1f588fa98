"""Time that a run will still take, as far as that is known: stages not yet cut are named, not guessed."""

import time
from collections.abc import Callable

from boardspace.spec.texts import counted


class TimeLeft:
    """Counts shards. ``stages`` is how many stages the run has in all; ``clock`` gives seconds."""

    def __init__(self, stages: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._uncut = stages
        self._waiting = 0
        self._done = 0
        self._clock = clock
        self._start = clock()

    def cut(self, shards: int, done: int) -> None:
        """A stage was cut into shards, of which some were done by an earlier run."""
        self._uncut -= 1
        self._waiting += shards - done

    def done(self, shards: int) -> None:
        """So many shards are done."""
        self._waiting -= shards
        self._done += shards

    def __str__(self) -> str:
        """Time left by the mean time of the shards so far; '' before the first is done and after the last."""
        if not self._done or (self._waiting <= 0 and self._uncut <= 0):
            return ""
        seconds = duration(self._waiting * (self._clock() - self._start) / self._done)
        if self._uncut > 0:
            return f"at least {seconds} left; {counted(self._uncut, 'stage')} to be cut"
        return f"about {seconds} left"


def duration(seconds: float) -> str:
    """Seconds, minutes or hours in words, no finer than an estimate is."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"
