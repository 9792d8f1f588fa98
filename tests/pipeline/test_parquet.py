"""What is written is sorted, unique and checksummed; what is read is verified."""

import io
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from boardspace.spec.space import Column, Table
from boardspace.storage.files import StorageError
from boardspace.storage.parquet import PAGE_ROWS, ROW_GROUP, filling, order_fault, read_tables, write_table
from boardspace.verify.files import FileFaultError, check_table

PAIRS = Table(
    "pairs",
    "Pairs.",
    (Column("a", pa.uint32(), "first"), Column("b", pa.uint8(), "second"), Column("s", pa.string(), "text")),
    ("a", "b"),
)


def pairs(*rows: tuple[int, int]) -> pa.Table:
    return PAIRS.from_columns(a=[r[0] for r in rows], b=[r[1] for r in rows], s=[f"{r}" for r in rows])


@pytest.mark.parametrize(
    ("rows", "fault_row"),
    [
        ([(1, 1), (1, 2), (2, 0)], None),
        ([(1, 2), (1, 1)], 1),
        ([(1, 1), (2, 2), (2, 2)], 2),
        ([], None),
        ([(9, 9)], None),
    ],
)
def test_rows_out_of_order_or_equal_by_key_are_named(rows: list[tuple[int, int]], fault_row: int | None) -> None:
    fault = order_fault(pairs(*rows), PAIRS.key)
    assert fault == "" if fault_row is None else f"row {fault_row} " in fault


class Counted(io.BytesIO):
    """A file that knows how many of its bytes were read."""

    taken = 0

    def read(self, size: int | None = -1, /) -> bytes:
        content = super().read(size)
        self.taken += len(content)
        return content


def test_the_first_rows_of_a_published_column_take_one_page_of_it(tmp_path: Path) -> None:
    table = Table("keys", "Keys.", (Column("key", pa.uint64(), "a key"), Column("x", pa.uint64(), "noise")), ("key",))
    chance = np.random.default_rng(0)
    rows = table.from_columns(key=np.arange(ROW_GROUP), x=chance.integers(0, 1 << 63, ROW_GROUP))
    write_table(tmp_path, "keys/0.parquet", table, rows, {})
    file = Counted((tmp_path / "keys" / "0.parquet").read_bytes())
    metadata = pq.read_metadata(tmp_path / "keys" / "0.parquet")
    opened = pq.ParquetFile(file, metadata=metadata, buffer_size=1 << 12, pre_buffer=False)
    before = file.taken
    next(opened.iter_batches(batch_size=1, columns=["x"], use_threads=False))
    assert file.taken - before < 2 * 8 * PAGE_ROWS < metadata.row_group(0).column(1).total_compressed_size / 4


def test_unsorted_rows_are_refused_before_anything_is_written(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="row 1"):
        write_table(tmp_path, "pairs/0.parquet", PAIRS, pairs((2, 0), (1, 0)), {})
    assert list(tmp_path.rglob("*.parquet")) == []


@pytest.mark.parametrize("values", [np.array([1.0]), [1.0], np.array([1 << 40]), [-1], ["one"]])
def test_a_column_of_whole_numbers_takes_no_others(values: object) -> None:
    with pytest.raises(ValueError, match=r"pairs\.a: .*uint32"):
        PAIRS.from_columns(a=values, b=[1], s=["x"])


def test_fractions_in_rows_of_another_schema_are_refused(tmp_path: Path) -> None:
    rows = pa.table({"a": [1.0], "b": [1], "s": ["x"]})
    with pytest.raises(ValueError, match=r"fractions .* in column a"):
        write_table(tmp_path, "pairs/0.parquet", PAIRS, rows, {})


def test_the_record_tells_rows_and_ends(tmp_path: Path) -> None:
    record = write_table(tmp_path, "pairs/0.parquet", PAIRS, pairs((1, 5), (7, 3)), {"dataset": "trial"})
    assert (record.rows, record.first, record.last) == (2, (1, 5), (7, 3))
    assert pq.read_schema(tmp_path / record.path).metadata[b"dataset"] == b"trial"


