"""Metadata, descriptions, statistics and attributes of files are compared with the rows and the registry: no forgery of
them passes, though hashes, receipts and records are made anew."""

import io
import json
import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zarr

from boardspace.engine import loop
from boardspace.engine.config import validate
from boardspace.engine.graph import InProcess
from boardspace.engine.plan import save_plan, work_of
from boardspace.release.publish import publish
from boardspace.spec.registry import space_named
from boardspace.spec.space import CLAIMS, Column, Table
from boardspace.storage.parquet import filling, row_group_writer
from boardspace.storage.records import canonical_json, line_of
from boardspace.verify import verify
from boardspace.verify.files import FileFaultError, Rows, check_table
from boardspace.verify.rewriting import ALTERED as ALTERED_BYTES
from boardspace.verify.rewriting import RewritingError, rewriting
from tests import toy
from tests.pipeline.forging import of_file, reseal, seal, write_forged, write_rows
from tests.pipeline.publish.test_hostile_release import seal as seal_release
from tests.pipeline.test_engine import Recorder

SUMS, ARRAY, GROUP = "toy/sums/*.parquet", "toy/arrays.zarr/ways/zarr.json", "toy/arrays.zarr/zarr.json"


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("finished")
    work = work_of(validate({"toy": {"shards": 3}}, "trial", "trial.toml"))
    save_plan(root, work)
    loop.run(work, root, InProcess(), Recorder(), loop.Limits())
    return root


@pytest.fixture
def run_folder(finished: Path, tmp_path: Path) -> Path:
    return shutil.copytree(finished, tmp_path / "run")


def told(root: Path) -> dict[str, str]:
    return {fault.where: fault.what for fault in verify(root, "structure").faults}


def with_metadata(path: Path, table: Table, change: Callable[[dict[Any, bytes]], object]) -> None:
    rows = pq.read_table(path)
    found: dict[Any, bytes] = dict(rows.schema.metadata)
    change(found)
    write_rows(path, table, rows, found)


def with_description(path: Path, column: str, text: str) -> None:
    columns = tuple(replace(one, doc=text) if one.name == column else one for one in toy.SUMS.columns)
    write_rows(path, replace(toy.SUMS, columns=columns), pq.read_table(path))


def with_sums(change: Callable[[dict[Any, bytes]], object]) -> Callable[[Path], object]:
    return lambda path: with_metadata(path, toy.SUMS, change)


ALTERED: dict[str, Callable[[Path], object]] = {
    "another plan": with_sums(lambda found: found.update({b"plan": b"0" * 64})),
    "another version": with_sums(lambda found: found.update({b"version": b"9.0.0"})),
    "a note": with_sums(lambda found: found.update({b"note": b"approved"})),
    "two plans": with_sums(lambda found: found.update({"plan": b"0" * 64})),
    "no licence": with_sums(lambda found: found.pop(b"licence")),
    "another shard": with_sums(lambda found: found.update({b"shard": b"0000000000"})),
    "no shard": with_sums(lambda found: found.pop(b"shard")),
    "another meaning": lambda path: with_description(path, "ways", "Ways as of the second edition."),
}


@pytest.mark.parametrize("name", ALTERED)
def test_metadata_of_a_table_are_those_of_its_dataset(run_folder: Path, name: str) -> None:
    path = sorted(run_folder.glob(SUMS))[-1]
    ALTERED[name](path)
    reseal(run_folder, path)
    assert list(told(run_folder)) == [path.relative_to(run_folder).as_posix()]


def test_claims_are_of_the_shard_that_judged_them(run_folder: Path, finished: Path, tmp_path: Path) -> None:
    publish(finished, tmp_path / "release", [], lambda _: None, verified=True)
    for path in (run_folder / "toy/claims.parquet", tmp_path / "release/toy/claims.parquet"):
        with_metadata(path, CLAIMS, lambda found: found.update({b"shard": b"verified by the authors of the texts"}))
    reseal(run_folder, run_folder / "toy/claims.parquet")
    seal_release(tmp_path / "release/toy")
    for root in (run_folder, tmp_path / "release"):
        assert list(told(root)) == ["toy/claims.parquet"]


