"""What tests of every folder do: wait for what happens elsewhere, and share kernels and folders that take long to
make."""

import contextlib
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from filelock import FileLock

from boardspace.engine import compilation
from boardspace.engine.config import load_config
from boardspace.spec import registry


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """The folder of this name, made by the first process that asks for it; others wait. Do not change it."""
    own = factory.getbasetemp()
    folder = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / name
    with FileLock(f"{folder}.lock"):
        if not (folder / "whole").exists():
            make(folder)
            (folder / "whole").touch()
    return folder


def compile_kernels() -> None:
    """Compile all kernels of the config ``smoke``, which has all spaces, for this user, as files of tests that begin
    together would do that at once. Other processes that ask for it wait."""
    compilation.fill(compilation.needs(load_config("smoke").spaces))


@contextlib.contextmanager
def looked_for_anew() -> Iterator[None]:
    """The registry looks for spaces anew when this begins, and when it ends."""
    for found in (registry._modules, registry._found):
        found.cache_clear()
    yield
    for found in (registry._modules, registry._found):
        found.cache_clear()


@contextlib.contextmanager
def plugged_in(names: str) -> Iterator[None]:
    """Plugs in modules, their names between commas, for this process and those it starts."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(registry.PLUGINS, names)
        with looked_for_anew():
            yield


def wait_until(happened: Callable[[], object], seconds: float = 300) -> None:
    """Wait for another thread or process; AssertionError where it takes longer than any busy machine would."""
    deadline = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < deadline
        time.sleep(0.01)
