"""All pairs of layouts by unit moves as a table of the dataset."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

from boardspace.cli.main import cli
from boardspace.spaces.klotski import searched_groups
from boardspace.spaces.klotski.config import KlotskiConfig
from boardspace.spaces.klotski.parts.unit_distances import compute, part
from boardspace.spec.check import Draw
from boardspace.storage.run_folder import FinishedStages
from tests.naive import klotski as naive
from tests.pipeline.finished import altered, finished_stages, outcome_of, run_of, with_values

CLASSES = ("2-0-1", "6-0-2", "6-1-1", "7-0-3")
GROUP = ["jiang_num", "bing_num", "style_num", "group_num"]


def run(folder: Path) -> Path:
    return run_of(f"[klotski]\nclasses = {list(CLASSES)}\nunit_distances = ['6-*', '7-0-3']\n", folder) / "klotski"


@pytest.fixture(scope="module")
def counted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three classes of four, the larger ones in parts."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(part, "PART_SECONDS", 1e-4)
        patch.setattr(compute, "BLOCK", 64)
        return run(tmp_path_factory.mktemp("unit"))


@pytest.fixture(scope="module")
def finished(counted: Path) -> FinishedStages:
    return finished_stages(counted.parent, KlotskiConfig)[1]


def config() -> KlotskiConfig:
    return KlotskiConfig(classes=CLASSES, unit_distances=("6-*", "7-0-3"))


def test_pairs_are_those_of_searches_from_every_layout(counted: Path) -> None:
    rows = pq.read_table(counted / "unit_distances").to_pandas()
    found = rows[(rows.jiang_num == 7) & (rows.style_num == 3)].groupby("moves").pairs.sum()
    moves = [move for start in naive.all_layouts(7, 0, 3) for move in naive.distances(start, naive.unit_moves).values()]
    assert found.tolist() == np.bincount(moves).tolist()


def test_only_the_classes_asked_for_have_rows(counted: Path) -> None:
    rows = pq.read_table(counted / "unit_distances").to_pandas()
    assert set(zip(rows.jiang_num, rows.bing_num, rows.style_num, strict=True)) == {(6, 0, 2), (6, 1, 1), (7, 0, 3)}


def test_pairs_do_not_depend_on_the_parts(counted: Path, tmp_path: Path) -> None:
    whole = run(tmp_path)
    assert len(list((whole / "unit_distances").iterdir())) == 1
    assert pq.read_table(whole / "unit_distances").equals(pq.read_table(counted / "unit_distances"))


def test_classes_are_cut_into_equal_parts_of_the_planned_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(part, "PART_SECONDS", 1e-4)
    shards = part.cut_parts(config(), None)  # type: ignore[arg-type]  # nothing is read
    assert len({shard.name for shard in shards}) == len(shards) > 3
    assert max(shard.cost for shard in shards) <= 1e-4


def test_checks_find_no_fault_in_what_is_right(finished: FinishedStages) -> None:
    for everything in (False, True):
        assert not outcome_of("unit distances", config(), finished, Draw(0, everything)).fault


@pytest.mark.parametrize("column", [*GROUP, "moves", "pairs"])
def test_checks_find_an_altered_column(finished: FinishedStages, column: str) -> None:
    def last_is_larger(stage: str, name: str, rows: pa.Table) -> pa.Table:
        if name != "unit_distances":
            return rows
        values = rows.column(column).to_numpy().copy()
        values[-1] += 2
        return with_values(rows, column, values)

    wrong = altered(finished, last_is_larger)
    faults = [
        outcome_of(name, config(), wrong, Draw(0)).fault
        for name in ("unit distances", "equations of layouts with pairs by unit moves")
    ]
    assert any(faults)


@pytest.mark.parametrize("everything", [False, True])
def test_large_groups_are_searched_from_some_layouts_and_from_all_if_asked(
    finished: FinishedStages, monkeypatch: pytest.MonkeyPatch, everything: bool
) -> None:
    monkeypatch.setattr(searched_groups, "SEARCHED", 0)
    monkeypatch.setattr(searched_groups, "SMALL", 0)
    monkeypatch.setattr(searched_groups, "SOURCES", 256)  # the largest group has 2984 layouts

    def moved(by: int) -> FinishedStages:
        def one_farther(stage: str, name: str, rows: pa.Table) -> pa.Table:
            if name != "unit_distances":
                return rows
            pairs = rows.column("pairs").to_numpy().copy()
            pairs[3], pairs[2] = pairs[3] + by, pairs[2] - by
            return with_values(rows, "pairs", pairs)

        return altered(finished, one_farther)

    first = int(finished.table("unit_distances").column("pairs").to_numpy()[2])
    assert not outcome_of("unit distances", config(), finished, Draw(0, everything)).fault
    assert "count" in outcome_of("unit distances", config(), moved(first - 2), Draw(0, everything)).fault
    if everything:
        assert "count other pairs" in outcome_of("unit distances", config(), moved(2), Draw(0, everything)).fault


def test_without_classes_there_is_no_table(tmp_path: Path) -> None:
    (tmp_path / "without.toml").write_text('[klotski]\nclasses = ["7-0-3"]\n')
    arguments = ["run", str(tmp_path / "without.toml"), "--out", str(tmp_path / "out"), "--workers", "0"]
    assert CliRunner().invoke(cli, arguments).exit_code == 0
    assert not (tmp_path / "out" / "klotski" / "unit_distances").exists()