def in_footer(content: bytes, at: int) -> bool:
    return at > len(content) - 8 - int.from_bytes(content[-8:-4], "little")


@pytest.mark.parametrize("place", ["statistics", "page index"])
def test_a_filter_cannot_be_made_to_leave_rows_out(run_folder: Path, place: str) -> None:
    """The greatest value of a file is said to be less than it is: whoever asks for that row would not get it."""
    path = sorted(run_folder.glob(SUMS))[-1]
    greatest = pq.read_table(path).column("sum").to_pylist()[-1]
    content = path.read_bytes()
    true, false = (value.to_bytes(8, "little") for value in (greatest, greatest - 1))
    places = [at for at in range(len(content)) if content.startswith(true, at)]
    for at in places:
        if in_footer(content, at) == (place == "statistics"):
            content = content[:at] + false + content[at + 8 :]
    path.write_bytes(content)
    reseal(run_folder, path)
    assert told(run_folder) == {path.relative_to(run_folder).as_posix(): ALTERED_BYTES}


def test_bytes_that_no_column_accounts_for_are_found(run_folder: Path) -> None:
    path = sorted(run_folder.glob(SUMS))[0]
    content = path.read_bytes()
    footer = len(content) - 8 - int.from_bytes(content[-8:-4], "little")
    path.write_bytes(content[:footer] + b"hidden" + content[footer:])
    reseal(run_folder, path)
    assert told(run_folder) == {path.relative_to(run_folder).as_posix(): ALTERED_BYTES}


