"""Every space that ships is published and read back by every tool."""

import json
from contextlib import chdir
from itertools import combinations, islice
from pathlib import Path
from typing import Any

import duckdb
import frictionless
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
import pytest

from boardspace.release.atlas.drawn import pictures, rows_to_draw
from boardspace.release.datasets import Dataset, open_datasets
from boardspace.spec.registry import space_named
from boardspace.spec.space import Table
from boardspace.storage.release_folder import SUMS, read_sums
from boardspace.verify.release_inputs import published_inputs
from tests.data_versions import PAGE, faults, page, versions
from tests.pipeline.publish.conftest import SHIPPED, croissant_of, in_process
from tests.pipeline.publish.reading import blocks, rows_of, run_python, run_sql

pytestmark = pytest.mark.timeout(1200)  # on a cold cache the kernels of every space are compiled


@pytest.fixture(params=SHIPPED)
def dataset(every_space: Path, request: pytest.FixtureRequest) -> Path:
    """Each dataset of the release in turn."""
    return every_space / str(request.param)


def tables(dataset: Path) -> dict[str, list[dict[str, Any]]]:
    """The resources of the package that are files of a table, by table."""
    resources = json.loads((dataset / "datapackage.json").read_text())["resources"]
    files = [resource for resource in resources if resource["type"] == "table"]
    return {
        name: [one for one in files if one["table"] == name] for name in dict.fromkeys(one["table"] for one in files)
    }


