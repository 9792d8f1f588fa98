"""Time limit of a shard: a process that exceeds it says with which shard and where, and ends.

Compiled code cannot be interrupted, so nothing less than the process can be ended.
"""

import contextlib
import faulthandler
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer

MOST_SECONDS = 365 * 86_400.0
GRACE_SECONDS = 5.0
"""After the limit, code that never lets go of Python's lock is ended without a line about its shard."""
EXCEEDED = 2
"""Exit code, as of a command of which a shard failed."""


@contextmanager
def time_limited(seconds: float, label: str) -> Iterator[None]:
    """End this process if what is done within takes more than ``seconds`` (0: no limit). Standard error then has a line
    with ``label``, the name of a shard, and the traceback of each thread."""
    if not seconds:
        yield
        return
    timer = Timer(seconds, _end, (seconds, label))
    timer.daemon = True
    faulthandler.dump_traceback_later(seconds + GRACE_SECONDS, exit=True)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        faulthandler.cancel_dump_traceback_later()


def _end(seconds: float, label: str) -> None:
    with contextlib.suppress(OSError, ValueError, AttributeError):  # standard error is closed
        sys.stderr.write(
            f"boardspace: shard {label} takes longer than its time limit, [run] shard_seconds = {seconds:g}, so its "
            "process ends; finished shards are kept. It was here:\n"
        )
        sys.stderr.flush()
        faulthandler.dump_traceback()
    os._exit(EXCEEDED)
