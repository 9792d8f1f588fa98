"""Klotski from the command line: queries without a dataset, and the dataset itself."""

import hashlib
import json
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result

from boardspace.cli.main import cli
from boardspace.spaces.klotski.config import KlotskiConfig
from boardspace.spaces.klotski.filling import class_sizes, share_of_layouts
from boardspace.spaces.klotski.layouts import Layout
from boardspace.spaces.klotski.parts.layouts.part import stages as layout_stages
from boardspace.spaces.klotski.queries import class_named
from boardspace.spaces.klotski.rules import Layouts, drawings, ranks
from boardspace.spaces.klotski.texts import CLASS_NAMES, LayoutError, class_of, decode, parse_code
from boardspace.spec.check import Draw
from boardspace.spec.claims import load_claims
from boardspace.verify.equations import all_checks
from boardspace_kernels.klotski.classes import class_names, class_tables
from boardspace_kernels.klotski.scan import space_scan, unrank
from tests.daily import daily
from tests.pipeline.finished import finished_stages, run_of

NO_WAY = "00AABFC00"
"""No moves bring the block of this layout to the exit."""


def invoke(*arguments: object) -> Result:
    return CliRunner().invoke(cli, [str(argument) for argument in arguments])


def document(*arguments: object) -> dict[str, Any]:
    result = invoke("klotski", *arguments, "--json")
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def test_the_classic_start_is_found_from_its_code_its_id_and_its_name() -> None:
    shown = document("show", "1a9bf0c")
    assert shown["code"] == "1A9BF0C00"
    assert shown["class"] == "5-4-1"
    assert shown["steps_to_exit"] == 81
    assert document("id", shown["layout_id"]) == shown
    assert document("name", shown["name"]) == shown


def test_a_solution_ends_with_the_block_at_the_exit() -> None:
    codes = document("solve", "1A9BF0C")["codes"]
    assert isinstance(codes, list)
    assert len(codes) == 82
    assert codes[-1].startswith("D")
    for metric, length in (("step", "81 steps"), ("unit", "116 unit moves")):
        assert invoke("klotski", "solve", "1A9BF0C", "--metric", metric).output.splitlines()[-1] == length


def test_ways_are_as_long_as_layers_are_deep() -> None:
    layers = document("layers", "1A9BF0C")
    farthest = layers["farthest"]
    assert isinstance(farthest, list)
    paths = document("paths", "1A9BF0C", farthest[0])
    assert paths["steps"] == layers["farthest_step"]


def test_the_graph_of_shortest_paths_holds_as_many_paths_as_are_counted() -> None:
    layers = document("layers", "1A9BF0C")
    found = document("paths", "1A9BF0C", layers["farthest"][0])
    graph = found["graph"]

    @cache
    def paths_from(code: str) -> int:
        return sum(map(paths_from, graph[code])) if graph[code] else 1

    assert paths_from(found["codes"][0]) == found["shortest_paths"] > 1
    for code, after in pairwise(found["codes"]):
        assert after in graph[code]
    shown = invoke("klotski", "paths", "1A9BF0C", layers["farthest"][0]).output
    assert f"{found['shortest_paths']:,} shortest paths, over {len(graph):,} layouts" in shown


def test_end_points_have_no_neighbour_in_the_next_layer() -> None:
    layers = document("layers", "1A9BF0C")
    ends = layers["end_points"]
    assert len(ends) == len(layers["layers"])
    assert ends[-1] == layers["farthest"]
    assert all(len(found) <= size for found, size in zip(ends, layers["layers"], strict=True))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1A9G", "place 4 is not a hexadecimal digit"),
        ("", "an empty text is no layout"),
        ("1A9BF0C000", "10 digits; a code has at most 9"),
        ("3", "digit 1 (3) is not a cell where the 2x2 block fits"),
        ("F", "digit 1 (F) is not a cell"),
        ("0FFFFFFFF", "0 empty cells; a layout has at least two"),
        ("21", "a lying domino at cell 1, overlaps a piece on cell 2"),
        ("000000002", "sticks out below"),
        ("1A9BF0C01", "bits are set after item 11"),
        ("01", "sticks out on the right"),
    ],
)
def test_a_text_that_is_no_layout_is_refused_with_reason_and_place(text: str, message: str) -> None:
    with pytest.raises(LayoutError) as caught:
        parse_code(text)
    assert message in str(caught.value)


