"""A release on a web server is read in place: one cell, or one row, by a few small ranges."""

import sys
from collections.abc import Iterator
from pathlib import Path

import fsspec
import polars as pl
import pyarrow.dataset as ds
import pytest
import zarr

import boardspace
from boardspace.release.web import web
from boardspace.spec.errors import BoardspaceError
from tests.pipeline.publish.serving import Traffic, served

CELL = 5000


@pytest.fixture
def traffic(release: Path) -> Iterator[Traffic]:
    with served(release) as traffic:
        yield traffic


def test_one_cell_of_an_array_takes_its_metadata_an_index_and_one_chunk(traffic: Traffic, release: Path) -> None:
    array = zarr.open_array(f"{traffic.url}/toy/arrays.zarr/ways", mode="r")
    assert array[CELL] == zarr.open_array(release / "toy" / "arrays.zarr" / "ways", mode="r")[CELL]
    metadata, index, chunk = traffic.requests
    assert metadata[0] == "/toy/arrays.zarr/ways/zarr.json"
    assert index[1] == 16 * (array.shards[0] // array.chunks[0]) + 4
    assert chunk[1] <= 4 * array.chunks[0]


def test_a_second_cell_takes_two_requests(traffic: Traffic) -> None:
    array = zarr.open_array(f"{traffic.url}/toy/arrays.zarr/ways", mode="r")
    traffic.requests.clear()
    assert array[0] == 1
    assert len(traffic.requests) == 2


def test_a_group_is_listed_and_its_arrays_opened_by_one_request(traffic: Traffic) -> None:
    group = zarr.open_group(f"{traffic.url}/toy/arrays.zarr", mode="r")
    assert {name: array.shape for name, array in group.arrays()} == {"ways": group["ways"].shape}
    assert [path for path, _ in traffic.requests] == ["/toy/arrays.zarr/zarr.json"]


def test_polars_looks_up_a_row_by_ranges(traffic: Traffic, release: Path) -> None:
    (file,) = (release / "toy" / "sums").iterdir()
    rows = pl.scan_parquet(f"{traffic.url}/toy/sums/{file.name}").filter(pl.col("sum") == CELL).collect()
    assert rows.to_dicts() == [{"sum": CELL, "ways": 5}]
    assert len(traffic.requests) <= 3
    assert traffic.bytes <= 2 * file.stat().st_size


def test_arrow_reads_a_table_through_fsspec_by_the_package_s_list_of_files(traffic: Traffic, release: Path) -> None:
    web = fsspec.filesystem("http")
    with web.open(f"{traffic.url}/toy/SHA256SUMS", "rt") as listing:
        names = [line.split("  ")[1].strip() for line in listing if "  sums/" in line]
    table = ds.dataset([f"{traffic.url}/toy/{name}" for name in names], format="parquet", filesystem=web)
    assert table.to_table().equals(ds.dataset(release / "toy" / "sums", format="parquet").to_table())


def test_without_the_extra_an_address_is_refused_with_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    web.cache_clear()
    for name in ("aiohttp", "fsspec.implementations.http"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(BoardspaceError, match=r"pip install 'boardspace\[http\]'"):
        boardspace.open("http://127.0.0.1:1")
