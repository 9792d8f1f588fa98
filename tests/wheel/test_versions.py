"""The wheel with the least versions that it says it works with, and with the newest, on every Python that is here.

Nothing is installed but the wheel and what it depends on, no extra: what the development environment has besides, such
as pandas, hides what is missing. The least versions are those of the wheel's own metadata.

To compile the kernels of all spaces takes most of the time. The first ten minutes run them with the locked versions, on
the Python of the checkout; here the space with the fewest kernels is compiled from nothing, and slow tests compile all
of them. Of a Python, numba knows the bytecode, so it reads that of all kernels.
"""

import json
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from email import message_from_bytes
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.wheel.conftest import PYTHONS, Installation, interpreter

pytestmark = pytest.mark.wheel
OLDEST, *_, LATEST = PYTHONS
LEAST, NEWEST = "least", "newest"
FEW_KERNELS = "board_division"
MANY = 300
"""Kernels are more than that."""
ASK = """
import importlib.util, json, sys
import click
from click.testing import CliRunner
from boardspace.cli.main import cli

def ask(answer, *words):
    done = CliRunner().invoke(cli, words)
    assert done.exit_code == 0 and answer in done.output, (words, done.output, done.exception)
    assert words[-1] == "--help" or "warning" not in done.output, (words, done.output)

assert importlib.util.find_spec("pandas") is None
for words, answer in json.loads(sys.argv[1]):
    ask(answer, *words.split())
"""
"""In one process: questions have their answers."""
EXPLAIN = """
def walk(command, path, context):
    ask("Usage: ", *path, "--help")
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            walk(command.get_command(context, name), [*path, name], context)

walk(cli, [], click.Context(cli))
"""
"""After that: every command explains itself."""
READ = """
import importlib, pkgutil
import boardspace_kernels
from boardspace_kernels.jit import Kernel
from numba.core.compiler import run_frontend

for found in pkgutil.walk_packages(boardspace_kernels.__path__, boardspace_kernels.__name__ + "."):
    module = importlib.import_module(found.name)
    for one in vars(module).values():
        if isinstance(one, Kernel) and one.__module__ == found.name:
            run_frontend(one.__wrapped__)
            print(one.__name__)
"""
"""Numba makes its own form of the bytecode of every kernel: to do that is all that depends on a version of Python."""
QUESTIONS = {
    "rectangle 4 5": "1",
    "tromino 2 1 1": "4 4 5 5",
    "klotski solve 1A9BF0C": "81",
    "solitaire solve --board triangle15": "10 moves",
    "sliding hardest 3 4 --pieces 6": "30 steps",
    "five X 6 7": "X(6, 7, 5) = 8",
    "five place 9 9": "",
    "instances solitaire --of rectangle3x5 --number 10 --out puzzles": "",
}
"""Questions to the command line, and what their answers hold; the first two need the kernels of FEW_KERNELS alone, the
next two few others. The locked versions are asked all of them."""


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
    ("versions", "python", "spaces"),
    [
        (LEAST, OLDEST, [FEW_KERNELS]),
        (NEWEST, LATEST, [FEW_KERNELS]),
        pytest.param(LEAST, OLDEST, [], marks=pytest.mark.slow),
        *(pytest.param(NEWEST, python, [], marks=pytest.mark.slow) for python in PYTHONS),
    ],
)
def test_it_runs_verifies_publishes_and_answers(
    built: Mapping[str, Path],
    install: Callable[..., Installation],
    add: Callable[..., None],
    tmp_path: Path,
    versions: str,
    python: str,
    spaces: Sequence[str],
) -> None:
    found = interpreter(python)
    if found is None:
        pytest.skip(f"no Python {python} is installed")
    wheel = built["wheel"]
    installed = install(found, tmp_path, wheel, *(map(least, required(wheel)) if versions == LEAST else ()))
    assert installed.run("python", "--version").stdout.startswith(f"Python {python}.")
    chosen = [f"--space={name}" for name in spaces]
    done = installed.run("boardspace", "run", "smoke", *chosen, "--out", "smoke", "--workers", 2)
    assert "warning" not in done.stderr
    assert len(installed.run("python", "-c", READ).stdout.splitlines()) > MANY
    questions = [*QUESTIONS.items()][: {LEAST: 2, NEWEST: 4}[versions] if spaces else None]
    assert "warning" not in installed.run("python", "-c", ASK + EXPLAIN, json.dumps(questions)).stderr
    installed.run("boardspace", "publish", "smoke", "--out", "release")  # which verifies it
    assert "0 faults" in installed.run("boardspace", "verify", "release", "--level", "structure").stdout
    installed.run("boardspace", "new-space", "peaceful_queens")
    add(installed.python, "-e", f"{tmp_path / 'peaceful_queens'}[test]")
    assert " passed" in installed.run("python", "-m", "pytest", "-q", "peaceful_queens").stdout
    assert "peaceful_queens" in installed.run("boardspace", "keys", "peaceful_queens").stdout
