"""The skeleton of a plug-in runs, is verified and passes its own test as it is written."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

from boardspace.cli.main import cli
from tests.pipeline.conftest import ROOT, boardspace, python

SOURCES = [str(ROOT / folder) for folder in ("kernels", "pipeline", ".")]


@pytest.fixture(scope="module", params=["table", "graph"])
def written(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp(request.param) / "peaceful_queens"
    done = boardspace("new-space", "peaceful_queens", "--kind", request.param, "--out", folder)
    assert done.returncode == 0, done.stderr
    return folder


def is_graph(written: Path) -> bool:
    return (written / "peaceful_queens.py").is_file()


@pytest.mark.thorough
def test_its_own_tests_pass(written: Path) -> None:
    text = "import pytest, sys; sys.exit(pytest.main(['-q', '-p', 'no:cacheprovider']))"
    done = python(text, env={"PYTHONPATH": os.pathsep.join(SOURCES)}, folder=written)
    assert done.returncode == 0, done.stdout
    assert ("1 passed" if is_graph(written) else "3 passed") in done.stdout


def test_it_runs_and_is_verified_whole_by_the_command_line(written: Path, tmp_path: Path) -> None:
    env = {"PYTHONPATH": os.pathsep.join([*SOURCES, str(written)]), "BOARDSPACE_SPACES": "peaceful_queens"}
    run = boardspace("run", written / "peaceful_queens.toml", "--out", tmp_path / "run", "--workers", 0, env=env)
    assert run.returncode == 0, run.stderr
    assert "confirmed" in run.stdout
    verified = boardspace("verify", tmp_path / "run", "--columns", env=env)
    assert verified.returncode == 0, verified.stdout
    assert ("distance" if is_graph(written) else "pairs") in verified.stdout


def test_its_code_is_formatted_like_that_of_boardspace(written: Path) -> None:
    options = ["--no-cache", "--config", str(ROOT / "pyproject.toml"), "."]
    for command in (["check"], ["format", "--check"]):
        ruff = [sys.executable, "-m", "ruff", *command, *options]
        done = subprocess.run(ruff, cwd=written, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr


def test_the_rules_of_a_puzzle_are_one_short_file(written: Path) -> None:
    if is_graph(written):
        assert len((written / "peaceful_queens.py").read_text().splitlines()) <= 80
        assert len([path for path in written.rglob("*") if path.is_file() and path.suffix == ".py"]) == 2
    else:
        assert len(list(written.rglob("*.py"))) > 5


def test_its_entry_point_names_the_package(written: Path) -> None:
    project = tomllib.loads((written / "pyproject.toml").read_text())["project"]
    assert project["entry-points"]["boardspace.spaces"] == {"peaceful_queens": "peaceful_queens"}


@pytest.mark.parametrize("name", ["Queens", "run", "klotski", "numpy", "class", "cluster", "../x", ""])
def test_a_name_that_no_new_space_can_have_is_refused(name: str, tmp_path: Path) -> None:
    done = CliRunner().invoke(cli, ["new-space", name, "--out", str(tmp_path / "new")])
    assert done.exit_code == 2
    assert not (tmp_path / "new").exists()


def test_nothing_is_written_into_a_folder_that_is_not_empty(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    done = CliRunner().invoke(cli, ["new-space", "queens", "--out", str(tmp_path)])
    assert done.exit_code == 2
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]
