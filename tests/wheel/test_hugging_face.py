"""A release in the hands of Hugging Face's library ``datasets``, which has an environment of its own."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.pipeline.publish.conftest import in_process
from tests.wheel.conftest import Installation, environment

pytestmark = pytest.mark.wheel
LOAD = """
import json, os, sys
import datasets
folder, *names = sys.argv[1:]
for name in names:
    found = datasets.load_dataset(folder, *filter(None, [name]))["train"]
    streamed = datasets.load_dataset(folder, *filter(None, [name]), streaming=True)["train"]
    assert next(iter(streamed)) == found[0]
    print(json.dumps({"rows": found.num_rows, "columns": found.column_names}), flush=True)
os._exit(0)  # the library's threads may abort an interpreter that ends beside them
"""


@pytest.fixture(scope="module")
def python(install: Callable[..., Installation], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of an environment with ``datasets`` alone."""
    return install(sys.executable, tmp_path_factory.mktemp("hugging_face"), "datasets").python


@pytest.fixture
def release(smoke: Path) -> Path:
    """That of the page of the first ten minutes."""
    return smoke.parent / "release"


def loaded(python: Path, folder: Path, cache: Path, *names: str) -> list[Any]:
    """Rows and columns of tables as the library reads them, whole and streamed, without a network."""
    offline = {**environment(cache), "HF_HOME": str(cache), "HF_HUB_OFFLINE": "1"}
    done = subprocess.run(
        [python, "-c", LOAD, folder, *names], env=offline, cwd=cache, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()[-len(names) :]]


def test_tables_of_a_release_are_loaded_by_their_names(python: Path, release: Path, tmp_path: Path) -> None:
    manifest = json.loads((release / "release.json").read_text())
    rows = {f"{entry['name']}-{one['name']}": one["rows"] for entry in manifest["datasets"] for one in entry["tables"]}
    tables = ("sliding_blocks-records", "board_division-strips", "board_division-claims")
    assert [found["rows"] for found in loaded(python, release, tmp_path, *tables)] == [rows[name] for name in tables]


def test_tables_of_one_folder_are_loaded_the_first_without_a_name(python: Path, release: Path, tmp_path: Path) -> None:
    for found in loaded(python, release / "sliding_blocks", tmp_path, "", "classes"):
        assert "tray" in found["columns"]
        assert found["rows"] > 0


def test_instances_are_loaded_as_train_and_test(python: Path, tmp_path: Path) -> None:
    done = in_process("instances", "solitaire", "--of", "rectangle3x5", "--number", 40, "--out", tmp_path / "puzzles")
    assert done.exit_code == 0, done.output
    [found] = loaded(python, tmp_path / "puzzles", tmp_path, "")
    assert found["rows"] > 0