@pytest.mark.parametrize("text", ["1A9BF0C", "4FEA134", "5DC02F8"])
def test_the_worked_examples_are_legal(text: str) -> None:
    code = parse_code(text)
    assert sum(len(piece.cells) for piece in decode(code, text)) <= 18
    assert class_of(code)[0] >= class_of(code)[2]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("id", 29_334_498), "ids go from 0 to 29,334,497"),
        (("name", "5-4-1-900-0"), "groups, numbered from 0"),
        (("name", "7-0-0-0-0"), "class 7-0-0 has no layout"),
        (("name", "5-4-1"), "is not a name"),
        (("show", "1A9G"), "is not a hexadecimal digit"),
        (("solve", "0FFFFFFFF"), "at least two"),
        (("paths", "1A9BF0C", "X"), "is not a hexadecimal digit"),
        (("layers", "1A9BF0C01"), "bits are set after item 11"),
        (("group", "3"), "is not a cell where the 2x2 block fits"),
        (("hardest", "7-0-0"), "class 7-0-0 has no layout"),
        (("hardest", "5-4"), "is not a name"),
        (("hardest", ""), "is not a name"),
        (("export", "solution"), "which class?"),
        (("export", "solution", "9-9-9"), "class 9-9-9 has no layout"),
        (("export", "main", "5-4-1"), "holds all classes"),
    ],
    ids=str,
)
def test_what_is_not_there_is_refused_with_the_reason(arguments: tuple[object, ...], message: str) -> None:
    result = invoke("klotski", *arguments)
    assert result.exit_code == 2
    assert message in result.output


def test_a_layout_without_a_way_to_the_exit_has_no_solution() -> None:
    result = invoke("klotski", "solve", NO_WAY)
    assert result.exit_code == 0
    assert "has no solution" in result.output
    assert document("show", NO_WAY)["steps_to_exit"] is None


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = run_of('[klotski]\nclasses = ["1-1-0", "5-4-1", "7-0-3"]\n', tmp_path_factory.mktemp("klotski"))
    assert invoke("verify", out).exit_code == 0
    return out / "klotski"


def test_main_holds_the_classes_in_order_of_ids(dataset: Path) -> None:
    main = pq.read_table(dataset / "main").to_pydict()
    assert main["layout_id"] == sorted(set(main["layout_id"]))
    assert main["code"] == sorted(main["code"])
    row = main["code"].index(parse_code("1A9BF0C"))
    shown = document("show", "1A9BF0C")
    columns = ("jiang_num", "bing_num", "style_num", "group_num", "group_index")
    assert "-".join(str(main[column][row]) for column in columns) == shown["name"]
    assert main["layout_id"][row] == shown["layout_id"]
    assert main["is_mirror"][row]


def test_groups_add_up_to_classes(dataset: Path) -> None:
    groups, classes = (pq.read_table(dataset / name).to_pandas() for name in ("groups", "classes"))
    keys = ["jiang_num", "bing_num", "style_num"]
    assert groups.groupby(keys).group_size.sum().tolist() == classes.layouts.tolist()
    assert (groups.solvable == (groups.exits > 0)).all()
    by_number = groups.set_index([*keys, "group_num"]).group_size
    for group in groups.itertuples():
        key = (group.jiang_num, group.bing_num, group.style_num, group.mirror_group)
        assert by_number[key] == group.group_size


def test_filling_the_board_counts_the_layouts_of_each_class() -> None:
    assert class_sizes() == {tuple(name): size for name in class_names() if (size := class_tables(name).scan.size)}


def test_ranks_are_counted_by_filling_the_board() -> None:
    scan = space_scan()
    drawn = np.random.default_rng(1).integers(0, scan.size, 20_000)
    ids = np.unique(np.r_[0, 1, scan.size - 1, drawn]).astype(np.uint32)
    assert (ranks(Layouts(unrank(scan, ids))) == ids).all()


@pytest.mark.parametrize("seed", daily(range(3), 3))
def test_checks_find_no_fault_in_what_is_right(dataset: Path, seed: int) -> None:
    config, inputs = finished_stages(dataset.parent, KlotskiConfig)
    for check in all_checks(inputs.space):
        assert not check.run(config, inputs, Draw(seed)).fault, check.name


def test_every_layout_has_the_steps_that_a_search_from_it_finds(dataset: Path) -> None:
    main, solution = (pq.read_table(dataset / name).to_pydict() for name in ("main", "solution"))
    assert solution["layout_id"] == main["layout_id"]
    row = main["code"].index(parse_code("1A9BF0C"))
    assert solution["min_solution_step"][row] == document("show", "1A9BF0C")["steps_to_exit"]
    assert solution["min_unit_move"][row] == 116
    for step, straight, unit in zip(
        solution["min_solution_step"], solution["min_straight_step"], solution["min_unit_move"], strict=True
    ):
        assert step <= straight <= unit
    hardest = pq.read_table(dataset / "groups").to_pandas().hardest_step.max()
    assert hardest == max(solution["min_solution_step"])
    assert hardest == max(pq.read_table(dataset / "classes").to_pydict()["hardest_step"])


