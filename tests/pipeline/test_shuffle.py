"""Runs of sorted keys are shuffled by key ranges: nothing is lost, whatever the width, not even the largest key."""

from collections import Counter
from itertools import chain, pairwise
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardspace.engine.shuffle import END, key_ranges, sample
from boardspace.spec.space import Column, Table
from boardspace.storage.parquet import read_tables, write_table
from tests.pipeline.conftest import boardspace
from tests.pipeline.spread import RUNS, WIDTHS, run_of

PLUGINS = {"BOARDSPACE_SPACES": "tests.toy,tests.pipeline.spread"}


@pytest.fixture(scope="module")
def gathered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("spread")
    (folder / "c.toml").write_text("[spread]\n")
    done = boardspace("run", folder / "c.toml", "--out", folder / "run", "--workers", 0, env=PLUGINS)
    assert done.returncode == 0, done.stderr
    return folder / "run" / "spread"


@pytest.mark.parametrize("width", WIDTHS)
def test_a_stage_gathers_every_key_of_the_runs_in_order(gathered: Path, width: int) -> None:
    files = sorted((gathered / f"gathered{width}").rglob("*.parquet"))
    parts = [pq.read_table(file, partitioning=None) for file in files]
    keys = list(chain.from_iterable(part.column("key").to_pylist() for part in parts))
    counts = list(chain.from_iterable(part.column("count").to_pylist() for part in parts))
    expected = Counter(chain.from_iterable(run_of(width, number).tolist() for number in range(RUNS)))
    assert list(zip(keys, counts, strict=True)) == sorted(expected.items())
    assert keys[-1] == (1 << width) - 1
    assert keys[0] == 0
    assert parts[0].schema.field("key").type == pa.from_numpy_dtype(f"uint{width}")
    assert len(files) > 5


@pytest.mark.parametrize("width", WIDTHS)
@given(data=st.data())
def test_ranges_tile_all_keys_of_every_width(width: int, data: st.DataObject) -> None:
    keys = st.lists(st.integers(0, (1 << width) - 1), min_size=1, max_size=300, unique=True)
    runs = [np.array(sorted(run), dtype=f"uint{width}") for run in data.draw(st.lists(keys, min_size=1, max_size=4))]
    ranges = key_ranges([sample(run) for run in runs], data.draw(st.integers(1, 400)))
    assert (ranges[0][0], ranges[-1][1]) == (0, END)
    assert all(low < high for low, high in ranges)
    assert all(before[1] == after[0] for before, after in pairwise(ranges))
    inside = [key for low, high in ranges for run in runs for key in run.tolist() if low <= key < high]
    assert Counter(inside) == Counter(key for run in runs for key in run.tolist())


def test_ranges_share_the_rows() -> None:
    runs = [np.sort(np.random.default_rng(seed).integers(0, 1 << 40, 5000).astype(np.uint64)) for seed in range(3)]
    ranges = key_ranges([sample(run) for run in runs], 1000)
    shares = [sum(int(((run >= low) & (run < high)).sum()) for run in runs) for low, high in ranges]
    assert sum(shares) == 15000
    assert max(shares) < 2000


@pytest.mark.parametrize("width", WIDTHS)
def test_a_range_may_end_beyond_what_its_column_holds(tmp_path: Path, width: int) -> None:
    keys = Table("keys", "Keys.", (Column("key", pa.from_numpy_dtype(f"uint{width}"), "key"),), ("key",))
    largest = (1 << width) - 1
    write_table(tmp_path, "0.parquet", keys, keys.from_columns(key=[0, 7, largest]), {})
    for between, expected in (((0, END), 3), ((largest, END), 1), ((largest, largest + 1), 1), ((0, largest), 2)):
        assert read_tables([tmp_path / "0.parquet"], keys, None, between).num_rows == expected
    assert read_tables([tmp_path / "0.parquet"], keys, None, (END, END + 1)).num_rows == 0


def test_a_table_is_made_from_rows_whatever_else_they_hold() -> None:
    keys = Table("keys", "Keys.", (Column("key", pa.uint8(), "key"),), ("key",))
    assert keys.from_rows([{"key": 1, "other": "x"}, {"key": 255}]).to_pydict() == {"key": [1, 255]}
    with pytest.raises(ValueError, match="not values of uint8"):
        keys.from_rows([{"key": -1}])
