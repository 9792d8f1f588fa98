"""One row of Klotski's largest table over HTTP: two requests and few bytes, found by its id or by its code."""

import datetime
import io
import os
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import duckdb
import numpy as np
import pyarrow.parquet as pq
import pytest
from fsspec import AbstractFileSystem

from boardspace.release.file_layout import joins_of
from boardspace.spaces.klotski.parts.layouts.part import MAIN
from boardspace.storage.parquet import LOOKUP_ROWS, write_joined, write_table
from boardspace_kernels.klotski.scan import space_scan, unrank
from tests.pipeline.publish.serving import Traffic, served

FIRST = 4_000_000
ROW = 100_000
MOST_BYTES = 60_000
TAIL = 16 << 10
"""What DuckDB asks for first: the footer has to be in it, or it asks again."""


class Ranges(io.RawIOBase):
    """A file on a web server, each read a request."""

    def __init__(self, url: str, size: int) -> None:
        self.url, self.size, self.at = url, size, 0

    def seekable(self) -> bool:
        return True

    def readable(self) -> bool:
        return True

    def tell(self) -> int:
        return self.at

    def seek(self, offset: int, whence: int = 0) -> int:
        self.at = offset + (0, self.at, self.size)[whence]
        return self.at

    def read(self, length: int = -1) -> bytes:
        last = self.size if length < 0 else self.at + length
        wanted = urllib.request.Request(self.url, headers={"Range": f"bytes={self.at}-{last - 1}"})
        with urllib.request.urlopen(wanted) as answer:
            content = bytes(answer.read())
        self.at += len(content)
        return content


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two files as a release has them: ids and codes are the true ones; classes and groups are drawn, and their
    layouts numbered in order of codes as the true ones are."""
    folder = tmp_path_factory.mktemp("lookups")
    count = 2 * LOOKUP_ROWS
    draw = np.random.default_rng(0)
    ids = np.arange(FIRST, FIRST + count, dtype=np.uint32)
    jiang, bing, style, group = (draw.integers(low, high, count) for low, high in ((4, 7), (3, 6), (0, 4), (0, 3)))
    name = ((jiang * 10 + bing) * 10 + style) * 10 + group
    order = np.argsort(name, kind="stable")
    starts = np.searchsorted(name[order], name)
    place = np.empty(count, np.int64)
    place[order] = np.arange(count)
    rows = MAIN.from_columns(
        layout_id=ids,
        code=unrank(space_scan(), ids),
        is_mirror=draw.random(count) < 0.001,
        jiang_num=jiang,
        bing_num=bing,
        style_num=style,
        group_num=group,
        group_index=name % 997 * 50 + place - starts,
    )
    shard = write_table(folder, "main/0.parquet", MAIN, rows, {})
    [join] = joins_of(MAIN, [shard])
    write_joined(folder, [shard], MAIN, folder / "release", list(zip(join.paths, join.sizes, strict=True)), {})
    return folder / "release" / "main"


@pytest.fixture
def traffic(files: Path) -> Iterator[Traffic]:
    with served(files) as traffic:
        yield traffic


@pytest.mark.parametrize("column", ["layout_id", "code"])
def test_a_row_is_two_requests_and_few_bytes(traffic: Traffic, files: Path, column: str) -> None:
    [expected] = pq.read_table(files / "0001.parquet", partitioning=None).slice(ROW, 1).to_pylist()
    ranges = Ranges(f"{traffic.url}/0001.parquet", (files / "0001.parquet").stat().st_size)
    ranges.seek(-TAIL, 2)
    footer = pq.read_metadata(io.BytesIO(b"PAR1" + ranges.read()))
    file = pq.ParquetFile(ranges, metadata=footer, pre_buffer=True)
    position = file.schema_arrow.names.index(column)
    statistics = [file.metadata.row_group(group).column(position).statistics for group in range(file.num_row_groups)]
    [group] = [at for at, ends in enumerate(statistics) if ends.min <= expected[column] <= ends.max]
    rows = [row for row in file.read_row_group(group).to_pylist() if row[column] == expected[column]]
    assert rows == [expected]
    assert len(traffic.requests) == 2
    assert traffic.bytes <= MOST_BYTES


POLARS = """
import sys, polars as pl
print(pl.scan_parquet(sys.argv[1]).filter(code=int(sys.argv[2])).collect().to_dicts())
"""


@pytest.mark.parametrize(("told", "most"), [(TAIL, MOST_BYTES), (None, (256 << 10) + MOST_BYTES - TAIL)])
def test_polars_needs_two_requests_and_few_bytes_where_it_is_told_how_long_footers_are(
    traffic: Traffic, files: Path, told: int | None, most: int
) -> None:
    """Where it is not, it takes the last 256 KiB of a file first."""
    [expected] = pq.read_table(files / "0001.parquet", partitioning=None).slice(ROW, 1).to_pylist()
    env = {**os.environ, **({"POLARS_CLOUD_FOOTER_READ_SIZE": str(told)} if told else {})}
    command = [sys.executable, "-c", POLARS, f"{traffic.url}/0001.parquet", str(expected["code"])]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
    assert done.stdout == f"{[expected]}\n"
    assert len(traffic.requests) == 2
    assert traffic.bytes <= most


class Counted(AbstractFileSystem):
    """A web server's files for DuckDB, as its own client would ask for them: a read is a request."""

    protocol = "counted"
    cachable = False

    def __init__(self, url: str, folder: Path) -> None:
        super().__init__()
        self.url, self.folder = url, folder

    def modified(self, path: str) -> datetime.datetime:
        return datetime.datetime.fromtimestamp(0)

    def info(self, path: str, **_: object) -> dict[str, object]:
        return {"name": path, "size": (self.folder / Path(path).name).stat().st_size, "type": "file"}

    def glob(self, path: str, **_: object) -> list[str]:
        return [path]

    def open(self, path: str, *_: object, **__: object) -> Ranges:
        return Ranges(f"{self.url}/{Path(path).name}", (self.folder / Path(path).name).stat().st_size)


def test_duckdb_needs_two_requests_and_few_bytes_where_it_keeps_footers(traffic: Traffic, files: Path) -> None:
    """It opens a file once to learn its columns and once to read it; what it keeps it need not fetch again."""
    [expected] = pq.read_table(files / "0001.parquet", partitioning=None).slice(ROW, 1).to_pylist()
    connection = duckdb.connect()
    connection.register_filesystem(Counted(traffic.url, files))
    query = f"SELECT * FROM 'counted://0001.parquet' WHERE code = '0x{expected['code']:09X}'::UBIGINT"
    for setting, requests in (("parquet_metadata_cache = false", 3), ("parquet_metadata_cache = true", 2)):
        connection.execute(f"SET {setting}")
        traffic.requests.clear()
        assert connection.sql(query).fetchall() == [tuple(expected.values())]
        assert len(traffic.requests) == requests, traffic.requests
    assert traffic.bytes <= MOST_BYTES


def test_duckdb_scans_one_row_group_for_a_code(files: Path) -> None:
    code = pq.read_table(files / "0001.parquet", partitioning=None).column("code")[ROW].as_py()
    query = f"SELECT layout_id FROM '{files}/*.parquet' WHERE code = '0x{code:09X}'::UBIGINT"
    assert duckdb.execute(query).fetchall() == [(FIRST + LOOKUP_ROWS + ROW,)]
    plan = duckdb.execute(f"EXPLAIN ANALYZE {query}").fetchall()[0][1]
    scanned = [line for line in plan.splitlines() if "Row Groups Scanned" in line]
    assert all(" 1 / " in line for line in scanned), plan
