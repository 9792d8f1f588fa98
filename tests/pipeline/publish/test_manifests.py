"""The manifests, checked by the tools of those who made the formats, and by what is in the files."""

import hashlib
import json
from pathlib import Path
from typing import Any

import frictionless
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from boardspace.release.croissant import data_type
from boardspace.spec.table import field_type
from tests.pipeline.conftest import dataset_bytes
from tests.pipeline.publish.conftest import croissant_of


@pytest.fixture
def dataset(release: Path) -> Path:
    return release / "toy"


@pytest.fixture
def package(dataset: Path) -> frictionless.Package:
    return frictionless.Package(dataset / "datapackage.json")


@pytest.fixture
def croissant(dataset: Path) -> Any:
    return croissant_of(dataset)


def test_frictionless_finds_the_package_and_every_row_valid(package: frictionless.Package) -> None:
    report = package.validate()
    assert report.valid, report.flatten(["name", "rowNumber", "message"])
    assert report.stats["tasks"] == len(package.resources)


def test_every_file_of_a_table_is_a_resource_with_its_rows_size_and_hash(dataset: Path) -> None:
    document = json.loads((dataset / "datapackage.json").read_text())
    sums = {name: sha for sha, name in (line.split("  ") for line in (dataset / "SHA256SUMS").read_text().splitlines())}
    assert [resource["name"] for resource in document["resources"]] == ["sums", "claims", "arrays.zarr-ways"]
    *tables, array = document["resources"]
    assert array["path"] == "arrays.zarr/ways/zarr.json"
    for resource in tables:
        path = resource["path"]
        rows, size = pq.read_metadata(dataset / path).num_rows, (dataset / path).stat().st_size
        assert (resource["rows"], resource["size"], resource["hash"]) == (rows, size, f"sha256:{sums[path]}")
    assert sorted(resource["path"] for resource in tables) == sorted(
        name for name in dataset_bytes(dataset) if name.endswith(".parquet")
    )


def test_frictionless_reads_the_rows_that_arrow_reads(dataset: Path, package: frictionless.Package) -> None:
    resource = package.get_resource("sums")
    assert isinstance(resource, frictionless.resources.TableResource)
    rows = [row.to_dict() for row in resource.read_rows()]
    assert rows == pq.read_table(dataset / str(resource.path), partitioning=None).to_pylist()


def test_frictionless_would_find_a_lost_row(dataset: Path) -> None:
    document = json.loads((dataset / "datapackage.json").read_text())
    document["resources"][0]["rows"] += 1
    report = frictionless.Package.from_descriptor(document, basepath=str(dataset)).validate()
    assert [error[0] for error in report.flatten(["type"])] == ["row-count"]


def test_mlcroissant_finds_no_error_and_misses_nothing_but_a_date(croissant: Any) -> None:
    issues = croissant.metadata.ctx.issues
    assert not issues.errors
    [warning] = issues.warnings
    assert "datePublished" in warning


@pytest.mark.parametrize("table", ["sums", "claims"])
def test_mlcroissant_loads_every_record(dataset: Path, croissant: Any, table: str) -> None:
    path = dataset / table if (dataset / table).is_dir() else dataset / f"{table}.parquet"
    expected = pq.read_table(path).to_pylist()
    records = [{key.split("/")[1]: _plain(value) for key, value in r.items()} for r in croissant.records(table)]
    assert records == expected


def test_croissant_file_sets_name_every_data_file(dataset: Path) -> None:
    document = json.loads((dataset / "croissant.json").read_text())
    files = [files for files in document["distribution"] if "contentUrl" in files]
    patterns = [
        *(one["contentUrl"] for one in files),
        *(p for one in document["distribution"] for p in one.get("includes", ())),
    ]
    assert all(one["sha256"] == hashlib.sha256((dataset / one["contentUrl"]).read_bytes()).hexdigest() for one in files)
    described = {
        "README.md",
        "COMPLETE",
        "SHA256SUMS",
        "dictionary.csv",
        "croissant.json",
        "datapackage.json",
        "CITATION.cff",
    }
    for name in dataset_bytes(dataset):
        if name not in described and not name.startswith("schemas/") and name != "arrays.zarr/zarr.json":
            assert any(Path(name).match(pattern) or _below(name, pattern) for pattern in patterns), name


@pytest.mark.parametrize(
    ("kind", "table_schema", "croissant_type"),
    [
        (pa.uint8(), "integer", "cr:UInt8"),
        (pa.int64(), "integer", "cr:Int64"),
        (pa.float32(), "number", "cr:Float32"),
        (pa.bool_(), "boolean", "sc:Boolean"),
        (pa.string(), "string", "sc:Text"),
        (pa.binary(), "any", "sc:Text"),
    ],
)
def test_column_types_have_the_names_of_each_vocabulary(
    kind: pa.DataType, table_schema: str, croissant_type: str
) -> None:
    assert field_type(kind) == table_schema
    assert data_type(kind) == croissant_type


def _plain(value: Any) -> Any:
    return value.decode() if isinstance(value, bytes) else value.item()


def _below(name: str, pattern: str) -> bool:
    return pattern.endswith("/*") and name.startswith(pattern[:-1])
