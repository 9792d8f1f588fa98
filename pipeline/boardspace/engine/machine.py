"""Cores of this machine, on Linux and macOS alike, and its processes: limits of their memory and of the time of a
shard, and what they do at signals.

A process that exceeds the time limit says with which shard and where, and ends: compiled code cannot be interrupted, so
nothing less than the process can be ended.
"""

import faulthandler
import math
import os
import resource
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Timer
from typing import Any

from boardspace.spec.errors import BoardspaceError

ADDRESSES, DATA = 4 << 30, 1 << 30
"""Bytes of address space, and of data, that a worker takes with what it imports and the least of shards."""
GROUPS, OWN_GROUP = Path("/sys/fs/cgroup"), Path("/proc/self/cgroup")


def cpus() -> int:
    """Number of CPUs that this process may use: affinity and limits of control groups included, as Dask counts them.

    Dask itself would take a tenth of a second to import, and no process of a job array loads it.
    """
    affinity = getattr(os, "sched_getaffinity", None)  # macOS has none
    count = len(affinity(0)) if affinity is not None else os.cpu_count() or 1
    return min([count, *(limit for limit in map(math.ceil, _group_limits()) if limit > 0)])


def _group_limits() -> Iterator[float]:
    """The CPUs that a control group of either version allows; nothing where there is no limit."""
    own = ""
    with suppress(OSError):
        own = OWN_GROUP.read_text(encoding="ascii").strip().rpartition(":")[2].strip("/")
    for group in dict.fromkeys(("", own)):
        with suppress(OSError, ValueError, ZeroDivisionError):
            quota, period = (GROUPS / group / "cpu.max").read_text(encoding="ascii").split()
            yield int(quota) / int(period)
    for folder in ("cpuacct,cpu", "cpu,cpuacct", "cpu"):
        with suppress(OSError, ValueError, ZeroDivisionError):
            quota, period = ((GROUPS / folder / f"cpu.cfs_{name}_us").read_text() for name in ("quota", "period"))
            yield int(quota) / int(period)


def check_memory_limits() -> None:
    """Refuse limits within which workers start and then die, or wait for one another."""
    for limit, letter, needed in ((resource.RLIMIT_AS, "v", ADDRESSES), (resource.RLIMIT_DATA, "d", DATA)):
        allowed = resource.getrlimit(limit)[0]
        if allowed != resource.RLIM_INFINITY and allowed < needed:
            raise BoardspaceError(
                f"a worker needs {needed >> 20:,} MB and a process may take {allowed >> 20:,} MB here: allow more with "
                f"`ulimit -{letter} {needed >> 10}`, or run in this process with --workers 0"
            )


@contextmanager
def handled(number: int, handler: Any) -> Iterator[None]:
    """Within it a signal has this handler, where this is the main thread: others may set none."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(number, handler)
    try:
        yield
    finally:
        signal.signal(number, before)


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
    with suppress(OSError, ValueError, AttributeError):  # standard error is closed
        sys.stderr.write(
            f"boardspace: shard {label} takes longer than its time limit, [run] shard_seconds = {seconds:g}, so its "
            "process ends; finished shards are kept. It was here:\n"
        )
        sys.stderr.flush()
        faulthandler.dump_traceback()
    os._exit(EXCEEDED)
