"""All pairs of layouts by distance as a table of the dataset."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from boardspace.spaces.klotski import searched_groups
from boardspace.spaces.klotski.config import KlotskiConfig
from boardspace.spaces.klotski.parts.farthest import costs, part
from boardspace.spaces.klotski.rules import Layouts
from boardspace.spaces.klotski.searched_groups import count_pairs
from boardspace.spec.check import Draw
from boardspace.storage.run_folder import FinishedStages
from boardspace.verify.folds import graph_of
from tests.naive import klotski as naive
from tests.pipeline.finished import altered, finished_stages, outcome_of, with_values
from tests.pipeline.test_klotski_farthest import run

GROUP = ["jiang_num", "bing_num", "style_num", "group_num"]


@pytest.fixture(scope="module")
def counted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Farthest steps and all pairs, the larger groups in parts."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(costs, "PART_SECONDS", 3e-4)
        return run(tmp_path_factory.mktemp("distances"), 60.0)


@pytest.fixture(scope="module")
def finished(counted: Path) -> FinishedStages:
    return finished_stages(counted.parent, KlotskiConfig)[1]


def config() -> KlotskiConfig:
    return KlotskiConfig(classes=("2-0-1", "6-0-2", "6-1-1", "7-0-3"), farthest_seconds=60.0, distance_seconds=60.0)


def test_pairs_are_those_of_searches_from_every_layout(counted: Path) -> None:
    rows = pq.read_table(counted / "distances").to_pandas()
    found = rows[(rows.jiang_num == 7) & (rows.style_num == 3)].groupby("steps").pairs.sum()
    steps = [step for start in naive.all_layouts(7, 0, 3) for step in naive.distances(start).values()]
    assert found.tolist() == np.bincount(steps).tolist()


def test_pairs_of_a_group_add_up_to_the_square_of_its_size_and_end_at_its_diameter(counted: Path) -> None:
    rows = pq.read_table(counted / "distances").to_pandas()
    groups = pq.read_table(counted / "groups").to_pandas().merge(pq.read_table(counted / "diameters").to_pandas())
    by_group = rows.groupby(GROUP)
    assert by_group.ngroups == len(groups)
    for group in groups.itertuples():
        own = by_group.get_group((group.jiang_num, group.bing_num, group.style_num, group.group_num))
        assert own.steps.tolist() == list(range(group.diameter + 1))
        assert own.pairs.sum() == group.group_size**2
        assert own.pairs.iloc[0] == group.group_size
        assert group.diameter == 0 or own.pairs.iloc[-1] == 2 * group.diametral_pairs


def test_counting_pairs_changes_nothing_of_the_farthest_steps(counted: Path, tmp_path: Path) -> None:
    without = run(tmp_path, 0.0)
    assert not (without / "distances").exists()
    for name in ("farthest", "diameters"):
        assert pq.read_table(counted / name).equals(pq.read_table(without / name))


def test_checks_find_no_fault_in_what_is_right(finished: FinishedStages) -> None:
    assert not outcome_of("distances", config(), finished, Draw(0)).fault


@pytest.mark.parametrize("column", [*GROUP, "steps", "pairs"])
def test_checks_find_an_altered_column_of_the_pairs(finished: FinishedStages, column: str) -> None:
    def last_is_larger(stage: str, name: str, rows: pa.Table) -> pa.Table:
        values = rows.column(column).to_numpy().copy() if name == "distances" else None
        if values is None:
            return rows
        values[-1] += 2
        return with_values(rows, column, values)

    wrong = altered(finished, last_is_larger)
    faults = [
        outcome_of(name, config(), wrong, Draw(0)).fault
        for name in ("distances", "equations of layouts with pairs by distance")
    ]
    assert any(faults)


@pytest.mark.parametrize("seed", range(3))
def test_checks_find_pairs_moved_from_one_distance_to_another(finished: FinishedStages, seed: int) -> None:
    def moved(stage: str, name: str, rows: pa.Table) -> pa.Table:
        if name != "distances":
            return rows
        steps, pairs = rows.column("steps").to_numpy(), rows.column("pairs").to_numpy().copy()
        inside = np.flatnonzero((steps[:-2] == 1) & (steps[2:] == 3) & (pairs[1:-1] > 2))
        at = inside[seed * (len(inside) - 1) // 2]  # in the first, a middle and the last group with three distances
        pairs[at], pairs[at + 1] = pairs[at] + 2, pairs[at + 1] - 2
        return with_values(rows, "pairs", pairs)

    found = outcome_of("distances", config(), altered(finished, moved), Draw(seed))
    assert "count other pairs" in found.fault


def test_pairs_of_groups_that_are_not_counted_are_as_many_as_neighbours_and_those_of_images(
    finished: FinishedStages, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(searched_groups, "SEARCHED", 0)
    monkeypatch.setattr(searched_groups, "SMALL", 0)
    assert not outcome_of("distances", config(), finished, Draw(0)).fault
    groups = finished.table("groups").select([*GROUP, "mirror_group"]).to_pylist()
    imaged = {tuple(row[name] for name in GROUP) for row in groups if row["mirror_group"] != row["group_num"]}

    def fault(distance: int) -> str:
        def moved(stage: str, name: str, rows: pa.Table) -> pa.Table:
            if name != "distances":
                return rows
            steps, pairs = rows.column("steps").to_numpy(), rows.column("pairs").to_numpy().copy()
            inside = np.flatnonzero((steps[:-2] == distance) & (steps[2:] == distance + 2) & (pairs[1:-1] > 2))
            keys = list(zip(*(rows.column(name).to_pylist() for name in GROUP), strict=True))
            at = next(at for at in inside.tolist() if keys[at] in imaged)
            pairs[at], pairs[at + 1] = pairs[at] + 2, pairs[at + 1] - 2
            return with_values(rows, "pairs", pairs)

        return outcome_of("distances", config(), altered(finished, moved), Draw(0)).fault

    assert "pairs at distance 1; its layouts have" in fault(1)
    assert "its image has other pairs" in fault(2)


def test_a_budget_for_pairs_pays_for_the_cheapest_of_the_classes_with_farthest_steps() -> None:
    chosen = costs.within_budget(KlotskiConfig(farthest_seconds=100.0, distance_seconds=20.0))
    assert chosen.counted < set(chosen.classes)
    assert sum(chosen.classes[name].total for name in chosen.counted) <= 20
    assert f"all distances of {len(chosen.counted)} of them" in chosen.doc
    everything = costs.within_budget(KlotskiConfig(farthest_seconds=1e6, distance_seconds=1e6))
    assert len(everything.counted) == 203


def test_without_a_budget_for_pairs_there_is_no_stage_for_them() -> None:
    names = [stage.name for stage in part.stages(KlotskiConfig(farthest_seconds=100.0))]
    assert "distances" not in names
    assert "diameters" in names


def test_layouts_that_are_no_whole_groups_are_refused() -> None:
    codes = np.unique([naive.code(layout) for layout in naive.all_layouts(7, 0, 3)]).astype(np.uint64)
    one_group, each_its_own = np.zeros(len(codes), np.int64), np.arange(len(codes))
    graph = graph_of(list(Layouts(codes).pieces()), len(codes), "chain")
    with pytest.raises(ValueError, match="do not join them all"):
        count_pairs(graph, one_group)
    with pytest.raises(ValueError, match="from one group to another"):
        count_pairs(graph, each_its_own)


def test_equations_tell_of_each_set_of_rows_how_many_were_tried(finished: FinishedStages) -> None:
    def tried(rows: str) -> tuple[int, int]:
        found = outcome_of(f"equations of {rows}", config(), finished, Draw(0))
        assert not found.fault
        return found.cases, found.of

    layouts = finished.table("main").num_rows
    assert tried("layouts") == tried("layouts with pairs by distance") == (layouts, layouts)
    assert tried("layouts with their net") == (0, 0)  # the run has none
