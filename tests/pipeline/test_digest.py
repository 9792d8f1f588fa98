"""The digest of rows knows what the rows are, not how they lie."""

import re
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardspace.storage.digest import add, block_digest, rows_digest

NUMBERS = st.none() | st.integers(-9, 9)
ROWS = st.lists(st.tuples(st.integers(0, 2**63), NUMBERS, st.text(max_size=3), st.none() | st.booleans()), max_size=30)


Row = tuple[int, int | None, str, bool | None]


def table(rows: list[Row]) -> pa.Table:
    columns = list(zip(*rows, strict=True)) or [(), (), (), ()]
    return pa.table(
        {
            "a": pa.array(columns[0], pa.uint64()),
            "b": pa.array(columns[1], pa.int8()),
            "c": pa.array(columns[2], pa.string()),
            "d": pa.array(columns[3], pa.bool_()),
        }
    )


@given(ROWS, st.randoms(use_true_random=False), st.integers(0, 30))
def test_order_and_cut_do_not_matter(rows: list[Row], random: object, cut: int) -> None:
    shuffled = rows.copy()
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    parts = [rows_digest(table(shuffled[:cut])), rows_digest(table(shuffled[cut:]))]
    assert add(parts) == rows_digest(table(rows))


@given(ROWS.filter(bool), st.integers(0, 29))
def test_one_changed_value_changes_it(rows: list[Row], which: int) -> None:
    changed = rows.copy()
    row = changed[which % len(rows)]
    changed[which % len(rows)] = (row[0], 0 if row[1] is None else None if row[1] == 0 else row[1] ^ 1, *row[2:])
    assert rows_digest(table(changed)) != rows_digest(table(rows))


def test_digests_are_those_that_the_documentation_prints() -> None:
    """Of docs/digest.md, by which other programs compute them."""
    rows = pa.table({"n": pa.array([1, None], pa.int8()), "text": pa.array(["a", "it's"])})
    found = [rows_digest(part) for part in (rows.slice(0, 1), rows.slice(1), rows)]
    page = (Path(__file__).resolve().parents[2] / "docs" / "digest.md").read_text()
    assert re.findall(r"\| `([0-9a-f]{32})` \|", page) == found
    many = pa.table({"n": np.arange(1 << 17), "half": np.arange(1 << 17) / 2, "text": ["a", "b"] * (1 << 16)})
    assert rows_digest(many) == "9e54cefb1d3ed1cd0952f80375f1403a"


def test_values_swapped_between_columns_change_it() -> None:
    one = pa.table({"a": pa.array([1], pa.uint8()), "b": pa.array([2], pa.uint8())})
    other = pa.table({"a": pa.array([2], pa.uint8()), "b": pa.array([1], pa.uint8())})
    assert rows_digest(one) != rows_digest(other)


@given(ROWS.filter(bool), st.integers(0, 255), st.text(max_size=3))
def test_columns_in_the_names_of_folders_count_as_columns(rows: list[Row], moves: int, problem: str) -> None:
    whole = table(rows)
    count = whole.num_rows
    unfolded = whole.append_column("moves", pa.array([moves] * count, pa.uint8()))
    unfolded = unfolded.append_column("problem", pa.array([problem] * count))
    assert rows_digest(whole, {"moves": moves, "problem": problem}) == rows_digest(unfolded)
    assert rows_digest(whole, {"moves": moves + 1, "problem": problem}) != rows_digest(unfolded)


def test_blocks_of_an_array_add_up_however_it_is_cut() -> None:
    values = np.arange(60, dtype=np.uint16).reshape(6, 10)
    whole = block_digest(values, (0, 0), (6, 10))
    assert add([block_digest(values[:2], (0, 0), (6, 10)), block_digest(values[2:], (2, 0), (6, 10))]) == whole
    assert block_digest(values[::-1], (0, 0), (6, 10)) != whole


@pytest.mark.parametrize(
    ("block", "start", "shape"),
    [
        ((70_000,), (16_384,), (90_000,)),
        ((300, 70), (600, 140), (1000, 333)),
        ((2, 20_000), (4, 20_000), (7, 70_000)),
        ((9, 61, 67), (9, 61, 67), (20, 150, 201)),
    ],
)
def test_cells_are_counted_at_their_places_in_the_whole_array(
    block: tuple[int, ...], start: tuple[int, ...], shape: tuple[int, ...]
) -> None:
    values = np.random.default_rng(1).integers(0, 1 << 60, block)
    index = np.arange(np.prod(shape)).reshape(shape)
    inside = index[tuple(slice(low, low + length) for low, length in zip(start, block, strict=True))]
    pairs = pa.table({"index": inside.reshape(-1), "value": values.reshape(-1)})
    assert block_digest(values, start, shape) == rows_digest(pairs)