OF_ARRAYS: dict[str, dict[str, Any]] = {
    "a note": {"attributes": {"note": "approved"}},
    "other dimensions": {"dimension_names": ["difference"]},
    "another value of what is not there": {"fill_value": 7},
    "a key more": {"note": "approved"},
    "another type": {"data_type": "int32"},
    "another kind of node": {"node_type": "group"},
    "another format": {"zarr_format": 2},
    "a setting more": {"chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [16384], "order": "F"}}},
    "an equal number of another type": {"fill_value": -0.0},
    "nothing, where there is a list": {"storage_transformers": None},
}


@pytest.mark.parametrize("name", OF_ARRAYS)
def test_metadata_of_an_array_are_those_of_the_registry(run_folder: Path, name: str) -> None:
    path = run_folder / ARRAY
    path.write_text(json.dumps({**json.loads(path.read_bytes()), **OF_ARRAYS[name]}))
    reseal(run_folder, path)
    assert ARRAY in told(run_folder)


@pytest.mark.parametrize("setting", ["level", "checksum", "more"])
def test_settings_of_a_codec_are_those_that_boardspace_writes(run_folder: Path, setting: str) -> None:
    path = run_folder / ARRAY
    document = json.loads(path.read_bytes())
    zstd = document["codecs"][0]["configuration"]["codecs"][1]["configuration"]
    zstd[setting] = 22
    path.write_text(json.dumps(document, indent=2))
    reseal(run_folder, path)
    assert "'codecs'" in told(run_folder)[ARRAY]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_metadata_in_another_encoding_which_some_readers_take_are_found(run_folder: Path, encoding: str) -> None:
    path = run_folder / ARRAY
    path.write_text(path.read_text(), encoding=encoding)
    reseal(run_folder, path)
    assert "is not JSON" in told(run_folder)[ARRAY]


def test_metadata_of_an_array_say_everything_once(run_folder: Path) -> None:
    path = run_folder / ARRAY
    path.write_bytes(b'{"attributes": {"unit": "kg", "description": "false"},' + path.read_bytes().lstrip()[1:])
    reseal(run_folder, path)
    assert "'attributes' twice" in told(run_folder)[ARRAY]


def record_with_a_key_twice(path: Path, pair: bytes) -> None:
    """Put a key with another value, which readers pass over, at the beginning of a record, and make its sum anew."""
    path.write_bytes(line_of(b"{" + pair + b"," + canonical_json(json.loads(path.read_bytes())["record"]).encode()[1:]))


@pytest.mark.parametrize(("name", "pair"), [("plan.json", b'"spaces":{}'), ("toy/COMPLETE", b'"tables":{}')])
def test_a_record_says_everything_once(run_folder: Path, name: str, pair: bytes) -> None:
    record_with_a_key_twice(run_folder / name, pair)
    assert list(told(run_folder)) == [name]


@pytest.mark.parametrize(("name", "pair"), [("datapackage.json", b'"plan": {}'), ("COMPLETE", b'"tables":{}')])
def test_documents_of_a_release_say_everything_once(finished: Path, tmp_path: Path, name: str, pair: bytes) -> None:
    publish(finished, tmp_path / "release", [], lambda _: None, verified=True)
    path = tmp_path / "release" / "toy" / name
    if name == "COMPLETE":
        record_with_a_key_twice(path, pair)
    else:
        path.write_bytes(b"{" + pair + b"," + path.read_bytes()[1:])
    seal_release(path.parent)
    assert f"toy/{name}" in told(tmp_path / "release")


def test_metadata_of_a_group_say_nothing(run_folder: Path) -> None:
    path = run_folder / GROUP
    path.write_text(json.dumps({**json.loads(path.read_bytes()), "attributes": {"note": "approved"}}))
    reseal(run_folder, path)
    assert list(told(run_folder)) == [GROUP]


@pytest.mark.parametrize("name", ["toy/arrays.zarr/notes.txt", "toy/arrays.zarr/more/zarr.json"])
def test_a_file_of_no_table_and_no_array_is_found_though_a_receipt_names_it(run_folder: Path, name: str) -> None:
    path = run_folder / name
    path.parent.mkdir(exist_ok=True)
    shutil.copyfile(run_folder / GROUP, path)
    stage = run_folder / ".run/toy/stages/sums.json"
    record = json.loads(stage.read_bytes())["record"]
    known = next(f for receipt in record["receipts"] for f in receipt["files"] if f["path"] == GROUP)
    record["receipts"][0]["files"].append({**known, "path": name, **of_file(path)})
    write_forged(stage, record)
    seal(run_folder)
    assert list(told(run_folder)) == [name]


def test_two_receipts_that_contradict_each_other_are_found(run_folder: Path) -> None:
    stage = run_folder / ".run/toy/stages/sums.json"
    record = json.loads(stage.read_bytes())["record"]
    known = next(f for f in record["receipts"][0]["files"] if f["path"] == ARRAY)
    known["sha256"] = "0" * 64
    write_forged(stage, record)
    seal(run_folder)
    assert f"another receipt says otherwise of {ARRAY}" in told(run_folder)[".run/toy/stages/sums.json"]


@pytest.mark.parametrize("place", ["table", "array"])
def test_what_the_files_of_a_release_say_is_compared_too(finished: Path, tmp_path: Path, place: str) -> None:
    publish(finished, tmp_path / "release", [], lambda _: None, verified=True)
    toy = tmp_path / "release" / "toy"
    if place == "table":
        with_description(sorted(toy.glob("sums/*"))[0], "ways", "Ways as of the second edition.")
    else:
        array: Any = zarr.open_array(toy / "arrays.zarr", path="ways", mode="r+")
        array.attrs.put({**array.attrs.asdict(), "unit": "triples"})
    seal_release(toy)
    where = "toy/sums/" if place == "table" else "toy/arrays.zarr/ways"
    assert any(fault.where.startswith(where) for fault in verify(toy.parent, "structure").faults)


@pytest.mark.parametrize("name", ["{goal}_moves", "{set}"])
def test_of_families_that_cover_a_path_the_closest_has_it(name: str) -> None:
    """`winning_moves` is no set of positions, though it may stand where the name of a set does."""
    path = f"classes/triangle15-01/{'winning_moves' if name == '{goal}_moves' else 'winning'}"
    found = space_named("solitaire").array_at(path)
    assert found is not None
    assert found.name == f"classes/{{board}}-{{vacancy}}/{name}"


KINDS = Table(
    "kinds",
    "Every kind of column that there is.",
    (
        Column("key", pa.uint64(), "Beyond what an int64 holds."),
        Column("small", pa.uint8(), "Wrapped."),
        Column("text", pa.string(), "Of different lengths."),
        Column("list", pa.list_(pa.int16()), "Some empty."),
        Column("real", pa.float64(), "Both zeros."),
        Column("flag", pa.bool_(), "Often true."),
        Column("gaps", pa.int16(), "A page of nulls, then numbers.", nullable=True),
        Column("nothing", pa.binary(), "Nulls alone.", nullable=True),
    ),
    ("key",),
)
ROWS = 20_000


@pytest.fixture(scope="module")
def kinds() -> pa.Table:
    number = np.arange(ROWS)
    return KINDS.from_columns(
        key=number.astype(np.uint64) + np.uint64((1 << 63) - 5),
        small=number % 256,
        text=[str(i) for i in number],
        list=[[i % 7] * (i % 3) for i in number.tolist()],
        real=np.where(number % 5 == 0, -0.0, number / 3),
        flag=number > 9000,
        gaps=[None if i < 9000 else -i for i in number.tolist()],
        nothing=[None] * ROWS,
    )


@pytest.fixture(scope="module")
def written(kinds: pa.Table) -> bytes:
    stream = io.BytesIO()
    filling(KINDS, kinds, {}, 15_000)(stream)
    return stream.getvalue()


def checked(folder: Path, content: bytes) -> Rows:
    """A file of the table of every kind, checked."""
    path = folder / "0.parquet"
    path.write_bytes(content)
    return check_table(path, KINDS)


def in_groups(rows: pa.Table) -> list[pa.Table]:
    return [rows.slice(start, 15_000) for start in range(0, ROWS, 15_000)]


def compared(path: Path, content: bytes, rows: pa.Table) -> bool:
    """Compare a file with other rows than it has; return whether it has the very bytes that they are written as."""
    path.write_bytes(content)
    with path.open("rb") as stream, rewriting(stream, pq.ParquetFile(stream), KINDS) as made:
        for group in in_groups(rows):
            made.write(group)
    return made.same


THIS = f"parquet-cpp-arrow version {pa.__version__}".encode()
ANOTHER = re.sub(rb"[0-9]", lambda digit: b"%d" % (9 - int(digit[0])), THIS)
"""Another version of the same length."""


def test_the_very_rows_are_written_as_the_very_bytes_whatever_pieces_they_lie_in(
    kinds: pa.Table, written: bytes, tmp_path: Path
) -> None:
    assert checked(tmp_path, written).rewritten
    pieces = pa.concat_tables([kinds.slice(0, 7), kinds.slice(7, 9000), kinds.slice(9007)])
    stream = io.BytesIO()
    filling(KINDS, pieces, {}, 15_000)(stream)
    assert stream.getvalue() == written


OTHER: dict[str, tuple[int, Any]] = {
    "key": (8191, (1 << 64) - 1),
    "small": (0, 1),
    "text": (9999, "99999"),
    "list": (14_999, [-1]),
    "real": (1, -1.5),
    "gaps": (8999, -1),
    "nothing": (12, b""),
}


def test_a_file_that_says_what_its_rows_are_not_is_found_of_every_kind_of_column(
    kinds: pa.Table, written: bytes, tmp_path: Path
) -> None:
    by_another = written.replace(THIS, ANOTHER)
    assert compared(tmp_path / "0", written, kinds)
    assert not compared(tmp_path / "0", by_another, kinds)
    for name, (place, value) in OTHER.items():
        values = kinds.column(name).to_pylist()
        if name == "small":
            values = [max(1, v) for v in values]
        values[place] = value
        at = kinds.schema.get_field_index(name)
        rows = kinds.set_column(at, kinds.field(at), pa.array(values, kinds.field(at).type))
        for content in (written, by_another):
            with pytest.raises(RewritingError, match=f"column '{name}.*' in row group 0"):
                compared(tmp_path / "0", content, rows)


def test_any_altered_byte_that_no_value_depends_on_is_found(written: bytes, tmp_path: Path) -> None:
    """Of the footer, the page indexes and the header of the first page: sizes, levels, offsets, extremes, writer."""
    indexes = len(written) - 8 - int.from_bytes(written[-8:-4], "little") - 4000
    for at in (*range(4, 40, 11), *range(indexes, len(written), 389)):
        forged = written[:at] + bytes([written[at] ^ 1]) + written[at + 1 :]
        try:
            rows = checked(tmp_path, forged)
        except FileFaultError:
            continue
        assert not rows.rewritten
        writers = re.findall(rb"parquet-cpp-arrow version [0-9.]+", forged)
        assert {*writers, THIS} > {THIS}, f"byte {at}"


def test_lengths_and_levels_in_a_page_index_are_those_of_the_pages(written: bytes, tmp_path: Path) -> None:
    for value in (32_232, 6809):  # bytes of the texts of the second page; values in the lists of the second page
        assert written.count(number(value)) == 1
        with pytest.raises(FileFaultError, match="its bytes are not those"):
            checked(tmp_path, written.replace(number(value), number(value ^ 1)))


def number(value: int) -> bytes:
    """A number as footers have it: zigzag, seven bits a byte."""
    left, found = value << 1, b""
    while left > 127:
        found, left = found + bytes([left & 127 | 128]), left >> 7
    return found + bytes([left])


def test_a_file_says_of_its_writer_what_arrow_says(written: bytes, tmp_path: Path) -> None:
    with pytest.raises(FileFaultError, match="written by"):
        checked(tmp_path, written.replace(b"parquet-cpp-arrow", b"proved-by-machine"))


def test_what_this_version_writes_otherwise_is_not_what_boardspace_writes(kinds: pa.Table, tmp_path: Path) -> None:
    """Statistics in the headers of pages, say, which boardspace leaves to the page index."""
    stream = io.BytesIO()
    pq.write_table(kinds.replace_schema_metadata({"table": "kinds"}), stream, compression="zstd")
    with pytest.raises(FileFaultError, match="its bytes are not those"):
        checked(tmp_path, stream.getvalue())


def test_files_of_version_1_are_compared_as_they_were_written(kinds: pa.Table, tmp_path: Path) -> None:
    """It stored columns that may lack values as differences, too."""
    stream = io.BytesIO()
    with row_group_writer(stream, KINDS, {"table": "kinds"}, differences=["gaps"]) as write:
        for group in in_groups(kinds):
            write(group)
    assert checked(tmp_path, stream.getvalue()).rewritten


def test_columns_that_another_zstd_packed_are_noted(
    kinds: pa.Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream = io.BytesIO()
    monkeypatch.setattr(pq, "ParquetWriter", partial(pq.ParquetWriter, compression_level=19))
    filling(KINDS, kinds, {}, 15_000)(stream)
    monkeypatch.undo()
    assert not checked(tmp_path, stream.getvalue()).rewritten


def test_another_version_is_noted_and_its_statistics_compared(run_folder: Path) -> None:
    path = sorted(run_folder.glob(SUMS))[-1]
    content = path.read_bytes()
    path.write_bytes(content.replace(THIS, ANOTHER))
    reseal(run_folder, path)
    result = verify(run_folder, "structure")
    assert result.faults == ()
    assert any("toy: 1 table file written by another version" in note for note in result.notes)
    greatest = pq.read_table(path).column("sum").to_pylist()[-1]
    true, false = (value.to_bytes(8, "little") for value in (greatest, greatest - 1))
    path.write_bytes(content.replace(THIS, ANOTHER).replace(true, false))
    reseal(run_folder, path)
    assert "than its statistics say" in told(run_folder)[path.relative_to(run_folder).as_posix()]
