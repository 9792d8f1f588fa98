"""The farthest steps as a dataset: stages, parts, what a budget pays for."""

import hashlib
import json
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result

from boardspace.cli.main import cli
from boardspace.spaces.klotski.config import KlotskiConfig
from boardspace.spaces.klotski.parts.farthest import compute, costs, part
from boardspace.spaces.klotski.parts.farthest.part import FARTHEST_MEMBERS
from boardspace.spaces.klotski.searched_groups import FARTHEST_SOURCES
from boardspace.spec.check import Draw
from boardspace_kernels.klotski.classes import ClassName, enumerate_layouts
from boardspace_kernels.klotski.distances import distances
from boardspace_kernels.klotski.group_graphs import group_graphs
from tests.pipeline.finished import finished_stages, outcome_of, run_of

CONFIG = """
[klotski]
classes = {classes}
farthest_seconds = 60.0
distance_seconds = {counting}
"""
CLASSES = ("2-0-1", "6-0-2", "6-1-1", "7-0-3")


def invoke(*arguments: object) -> Result:
    return CliRunner().invoke(cli, [str(argument) for argument in arguments])


def run(folder: Path, counting: float, *classes: str) -> Path:
    chosen = json.dumps(classes or CLASSES)
    out = run_of(CONFIG.format(classes=chosen, counting=counting), folder)
    assert invoke("verify", out).exit_code == 0
    return out / "klotski"


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return run(tmp_path_factory.mktemp("farthest"), 0.0)


def test_every_layout_has_the_farthest_step_that_a_search_from_it_finds(dataset: Path) -> None:
    main, table = (pq.read_table(dataset / name).to_pandas().set_index("layout_id") for name in ("main", "farthest"))
    assert table.index.equals(main.index)
    rows = main.join(table)
    for key, members in rows.groupby(["jiang_num", "bing_num", "style_num"]):
        layouts = enumerate_layouts(ClassName(*key))
        graphs = group_graphs(layouts)
        for code, step, num in members[["code", "farthest_step", "farthest_num"]].iloc[::150].itertuples(index=False):
            layers = np.bincount(1 + distances(graphs.graph, layouts.codes[graphs.order] == code))[1:]
            assert (step, num) == (len(layers) - 1, layers[-1])


@pytest.mark.parametrize("seed", range(4))
def test_checks_find_no_fault_in_what_is_right(dataset: Path, seed: int) -> None:
    config, inputs = finished_stages(dataset.parent, KlotskiConfig)
    found = outcome_of("farthest steps", config, inputs, Draw(seed))
    assert (found.cases, found.of) == (4 * FARTHEST_SOURCES, pq.read_table(dataset / "farthest").num_rows)
    assert not found.fault


def test_the_extent_of_a_group_is_that_of_its_layouts(dataset: Path) -> None:
    main, table = (pq.read_table(dataset / name).to_pandas().set_index("layout_id") for name in ("main", "farthest"))
    groups = pq.read_table(dataset / "groups").to_pandas()
    extents = pq.read_table(dataset / "diameters").to_pandas()
    keys = ["jiang_num", "bing_num", "style_num", "group_num"]
    assert extents[keys].equals(groups[keys])
    members = main.join(table).groupby(keys)
    for extent in extents.itertuples():
        group = members.get_group((extent.jiang_num, extent.bing_num, extent.style_num, extent.group_num))
        assert (extent.diameter, extent.radius) == (group.farthest_step.max(), group.farthest_step.min())
        centre = group[group.farthest_step == extent.radius]
        assert (extent.centres, extent.centre_code) == (len(centre), centre.code.min())
        assert extent.diametral_pairs == group[group.farthest_step == extent.diameter].farthest_num.sum() // 2


@pytest.fixture(scope="module")
def in_parts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The dataset computed in small parts."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(costs, "PART_SECONDS", 3e-5)
        return run(tmp_path_factory.mktemp("parts"), 0.0)


def test_parts_change_nothing(dataset: Path, in_parts: Path) -> None:
    assert len(list((in_parts.parent / ".run" / "klotski" / "intermediates" / "farthest_parts").rglob("*.parquet"))) > 5
    for name in ("farthest", "diameters"):
        assert pq.read_table(in_parts / name).equals(pq.read_table(dataset / name))