def test_a_key_range_reads_only_the_row_groups_it_overlaps(tmp_path: Path) -> None:
    count = 3 * ROW_GROUP
    rows = PAIRS.from_columns(a=np.arange(count), b=np.zeros(count, np.uint8), s=["x"] * count)
    write_table(tmp_path, "0.parquet", PAIRS, rows, {})
    found = read_tables([tmp_path / "0.parquet"], PAIRS, ["b", "a"], (ROW_GROUP - 1, ROW_GROUP + 2))
    assert found.column_names == ["b", "a"]
    assert found.column("a").to_pylist() == [ROW_GROUP - 1, ROW_GROUP, ROW_GROUP + 1]


def test_a_key_range_is_exact_where_floats_are_not(tmp_path: Path) -> None:
    wide = Table("wide", "Wide keys.", (Column("key", pa.uint64(), "key"),), ("key",))
    keys = [2**62 + i for i in range(10)]
    write_table(tmp_path, "0.parquet", wide, wide.from_columns(key=keys), {})
    found = read_tables([tmp_path / "0.parquet"], wide, None, (keys[3], keys[5]))
    assert found.column("key").to_pylist() == keys[3:5]


@pytest.mark.parametrize("row_group", [1, 2, 3, 4])
def test_rows_that_do_not_ascend_are_found_within_row_groups_and_from_one_to_the_next(
    tmp_path: Path, row_group: int
) -> None:
    path, right = tmp_path / "0.parquet", [(1, 1), (1, 2), (2, 0), (2, 1)]
    for one in range(len(right)):
        for other in range(len(right)):
            rows = [*right[:one], right[other], *right[one + 1 :]]
            with path.open("wb") as stream:
                filling(PAIRS, pairs(*rows), {}, row_group)(stream)
            if one == other:
                assert check_table(path, PAIRS).num_rows == len(rows)
                continue
            with pytest.raises(FileFaultError, match=r"out of order by a, b|two rows share their key"):
                check_table(path, PAIRS)


def test_a_flipped_bit_in_any_page_is_an_error_not_a_value(tmp_path: Path) -> None:
    rows = PAIRS.from_columns(a=np.arange(1000), b=np.arange(1000) % 251, s=[str(i) for i in range(1000)])
    write_table(tmp_path, "0.parquet", PAIRS, rows, {})
    path = tmp_path / "0.parquet"
    good = path.read_bytes()
    data_end = int.from_bytes(good[-8:-4], "little")
    for position in range(200, len(good) - data_end - 8, 97):
        path.write_bytes(good[:position] + bytes([good[position] ^ 4]) + good[position + 1 :])
        try:
            found = read_tables([path], PAIRS, None, None)
        except StorageError:
            continue
        assert found.equals(rows)
    path.write_bytes(good)
    assert read_tables([path], PAIRS, None, None).equals(rows)


def test_no_column_that_may_lack_values_is_stored_as_differences(tmp_path: Path) -> None:
    """A page of nulls alone would have no first value: fastparquet reads on beyond its end, and crashes."""
    columns = [
        Column(f"{name}_{kind}", kind, "A number.", nullable=name == "gaps")
        for name in ("key", "gaps")
        for kind in (pa.uint8(), pa.int16(), pa.uint64())
    ]
    table = Table("kinds", "Numbers.", tuple(columns), ("key_uint8", "gaps_uint64"))
    rows = table.from_columns(**{one.name: [None if one.nullable else 1] for one in columns})
    write_table(tmp_path, "kinds/0.parquet", table, rows, {})
    group = pq.read_metadata(tmp_path / "kinds/0.parquet").row_group(0)
    found = {chunk.path_in_schema: chunk.encodings for chunk in map(group.column, range(group.num_columns))}
    assert {name for name, encodings in found.items() if "DELTA_BINARY_PACKED" in encodings} == {
        "key_uint8",
        "key_int16",
    }
