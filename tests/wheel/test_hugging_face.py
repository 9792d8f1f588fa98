"""A release in the hands of Hugging Face's library ``datasets``, which has an environment of its own."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.wheel.conftest import Installation, environment

pytestmark = pytest.mark.wheel
LOAD = """
import json, os, sys
import datasets
for folder, name in json.loads(sys.argv[1]):
    found = datasets.load_dataset(folder, *filter(None, [name]))["train"]
    streamed = datasets.load_dataset(folder, *filter(None, [name]), streaming=True)["train"]
    assert next(iter(streamed)) == found[0]
    print(json.dumps({"rows": found.num_rows, "columns": found.column_names}), flush=True)
os._exit(0)  # the library's threads may abort an interpreter that ends beside them
"""
NAMED = ("sliding_blocks-records", "board_division-strips", "board_division-claims")
ALONE = ("", "classes")


@pytest.fixture(scope="module")
def release(smoke: Path) -> Path:
    """That of the page of the first ten minutes."""
    return smoke.parent / "release"


@pytest.fixture(scope="module")
def loaded(
    install: Callable[..., Installation],
    installed: Installation,
    release: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> dict[tuple[Path, str], Any]:
    """Rows and columns of tables by folder and name, as the library reads them in one process, whole and streamed,
    without a network and in an environment with ``datasets`` alone."""
    folder = tmp_path_factory.mktemp("hugging_face")
    python = install(sys.executable, folder, "datasets").python
    installed.run("boardspace", "instances", "solitaire", "--of", "rectangle3x5", "--number", 40, "--out", "puzzles")
    tables = [(release, name) for name in NAMED] + [(release / "sliding_blocks", name) for name in ALONE]
    tables.append((installed.folder / "puzzles", ""))
    offline = {**environment(folder), "HF_HOME": str(folder), "HF_HUB_OFFLINE": "1"}
    asked = json.dumps([(str(place), name) for place, name in tables])
    done = subprocess.run(
        [python, "-c", LOAD, asked], env=offline, cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return dict(zip(tables, map(json.loads, done.stdout.splitlines()[-len(tables) :]), strict=True))


def test_tables_of_a_release_are_loaded_by_their_names(loaded: dict[tuple[Path, str], Any], release: Path) -> None:
    manifest = json.loads((release / "release.json").read_text())
    rows = {f"{entry['name']}-{one['name']}": one["rows"] for entry in manifest["datasets"] for one in entry["tables"]}
    assert {name: loaded[release, name]["rows"] for name in NAMED} == {name: rows[name] for name in NAMED}


def test_tables_of_one_folder_are_loaded_the_first_without_a_name(
    loaded: dict[tuple[Path, str], Any], release: Path
) -> None:
    for name in ALONE:
        found = loaded[release / "sliding_blocks", name]
        assert "tray" in found["columns"]
        assert found["rows"] > 0


def test_instances_are_loaded_as_train_and_test(loaded: dict[tuple[Path, str], Any], installed: Installation) -> None:
    assert loaded[installed.folder / "puzzles", ""]["rows"] > 0
