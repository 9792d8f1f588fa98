"""The wheel with the least versions that it says it works with, and with the newest, on every Python that is here.

Nothing is installed but the wheel and what it depends on, no extra: what the development environment has besides, such
as pandas, hides what is missing. The least versions are those of the wheel's own metadata.
"""

import zipfile
from collections.abc import Callable, Iterator, Mapping
from email import message_from_bytes
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.wheel.conftest import HELP_OF_EVERY_COMMAND, PYTHONS, Installation, interpreter

pytestmark = pytest.mark.wheel
OLDEST, *_, LATEST = PYTHONS
LEAST, NEWEST = "least", "newest"


def required(wheel: Path) -> Iterator[Requirement]:
    """Direct dependencies of a wheel, without those of extras."""
    with zipfile.ZipFile(wheel) as archive:
        [name] = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        lines = message_from_bytes(archive.read(name)).get_all("Requires-Dist", [])
    found = map(Requirement, lines)
    return (one for one in found if one.marker is None or one.marker.evaluate({"extra": ""}))


def least(requirement: Requirement) -> str:
    """The requirement of the least version alone."""
    [floor] = [part.version for part in requirement.specifier if part.operator == ">="]
    return f"{requirement.name}[{','.join(requirement.extras)}]=={floor}"


@pytest.mark.parametrize(
    ("versions", "python"),
    [
        (LEAST, OLDEST),
        (NEWEST, LATEST),
        *(pytest.param(NEWEST, python, marks=pytest.mark.slow) for python in PYTHONS[:-1]),
    ],
)
def test_it_runs_verifies_publishes_and_answers(
    built: Mapping[str, Path],
    install: Callable[..., Installation],
    add: Callable[..., None],
    tmp_path: Path,
    versions: str,
    python: str,
) -> None:
    found = interpreter(python)
    if found is None:
        pytest.skip(f"no Python {python} is installed")
    wheel = built["wheel"]
    installed = install(found, tmp_path, wheel, *(map(least, required(wheel)) if versions == LEAST else ()))
    assert installed.run("python", "--version").stdout.startswith(f"Python {python}.")
    installed.run("python", "-c", "import importlib.util; assert importlib.util.find_spec('pandas') is None")
    installed.run("python", "-c", HELP_OF_EVERY_COMMAND)
    done = installed.run("boardspace", "run", "smoke", "--out", "smoke", "--workers", 2)
    assert "warning" not in done.stderr
    installed.run("boardspace", "publish", "smoke", "--out", "release")  # which verifies it
    assert "0 faults" in installed.run("boardspace", "verify", "release", "--level", "structure").stdout
    installed.run("boardspace", "instances", "solitaire", "--of", "rectangle3x5", "--number", 10, "--out", "puzzles")
    for question, answer in {
        ("klotski", "solve", "1A9BF0C"): "81",
        ("rectangle", 4, 5): "1",
        ("solitaire", "solve", "--board", "triangle15"): "10 moves",
        ("sliding", "hardest", 3, 4, "--pieces", 6): "30 steps",
        ("tromino", 2, 1, 1): "4 4 5 5",
        ("five", "X", 6, 7): "X(6, 7, 5) = 8",
        ("five", "place", 9, 9): "",
    }.items():
        asked = installed.run("boardspace", *question)
        assert answer in asked.stdout
        assert "warning" not in asked.stderr
    installed.run("boardspace", "new-space", "peaceful_queens")
    add(installed.python, "-e", f"{tmp_path / 'peaceful_queens'}[test]")
    assert " passed" in installed.run("python", "-m", "pytest", "-q", "peaceful_queens").stdout
    assert "peaceful_queens" in installed.run("boardspace", "keys", "peaceful_queens").stdout
