"""The plug-ins of examples/, each importable and registered for the tests that ask for it."""

import importlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from boardspace.engine import compilation
from boardspace.graphs import Puzzle
from boardspace.graphs.space import PuzzleSpace
from tests.shared import plugged_in

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@dataclass(frozen=True)
class Example:
    """A plug-in of examples/: its puzzle."""

    puzzle: Puzzle


@pytest.fixture(scope="module")
def plugged() -> Iterator[None]:
    """Puts all examples on the path of imports, registers them, and has their kernels compiled: together, as each
    process that compiles takes seconds to start."""
    names = sorted(path.stem for path in EXAMPLES.glob("*.py"))
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(EXAMPLES))
        with plugged_in(",".join(["tests.toy", *names])):
            compilation.fill(dict.fromkeys(names, ()))
            yield


def example(name: str) -> Example:
    space = importlib.import_module(name).SPACE
    assert isinstance(space, PuzzleSpace)
    assert space.puzzle is not None
    return Example(space.puzzle)


@pytest.fixture(scope="module")
def pocket_cube(plugged: None) -> Example:
    return example("pocket_cube")
