"""Speed of this machine, beside the one on which the seconds of the stages were measured.

Stages state seconds on one core of one machine. A loop like those of the kernels (mixing words, counting bits, sorting,
and reading in no order) takes about half a second here, in CPU seconds, so that other processes disturb it little; the
quotient to what it took there is how much longer a plan takes here. It is measured once for each kind of processor, and
kept beside the compiled kernels.
"""

import contextlib
import hashlib
import platform
import time
from pathlib import Path

import numpy as np

from boardspace.storage.files import StorageError
from boardspace.storage.records import Record, read_record, write_record
from boardspace_kernels import kernel_cache

# CPU seconds of the loop on the machine of the estimates: two cores of an AMD EPYC, with other runs beside it.
THERE = 0.5
TRIES = 5
WORDS = 1 << 20
CPUINFO = Path("/proc/cpuinfo")


class Speed(Record):
    """CPU seconds of the loop on a machine."""

    seconds: float


def slowness() -> float:
    """Seconds that a second of a plan takes on this machine; measured where that is not known yet."""
    return max(_known() or _measured(), 1e-3) / THERE


def loop() -> float:
    """CPU seconds of one turn of the loop."""
    start = time.process_time()
    words = np.arange(WORDS, dtype=np.uint64)
    for shift in (30, 27, 31):
        words = (words ^ (words >> np.uint64(shift))) * np.uint64(0xBF58476D1CE4E5B9)
    ranks = np.searchsorted(np.sort(words), words)
    np.cumsum(np.bitwise_count(words[ranks]), dtype=np.uint64)
    return time.process_time() - start


def _known() -> float | None:
    try:
        record = read_record(_place(), Speed)
    except (StorageError, kernel_cache.CacheError):
        return None
    return record.seconds if record is not None else None


def _measured() -> float:
    seconds = min(loop() for _ in range(TRIES))
    with contextlib.suppress(StorageError, kernel_cache.CacheError):  # it is measured again then
        write_record(_place(), Speed(seconds=seconds), "speed")
    return seconds


def _place() -> Path:
    versions = f"{_processor()} {platform.python_version()} {np.__version__}"
    return kernel_cache.opened() / f"speed-{hashlib.sha256(versions.encode()).hexdigest()[:16]}.json"


def _processor() -> str:
    if CPUINFO.is_file():
        lines = CPUINFO.read_text(errors="replace").splitlines()
        return next((line for line in lines if line.startswith("model name")), platform.machine())
    return platform.processor() or platform.machine()
