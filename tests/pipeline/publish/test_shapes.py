"""Tables and arrays of every shape are published so that all tools read them."""

import json
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import Any

import frictionless
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from boardspace.release.dataset import PublishError, tables_of
from boardspace.spec.space import Column, Table
from boardspace.storage.receipts import FileRecord
from tests.pipeline.conftest import boardspace, environment
from tests.pipeline.publish.conftest import croissant_of
from tests.pipeline.publish.reading import blocks, run_python, run_sql
from tests.pipeline.publish.shapes import BOXES, SPACE

PLUGINS = {"BOARDSPACE_SPACES": "tests.toy,tests.pipeline.publish.shapes"}


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shapes")
    (folder / "c.toml").write_text("[shapes]\n[toy]\nroots = 5\n")
    for command in [
        ("run", folder / "c.toml", "--out", folder / "run", "--workers", 0),
        ("publish", folder / "run", "--out", folder / "release", "--space", "shapes"),
    ]:
        done = boardspace(*command, env=PLUGINS)
        assert done.returncode == 0, done.stderr
    return folder / "release"


@pytest.fixture
def dataset(release: Path) -> Path:
    return release / "shapes"


ROW = {"kind": "box", "side": 3, "word": "it's", "even": False, "root": 3**0.5, "divisors": [1, 3], "half": None}


def test_only_the_dataset_named_is_published(release: Path) -> None:
    assert {path.name for path in release.iterdir()} == {
        *("shapes", "shapes.tar", "shapes.tar.sha256"),
        *("release.json", "README.md", "index.html", "CITATION.cff"),
    }


def test_the_examples_read_a_row_by_all_columns_of_its_key(dataset: Path) -> None:
    polars, pandas, _ = run_python(dataset / "README.md")
    assert polars["rows"].to_dicts() == run_sql(dataset / "README.md") == [ROW]
    [found] = pandas["rows"].to_dict("records")
    assert {**found, "divisors": list(found["divisors"]), "half": None} == ROW
    [r] = blocks(dataset / "README.md", "r")
    assert """filter(kind == "box", side == 3, word == "it's")""" in r


def test_columns_in_the_names_of_folders_are_in_the_files_and_explained_like_any_other(dataset: Path) -> None:
    assert pq.read_schema(dataset / "boxes" / "0000.parquet").names == ["kind", "side", *BOXES.schema.names]
    text = (dataset / "README.md").read_text()
    assert "Sorted by `kind`, `side`, `word`." in text
    assert "| `side` | `uint8` | cells | The side. |" in text
    assert "table,boxes,side,uint8,cells,2,no,The side." in (dataset / "dictionary.csv").read_text()


def test_a_table_of_one_file_is_read_from_a_run_and_from_a_release(release: Path) -> None:
    code = "import sys, boardspace; print(boardspace.open(sys.argv[1])['shapes'].tables['sides'].to_table())"
    for folder in (release.parent / "run", release):
        done = subprocess.run(
            [sys.executable, "-c", code, folder], env=environment(PLUGINS), capture_output=True, text=True, check=True
        )
        assert "[[3,4]]" in "".join(done.stdout.split())


def test_folders_that_are_not_registered_are_refused() -> None:
    record = FileRecord(path="boxes/side=03/0000.parquet", bytes=1, sha256="0" * 64, table="boxes")
    with pytest.raises(PublishError, match=r"its folders are not the registered ones of 'boxes' \['kind', 'side'\]"):
        tables_of(SPACE, {record.path: record})


def test_rows_on_a_card_have_the_columns_of_their_folders_and_a_release_verifies_them(release: Path) -> None:
    text = (release / "shapes" / "README.md").read_text()
    assert "| kind | side | word | even | root | divisors | half |" in text
    assert text.index("| box | 3 | it's | False |") < text.index("| box | 4 | it's | True |")
    done = boardspace("verify", release, env=PLUGINS)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    "alone", [{"folders": BOXES.folders}, {"lookup": ("half",)}, {"lookup": ("word",)}, {"lookup": ("nothing",)}]
)
def test_a_table_for_look_ups_that_no_release_could_serve_is_refused_when_it_is_declared(alone: dict[str, Any]) -> None:
    number = Column("id", pa.uint64(), "An id.")
    columns, key = ((number, *BOXES.columns), ("id",)) if "folders" in alone else (BOXES.columns, BOXES.key)
    with pytest.raises(ValueError, match="`lookup`"):
        Table("boxes", "Rectangles.", columns, key, **{"lookup": ("id",), **alone})


def test_the_example_reads_a_line_of_the_largest_array(dataset: Path) -> None:
    *_, example = run_python(dataset / "README.md")
    assert example["printed"].splitlines() == ["(4, 4) uint16", "[0 2 4 6]"]


def test_every_array_of_a_family_is_on_the_card_and_in_the_package(dataset: Path) -> None:
    text = (dataset / "README.md").read_text()
    assert "| `grids/{side}` | `uint16` | 2 | 4 |" in text
    *_, grids = json.loads((dataset / "datapackage.json").read_text())["resources"]
    for side in (3, 4):
        assert f"| `arrays.zarr/grids/{side}` | {side} × {side} | 2 × 2 |" in text
        assert f"arrays.zarr/grids/{side}/zarr.json" in grids["path"]


def test_frictionless_and_mlcroissant_read_every_type(dataset: Path) -> None:
    package = frictionless.Package(dataset / "datapackage.json")
    report = package.validate()
    assert report.valid, report.flatten(["name", "rowNumber", "fieldName", "message"])
    records = list(croissant_of(dataset).records("boxes"))
    expected = pq.read_table(dataset / "boxes", partitioning=None).to_pylist()
    assert [record["boxes/divisors"] for record in records] == [line["divisors"] for line in expected]
    assert [record["boxes/half"] for record in records] == [line["half"] for line in expected]
    assert [record["boxes/word"].decode() for record in records] == [line["word"] for line in expected]
    assert [record["boxes/side"] for record in records] == [3, 3, 4, 4]
    assert {record["boxes/kind"] for record in records} == {b"box"}


def test_bars_do_not_break_a_table_of_the_card_and_long_values_are_cut(dataset: Path) -> None:
    text = (dataset / "README.md").read_text()
    assert r"There is a bar \| in here." in text
    assert "…" in text
    assert (dataset / "claims.parquet").is_file()


def test_the_archive_keeps_folders(release: Path) -> None:
    with tarfile.open(release / "shapes.tar") as archive:
        assert "shapes/arrays.zarr/grids/3/c/0/0" in archive.getnames()
