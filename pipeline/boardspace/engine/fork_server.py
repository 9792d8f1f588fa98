"""The process that workers on this machine are forked from: it imports once what each of them needs.

That takes two seconds, and so it begins as soon as a run knows that it will have workers, beside the command's own
imports.
"""

import contextlib
import multiprocessing
import multiprocessing.forkserver
import os
import signal
from collections.abc import Iterator, Mapping

from boardspace.engine.machine import handled

PRELOADED = ["distributed", "numba", "zarr", "boardspace.engine.work"]
# Without Dask's MALLOC_TRIM_THRESHOLD_ and Arrow's own pool: both give large arrays back at once, only to map the
# next one anew, page fault by page fault, which took half of the time of stages that read and write tables.
ENVIRONMENT = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "ARROW_DEFAULT_MEMORY_POOL": "system"}
"""Of the workers, where the user has not set these variables."""
KEPT_MEMORY = {"MALLOC_MMAP_THRESHOLD_": str(1 << 30), "MALLOC_TRIM_THRESHOLD_": str(1 << 32)}
"""Of processes that make one large array after another: glibc would give each back at once, and map the next one page
fault by page fault. Other systems ignore it."""
SAFE_PATH = {"PYTHONSAFEPATH": "1"}
"""Of every process that is started: Python's own start of one (``python -c``) would put the current folder first on the
path of imports, so that in a shared folder somebody else's ``json.py`` would run."""


def begin() -> None:
    """Start it, if it does not run; it imports on while this process does other things.

    Raises:
        OSError: no process, or no file, can be had.
    """
    multiprocessing.set_forkserver_preload(PRELOADED)
    with uninterrupted(), environment({**ENVIRONMENT, **SAFE_PATH}):
        multiprocessing.forkserver.ensure_running()


def uninterrupted() -> contextlib.AbstractContextManager[None]:
    """Processes started meanwhile ignore SIGINT, as do theirs: on Ctrl-C the run stops its workers in good order."""
    return handled(signal.SIGINT, signal.SIG_IGN)


@contextlib.contextmanager
def environment(variables: Mapping[str, str]) -> Iterator[None]:
    """Processes started meanwhile have these variables, where they have no value yet."""
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update({name: value for name, value in variables.items() if not before[name]})
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
