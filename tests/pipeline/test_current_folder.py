"""Nothing is imported from the folder that a command is started in: in a shared one, anybody could have code run."""

import subprocess
import sys
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from tests.pipeline.conftest import environment

PLANTED = "open({marker!r}, 'a').write(__name__ + '\\n')\nraise ImportError('planted')\n"
CHECKED_BY_PROCESSES = """
import os
from boardspace.verify import executor

if __name__ == "__main__":
    with executor.executor(executor.WORTH_PROCESSES, processes=True) as pool:
        assert pool.begin(os.path.isdir, ".")()
"""


@pytest.fixture(scope="module")
def marker(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """In a folder with a module of every name of the standard library, and of every installed package."""
    folder = tmp_path_factory.mktemp("shared")
    for name in sys.stdlib_module_names | packages_distributions().keys():
        (folder / f"{name}.py").write_text(PLANTED.format(marker=str(folder / "marker")))
    return folder / "marker"


def run_there(marker: Path, *command: object, **variables: str) -> str:
    """Start a program in that folder and return what it said; nothing planted may have run, and it must not fail."""
    there = environment({"PYTHONPATH": str(Path(__file__).parents[2]), **variables})
    done = subprocess.run(
        [*map(str, command)], cwd=marker.parent, env=there, capture_output=True, text=True, check=False
    )
    assert not marker.exists(), marker.read_text()
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_planted_module_would_run_where_python_is_started_as_it_is(marker: Path) -> None:
    done = subprocess.run([sys.executable, "-c", "import json"], cwd=marker.parent, capture_output=True, check=False)
    assert done.returncode
    assert marker.read_text()
    marker.unlink()


@pytest.mark.thorough
def test_no_process_of_a_run_imports_from_the_current_folder(marker: Path, tmp_path: Path) -> None:
    config = tmp_path / "toy.toml"
    config.write_text("[toy]\n")
    command = Path(sys.executable).with_name("boardspace")
    cold = {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    run_there(marker, command, "run", config, "--workers", 1, "--out", tmp_path / "out", **cold)


def test_no_process_of_a_verification_imports_from_the_current_folder(marker: Path, tmp_path: Path) -> None:
    program = tmp_path / "checked.py"
    program.write_text(CHECKED_BY_PROCESSES)
    run_there(marker, sys.executable, program)
