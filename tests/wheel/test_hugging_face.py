"""A release in the hands of Hugging Face's library ``datasets``, which has an environment of its own."""

import json
import os
import subprocess
import venv
from pathlib import Path
from typing import Any

import pytest

from tests.pipeline.publish.conftest import in_process

pytestmark = pytest.mark.wheel
LOAD = """
import json, os, sys
import datasets
folder, name = sys.argv[1:]
found = datasets.load_dataset(folder, *filter(None, [name]))["train"]
streamed = datasets.load_dataset(folder, *filter(None, [name]), streaming=True)["train"]
assert next(iter(streamed)) == found[0]
print(json.dumps({"rows": found.num_rows, "columns": found.column_names}), flush=True)
os._exit(0)  # the library's threads may abort an interpreter that ends beside them
"""


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of an environment with ``datasets`` alone."""
    prefix = tmp_path_factory.mktemp("hugging_face") / "environment"
    venv.create(prefix, with_pip=True)
    subprocess.run([prefix / "bin" / "pip", "install", "-q", "datasets"], check=True, capture_output=True)
    return prefix / "bin" / "python"


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two small datasets, published for Hugging Face."""
    folder = tmp_path_factory.mktemp("release")
    for name in ("sliding_blocks", "board_division"):
        done = in_process("run", "smoke", "--space", name, "--out", folder / "run", "--workers", 0)
        assert done.exit_code == 0, done.output
    done = in_process("publish", folder / "run", "--out", folder / "release", "--profile", "huggingface")
    assert done.exit_code == 0, done.output
    return folder / "release"


def loaded(python: Path, folder: Path, name: str, cache: Path) -> Any:
    """Rows and columns of a table as the library reads it, whole and streamed, without a network."""
    offline = {**os.environ, "HF_HOME": str(cache), "HF_HUB_OFFLINE": "1", "PYTHONPATH": ""}
    done = subprocess.run(
        [python, "-c", LOAD, folder, name], env=offline, cwd=cache, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize("table", ["sliding_blocks-records", "board_division-strips", "board_division-claims"])
def test_a_table_of_a_release_is_loaded_by_its_name(python: Path, release: Path, table: str, tmp_path: Path) -> None:
    dataset, name = table.split("-")
    manifest = json.loads((release / "release.json").read_text())
    [held] = [
        one
        for entry in manifest["datasets"]
        if entry["name"] == dataset
        for one in entry["tables"]
        if one["name"] == name
    ]
    assert loaded(python, release, table, tmp_path)["rows"] == held["rows"]


@pytest.mark.parametrize("name", ["", "classes"])
def test_a_table_of_one_folder_is_loaded_the_first_without_a_name(
    python: Path, release: Path, name: str, tmp_path: Path
) -> None:
    found = loaded(python, release / "sliding_blocks", name, tmp_path)
    assert "tray" in found["columns"]
    assert found["rows"] > 0


def test_instances_are_loaded_as_train_and_test(python: Path, tmp_path: Path) -> None:
    done = in_process("instances", "solitaire", "--of", "rectangle3x5", "--number", 40, "--out", tmp_path / "puzzles")
    assert done.exit_code == 0, done.output
    assert loaded(python, tmp_path / "puzzles", "", tmp_path)["rows"] > 0
