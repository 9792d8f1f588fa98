"""The digests of COMPLETE, computed by another program in another language from docs/digest.md alone."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import unicodedata
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from boardspace.spec.space import Array, ArrayPart
from boardspace.storage.arrays import write_part
from boardspace.storage.digest import block_digest, rows_digest
from boardspace.storage.records import encoded
from tests.pipeline.shipped import SHIPPED

ROOT = Path(__file__).resolve().parents[3]
CHECKER = ROOT / "atlas" / "digest.mjs"


def checker(*folders: Path) -> subprocess.CompletedProcess[str]:
    """Run the checker; without node or its packages the test is skipped, or fails where they are required."""
    node = shutil.which("node", path=os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]))
    if node is None or not (ROOT / "atlas" / "node_modules" / "hyparquet").is_dir():
        if os.environ.get("BOARDSPACE_BROWSER") == "required":
            pytest.fail("node and the atlas's packages are not here; make atlas")
        pytest.skip("node and the atlas's packages are not here; make atlas")
    command = [node, str(CHECKER), *map(str, folders)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)


@pytest.mark.thorough
def test_every_table_and_array_of_every_space_has_the_digest_of_complete(every_space: Path) -> None:
    folders = sorted(path.parent for path in every_space.glob("*/COMPLETE"))
    done = checker(*folders)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr
    records = [json.loads((folder / "COMPLETE").read_bytes())["record"] for folder in folders]
    assert {folder.name for folder in folders} >= {*SHIPPED}
    assert len(done.stdout.splitlines()) == sum(len(record["tables"]) + len(record["arrays"]) for record in records)


@pytest.mark.thorough
def test_another_value_is_another_digest(every_space: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(every_space / "board_division", tmp_path / "board_division"))
    path = folder / "claims.parquet"
    rows = pq.read_table(path).to_pylist()
    rows[3]["position"] += 1
    pq.write_table(pa.Table.from_pylist(rows, pq.read_schema(path)), path)
    done = checker(folder)
    assert done.returncode == 1
    assert [line.split(" ")[1] for line in done.stdout.splitlines() if "COMPLETE says" in line] == ["claims:"]


def write_dataset(folder: Path, table: pa.Table, values: np.ndarray) -> None:
    """A table and an array, and a COMPLETE of them."""
    kind = Array("cells", values.dtype.name, ("row", "column"), "Cells.")
    part = ArrayPart(kind, "cells", values.shape, (2, 3), (4, 6), (0, 0), values)
    write_part(folder.parent, folder.name, part, {})
    pq.write_table(table, folder / "values.parquet", compression="zstd", row_group_size=3)
    record = {
        "plan": "",
        "tables": {"values": {"rows": table.num_rows, "digest": rows_digest(table)}},
        "arrays": {"cells": {"rows": 0, "digest": block_digest(values, (0, 0), values.shape)}},
        "stages": {},
    }
    (folder / "COMPLETE").write_bytes(encoded(record))


TEXTS = ["", "a", "it's", 'say "a"', 'it\'s "a"', "back\\slash", "tab\tline\nreturn\r", "\0\x1f\x7f\x80\xa0\xad"]
MORE = ["五子", "×√²", "\u2028", "\u3000", "\ue000", "\U0001f600", "\U000f0000", None]
LONG = ["x" * 127, "x" * 128, "x" * 129, "x" * 500]


@pytest.mark.thorough
def test_values_of_every_kind_have_the_same_words(tmp_path: Path) -> None:
    texts = [*TEXTS, *MORE, *LONG]
    ends = [0, 1, 2**63, 2**64 - 1, None]
    table = pa.table(
        {
            "text": pa.array(texts),
            "u64": pa.array((ends * 4)[: len(texts)], pa.uint64()),
            "i64": pa.array(([0, -1, 2**63 - 1, -(2**63), None] * 4)[: len(texts)], pa.int64()),
            "u32": pa.array(([0, 2**31, 2**32 - 1, 7, None] * 4)[: len(texts)], pa.uint32()),
            "i8": pa.array(([0, -128, 127, -1, None] * 4)[: len(texts)], pa.int8()),
            "u8": pa.array(([0, 128, 255, 1, None] * 4)[: len(texts)], pa.uint8()),
            "double": pa.array(([0.0, -0.0, 0.1, 1e300, None] * 4)[: len(texts)], pa.float64()),
            "bool": pa.array(([True, False, None, True, False] * 4)[: len(texts)]),
            "list": pa.array(([[], [1], [1, 2, 255], None, [0]] * 4)[: len(texts)], pa.list_(pa.uint32())),
        }
    )
    folder = tmp_path / "dataset"
    write_dataset(folder, table, np.arange(-7, 13, dtype=np.int16).reshape(4, 5))
    done = checker(folder)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_examples_of_the_page_are_right() -> None:
    page = (ROOT / "docs" / "digest.md").read_text()
    multiplier = int.from_bytes(hashlib.blake2b(b"11400714819323198485 index", digest_size=8).digest(), "little") | 1
    assert f"`{multiplier:016x}`" in page
    table = pa.table({"n": pa.array([1, None], pa.uint8()), "text": ["a", "it's"]})
    for row, rows in (("1, `a`", table[:1]), ("null, `it's`", table[1:]), ("both", table)):
        assert f"| {row} | `{rows_digest(rows)}` |" in page


def test_texts_of_datasets_have_no_character_that_a_version_of_unicode_could_add(every_space: Path) -> None:
    """Which characters are printed, and so hashed, as they are does not depend on the version of Python then."""
    for path in every_space.rglob("*.parquet"):
        table = pq.read_table(path, partitioning=None)
        texts = [name for name in table.column_names if pa.types.is_string(table.schema.field(name).type)]
        characters = {
            character for name in texts for text in table.column(name).unique().to_pylist() for character in text or ""
        }
        assert not [one for one in characters if unicodedata.ucd_3_2_0.category(one) == "Cn"], path
