"""Executors of checks: threads of this process, dataset after dataset; or, where there is much to check, processes, all
at once.

What decodes and hashes lets go of Python's lock, but re-derivations are plain Python, so nothing but processes keeps
all cores at work. They take a second to start, in which a small dataset is checked.
"""

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager, nullcontext
from multiprocessing import get_context, parent_process
from threading import Thread
from typing import TypeVar

from boardspace.engine import fork_server
from boardspace.engine.machine import cpus
from boardspace.spec.errors import BoardspaceError
from boardspace.spec.stage import filling
from boardspace.verify.files import FileFaultError, attempt, memory_bounded, side_by_side

Item = TypeVar("Item")
Found = TypeVar("Found")
Outcomes = Iterator[tuple[Item, Found | FileFaultError]]
WORTH_PROCESSES = 64 << 20
"""From so many bytes on."""
BUNDLES, LARGEST_BUNDLE = 64, 64
"""Tasks that the files of a dataset make, about, and most files of one: a process waits a millisecond for each task."""


class Executor:
    """Threads of this process: one dataset after the other, its files side by side.

    Functions that are handed over, and what they take and return, can be pickled.
    """

    def datasets(self, verify: Callable[[Item], Found], items: Sequence[Item]) -> list[Found]:
        """Return the results of ``verify`` for each dataset; ``verify`` hands the work itself over to this executor."""
        return [verify(item) for item in items]

    def files(
        self, check: Callable[[Item], Found], items: Sequence[Item], cost: Callable[[Item], int]
    ) -> Outcomes[Item, Found]:
        """Check all items, the most expensive first; each with what its check returned or raised, in order."""
        return side_by_side(check, items)

    def begin(self, check: Callable[[Item], Found], item: Item) -> Callable[[], Found]:
        """Have something checked in the meantime, or when it is asked for; what is returned waits for the outcome."""
        return lambda: check(item)

    def bounded(self) -> AbstractContextManager[None]:
        """Context in which files are checked with no more memory than a limit."""
        return memory_bounded()


class Processes(Executor):
    """All datasets at once."""

    def __init__(self, pool: ProcessPoolExecutor) -> None:
        self.pool = pool

    def datasets(self, verify: Callable[[Item], Found], items: Sequence[Item]) -> list[Found]:
        with ThreadPoolExecutor(max(1, len(items))) as waiting:  # its threads do nothing but wait
            return list(waiting.map(verify, items))

    def files(
        self, check: Callable[[Item], Found], items: Sequence[Item], cost: Callable[[Item], int]
    ) -> Outcomes[Item, Found]:
        futures: dict[int, tuple[Future[list[Found | FileFaultError]], int]] = {}
        for places in _bundles([cost(item) for item in items]):
            future = self.pool.submit(_bounded, check, [items[place] for place in places])
            futures |= {place: (future, number) for number, place in enumerate(places)}
        own = [futures[place] for place in range(len(items))]
        return ((item, future.result()[number]) for item, (future, number) in zip(items, own, strict=True))

    def begin(self, check: Callable[[Item], Found], item: Item) -> Callable[[], Found]:
        return self.pool.submit(check, item).result

    def bounded(self) -> AbstractContextManager[None]:
        return nullcontext()  # each process bounds itself


@contextmanager
def executor(size: int, processes: bool) -> Iterator[Executor]:
    """For files of ``size`` bytes; BoardspaceError where a process of it dies."""
    if not processes or size < WORTH_PROCESSES or cpus() == 1:
        yield Executor()
        return
    with (
        fork_server.environment({**fork_server.ENVIRONMENT, **fork_server.KEPT_MEMORY, **fork_server.SAFE_PATH}),
        ProcessPoolExecutor(cpus(), get_context("spawn"), initializer=_end_with_parent) as pool,
    ):
        try:
            for _ in range(cpus()):  # each call starts a process, which imports what it needs
                pool.submit(_end_silently)
            yield Processes(pool)
        except BrokenExecutor as error:
            raise BoardspaceError(
                f"a process of the verification died: it was killed, or there was no memory left ({error})"
            ) from error
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _bundles(costs: Sequence[int]) -> Iterator[list[int]]:
    """Places of items, most expensive first, that one process checks without asking for more: cheap ones together."""
    least = sum(costs) / BUNDLES
    dearest_first = sorted(range(len(costs)), key=lambda place: -costs[place])
    return filling(dearest_first, lambda place: max(costs[place], least / LARGEST_BUNDLE), least)


def _bounded(check: Callable[[Item], Found], items: Sequence[Item]) -> list[Found | FileFaultError]:
    with memory_bounded():
        return [attempt(check, item) for item in items]


def _end_silently() -> None:
    """Ctrl-C reaches all processes of a terminal; the command says what there is to say."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _end_with_parent() -> None:
    """A command that is killed cannot end its processes: they would go on with what they do, and then wait for ever."""
    _end_silently()
    Thread(target=_await_parent, daemon=True).start()


def _await_parent() -> None:
    if parent := parent_process():
        parent.join()
        os._exit(1)
