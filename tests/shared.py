"""What tests of every folder do: wait for what happens elsewhere, and share kernels and folders that take long to
make."""

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from filelock import FileLock

from boardspace.engine import compilation
from boardspace.engine.config import load_config


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


def wait_until(happened: Callable[[], object], seconds: float = 300) -> None:
    """Wait for another thread or process; AssertionError where it takes longer than any busy machine would."""
    deadline = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < deadline
        time.sleep(0.01)
