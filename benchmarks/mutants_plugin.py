"""Plugin of pytest for :mod:`benchmarks.mutants`: which tests run, how long they took, and what is compiled anew.

``MUTANTS_ONLY`` names a file with the tests that run, as JSON; ``MUTANTS_PASSED`` one that gets the names of those that
passed. ``MUTANTS_SECONDS`` is how much of the processor a test may use, so that a busy machine makes no test fail.
Compiled code is kept by the imports of a kernel's module, not by all sources of its space, so that one changed module
does not mean compiling all.
"""

import functools
import json
import os
import re
import signal
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import NoReturn

import pytest

from boardspace_kernels import kernel_cache, sources

ONLY, PASSED = os.environ.get("MUTANTS_ONLY"), os.environ.get("MUTANTS_PASSED")
SECONDS = float(os.environ.get("MUTANTS_SECONDS", "0"))
_passed: list[str] = []


class TooLong(BaseException):
    """A test used more of the processor than it may; no Exception, which Hypothesis would try to find again."""


@functools.cache
def imports_key(module: str) -> str:
    """Digest of the sources of a module of kernels and of all kernels that it imports."""
    if not module.startswith(sources.PACKAGE):
        return sources.plug_in_digest(module.partition(".")[0])
    met, left = set[Path](), [module]
    while left:
        path = sources.KERNELS.joinpath(*left.pop().split(".")[1:]).with_suffix(".py")
        if path.is_file() and path not in met:
            met.add(path)
            left += re.findall(rf"\b{sources.PACKAGE}(?:\.\w+)+", path.read_text(encoding="utf-8"))
    return sources.source_digest(*sorted(met))


kernel_cache.sources_key = imports_key  # type: ignore[attr-defined]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep the tests that were asked for."""
    if ONLY:
        kept = set(json.loads(Path(ONLY).read_text(encoding="utf-8")))
        items[:] = [item for item in items if item.nodeid in kept]


def _end_test(number: int, frame: FrameType | None) -> NoReturn:
    raise TooLong(f"more than {SECONDS} s")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Iterator[None]:
    """Limit the time of a test."""
    signal.signal(signal.SIGPROF, _end_test)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        return (yield)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Note a test that passed."""
    if report.when == "call" and report.passed:
        _passed.append(report.nodeid)


def pytest_sessionfinish() -> None:
    """Write which tests passed."""
    if PASSED:
        Path(PASSED).write_text(json.dumps(_passed), encoding="utf-8")
