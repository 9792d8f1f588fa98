"""A release made by somebody who means harm is indexed or refused in a line, in little time and memory."""

import json
import resource
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from boardspace.release.atlas.index import index_dataset
from boardspace.spec.errors import BoardspaceError
from tests.pipeline.publish.test_hostile_release import seal

SECONDS = 10.0
MOST_MEMORY = 700 << 20


@pytest.fixture
def toy(release: Path, tmp_path: Path) -> Path:
    """The folder of a downloaded dataset."""
    return shutil.copytree(release, tmp_path / "downloaded") / "toy"


def refused(toy: Path) -> str:
    """What is said of a dataset that is not indexed."""
    seal(toy)
    before, start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    with pytest.raises(BoardspaceError) as told:
        index_dataset(toy)
    assert time.process_time() - start < SECONDS
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) << 10 < MOST_MEMORY
    assert "boardspace verify" in str(told.value) or "memory" in str(told.value)
    return str(told.value)


TEXTS = ["", "{", "[]", "null", "7", '"text"', "[" * 100_000, "9" * 5000, "{}", '{"primaryKey": 7}', "\udcff"]


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("place", ["datapackage.json", "schemas/sums.json", "arrays.zarr/ways/zarr.json"])
def test_broken_documents_are_told(toy: Path, place: str, text: str) -> None:
    (toy / place).write_bytes(text.encode(errors="surrogateescape"))
    if (place, text) == ("schemas/sums.json", "{}"):  # a table of which nothing is said
        index_dataset(toy)
        return
    assert refused(toy)


@pytest.mark.parametrize("place", ["datapackage.json", "schemas/sums.json", "arrays.zarr/ways/zarr.json"])
def test_documents_that_are_gone_are_told(toy: Path, place: str) -> None:
    (toy / place).unlink()
    if place.startswith("arrays"):
        seal(toy)
        index_dataset(toy)
        return
    assert "no JSON of a release" in refused(toy)


def many_rows(path: Path) -> None:
    rows = pa.table({"claim": pa.array(["one"]).dictionary_encode().take(pa.array(np.zeros(3_000_000, np.int32)))})
    pq.write_table(rows, path, row_group_size=3_000_000)


def large_texts(path: Path) -> None:
    pq.write_table(pa.table({"claim": ["x" * (1 << 20)] * 600}), path, use_dictionary=False, compression="zstd")


def no_table(path: Path) -> None:
    path.write_bytes(b"PAR1" + b"x" * 100 + b"PAR1")


def empty(path: Path) -> None:
    path.write_bytes(b"")


def hole(path: Path) -> None:
    with path.open("wb") as stream:
        stream.truncate(1 << 24)


@pytest.mark.parametrize("make", [many_rows, large_texts, no_table, empty, hole])
def test_tables_that_swell_or_are_none_are_told(toy: Path, make: Callable[[Path], None]) -> None:
    (toy / "claims.parquet").unlink()
    make(toy / "claims.parquet")
    assert refused(toy)


def test_a_title_that_is_no_text_is_told(toy: Path) -> None:
    package = json.loads((toy / "datapackage.json").read_text())
    package["title"] = {"of": ["nothing"]}
    (toy / "datapackage.json").write_text(json.dumps(package))
    assert "its title is no text" in refused(toy)
