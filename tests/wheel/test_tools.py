"""The wheel in the hands of other tools: run without an installation by uv and pipx, listed as a bill of materials."""

import json
import os
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.wheel.conftest import ROOT, environment, newest_interpreter

pytestmark = pytest.mark.wheel


def ran(folder: Path, cache: Path, *command: object) -> str:
    """What a command prints, run in a folder that is its home too; AssertionError with its output where it fails."""
    own = {"HOME": str(folder), "UV_CACHE_DIR": str(cache / "uv"), "PIPX_HOME": str(folder / "pipx")}
    own |= {"PIP_COMPILE": "0"}  # pip would make bytecode of modules that nothing imports, half of its time
    done = subprocess.run(
        list(map(str, command)),
        cwd=folder,
        env={**environment(cache), **own},
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    assert done.returncode == 0, f"{' '.join(map(str, command))}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.mark.parametrize("program", ["uvx", "pipx"])
def test_the_wheel_runs_without_being_installed(
    built: Mapping[str, Path], tools: Path, cache: Path, tmp_path: Path, program: str
) -> None:
    python = ["--python", newest_interpreter()]
    start = ["uvx", *python, "--from"] if program == "uvx" else ["pipx", "run", *python, "--spec"]
    command = [tools / start[0], *start[1:], built["wheel"], "boardspace"]
    assert ran(tmp_path, cache, *command, "--version").startswith("boardspace, version ")
    ran(tmp_path, cache, *command, "run", "smoke", "--space", "board_division", "--out", "smoke", "--workers", "0")
    assert (tmp_path / "smoke/board_division/COMPLETE").is_file()


def locked(lock: Path) -> dict[str, str]:
    """Versions by name of a lock."""
    return dict(re.findall(r"^([a-z0-9][a-z0-9._-]*)==([^ ;\\]+)", lock.read_text(), re.MULTILINE))


def test_the_bill_of_materials_lists_what_is_locked_and_is_valid(tools: Path, tmp_path: Path) -> None:
    """By the command of `make sbom`, which compares what it writes with the schema of CycloneDX; once, as that takes
    nine tenths of the time."""
    target = re.search(r"^sbom:.*\n((?:\t.*\n)+)", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert target is not None
    (line,) = [one for one in target[1].splitlines() if "cyclonedx-py" in one]
    made = []
    for name, compared in (("one.json", "--validate"), ("two.json", "--no-validate")):
        command = line.strip().replace("$(BIN)", str(tools)).replace("$(SBOM)", str(tmp_path / name))
        command = command.replace("--validate", compared)
        subprocess.run(command, shell=True, cwd=ROOT, check=True, capture_output=True, env=dict(os.environ))
        made.append((tmp_path / name).read_bytes())
    assert made[0] == made[1]
    bill = json.loads(made[0])
    assert (bill["bomFormat"], bill["metadata"]["component"]["name"]) == ("CycloneDX", "boardspace")
    assert {one["name"].lower(): one["version"] for one in bill["components"]} == locked(ROOT / "requirements.lock")
    assert all(one["purl"].startswith("pkg:pypi/") for one in bill["components"])
    hashes = {ref["hashes"][0]["content"] for one in bill["components"] for ref in one["externalReferences"]}
    assert len(hashes) == len(bill["components"])
