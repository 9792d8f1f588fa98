"""The digest of rows knows what the rows are, not how they lie."""

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from boardspace.pipeline.storage.digest import add, block_digest, rows_digest

ROWS = st.lists(st.tuples(st.integers(0, 2**63), st.integers(0, 255), st.text(max_size=3)), max_size=30)


def table(rows: list[tuple[int, int, str]]) -> pa.Table:
    columns = list(zip(*rows, strict=True)) or [(), (), ()]
    return pa.table(
        {
            "a": pa.array(columns[0], pa.uint64()),
            "b": pa.array(columns[1], pa.uint8()),
            "c": pa.array(columns[2], pa.string()),
        }
    )


@given(ROWS, st.randoms(use_true_random=False), st.integers(0, 30))
def test_order_and_cut_do_not_matter(rows: list[tuple[int, int, str]], random: object, cut: int) -> None:
    shuffled = rows.copy()
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    parts = [rows_digest(table(shuffled[:cut])), rows_digest(table(shuffled[cut:]))]
    assert add(parts) == rows_digest(table(rows))


@given(ROWS.filter(bool), st.integers(0, 29))
def test_one_changed_value_changes_it(rows: list[tuple[int, int, str]], which: int) -> None:
    changed = rows.copy()
    row = changed[which % len(rows)]
    changed[which % len(rows)] = (row[0], row[1] ^ 1, row[2])
    assert rows_digest(table(changed)) != rows_digest(table(rows))


def test_values_swapped_between_columns_change_it() -> None:
    one = pa.table({"a": pa.array([1], pa.uint8()), "b": pa.array([2], pa.uint8())})
    other = pa.table({"a": pa.array([2], pa.uint8()), "b": pa.array([1], pa.uint8())})
    assert rows_digest(one) != rows_digest(other)


def test_blocks_of_an_array_add_up_however_it_is_cut() -> None:
    values = np.arange(60, dtype=np.uint16).reshape(6, 10)
    whole = block_digest(values, (0, 0), (6, 10))
    assert add([block_digest(values[:2], (0, 0), (6, 10)), block_digest(values[2:], (2, 0), (6, 10))]) == whole
    assert block_digest(values[::-1], (0, 0), (6, 10)) != whole
