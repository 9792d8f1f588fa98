"""The examples in the docstrings of everything public run, and everything public is documented and typed."""

import ast
import doctest
import importlib
import inspect
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import boardspace
from boardspace.release import datasets
from boardspace.running import run

ROOMS = ("klotski", "solitaire", "five_in_a_row", "board_division", "sliding_blocks", "rush_hour")
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def public(room: str) -> Iterator[tuple[str, Any]]:
    module = importlib.import_module(f"boardspace.{room}")
    for name in module.__all__:
        yield f"{room}.{name}", getattr(module, name)


EVERYTHING = [pair for room in ROOMS for pair in public(room)]
FUNCTIONS = [(name, value) for name, value in EVERYTHING if inspect.isfunction(value)]


def failures(thing: Any, name: str, names: dict[str, Any]) -> int:
    """How many examples of a docstring fail; what they print goes to standard output."""
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    for test in doctest.DocTestFinder(recurse=not isinstance(thing, ModuleType)).find(thing, name, globs=dict(names)):
        runner.run(test)
    return runner.summarize(verbose=False).failed


@pytest.mark.parametrize(("name", "thing"), EVERYTHING, ids=[name for name, _ in EVERYTHING])
def test_examples_run(name: str, thing: Any) -> None:
    module = importlib.import_module(f"boardspace.{name.split('.')[0]}")
    assert not failures(thing, name, vars(module))


@pytest.mark.parametrize("module", ["boardspace", *(f"boardspace.{room}" for room in ROOMS)])
def test_the_examples_of_modules_run(module: str) -> None:
    assert not failures(importlib.import_module(module), module, {})


def test_the_examples_of_runs_and_datasets_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert not failures(run, "run", {"run": run})
    assert not failures(datasets.open_datasets, "open", vars(datasets))
    opened = {"opened": boardspace.open("outputs/triangle15")}
    assert not failures(datasets.Dataset, "Dataset", vars(datasets) | opened)


def test_every_public_function_is_typed_and_shows_an_example() -> None:
    for name, function in FUNCTIONS:
        assert ">>>" in (function.__doc__ or ""), name
        parameters = inspect.signature(function).parameters
        assert set(parameters) | {"return"} == set(function.__annotations__), name


def test_importing_the_package_loads_nothing_heavy() -> None:
    """Nothing but the standard library, and little of that."""
    code = "import sys; before = set(sys.modules); import boardspace; print(sorted(set(sys.modules) - before))"
    loaded = os.popen(f"{sys.executable} -c '{code}'").read()
    tops = {module.split(".")[0] for module in ast.literal_eval(loaded)}
    assert tops <= {"boardspace", *sys.stdlib_module_names}
    assert len(ast.literal_eval(loaded)) < 30


def test_what_is_public_is_listed() -> None:
    assert set(dir(boardspace)) == set(boardspace.__all__)
    for name in boardspace.__all__:
        assert getattr(boardspace, name)
    with pytest.raises(AttributeError, match="nonsense"):
        _ = boardspace.nonsense
