"""What shards say of themselves while they run, and how often that is passed on.

A shard may call ``inputs.report`` as often as it likes. Nothing is passed on before it has run for QUIET_SECONDS, then
at most one text every EVERY_SECONDS: the last one, which waits for its turn, so that a shard that falls silent is shown
with what it said last. Nothing of this comes near what a shard yields.
"""

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

QUIET_SECONDS = 3.0
EVERY_SECONDS = 2.0
LONGEST = 200
"""Characters of a text that are passed on."""


@dataclass(frozen=True)
class Said:
    """What a shard said when it had run for so many seconds; without text, that it has ended."""

    shard: str
    text: str
    seconds: float


Tell = Callable[[Said], object]
Take = Callable[[], object]


def untold(said: Said) -> None:
    """Nobody hears it."""


def later(seconds: float, call: Take) -> Take:
    """Call once after so many seconds, from a thread of its own, unless what is returned is called before."""
    timer = threading.Timer(seconds, call)
    timer.daemon = True
    timer.start()
    return timer.cancel


class Reporter:
    """Takes one shard's texts and tells some of them; its end, if it told any. ``label`` is the shard's in messages."""

    def __init__(
        self,
        label: str,
        tell: Tell,
        clock: Callable[[], float] = time.monotonic,
        later: Callable[[float, Take], Take] = later,
    ) -> None:
        self._label, self._tell, self._clock, self._later = label, tell, clock, later
        self._start = clock()
        self._due = self._start + QUIET_SECONDS
        self._waiting: str | None = None
        self._take_back: Take | None = None
        self._told = self._closed = False
        self._lock = threading.Lock()

    def __call__(self, text: str) -> None:
        """Take a text, in place of one that still waits."""
        with self._lock:
            self._waiting = text
            self._offer()

    def close(self) -> None:
        """The shard has ended: nothing that waits is told any more."""
        with self._lock:
            self._closed = True
            if self._take_back is not None:
                self._take_back()
            if self._told:
                self._tell(Said(self._label, "", self._clock() - self._start))

    def _turn(self) -> None:
        """It is the turn of the text that waits, if one still does."""
        with self._lock:
            self._take_back = None
            if self._waiting is not None:
                self._offer()

    def _offer(self) -> None:
        """Tell the text that waits, or have it wait for its turn."""
        wait = self._due - self._clock()
        if self._closed:
            return
        if wait <= 0:
            self._pass_on()
        elif self._take_back is None:
            self._take_back = self._later(wait, self._turn)

    def _pass_on(self) -> None:
        now, text = self._clock(), self._waiting or ""
        self._waiting, self._due = None, now + EVERY_SECONDS
        # Half of a letter, as names of files may hold, would not pass through a socket.
        whole = text[:LONGEST].encode(errors="backslashreplace").decode()
        if whole:
            self._told = True
            self._tell(Said(self._label, whole, now - self._start))


class RunningShards:
    """What running shards said last. Heard and asked from different threads."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._began: dict[str, tuple[float, Said]] = {}
        self._lock = threading.Lock()

    def hear(self, said: Said) -> None:
        """A shard said something, or has ended."""
        with self._lock:
            if said.text:
                self._began[said.shard] = self._clock() - said.seconds, said
            else:
                self._began.pop(said.shard, None)

    def longest_first(self) -> Sequence[Said]:
        """What each said last, with the seconds that it has run by now, the longest at work first."""
        with self._lock:
            now = self._clock()
            return [replace(said, seconds=now - began) for began, said in sorted(self._began.values(), key=_began)]

    def longest(self) -> Said | None:
        """That of the shard that has run longest; None where no shard said anything."""
        return next(iter(self.longest_first()), None)


def _began(one: tuple[float, Said]) -> float:
    return one[0]
