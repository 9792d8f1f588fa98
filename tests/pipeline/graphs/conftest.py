"""Puzzles plugged in, in this process and those it starts, and one run of them all."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.pipeline.finished import run_of
from tests.shared import made_once, plugged_in

PLUGINS = "tests.toy,tests.lamps,tests.steps,tests.beads,tests.lights,tests.rounds,tests.numbered"
CONFIG = "[lamps]\nmost = 3\n[steps]\n[numbered]\n[beads]\n[lights]\nrows = [2, 3]\n[rounds]\n"


@pytest.fixture(scope="module", autouse=True)
def puzzles() -> Iterator[None]:
    """Plugs in the puzzles, beside the toy space."""
    with plugged_in(PLUGINS):
        yield


@pytest.fixture(scope="module")
def run_folder(puzzles: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of all puzzles, which nobody changes."""

    def run(folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        run_of(CONFIG, folder)

    return made_once(tmp_path_factory, "puzzles", run) / "out"
