"""A release made by somebody who means harm: told within seconds and little memory, and nothing passes for sound."""

import hashlib
import json
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from boardspace.spec.space import CLAIMS
from boardspace.storage.records import encoded
from boardspace.storage.release_folder import SUMS
from boardspace.verify import Verification, verify
from tests.pipeline.forging import write_rows
from tests.pipeline.publish.conftest import in_process

SECONDS = 10.0


@pytest.fixture
def toy(release: Path, tmp_path: Path) -> Path:
    """The folder of a downloaded dataset."""
    return shutil.copytree(release, tmp_path / "downloaded") / "toy"


def seal(toy: Path) -> None:
    """Make the list of sums anew for what lies there, and leave the archive out."""
    for archive in toy.parent.glob("toy.tar*"):
        archive.unlink()
    files = sorted(p for p in toy.rglob("*") if p.is_file() and p.name != SUMS)
    sums = {p.relative_to(toy).as_posix(): hashlib.sha256(p.read_bytes()).hexdigest() for p in files}
    (toy / SUMS).write_text("".join(f"{sha256}  {name}\n" for name, sha256 in sorted(sums.items())))


def change_complete(toy: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Forge COMPLETE, its own checksum included."""
    record = json.loads((toy / "COMPLETE").read_bytes())["record"]
    change(record)
    (toy / "COMPLETE").write_bytes(encoded(record))


def checked(folder: Path) -> Verification:
    """Verify a release; in no more than a few seconds."""
    start = time.process_time()
    result = verify(folder, "structure")
    assert time.process_time() - start < SECONDS
    return result


def faults(folder: Path) -> list[str]:
    return [fault.where for fault in checked(folder).faults]


def told(folder: Path) -> str:
    return "\n".join(f"{fault.where}: {fault.what}" for fault in checked(folder).faults)


def test_claims_that_were_all_set_to_confirmed_are_found(toy: Path) -> None:
    rows = pq.read_table(toy / "claims.parquet")
    verdicts = pa.array(["confirmed"] * rows.num_rows, rows.schema.field("verdict").type)
    changed = rows.set_column(rows.schema.get_field_index("verdict"), rows.schema.field("verdict"), verdicts)
    write_rows(toy / "claims.parquet", CLAIMS, changed)
    seal(toy)
    assert any("claims" in place for place in faults(toy.parent))


def test_claims_that_are_gone_are_missed(toy: Path) -> None:
    (toy / "claims.parquet").unlink()
    seal(toy)
    assert any("claims" in place for place in faults(toy.parent))


def test_cells_set_to_nought_are_found(toy: Path) -> None:
    import zarr

    with zarr.config.set({"array.write_empty_chunks": True}):
        array: Any = zarr.open_array(toy / "arrays.zarr", path="ways", mode="r+")
        array[:] = np.zeros(array.shape, array.dtype)
    seal(toy)
    assert faults(toy.parent) == ["toy/arrays.zarr/ways"]


@pytest.mark.parametrize("kind", ["tables", "arrays"])
def test_what_was_dropped_from_complete_is_missed(toy: Path, kind: str) -> None:
    change_complete(toy, lambda record: record[kind].clear())
    seal(toy)
    said = told(toy.parent)
    assert "belongs to no table and no array" in said
    assert ("toy/sums/" if kind == "tables" else "toy/arrays.zarr/") in said


@pytest.mark.parametrize("name", ["notes.txt", ".hidden", "schemas/of_nothing.json", "elsewhere/README.md"])
def test_a_file_that_has_its_sum_and_is_part_of_nothing_is_named(toy: Path, name: str) -> None:
    (toy / name).parent.mkdir(exist_ok=True)
    (toy / name).write_text("{}")
    seal(toy)
    assert faults(toy.parent) == [f"toy/{name}"]


def test_a_table_that_there_is_not_is_told(toy: Path) -> None:
    change_complete(toy, lambda record: record["tables"].update(products=record["tables"]["sums"]))
    seal(toy)
    assert "'products'" in told(toy.parent)


def test_files_dropped_with_their_sums_are_missed(toy: Path) -> None:
    sorted((toy / "sums").iterdir())[0].unlink()
    seal(toy)
    assert faults(toy.parent) == ["toy/sums"]


def test_a_damaged_archive_or_sum_is_named(toy: Path) -> None:
    for name in ("toy.tar", "toy.tar.sha256"):
        path = toy.parent / name
        good = path.read_bytes()
        path.write_bytes(good[:-1] + bytes([good[-1] ^ 1]))
        assert faults(toy.parent) == [name]
        path.write_bytes(good)
    assert faults(toy.parent) == []


def test_what_was_not_checked_is_said(toy: Path) -> None:
    (toy.parent / "toy.tar").unlink()
    assert "toy.tar: not here, so not checked" in checked(toy.parent).notes
    done = in_process("verify", toy.parent)
    assert "toy.tar: not here, so not checked" in done.output
    assert "0 cases" not in done.output


def link(path: Path) -> None:
    path.symlink_to("/dev/zero")


def sparse(path: Path) -> None:
    with path.open("wb") as stream:
        stream.truncate(1 << 40)


def deep(path: Path) -> None:
    here = os.getcwd()  # noqa: PTH109
    path.mkdir()
    os.chdir(path)
    for _ in range(300):
        Path("d").mkdir()
        os.chdir("d")
    os.chdir(here)


@pytest.mark.parametrize("make", [link, os.mkfifo, sparse, deep, Path.mkdir])
@pytest.mark.parametrize("place", ["more", "sums/more", "../more"])
def test_links_pipes_holes_and_folders_that_do_not_belong_there_are_named(
    toy: Path, make: Callable[[Path], None], place: str
) -> None:
    make(toy / place)
    assert len(faults(toy.parent)) >= 1
    assert "more" in told(toy.parent)


@pytest.mark.parametrize("make", [link, os.mkfifo, sparse])
@pytest.mark.parametrize("place", ["sums/0000.parquet", "COMPLETE", SUMS, "../toy.tar", "../toy.tar.sha256"])
def test_links_pipes_and_holes_in_the_place_of_files_are_not_read(
    toy: Path, make: Callable[[Path], None], place: str
) -> None:
    (toy / place).unlink()
    make(toy / place)
    assert Path(place).name in told(toy)


@pytest.mark.parametrize("make", [link, os.mkfifo, sparse])
def test_claims_do_not_read_links_pipes_and_holes(toy: Path, make: Callable[[Path], None]) -> None:
    (toy / "claims.parquet").unlink()
    make(toy / "claims.parquet")
    for folder in (toy, toy.parent):
        done = in_process("claims", folder)
        assert done.exit_code == 2, done.output
        assert "claims.parquet: " in done.output


def test_claims_that_are_no_claims_or_far_too_many_are_told(toy: Path) -> None:
    path = toy / "claims.parquet"
    row = pq.read_table(path, partitioning=None).slice(0, 1)
    pq.write_table(pa.concat_tables([row] * 100_001), path)
    assert "100,001 rows, and no text states more" in in_process("claims", toy).output
    pq.write_table(row.select([0]), path)
    assert "its schema is not the registered one" in in_process("claims", toy).output
    path.write_bytes(b"PAR1" + b"x" * 100 + b"PAR1")
    assert "does not decode" in in_process("claims", toy).output


def test_a_dataset_that_is_a_link_is_named(toy: Path) -> None:
    toy.rename(toy.parent.parent / "toy")
    toy.symlink_to(toy.parent.parent / "toy")
    assert "a symbolic link" in told(toy.parent)


@pytest.mark.parametrize("mark", ["\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\r"])
def test_a_list_whose_lines_end_otherwise_is_refused(toy: Path, mark: str) -> None:
    text = (toy / SUMS).read_text()
    (toy / SUMS).write_text(text.replace("\n", mark, 1), newline="")
    assert faults(toy.parent)[0] == f"toy/{SUMS}"


def test_a_table_that_claims_far_more_rows_than_it_should_have_is_not_decoded(toy: Path) -> None:
    path = sorted((toy / "sums").iterdir())[-1]
    rows = pq.read_table(path, partitioning=None)
    before = sum(pq.read_metadata(other).num_rows for other in (toy / "sums").iterdir() if other != path)
    noughts = {field.name: pa.array(np.zeros(8_000_000), field.type) for field in rows.schema}
    many = pa.table(noughts, schema=rows.schema)
    pq.write_table(many, path, row_group_size=1 << 26)
    del many, noughts
    seal(toy)
    assert "COMPLETE says" in told(toy.parent)
    change_complete(toy, lambda record: record["tables"]["sums"].update(rows=8_000_000 + before))
    seal(toy)
    assert "a row group of 8,000,000 rows" in told(toy.parent)


ALTERATIONS: dict[str, Callable[[dict[str, Any]], object]] = {
    "shape of 2^50": lambda a: a.update(shape=[1 << 50]),
    "one file of 2^50": lambda a: (
        a.update(shape=[1 << 50]),
        a["chunk_grid"]["configuration"].update(chunk_shape=[1 << 50]),
    ),
    "chunks of 2^33": lambda a: a["chunk_grid"]["configuration"].update(chunk_shape=[1 << 33]),
    "inner chunks of 2^33": lambda a: a["codecs"][0]["configuration"].update(chunk_shape=[1 << 33]),
    "negative shape": lambda a: a.update(shape=[-1]),
    "no codecs": lambda a: a.update(codecs=[]),
    "another type": lambda a: a.update(data_type="string"),
    "many axes": lambda a: a.update(shape=[1] * 1000),
}


@pytest.mark.parametrize("name", ALTERATIONS)
def test_hostile_metadata_of_an_array_is_told(toy: Path, name: str) -> None:
    path = toy / "arrays.zarr" / "ways" / "zarr.json"
    document = json.loads(path.read_bytes())
    ALTERATIONS[name](document)
    path.write_text(json.dumps(document))
    seal(toy)
    assert faults(toy.parent)[0] == "toy/arrays.zarr/ways"


@pytest.mark.parametrize("text", ["[" * 1_000_000, "9" * 5000, '{"a":' * 100_000, "", "\0" * 100, "nul"])
@pytest.mark.parametrize("place", ["COMPLETE", "arrays.zarr/ways/zarr.json", "arrays.zarr/zarr.json"])
def test_hostile_json_is_told(toy: Path, place: str, text: str) -> None:
    (toy / place).write_text(text)
    seal(toy)
    said = faults(toy.parent)
    assert said
    assert said[0] in {f"toy/{place}", "toy/arrays.zarr/ways"}


def test_names_are_escaped_where_they_are_printed(toy: Path) -> None:
    (toy / "\x1b[2Jtidy\nall is well").write_text("")
    (toy / "[red]marked[b]").write_text("")
    (toy / os.fsdecode(b"\xff\xfe")).write_text("")
    done = in_process("verify", toy.parent)
    assert done.exit_code == 1
    assert "\x1b" not in done.output
    assert "\nall is well" not in done.output
    assert "[red]marked[b]" in done.output
    assert in_process("verify", toy.parent, "--json").exit_code == 1
