"""The recipe of a container: what can be told without a builder, and the container itself where there is one."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from importlib.metadata import distribution
from pathlib import Path

import pytest

from tests.wheel.conftest import ROOT

RECIPE = ROOT / "Containerfile"
BUILDER = next(filter(None, map(shutil.which, ("podman", "buildah"))), None)
"""A client of Docker alone does not do: it needs a daemon."""


def instructions() -> list[tuple[str, str]]:
    """The instructions of the recipe: name and the rest of the line."""
    lines = [line for line in RECIPE.read_text().splitlines() if line and not line.startswith("#")]
    return [(line.split(" ", 1)[0], line.split(" ", 1)[1]) for line in lines]


def last(name: str) -> str:
    return [rest for instruction, rest in instructions() if instruction == name][-1]


def test_the_container_is_slim_and_its_stages_are_the_same_python() -> None:
    bases = [rest.split(" ")[0] for name, rest in instructions() if name == "FROM"]
    assert len(bases) == 2
    assert len(set(bases)) == 1
    assert bases[0].endswith("-slim")


def test_the_container_does_not_run_as_root() -> None:
    user, group = map(int, last("USER").split(":"))
    assert user > 0
    assert group > 0
    after = instructions()[[name for name, _ in instructions()].index("USER") :]
    assert not [name for name, _ in after if name in {"RUN", "COPY"}]
    assert f"useradd --uid {user} " in RECIPE.read_text()
    assert f"-o {user} -g {group} {last('WORKDIR')}" in RECIPE.read_text()


def test_both_commands_of_the_container_are_programs_of_what_it_installs() -> None:
    (command,) = json.loads(last("ENTRYPOINT"))
    assert command in {entry.name for entry in distribution("boardspace").entry_points}
    (other,) = set(re.findall(r"--entrypoint (\w+)", RECIPE.read_text()))
    assert other in {entry.name for entry in distribution("dask").entry_points}
    assert "dask" in (ROOT / "requirements.lock").read_text()


def test_the_recipe_installs_by_hashes_what_is_locked_and_then_the_wheel() -> None:
    installs = [rest for name, rest in instructions() if name == "RUN" and "pip install" in rest]
    assert ["--require-hashes -r /build/requirements.lock" in line for line in installs] == [True, False]
    assert ["--no-deps /build/*.whl" in line for line in installs] == [False, True]
    copied = [rest.split(" ")[0] for name, rest in instructions() if name == "COPY" and not rest.startswith("--from")]
    assert copied == ["requirements.lock", "dist/*.whl"]
    assert (ROOT / "requirements.lock").is_file()


@pytest.fixture
def container(built: Mapping[str, Path], tmp_path: Path) -> Iterator[list[str]]:
    """The start of a command that runs the container, built here."""
    if BUILDER is None or not BUILDER.endswith("podman"):
        pytest.skip("no podman here, so the container was not built")
    (tmp_path / "dist").mkdir()
    shutil.copy(built["wheel"], tmp_path / "dist")
    for file in (RECIPE, ROOT / "requirements.lock"):
        shutil.copy(file, tmp_path)
    subprocess.run([BUILDER, "build", "-t", "boardspace-test", str(tmp_path)], check=True, timeout=1800)
    yield [BUILDER, "run", "--rm"]
    subprocess.run([BUILDER, "rmi", "boardspace-test"], check=False)


@pytest.mark.wheel
@pytest.mark.timeout(3600)
def test_the_container_runs_both_commands(container: list[str]) -> None:
    smoke = ["boardspace-test", "run", "smoke", "--space", "sliding_blocks", "--out", "/data/smoke", "--workers", "2"]
    subprocess.run([*container, *smoke], check=True)
    subprocess.run([*container, "--entrypoint", "dask", "boardspace-test", "worker", "--version"], check=True)
    who = subprocess.run([*container, "--entrypoint", "id", "boardspace-test", "-u"], check=True, capture_output=True)
    assert who.stdout.strip() == b"10001"
