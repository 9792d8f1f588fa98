"""The net as a dataset: read as a user would, range by range."""

from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
import zarr
from click.testing import CliRunner

from boardspace.cli.main import cli
from boardspace.spaces.klotski import ids
from boardspace.spaces.klotski.claims.moves import measure_moves
from boardspace.spaces.klotski.config import KlotskiConfig
from boardspace.spaces.klotski.net import stages
from boardspace.spaces.klotski.net.checks import check_net
from boardspace.storage.run_folder import FinishedStages
from boardspace_kernels.klotski.scan import rank, space_scan
from tests.naive import klotski as naive
from tests.pipeline.finished import finished_stages

CONFIG = '[klotski]\nclasses = ["1-0-0", "1-0-1", "6-0-2", "7-0-3"]\nnet = true\nids_per_shard = 8388608\n'


def run(folder: Path) -> Path:
    (folder / "small.toml").write_text(CONFIG)
    for arguments in (
        ["run", folder / "small.toml", "--out", folder / "out", "--workers", 0],
        ["verify", folder / "out"],
    ):
        result = CliRunner().invoke(cli, [str(argument) for argument in arguments])
        assert result.exit_code == 0, result.output
    return folder / "out" / "klotski"


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its shards of neighbours are cut inside the rows of layouts."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stages, "STEPS_PER_SHARD", 1 << 13)
        patch.setattr(ids, "CHUNK", 1 << 22)  # all ids there are, few of them in these classes
        patch.setattr(stages, "STEP_CHUNK", 1 << 10)
        return run(tmp_path_factory.mktemp("net"))


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
    for layout_id, code in codes.items():
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
    output = stages.net_of_class(KlotskiConfig(net=True), {"class": "0-12-0"}, None)  # type: ignore[arg-type]
    layouts = output.facts["degrees"]
    other = stages.net_of_class(KlotskiConfig(net=True), {"class": "0-7-0"}, None)  # type: ignore[arg-type]
    assert len(layouts) == len(other.facts["degrees"])
    assert max(np.flatnonzero(other.facts["degrees"])) == 68
    assert sum(other.facts["degrees"]) == other.facts["layouts"] == 137_280


def test_the_steps_and_unit_moves_of_the_run_are_claims(dataset: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config, inputs = finished_stages(dataset.parent, KlotskiConfig)
    assert "steps" not in measure_moves(config, inputs)
    monkeypatch.setattr(KlotskiConfig, "complete", property(lambda self: True))
    found = measure_moves(config, inputs)
    groups = pq.read_table(dataset / "group_nets").to_pandas()
    assert found["steps"].value == 2 * groups.step_pairs.sum()
    assert found["unit-moves"].value == groups.unit_pairs.sum()
    assert f"{groups.bridges.sum():,} pairs of neighbours are bridges" in found["steps"].evidence
    assert f"{groups.most_paths.max():,} shortest paths" in found["many-paths"].evidence


def test_verify_finds_neighbours_by_hand(dataset: Path) -> None:
    (check,) = check_net(*finished_stages(dataset.parent, KlotskiConfig), seed=3)
    assert check.cases == 32
    assert not check.fault


@pytest.mark.parametrize("change", [1, -1])
def test_verify_names_a_layout_whose_neighbours_are_wrong(
    dataset: Path, monkeypatch: pytest.MonkeyPatch, change: int
) -> None:
    config, inputs = finished_stages(dataset.parent, KlotskiConfig)
    read = inputs.array
    altered = {"neighbours": read("neighbours")[:] + change, "neighbour_start": read("neighbour_start")}
    monkeypatch.setattr(FinishedStages, "array", lambda self, path: altered[path])
    (check,) = check_net(config, inputs, 0)
    assert "its neighbours are" in check.fault
