"""Graceful stop on SIGTERM: the shard that runs is finished, the others are handed back, no more are taken.

Spot machines are told two minutes before they go; Kubernetes and SLURM wait half a minute between SIGTERM and SIGKILL.
A shard that ends in time is not lost. One that takes longer is handed back when the time is up: another worker begins
it anew, and the process ends.

A worker of Dask and its nanny are taken as they come; this module imports no Dask.
"""

import asyncio
import contextlib
import os
import signal
import threading
import time
from collections.abc import Callable
from typing import Any

from boardspace.engine.machine import handled
from boardspace.spec.errors import BoardspaceError

# How long a shard may go on: a little less than the half minute that most systems give.
GRACE_SECONDS = 22.0
POLL_SECONDS = 0.05
RETIRE_SECONDS = 3.0
CLOSE_SECONDS = 1.0
_requested = threading.Event()


class HandedBackError(BoardspaceError):
    """This process was asked to stop, and shards of a task are left for another one; those before have receipts."""


def request_stop() -> None:
    """Ask this process to compute no shard but the one that runs."""
    _requested.set()


def stop_requested() -> bool:
    """True where this process was asked to stop."""
    return _requested.is_set()


def on_sigterm() -> contextlib.AbstractContextManager[None]:
    """Inside ``with``, SIGTERM asks this process to stop, where this is the main thread."""
    return handled(signal.SIGTERM, lambda number, frame: request_stop())


def worker_leaves_on_sigterm(worker: Any) -> None:
    """Have a worker of Dask leave in good order; called in its event loop. In a thread, SIGTERM is not the worker's."""
    _in_loop(lambda: _leave(worker))


def nanny_leaves_on_sigterm(nanny: Any) -> None:
    """Have a nanny pass SIGTERM on to its worker, and end after it; called in its event loop."""
    _in_loop(lambda: _end_after_worker(nanny))


async def _leave(worker: Any) -> None:
    request_stop()
    # The scheduler sends nothing more to a worker of this status, and waits for what runs.
    worker.status = type(worker.status).closing_gracefully
    end = time.monotonic() + GRACE_SECONDS
    while worker.state.executing_count and time.monotonic() < end:
        await asyncio.sleep(POLL_SECONDS)
    # Results, and tasks that did not begin, go to other workers; where there are none, they are lost, and found again.
    with contextlib.suppress(OSError, TimeoutError):
        retired = worker.scheduler.retire_workers(workers=[worker.address], close_workers=False, remove=True)
        await asyncio.wait_for(retired, RETIRE_SECONDS)
    await worker.close(timeout=CLOSE_SECONDS, executor_wait=False, reason="boardspace-sigterm")


async def _end_after_worker(nanny: Any) -> None:
    if nanny.pid:
        with contextlib.suppress(ProcessLookupError):
            os.kill(nanny.pid, signal.SIGTERM)
    end = time.monotonic() + GRACE_SECONDS + RETIRE_SECONDS + 2 * CLOSE_SECONDS
    while nanny.pid and time.monotonic() < end:
        await asyncio.sleep(POLL_SECONDS)
    await nanny.close(timeout=CLOSE_SECONDS, reason="boardspace-sigterm")


def _in_loop(action: Callable[[], Any]) -> None:
    """Have SIGTERM start ``action``, a coroutine, once, in the event loop that runs now."""
    if threading.current_thread() is not threading.main_thread():
        return
    loop = asyncio.get_running_loop()
    started: list[asyncio.Task[None]] = []

    def start() -> None:
        if not started:
            started.append(loop.create_task(action()))

    signal.signal(signal.SIGTERM, lambda number, frame: loop.call_soon_threadsafe(start))