class Members:
    """Inputs that hold the farthest steps of three layouts of two classes, of which one was searched in parts."""

    def named_facts(self, stage: str) -> Any:
        assert stage == "farthest_outlines"
        return {"a": {"left": []}, "b": {"left": [(0, 9, 9)]}}

    def blob(self, stage: str, name: str, shard: str) -> Any:
        rows = {
            "farthest_outlines": [(16_385, 0, 1), (40_000, 1, 1)],
            "farthest_classes": [(20_001, 7, 2), (30_000, 9, 3)],
        }
        return np.array(rows[stage], dtype=FARTHEST_MEMBERS)


def test_arrays_hold_0_where_nothing_was_computed() -> None:
    params = {"size": 40_000, "complete": True, "low": 16_384, "high": 32_768}
    output = compute.merge_ids(KlotskiConfig(ids_per_shard=16_384), params, Members())  # type: ignore[arg-type]
    assert output.tables["farthest"].column("layout_id").to_pylist() == [16_385, 20_001, 30_000]
    steps, counts = (part.values for part in output.arrays)
    assert [part.path for part in output.arrays] == ["farthest_step", "farthest_num"]
    assert {16_384 + i: (steps[i], counts[i]) for i in np.flatnonzero(counts)} == {
        16_385: (0, 1),
        20_001: (7, 2),
        30_000: (9, 3),
    }


PUBLISHED = tomllib.loads((Path(__file__).parents[1] / "golden" / "klotski_farthest.toml").read_text())["files"]


@pytest.mark.parametrize("stored", [True, False])
@pytest.mark.parametrize("name", ["2-0-1", "6-1-1"])
def test_an_exported_class_is_the_public_databases_file(dataset: Path, tmp_path: Path, name: str, stored: bool) -> None:
    options = ("--dataset", dataset) if stored else ()
    result = invoke("klotski", "export", "farthest", name, "--out", tmp_path / "farthest.csv", *options)
    assert result.exit_code == 0, result.output
    assert hashlib.md5((tmp_path / "farthest.csv").read_bytes()).hexdigest() == PUBLISHED[name]["md5"]


def test_the_sizes_of_the_published_files_follow_from_the_table(dataset: Path) -> None:
    rows = pq.read_table(dataset / "main").to_pandas().merge(pq.read_table(dataset / "farthest").to_pandas())
    digits = rows.farthest_step.astype(str).str.len() + rows.farthest_num.astype(str).str.len()
    size = (12 + digits + 10 * rows.farthest_num.astype(int)).groupby([rows.jiang_num, rows.bing_num, rows.style_num])
    assert {"-".join(map(str, name)): count for name, count in size.sum().items()} == {
        name: PUBLISHED[name]["bytes"] for name in ("2-0-1", "6-0-2", "6-1-1", "7-0-3")
    }


def test_a_dataset_without_the_class_is_refused(dataset: Path) -> None:
    for folder, message in [(dataset, "does not hold this class"), (dataset.parent, "holds no table `farthest`")]:
        result = invoke("klotski", "export", "farthest", "7-0-4", "--dataset", folder)
        assert result.exit_code == 2
        assert message in result.output


def test_a_dataset_with_wrong_numbers_is_refused_and_nothing_is_written(dataset: Path, tmp_path: Path) -> None:
    rows = pq.read_table(dataset / "farthest")
    wrong = pa.array(np.asarray(rows["farthest_num"]) + np.uint32(1))
    (tmp_path / "klotski" / "farthest").mkdir(parents=True)
    place = rows.schema.get_field_index("farthest_num")
    pq.write_table(rows.set_column(place, "farthest_num", wrong), tmp_path / "klotski" / "farthest" / "0.parquet")
    options = ("--dataset", tmp_path / "klotski", "--out", tmp_path / "farthest.csv")
    result = invoke("klotski", "export", "farthest", "6-1-1", *options)
    assert result.exit_code == 2
    assert "its table `farthest` is wrong" in result.output
    assert not (tmp_path / "farthest.csv").exists()


def test_a_budget_pays_for_the_cheapest_classes() -> None:
    chosen = costs.within_budget(KlotskiConfig(farthest_seconds=100.0))
    assert len(chosen.classes) + len(chosen.left) == 203
    assert sum(cost.total for cost in chosen.classes.values()) <= 100
    assert max(c.total for c in chosen.classes.values()) <= min(c.total for c in chosen.left.values())
    assert chosen.omits.endswith(", ".join(chosen.left))


def test_without_a_budget_there_is_nothing_to_do() -> None:
    assert not part.stages(KlotskiConfig())
    assert not part.stages(KlotskiConfig(classes=("5-4-1",), farthest_seconds=1e-9))
