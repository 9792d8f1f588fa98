"""GPUs of this host, of which a shard has one for itself while it computes there.

This is the only module of the pipeline that knows CUDA.

All workers of a host may use its GPUs. Each prepares its shards on a core of its own, and waits at a lock for a GPU, so
that one process after another computes there and has the memory of the device to itself. The lock of a process that
dies is free again. Workers of hosts with a GPU have a resource of Dask, RESOURCE; where some have it and others do not,
the shards of stages that use GPUs go to those that do.
"""

import functools
import importlib.util
import itertools
import os
import socket
import warnings
from collections.abc import Sequence
from contextlib import suppress
from typing import Literal, NamedTuple

import filelock

from boardspace.spec.errors import BoardspaceError

GpuUse = Literal["auto", "no", "only"]
"""Use of GPUs by a run: where there are some, never, or by all shards that can."""
RESOURCE = "GPU"
LOOK_SECONDS = 0.005
"""Time to wait for one of the GPUs before the next one is tried."""


class Found(NamedTuple):
    """Locks of the GPUs of this host; without any, the reason."""

    locks: Sequence[filelock.BaseFileLock]
    lacking: str = ""


class Gpu:
    """GPUs of this host, one of which a shard enters (``with``) for each call that computes there.

    card: name of the one that it entered last; "" where it has entered none.
    """

    def __init__(self, locks: Sequence[filelock.BaseFileLock]) -> None:
        self.card = ""
        self._locks = locks
        self._number = 0  # of the one that is entered

    def __enter__(self) -> None:
        """Wait for a GPU that no other process has, and make it the one that kernels run on."""
        from numba import cuda  # looks for drivers, and is for those who have a GPU

        # A process takes half a second for its first use of a GPU: of the one that it will mostly get it is made here,
        # while others compute there.
        likely = os.getpid() % len(self._locks)
        cuda.select_device(likely)
        for number in itertools.cycle([*range(likely, len(self._locks)), *range(likely)]):
            with suppress(filelock.Timeout):
                self._locks[number].acquire(timeout=LOOK_SECONDS, poll_interval=LOOK_SECONDS)
                self._number = number
                break
        try:
            cuda.select_device(self._number)
            name = getattr(cuda.current_context().device, "name", "simulator")
            self.card = name.decode() if isinstance(name, bytes) else name
        except BaseException:
            self._locks[self._number].release()
            raise

    def __exit__(self, *error: object) -> None:
        """Give back the memory of the device, which numba would keep for a while, and then the GPU."""
        from numba import cuda  # see above

        try:
            manager = getattr(cuda.current_context(), "memory_manager", None)  # the simulator has none
            if manager is not None:
                manager.deallocations.clear()
        finally:
            self._locks[self._number].release()


def gpu_for(use: GpuUse) -> Gpu | None:
    """The GPUs of this host for a shard; None where there are none, or none are to be used.

    Raises:
        BoardspaceError: GPUs alone are to be used, and this host has none.
    """
    if use == "no":
        return None
    devices = found()
    if devices.lacking and use == "only":
        raise BoardspaceError(f'host {socket.gethostname()} has no GPU for [run] gpu = "only": {devices.lacking}')
    return Gpu(devices.locks) if devices.locks else None


@functools.cache
def found() -> Found:
    """The GPUs that this process may use; looked for once."""
    simulated = os.environ.get("NUMBA_ENABLE_CUDASIM") == "1"
    if not simulated and importlib.util.find_spec("numba_cuda") is None:
        return Found((), "numba-cuda is not installed; pip install 'boardspace[cuda]'")
    from boardspace_kernels import kernel_cache  # loads a compiler

    try:
        from numba import cuda  # see above

        warnings.filterwarnings("ignore", ".*Grid size .* GPU under-utilization")  # of small classes and groups
        if not cuda.is_available():
            return Found((), f"numba finds none ({cuda.cuda_error()})")
        # In a folder of the user's that hosts may share.
        folder, host = kernel_cache.opened(), socket.gethostname()
        locks = [filelock.FileLock(folder / f"gpu-{host}-{n}", mode=0o600) for n in range(len(cuda.gpus))]
    except (ImportError, kernel_cache.CacheError) as error:
        return Found((), str(error))
    return Found(locks)
