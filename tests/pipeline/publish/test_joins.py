"""The shards of a table become few files: the same rows in the same order, whatever the shards were."""

from itertools import pairwise
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardspace.release import file_layout
from boardspace.release.file_layout import joins_of
from boardspace.spec.space import Column, Table
from boardspace.storage.files import StorageError
from boardspace.storage.parquet import LOOKUP_ROWS, PAGE_ROWS, ROW_GROUP, write_joined, write_table
from boardspace.storage.receipts import FileRecord
from boardspace.verify import verify
from tests.pipeline.publish.conftest import publish_quietly

PLAIN = Table(
    "plain", "Numbers.", (Column("id", pa.uint32(), "Id."), Column("n", pa.int16(), "n.", nullable=True)), ("id",)
)
FOLDED = Table("folded", "Numbers.", PLAIN.columns, ("id",), folders=(Column("moves", pa.uint8(), "Moves."),))
LOOKUP = Table("plain", "Numbers.", PLAIN.columns, ("id",), lookup=("id",))
SHARDS = st.lists(st.integers(0, 9), min_size=1, max_size=12)


def described(table: Table, sizes: list[int]) -> list[FileRecord]:
    """What receipts would say of shards of so many rows, of 1,000 bytes a row."""
    folder = "moves=07/" if table.folders else ""
    names = [f"{table.name}/{folder}{number:03}.parquet" for number in range(len(sizes))]
    return [
        FileRecord(path=name, bytes=1000 * rows, sha256="0" * 64, table=table.name, rows=rows)
        for name, rows in zip(names, sizes, strict=True)
    ]


@given(SHARDS, st.sampled_from([PLAIN, FOLDED, LOOKUP]), st.integers(1, 30))
def test_every_row_is_in_one_file_in_order_and_no_file_could_be_joined_with_the_next(
    sizes: list[int], table: Table, most: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(file_layout, "JOINED_BYTES", 1000 * most)
        patch.setattr(file_layout, "LOOKUP_ROWS", most)
        shards = described(table, sizes)
        found = joins_of(table, shards)
    joined = [shard for join in found for shard in join.shards]
    assert [shard for shard in joined if shard.rows] == [shard for shard in shards if shard.rows]
    assert all(sum(join.sizes) == sum(shard.rows for shard in join.shards) for join in found)
    paths = [path for join in found for path in join.paths]
    assert len(set(paths)) == len(paths)
    assert paths == sorted(paths)
    rows = [size for join in found for size in join.sizes]
    if table.lookup:
        assert max(rows) <= most
    else:
        assert all(one + other > most for one, other in pairwise(rows))
        assert all(len(join.shards) == 1 or sum(join.sizes) <= most for join in found)


def test_folders_are_in_the_order_of_their_values() -> None:
    records = [
        FileRecord(path=f"folded/moves={moves}/0.parquet", bytes=1, sha256="0" * 64, table="folded", rows=1)
        for moves in ("10", "9", "100")
    ]
    [join] = joins_of(FOLDED, records)
    assert [shard.path.split("/")[1] for shard in join.shards] == ["moves=9", "moves=10", "moves=100"]
    assert join.paths == ("folded/0000.parquet",)


def written(folder: Path, table: Table) -> list[FileRecord]:
    """Three shards of ten rows, the middle one without nulls."""
    records = []
    for shard in range(3):
        inner = f"moves={shard:02}/" if table.folders else ""
        ids = range(10 * shard, 10 * shard + 10)
        rows = table.from_columns(id=ids, n=[None if shard != 1 and i % 3 == 0 else -i for i in ids])
        records.append(write_table(folder, f"{table.name}/{inner}{shard}.parquet", table, rows, {}))
    return records


@pytest.mark.parametrize("table", [PLAIN, FOLDED])
def test_joined_files_hold_the_rows_and_say_what_the_columns_mean(tmp_path: Path, table: Table) -> None:
    shards = written(tmp_path / "run", table)
    files = [("plain/0000.parquet", 17), ("plain/0001.parquet", 13)]
    records = write_joined(tmp_path / "run", shards, table, tmp_path / "release", files, {"dataset": "x"})
    rows = pa.concat_tables([pq.read_table(tmp_path / "release" / path, partitioning=None) for path, _ in files])
    assert rows.column("id").to_pylist() == list(range(30))
    assert [record.first for record in records] == ([(0, 0), (1, 17)] if table.folders else [(0,), (17,)])
    if table.folders:
        assert rows.column("moves").to_pylist() == [0] * 10 + [1] * 10 + [2] * 10
    schema = pq.read_schema(tmp_path / "release" / files[0][0])
    assert schema.field("n").metadata[b"description"] == b"n."
    assert schema.metadata[b"dataset"] == b"x"


def test_a_table_for_look_ups_has_row_groups_of_one_page(tmp_path: Path) -> None:
    rows = LOOKUP.from_columns(id=range(3 * PAGE_ROWS), n=[0] * (3 * PAGE_ROWS))
    shard = write_table(tmp_path, "plain/0.parquet", LOOKUP, rows, {})
    write_joined(tmp_path, [shard], LOOKUP, tmp_path / "release", [("plain/0000.parquet", 3 * PAGE_ROWS)], {})
    metadata = pq.read_metadata(tmp_path / "release" / "plain" / "0000.parquet")
    assert [metadata.row_group(group).num_rows for group in range(metadata.num_row_groups)] == [PAGE_ROWS] * 3
    assert [metadata.row_group(0).column(at).statistics is not None for at in (0, 1)] == [True, False]


def row_groups(path: Path) -> list[int]:
    metadata = pq.read_metadata(path)
    return [metadata.row_group(group).num_rows for group in range(metadata.num_row_groups)]


@pytest.mark.parametrize(
    ("rows", "groups"),
    [
        (PAGE_ROWS, [PAGE_ROWS]),
        (PAGE_ROWS + 1, [PAGE_ROWS, 1]),
        (LOOKUP_ROWS + 1, [ROW_GROUP, LOOKUP_ROWS + 1 - ROW_GROUP]),
    ],
)
def test_a_small_file_of_a_table_with_one_key_has_row_groups_of_one_page(
    tmp_path: Path, rows: int, groups: list[int]
) -> None:
    shard = write_table(tmp_path, "plain/0.parquet", PLAIN, PLAIN.from_columns(id=range(rows), n=[0] * rows), {})
    [join] = joins_of(PLAIN, [shard])
    assert join.copied == (groups == row_groups(tmp_path / shard.path))
    write_joined(tmp_path, [shard], PLAIN, tmp_path / "release", [("plain/0.parquet", rows)], {})
    assert row_groups(tmp_path / "release" / "plain" / "0.parquet") == groups


def test_files_keep_the_names_and_metadata_of_their_shards_or_none_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_layout, "JOINED_BYTES", 10_000)
    assert [join.copied for join in joins_of(PLAIN, described(PLAIN, [3, 3, 30]))] == [False, False]
    large = described(PLAIN, [20, 30])
    assert [(join.copied, join.paths) for join in joins_of(PLAIN, large)] == [(True, (one.path,)) for one in large]


