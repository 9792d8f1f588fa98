"""The recipe of a container: what can be told without a builder, and the container itself where podman and a base are.

Where no registry of images is within reach, BOARDSPACE_CONTAINER_BASE names a base that lies here, made by `make
container-base` of Debian's packages. BOARDSPACE_CONTAINER_BUILD holds further options of `podman build`.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from importlib.metadata import distribution
from pathlib import Path

import pytest

from tests.wheel.conftest import ROOT

RECIPE = ROOT / "Containerfile"
PODMAN = shutil.which("podman")
"""A client of Docker alone does not do: it needs a daemon."""
FOR_ALL = 0o777
"""Mode of the folder that is mounted: the user of the container writes to it."""


def instructions() -> list[tuple[str, str]]:
    """The instructions of the recipe: name and the rest of the line."""
    lines = [line for line in RECIPE.read_text().splitlines() if line and not line.startswith("#")]
    return [(line.split(" ", 1)[0], line.split(" ", 1)[1]) for line in lines]


def last(name: str) -> str:
    return [rest for instruction, rest in instructions() if instruction == name][-1]


def usual_base() -> str:
    """The base that is built on where none is named."""
    (default,) = [rest.removeprefix("BASE=") for name, rest in instructions() if name == "ARG"]
    return default


def test_the_container_is_slim_and_its_stages_are_the_same_python() -> None:
    assert [rest.split(" ")[0] for name, rest in instructions() if name == "FROM"] == ["${BASE}", "${BASE}"]
    assert usual_base().endswith("-slim")


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


@pytest.fixture(scope="module")
def container(built: Mapping[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[str]]:
    """The start of a command that runs the container, built here."""
    if PODMAN is None:
        pytest.skip("no podman here, so the container was not built")
    base = os.environ.get("BOARDSPACE_CONTAINER_BASE") or usual_base()
    if subprocess.run([PODMAN, "image", "exists", base], check=False).returncode:
        pulled = subprocess.run([PODMAN, "pull", "--quiet", base], capture_output=True, text=True, check=False)
        if pulled.returncode:
            pytest.skip(f"no image {base} here or to be pulled, so the container was not built: {pulled.stderr[-200:]}")
    folder = tmp_path_factory.mktemp("container")
    (folder / "dist").mkdir()
    shutil.copy(built["wheel"], folder / "dist")
    for file in (RECIPE, ROOT / "requirements.lock"):
        shutil.copy(file, folder)
    options = shlex.split(os.environ.get("BOARDSPACE_CONTAINER_BUILD", ""))
    named = ["--build-arg", f"BASE={base}", "-t", "boardspace-test"]
    subprocess.run([PODMAN, "build", *options, *named, str(folder)], check=True, timeout=1800)
    data = folder / "data"
    data.mkdir()
    data.chmod(FOR_ALL)
    yield [PODMAN, "run", "--rm", "-v", f"{data}:/data"]
    subprocess.run([PODMAN, "rmi", "boardspace-test"], check=False)


@pytest.mark.wheel
@pytest.mark.timeout(3600)
def test_the_container_makes_a_run_and_finds_no_fault_in_it(container: list[str]) -> None:
    smoke = ["boardspace-test", "run", "smoke", "--space", "sliding_blocks", "--out", "/data/smoke", "--workers", "2"]
    subprocess.run([*container, *smoke], check=True)
    verify = subprocess.run(
        [*container, "boardspace-test", "verify", "/data/smoke"], check=True, capture_output=True, text=True
    )
    assert " 0 faults in " in verify.stdout


@pytest.mark.wheel
@pytest.mark.timeout(3600)
def test_the_container_is_a_worker_and_not_root(container: list[str]) -> None:
    subprocess.run([*container, "--entrypoint", "dask", "boardspace-test", "worker", "--version"], check=True)
    who = subprocess.run([*container, "--entrypoint", "id", "boardspace-test", "-u"], check=True, capture_output=True)
    assert who.stdout.strip() == b"10001"
