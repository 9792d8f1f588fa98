"""Times the functions that the benchmark modules register and prints one row each.

A benchmark module declares::

    @benchmark(unit="layouts", baseline="rank_sorted_search")
    def rank_by_table() -> Job: ...

where the function prepares its inputs and returns the job, a callable that does the work once and returns how many
units it did. Each job runs once to warm up and then in turn with its baseline, so that a ratio compares neighbours
in time on a machine whose speed drifts.
"""

import importlib
import pkgutil
import statistics
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import benchmarks

Job = Callable[[], int]


@dataclass(frozen=True)
class Benchmark:
    """One registered benchmark: ``prepare`` makes the job; ``baseline`` names another of the same module."""

    module: str
    name: str
    unit: str
    prepare: Callable[[], Job]
    baseline: str | None
    runs: int

    @property
    def full_name(self) -> str:
        """Its module's name and its own."""
        return f"{self.module.removeprefix('benchmarks.')}.{self.name}"


REGISTRY: list[Benchmark] = []


def benchmark(
    *, unit: str, baseline: str | None = None, runs: int = 5
) -> Callable[[Callable[[], Job]], Callable[[], Job]]:
    """Register a benchmark; ``unit`` is what the job counts, ``baseline`` what its time is divided by."""

    def register(prepare: Callable[[], Job]) -> Callable[[], Job]:
        REGISTRY.append(Benchmark(prepare.__module__, prepare.__name__, unit, prepare, baseline, runs))
        return prepare

    return register


def registered(words: Iterable[str] = ()) -> list[Benchmark]:
    """The benchmarks of all modules whose full name holds every word."""
    for module in pkgutil.iter_modules(benchmarks.__path__):
        if not module.name.startswith("_"):
            importlib.import_module(f"benchmarks.{module.name}")
    return [one for one in REGISTRY if all(word in one.full_name for word in words)]


@dataclass(frozen=True)
class Timing:
    """Wall seconds of the counted runs and the units one run does."""

    seconds: tuple[float, ...]
    units: int

    @property
    def median(self) -> float:
        """Median wall time of one run, in seconds."""
        return statistics.median(self.seconds)

    @property
    def nanoseconds_per_unit(self) -> float:
        """Median time of one unit, in nanoseconds."""
        return self.median * 1e9 / max(self.units, 1)


def measure(jobs: list[Job], runs: int) -> list[Timing]:
    """Warm every job up once, then run them in turn ``runs`` times."""
    units = [job() for job in jobs]
    seconds: list[list[float]] = [[] for _ in jobs]
    for _ in range(runs):
        for job, taken in zip(jobs, seconds, strict=True):
            start = time.perf_counter()
            job()
            taken.append(time.perf_counter() - start)
    return [Timing(tuple(taken), count) for taken, count in zip(seconds, units, strict=True)]


def report(benchmark: Benchmark) -> str:
    """Run one benchmark, beside its baseline where it has one, and describe the result in one line."""
    others = [b for b in REGISTRY if b.module == benchmark.module and b.name == benchmark.baseline]
    timings = measure([b.prepare() for b in [benchmark, *others]], benchmark.runs)
    timing = timings[0]
    spread = f"{min(timing.seconds):.4g}..{max(timing.seconds):.4g} s"
    line = (
        f"{benchmark.full_name}: median {timing.median:.4g} s ({spread}), "
        f"{timing.units:,} {benchmark.unit}, {timing.nanoseconds_per_unit:.3g} ns each"
    )
    if others:
        ratio = timings[1].nanoseconds_per_unit / timing.nanoseconds_per_unit
        line += f", {ratio:.3g} times as fast as {benchmark.baseline}"
    return line