def test_a_shard_that_rotted_is_not_joined(tmp_path: Path) -> None:
    shards = written(tmp_path, PLAIN)
    path = tmp_path / shards[1].path
    path.write_bytes(path.read_bytes()[:-1] + b"x")
    with pytest.raises(StorageError, match=r"plain/1\.parquet: differs from its receipt"):
        write_joined(tmp_path, shards, PLAIN, tmp_path / "release", [("plain/0000.parquet", 30)], {})


def test_rows_that_are_lost_or_changed_on_the_way_are_noticed(tmp_path: Path) -> None:
    shards = written(tmp_path, PLAIN)
    with pytest.raises(StorageError, match="differ from those of the run"):
        write_joined(tmp_path, shards, PLAIN, tmp_path / "release", [("plain/0000.parquet", 29)], {})
    forged = [*shards[:2], shards[2].model_copy(update={"digest": shards[1].digest})]
    with pytest.raises(StorageError, match="differ from those of the run"):
        write_joined(tmp_path, forged, PLAIN, tmp_path / "release", [("plain/0000.parquet", 30)], {})


def test_a_release_in_several_files_a_table_is_verified_and_its_order_with_it(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_layout, "JOINED_BYTES", 6000)
    publish_quietly(run, tmp_path)
    sums = tmp_path / "toy" / "sums"
    files = sorted(path.name for path in sums.iterdir())
    assert len(files) > 1
    assert verify(tmp_path, "structure").faults == ()
    (sums / files[0]).rename(sums / "last")
    (sums / files[1]).rename(sums / files[0])
    (sums / "last").rename(sums / files[1])
    from tests.pipeline.publish.test_hostile_release import seal

    seal(tmp_path / "toy")
    assert [fault.where for fault in verify(tmp_path, "structure").faults] == [f"toy/sums/{files[1]}"]
