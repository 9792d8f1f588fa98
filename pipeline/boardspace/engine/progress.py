"""Progress of shards that take long: one text every few seconds from each, and the last text of all that run.

A shard may call ``inputs.report`` as often as it likes. Nothing is sent before it has run for QUIET_SECONDS; then the
last text is looked at every EVERY_SECONDS, and sent if it is new. Nothing of this comes near what a shard yields.
"""

import threading
import time
from collections.abc import Callable, Sequence

from boardspace.storage.progress_file import ProgressEvent

QUIET_SECONDS = 3.0
EVERY_SECONDS = 2.0
LONGEST = 200
"""Characters of a text that are sent."""
OnProgress = Callable[[ProgressEvent], object]


def ignored(event: ProgressEvent) -> None:
    """Take a progress event and do nothing."""


class Repeated:
    """Thread that calls an action after ``quiet`` seconds, then every EVERY_SECONDS, until it is closed."""

    def __init__(self, action: Callable[[], object], quiet: float) -> None:
        self._action, self._quiet, self._stop = action, quiet, threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True, name="boardspace-progress")
        self._thread.start()

    def close(self) -> None:
        """Call no more; wait for a call that goes on."""
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        wait = self._quiet
        while not self._stop.wait(wait):
            self._action()
            wait = EVERY_SECONDS


class ShardProgress:
    """Takes the texts of one shard and sends some of them, and its end if any was sent; ``label`` is its name there."""

    def __init__(self, label: str, send: OnProgress) -> None:
        self._label, self._send = label, send
        self._start = time.monotonic()
        self._text = self._sent = ""
        self._sending: Repeated | None = None

    def __call__(self, text: str) -> None:
        # Half of a letter, as names of files may hold, would not pass through a socket.
        self._text = text[:LONGEST].encode(errors="backslashreplace").decode()
        if self._sending is None:
            self._sending = Repeated(self._send_new, max(0.0, QUIET_SECONDS - self._seconds()))

    def close(self) -> None:
        """Send that the shard has ended, and no text any more."""
        if self._sending is not None:
            self._sending.close()
        if self._sent:
            self._send(ProgressEvent(shard=self._label, text="", seconds=self._seconds()))

    def _send_new(self) -> None:
        if self._text != self._sent:
            self._sent = self._text
            self._send(ProgressEvent(shard=self._label, text=self._sent, seconds=self._seconds()))

    def _seconds(self) -> float:
        return time.monotonic() - self._start


class RunningShards:
    """Last progress event of each shard that runs. It is written and read from different threads."""

    def __init__(self) -> None:
        self._events: dict[str, tuple[float, ProgressEvent]] = {}  # with the moment at which the shard began
        self._lock = threading.Lock()

    def update(self, event: ProgressEvent) -> None:
        """Take a shard's event in place of the one before; forget the shard where it has ended."""
        with self._lock:
            self._events.pop(event.shard, None)
            if event.text:
                self._events[event.shard] = time.monotonic() - event.seconds, event

    def longest_first(self) -> Sequence[ProgressEvent]:
        """Events with the seconds that their shards have run by now, the longest at work first."""
        with self._lock:
            now, running = time.monotonic(), sorted(self._events.values(), key=lambda one: one[0])
        return [event.model_copy(update={"seconds": now - began}) for began, event in running]

    def longest(self) -> ProgressEvent | None:
        """Event of the shard that has run longest; None where there is none."""
        return next(iter(self.longest_first()), None)
