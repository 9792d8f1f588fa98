"""Klotski from the command line: queries without a dataset, and the dataset itself."""

import hashlib
import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result

from pipeline.cli import cli
from pipeline.spaces.klotski.texts import LayoutError, class_of, decode, draw, parse_code


def invoke(*arguments: object) -> Result:
    return CliRunner().invoke(cli, [str(argument) for argument in arguments])


def document(*arguments: object) -> dict[str, object]:
    result = invoke("klotski", *arguments, "--json")
    assert result.exit_code == 0, result.output
    found: dict[str, object] = json.loads(result.stdout)
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


def test_ways_are_as_long_as_layers_are_deep() -> None:
    layers = document("layers", "1A9BF0C")
    farthest = layers["farthest"]
    assert isinstance(farthest, list)
    ways = document("paths", "1A9BF0C", farthest[0])
    assert ways["steps"] == layers["farthest_step"]
    assert isinstance(ways["shortest_ways"], int)
    assert ways["shortest_ways"] >= 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1A9G", "place 4 is not a hexadecimal digit"),
        ("1A9BF0C000", "10 digits; a code has at most 9"),
        ("3", "digit 1 (3) is not a cell where the 2x2 block fits"),
        ("F", "digit 1 (F) is not a cell"),
        ("0FFFFFFFF", "0 empty cell(s); a layout has at least two"),
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
    assert draw(code).count("\n") == 10
    assert class_of(code)[0] >= class_of(code)[2]


def test_unknown_names_and_ids_say_what_there_is() -> None:
    for arguments, message in [
        (("id", 29_334_498), "ids go from 0 to 29334497"),
        (("name", "5-4-1-900-0"), "groups, numbered from 0"),
        (("name", "7-0-0-0-0"), "class 7-0-0 has no layout"),
        (("name", "5-4-1"), "is not a name"),
    ]:
        result = invoke("klotski", *arguments)
        assert result.exit_code == 2
        assert message in result.output


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("klotski")
    (folder / "small.toml").write_text('[klotski]\nclasses = ["1-1-0", "5-4-1", "7-0-3"]\n')
    result = invoke("run", folder / "small.toml", "--out", folder / "out", "--workers", 0)
    assert result.exit_code == 0, result.output
    assert invoke("verify", folder / "out").exit_code == 0
    return folder / "out" / "klotski"


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


def test_every_layout_has_the_steps_that_a_search_from_it_finds(dataset: Path) -> None:
    main, solution = (pq.read_table(dataset / name).to_pydict() for name in ("main", "solution"))
    assert solution["layout_id"] == main["layout_id"]
    for text in ("1A9BF0C", "5DC02F8"):
        if parse_code(text) in main["code"]:
            row = main["code"].index(parse_code(text))
            assert solution["min_solution_step"][row] == document("show", text)["steps_to_exit"]
    hardest = pq.read_table(dataset / "groups").to_pandas().hardest_step.max()
    assert hardest == max(solution["min_solution_step"])


def test_an_exported_class_is_the_public_databases_file(tmp_path: Path) -> None:
    result = invoke("klotski", "export", "solution", "7-0-4", "--out", tmp_path / "solution_7-0-4.csv")
    assert result.exit_code == 0, result.output
    content = (tmp_path / "solution_7-0-4.csv").read_bytes()
    assert hashlib.md5(content).hexdigest() == "6ff91e42f068edc85f037bf5d5566a0c"
