"""The installed wheel, and a space whose shards take as long as they are told, on what stands for a cluster."""

import re
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.wheel.conftest import *  # noqa: F403 - all of its fixtures, as they ask for one another
from tests.wheel.conftest import ROOT, Installation

# The command, but nothing in it takes time: what a run on a cluster is compared with.
SLEEPLESS = "import time; time.sleep = lambda _: None; from boardspace.cli.main import main; main()"


def block(heading: str, language: str, number: int = 0) -> str:
    """A block of code of docs/clusters.md: the one of that number, of this language, below this heading."""
    text = (ROOT / "docs/clusters.md").read_text()
    (section,) = re.findall(rf"^## {heading}\n(.*?)(?=^## |\Z)", text, re.M | re.S)
    found: list[str] = re.findall(rf"^```{language}\n(.*?)^```$", section, re.M | re.S)
    return found[number]


@pytest.fixture(scope="session")
def plugged(installed: Installation) -> Mapping[str, str]:
    """The environment of commands: the installation's, in which tests/toy.py is a space from elsewhere."""
    spaces = installed.folder / "spaces"
    spaces.mkdir()
    shutil.copy(ROOT / "tests/toy.py", spaces / "plugged_toy.py")
    shutil.copy(ROOT / "tests/toy_claims.toml", spaces)
    path = f"{installed.prefix / 'bin'}:{installed.environment['PATH']}"
    own = {"PATH": path, "PYTHONPATH": str(spaces), "BOARDSPACE_SPACES": "plugged_toy"}
    return {**installed.environment, **own}


def toy_config(folder: Path, shards: int, seconds: float) -> Path:
    """A configuration of two stages of so many shards, each of which takes so many seconds; and a file ``log``, to
    which each shard that is computed adds a line."""
    path = folder / "toy.toml"
    path.write_text(f'[toy]\nshards = {shards}\nroots = 300\npause = {seconds}\nlog = "{folder / "log"}"\n')
    return path