def test_solutions_are_counted_as_in_the_public_databases_file(dataset: Path) -> None:
    main, solution = (pq.read_table(dataset / name).to_pydict() for name in ("main", "solution"))
    by_code = dict(zip(main["code"], range(len(main["code"])), strict=True))
    text = invoke("klotski", "export", "solution", "7-0-3").stdout
    assert text == invoke("klotski", "export", "solution", "7-0-3", "--dataset", dataset).stdout
    assert len(text.splitlines()) == 1036
    for line in text.splitlines():
        code, step, nearest, _, number = line.split(",")
        row = by_code[int(code, 16)]
        columns = ("min_solution_step", "min_solution_num", "solution_num")
        assert [solution[column][row] for column in columns] == [int(step), int(nearest), int(number)]


def test_a_dataset_in_which_solutions_were_not_counted_is_refused(tmp_path: Path) -> None:
    config = tmp_path / "few.toml"
    config.write_text('[klotski]\nclasses = ["7-0-3"]\ncounted_group = 10\n')
    assert invoke("run", config, "--out", tmp_path / "out", "--workers", 0).exit_code == 0
    result = invoke("klotski", "export", "solution", "7-0-3", "--dataset", tmp_path / "out" / "klotski")
    assert result.exit_code == 2
    assert "not all solutions of this class were counted there" in result.output


def test_claims_of_the_source_that_need_no_whole_space_are_confirmed(dataset: Path) -> None:
    claims = {row["claim"]: row["verdict"] for row in pq.read_table(dataset / "claims.parquet").to_pylist()}
    texts = ("examples", "code-items", "item-kinds", "hex-table", "scan-order", "many-paths")
    assert {claims[name] for name in (*texts, "mutual", "closed", "net", "one-yields-all")} == {"confirmed"}
    assert claims["layouts"] == "not_covered"


def test_claims_of_all_layouts_are_measured_on_every_layout_of_the_run(
    dataset: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config, inputs = finished_stages(dataset.parent, KlotskiConfig)
    monkeypatch.setattr(KlotskiConfig, "complete", property(lambda self: True))
    found = inputs.space.claims(config, inputs)
    missing = {claim.id for claim in load_claims(inputs.space.claims_file)} - set(found)
    assert missing == {"layout-pictures", "step-pictures", "steps", "unit-diameter", "unit-moves"}
    assert all(found[name].value is True for name in ("rules", "one-to-one", "names", "group-order", "style"))
    layouts = 1848 + 65_880 + 1036
    assert found["layouts"].value == layouts
    assert (found["code-digits"].value, found["code-length"].value) == (9, 15)
    assert found["block-places"].value == "01245689ACDE"
    assert found["styles"].value == {"1-1": [1848, 0], "5-4": [0, 65_880, 0, 0, 0, 0], "7-0": [0, 0, 0, 1036, *[0] * 4]}
    assert {name: found[name].value for name in ("pairs", "classes", "ids")} == {
        "pairs": "differ",  # from those that filling the board cell after cell meets
        "classes": "differ",
        "ids": "gaps",
    }
    assert found["no-7-0-0"].value is True
    assert found["style-kind"].verdict == "corrected"
    assert "88 layouts" in found["style-kind"].evidence
    assert {measurement.basis for measurement in found.values()} == {"all cases", "proof", "reading"}


def test_boards_are_drawn_alike_by_the_layout_and_by_the_second_rules() -> None:
    codes = unrank(space_scan(), np.arange(0, space_scan().size, 29_777, dtype=np.uint32))
    assert drawings(Layouts(codes)).tolist() == [Layout(code).drawing.replace("\n", "/") for code in codes.tolist()]


def test_an_exported_class_is_the_public_databases_file(tmp_path: Path) -> None:
    result = invoke("klotski", "export", "solution", "7-0-4", "--out", tmp_path / "solution_7-0-4.csv")
    assert result.exit_code == 0, result.output
    content = (tmp_path / "solution_7-0-4.csv").read_bytes()
    assert hashlib.md5(content).hexdigest() == "6ff91e42f068edc85f037bf5d5566a0c"


def test_the_classes_of_the_configuration_are_those_of_the_kernels() -> None:
    assert set(CLASS_NAMES) == {str(name) for name in class_names() if class_tables(name).scan.size}


def test_the_bytes_that_a_plan_tells_are_the_share_of_the_chosen_layouts() -> None:
    whole, part = (layout_stages(KlotskiConfig(classes=classes)) for classes in ((), ("2-6-*",)))
    sizes = {name: class_tables(class_named(name)).scan.size for name in CLASS_NAMES}
    share = sum(size for name, size in sizes.items() if name.startswith("2-6-")) / sum(sizes.values())
    for one, other in zip(whole, part, strict=True):
        assert other.bytes == pytest.approx(share * one.bytes, rel=1e-3)
    assert share_of_layouts(CLASS_NAMES) == 1
