"""The net as a dataset: read as a user would, range by range."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
import zarr
from click.testing import CliRunner

from boardspace.cli.main import cli
from boardspace.spaces.klotski.config import KlotskiConfig
from boardspace.spaces.klotski.parts.net import compute
from boardspace.spaces.klotski.parts.net.checks import cuts_and_bridges
from boardspace.spaces.klotski.parts.net.compute import measure_claims
from boardspace.spaces.klotski.queries import enumerated
from boardspace.spec.check import Draw
from boardspace.verify.folds import Graph
from boardspace_kernels.klotski import net
from boardspace_kernels.klotski.group_graphs import group_graphs
from boardspace_kernels.klotski.scan import rank, space_scan
from tests.naive import klotski as naive
from tests.pipeline.finished import altered, finished_stages, outcome_of, run_of

CONFIG = '[klotski]\nclasses = ["1-0-0", "1-0-1", "6-0-2", "7-0-3"]\nnet = true\nids_per_shard = 8388608\n'


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its shards of neighbours are cut inside the rows of layouts."""
    with small_shards():
        return run_of(CONFIG, tmp_path_factory.mktemp("net")) / "klotski"


@contextmanager
def small_shards() -> Iterator[None]:
    """Verify cuts the plan again, so it needs the same."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compute, "STEPS_PER_SHARD", 1 << 13)
        # All ids there are, few of them in these classes.
        patch.setattr("boardspace.spaces.klotski.columns.CHUNK", 1 << 17)
        patch.setattr(compute, "STEP_CHUNK", 1 << 10)
        yield


@pytest.mark.thorough
def test_verify_finds_no_fault(dataset: Path) -> None:
    with small_shards():
        result = CliRunner().invoke(cli, ["verify", str(dataset.parent)])
    assert result.exit_code == 0, result.output


@pytest.mark.thorough
def test_the_neighbours_of_every_layout_are_those_of_the_definition(dataset: Path) -> None:
    arrays = zarr.open_group(dataset / "arrays.zarr", mode="r")
    starts, offsets = arrays["neighbour_start"][:], arrays["neighbours"][:]
    main = pq.read_table(dataset / "main").to_pandas()
    assert len(starts) == space_scan().size + 1
    assert starts[-1] == len(offsets)
    held = np.zeros(len(starts) - 1, dtype=bool)
    held[main.layout_id] = True
    assert not np.diff(starts)[~held].any()
    codes = dict(zip(main.layout_id, main.code, strict=True))
    layouts: dict[int, naive.Layout] = {}
    for name in {tuple(row) for row in main[["jiang_num", "bing_num", "style_num"]].itertuples(index=False)}:
        layouts |= {naive.code(layout): layout for layout in naive.all_layouts(*name)}
    for layout_id, code in islice(codes.items(), 0, None, 23):  # some: plain Python takes its time
        found = layout_id + offsets[starts[layout_id] : starts[layout_id + 1]].astype(int)
        assert [codes[other] for other in found] == sorted(map(naive.code, naive.steps(layouts[code])))


def test_the_tables_add_up_to_the_array(dataset: Path) -> None:
    groups, degrees = (pq.read_table(dataset / name).to_pandas() for name in ("group_nets", "degrees"))
    steps = zarr.open_array(dataset / "arrays.zarr" / "neighbours", mode="r").shape[0]
    assert 2 * groups.step_pairs.sum() == (degrees.neighbours.astype(int) * degrees.layouts).sum() == steps
    assert degrees.layouts.sum() == pq.read_table(dataset / "main").num_rows
    assert degrees.neighbours.max() == groups.most_degree.max()


def test_the_most_shortest_paths_of_a_group_are_those_of_the_layout_named(dataset: Path) -> None:
    paths = zarr.open_array(dataset / "arrays.zarr" / "solution_paths", mode="r")
    groups = pq.read_table(dataset / "group_nets").to_pandas()
    main = pq.read_table(dataset / "main").to_pandas()
    number = paths[:][main.layout_id]
    keys = ["jiang_num", "bing_num", "style_num", "group_num"]
    most = main.assign(paths=number).groupby(keys).paths.max()
    assert groups.most_paths.tolist() == most.tolist()
    solvable = groups[groups.most_paths > 0]
    ids = rank(space_scan(), solvable.most_paths_code.to_numpy())
    assert paths[:][ids].tolist() == solvable.most_paths.tolist()
    assert not groups[groups.most_paths == 0].most_paths_code.any()


def test_layouts_of_shallow_classes_have_up_to_68_neighbours() -> None:
    output = compute.net_of_class(KlotskiConfig(net=True), {"class": "0-12-0"}, None)  # type: ignore[arg-type]
    layouts = output.facts["degrees"]
    other = compute.net_of_class(KlotskiConfig(net=True), {"class": "0-7-0"}, None)  # type: ignore[arg-type]
    assert len(layouts) == len(other.facts["degrees"])
    assert max(np.flatnonzero(other.facts["degrees"])) == 68
    assert sum(other.facts["degrees"]) == other.facts["layouts"] == 137_280


def test_the_steps_and_unit_moves_of_the_run_are_claims(dataset: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config, inputs = finished_stages(dataset.parent, KlotskiConfig)
    assert "steps" not in measure_claims(config, inputs)
    monkeypatch.setattr(KlotskiConfig, "complete", property(lambda self: True))
    found = measure_claims(config, inputs)
    groups = pq.read_table(dataset / "group_nets").to_pandas()
    assert found["steps"].value == 2 * groups.step_pairs.sum()
    assert found["unit-moves"].value == groups.unit_pairs.sum()
    assert f"{groups.bridges.sum():,} pairs of neighbours are bridges" in found["steps"].evidence
    assert f"{groups.most_paths.max():,} shortest paths" in found["many-paths"].evidence


def test_equations_find_a_cell_of_a_layout_that_the_run_left_out(dataset: Path) -> None:
    config, inputs = finished_stages(dataset.parent, KlotskiConfig)
    layouts = set(pq.read_table(dataset / "main").column("layout_id").to_pylist())
    other = next(number for number in range(len(layouts) + 1) if number not in layouts)

    def one_more(stage: str, path: str, values: np.ndarray) -> np.ndarray:
        return np.where(np.arange(len(values)) == other, 1, values) if path == "solution_paths" else values

    assert (
        "without a row"
        in outcome_of("equations of layouts with their net", config, altered(inputs, one_more), Draw(0)).fault
    )


def test_cuts_and_bridges_are_those_of_the_kernels() -> None:
    for name in ("7-0-3", "6-0-2", "1-0-0", "0-0-0"):
        layouts = enumerated(name)
        graphs = group_graphs(layouts)
        graph = Graph(graphs.graph.indptr.astype(np.int64), graphs.graph.indices.astype(np.int64))
        is_cut, bridges = net.cuts_and_bridges(graphs.graph, graphs.starts)
        found = cuts_and_bridges(graph)
        groups = np.repeat(np.arange(len(bridges)), np.diff(graphs.starts))
        assert found.is_cut.tolist() == is_cut.tolist()
        assert np.bincount(groups[found.bridge_ends], minlength=len(bridges)).tolist() == bridges.tolist()