def test_checks_of_a_release_read_the_rows_between_two_values_of_a_key(dataset: Path) -> None:
    space = space_named(dataset.name)
    inputs = published_inputs(dataset, space, list(read_sums(dataset / SUMS)))
    for table in space.all_tables:
        if not table.published or not pa.types.is_integer(table.schema.field(table.key[0]).type):
            continue
        whole = inputs.table(table.name)
        values = pc.unique(whole.column(table.key[0])).sort()
        low, high = (values[len(values) * part // 3].as_py() for part in (1, 2)) if len(values) else (0, 1)
        rows = whole.filter((pc.field(table.key[0]) >= low) & (pc.field(table.key[0]) < high))
        assert inputs.table(table.name, between=(low, high)).equals(rows), table.name
        last = table.columns[-1].name
        assert inputs.table(table.name, columns=[last], between=(low, high)).equals(rows.select([last])), table.name


DRAWN = {
    "klotski": {"main", "groups", "classes"},
    "solitaire": {"positions", "frontier", "solutions", "winning"},
    "five_in_a_row": {"cells", "certificates", "additional"},
    "board_division": {"cover_counts", "jumps"},
    "rush_hour": {"hardest"},
    "sliding_blocks": {"histograms", "records"},
}
"""Tables whose rows the spaces draw, in a small run."""


def test_rows_of_the_main_tables_have_pictures_that_the_atlas_shows(dataset: Path) -> None:
    drawn = pictures(rows_to_draw(dataset))
    assert {table for table, rows in drawn.items() if rows} >= DRAWN[dataset.name]
    for table, rows in drawn.items():
        assert len({one["svg"] for one in rows}) > len(rows) / 2, f"{table}: the pictures differ with their rows"


def test_the_examples_on_the_card_find_one_row_and_one_cell(dataset: Path) -> None:
    card = dataset / "README.md"
    assert len(run_sql(card)) == 1
    for example in run_python(card):
        assert len(example["rows"]) == 1 if "rows" in example else example["printed"]


def test_every_table_opens_whole_in_duckdb_and_polars(dataset: Path) -> None:
    for resources in tables(dataset).values():
        files = [str(dataset / one["path"]) for one in resources]
        rows = sum(one["rows"] for one in resources)
        assert duckdb.execute(f"SELECT count(*) FROM read_parquet({files})").fetchall() == [(rows,)]
        assert pl.scan_parquet(files).select(pl.len()).collect().item() == rows


def test_a_part_of_a_space_says_so_wherever_it_is_named(dataset: Path) -> None:
    package = json.loads((dataset / "datapackage.json").read_text())
    partial = package["partial"]
    assert partial.startswith("PARTIAL: ")
    assert package["name"] == f"boardspace-{dataset.name}-partial"
    [entry] = [
        one
        for one in json.loads((dataset.parent / "release.json").read_text())["datasets"]
        if one["name"] == dataset.name
    ]
    croissant = json.loads((dataset / "croissant.json").read_text())
    short = partial.split(",")[0]
    for title in (package["title"], entry["title"], croissant["alternateName"]):
        assert title.endswith(f", {short}")
    heading, _, first, *_ = (dataset / "README.md").read_text().split("---\n\n", 1)[1].splitlines()
    assert heading == f"# {package['title']}"
    assert first.startswith(f"**{partial}.**")
    assert entry["partial"] == partial
    assert croissant["name"] == package["name"]
    for name in ("README.md", "index.html", "CITATION.cff"):
        assert short in (dataset.parent / name).read_text()
    claims = in_process("claims", dataset)
    assert claims.stdout.startswith(f"{dataset.name}: {partial}\n")


def test_every_table_and_array_of_a_card_says_what_it_is_all_of(dataset: Path) -> None:
    text = (dataset / "README.md").read_text()
    held = [
        *tables(dataset),
        *(one for one in json.loads((dataset / "datapackage.json").read_text())["resources"] if "array" in one),
    ]
    for word in ("Source", "Extent", "Completeness", "Reliability"):
        assert text.count(f"\n- {word}: ") == len(held)


def test_cards_and_manifests_are_short(dataset: Path) -> None:
    assert (dataset / "README.md").stat().st_size < 30_000
    assert (dataset / "croissant.json").stat().st_size < 100_000


def test_croissant_grows_with_columns_alone(dataset: Path) -> None:
    """It has a file set for each table and family of arrays, and a field for each column, however large the run."""
    document = json.loads((dataset / "croissant.json").read_text())
    space = open_datasets(dataset)[dataset.name].space
    assert len(document["distribution"]) <= len(space.all_tables) + len(space.arrays)
    fields = [field for records in document["recordSet"] for field in records["field"]]
    assert len(fields) <= sum(len(table.unfolded.columns) for table in space.all_tables)


def test_a_layout_is_found_by_its_code_by_the_example_on_the_card(every_space: Path) -> None:
    card = every_space / "klotski" / "README.md"
    _, by_code = blocks(card, "sql")
    with chdir(card.parent):
        [row] = rows_of(by_code)
        plan = str(duckdb.execute(f"EXPLAIN {by_code}").fetchall())
    assert f"'0x{row['code']:09X}'::UBIGINT" in by_code
    assert f"code = {row['code']}" in plan, "a filter that the scan knows, no cast of the column"
    assert "CAST" not in plan


def test_a_dataset_is_few_files(dataset: Path) -> None:
    assert len([path for path in dataset.rglob("*") if path.is_file()]) <= 60


def test_tables_join_by_the_columns_of_their_keys_that_they_share(dataset: Path) -> None:
    """A name is spelled alike wherever it stands, in columns and in the names of folders. (Of numbers, such as sizes of
    boards, two tables of a small run may have none in common; some pair of tables has.)"""
    opened = open_datasets(dataset)[dataset.name]
    keys = {name: identifying(opened.space.table(name)) for name in opened.tables if opened.tables[name].count_rows()}
    pairs = [(one, other, sorted(keys[one] & keys[other])) for one, other in combinations(keys, 2)]
    assert any(joined(opened, *pair) for pair in pairs if pair[2])
    for one, other, shared in pairs:
        names = [name for name in shared if pa.types.is_string(opened.tables[one].schema.field(name).type)]
        assert not names or joined(opened, one, other, shared), f"{one} and {other} by {shared}"


def joined(opened: Dataset, one: str, other: str, shared: list[str]) -> int:
    """How many values of the shared columns stand in both tables."""
    left, right = (opened.tables[name].to_table(columns=shared).group_by(shared).aggregate([]) for name in (one, other))
    return len({tuple(row.values()) for row in left.to_pylist()} & {tuple(row.values()) for row in right.to_pylist()})


def identifying(table: Table) -> set[str]:
    """The columns that tell its rows apart, those in the names of folders among them."""
    return {column.name for column in table.folders}.union(table.key)


@pytest.mark.thorough
def test_frictionless_finds_every_file_of_every_table_valid(dataset: Path) -> None:
    """The package alone leads it to every file; of each it reads the first thousand rows."""
    manifest = str(dataset / "datapackage.json")
    report = frictionless.Package.validate_descriptor(manifest)
    assert report.valid, report.flatten(["message"])
    package = frictionless.Package(manifest)
    assert {one.path for one in package.resources if one.path and one.path.endswith(".parquet")} == {
        str(path.relative_to(dataset)) for path in dataset.rglob("*.parquet")
    }
    report = package.validate(limit_rows=1000)
    assert report.valid, report.flatten(["name", "rowNumber", "fieldName", "message"])
    assert report.stats["tasks"] == len(package.resources)


@pytest.mark.thorough
def test_mlcroissant_loads_records_of_every_table(dataset: Path) -> None:
    croissant = croissant_of(dataset)
    assert not croissant.metadata.ctx.issues.errors
    for record_set in croissant.metadata.record_sets:
        fields = {field.id for field in record_set.fields}
        for record in islice(croissant.records(record_set.id), 3):
            assert set(record) == fields


def test_a_changed_digest_needs_a_new_version_of_the_dataset(dataset: Path) -> None:
    assert list(faults(dataset, "small")) == []


def test_a_digest_that_changed_within_a_version_is_told(dataset: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    known = versions()
    table = min(known[dataset.name][-1].digests["small"])
    known[dataset.name][-1].digests["small"][table] = "0" * 32
    monkeypatch.setattr("tests.data_versions.versions", lambda: known)
    (fault,) = faults(dataset, "small")
    assert f"{dataset.name}: {table} of small has the digest" in fault
    assert "raise `version` in its space.py" in fault


def test_what_changed_in_the_data_stands_on_its_page() -> None:
    assert page() == PAGE.read_text(encoding="utf-8")
    assert versions().keys() == set(SHIPPED)
    for known in versions().values():
        assert [one.version for one in known] == list(range(1, len(known) + 1))
        assert all(one.what and "TODO" not in one.what for one in known)
