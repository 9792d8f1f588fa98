"""All solutions of a layout, and graphs of shortest paths as GraphML."""

import json
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result

from boardspace.cli.main import cli
from boardspace.spaces.klotski import answers
from boardspace.spaces.klotski.queries import LayoutInClass
from boardspace_kernels.klotski.classes import ClassName, enumerate_layouts
from boardspace_kernels.klotski.group_graphs import group_graphs
from boardspace_kernels.klotski.nearest_solutions import class_solutions
from tests.naive import klotski as naive

SPACE = "{http://graphml.graphdrawing.org/xmlns}"
NO_WAY = "00AABFC00"


def invoke(*arguments: object) -> Result:
    return CliRunner().invoke(cli, ["klotski", *map(str, arguments)])


@pytest.mark.parametrize("name", [(7, 0, 3), (1, 0, 0), (6, 0, 6)], ids=str)
def test_the_solutions_are_those_of_the_definition(name: tuple[int, int, int]) -> None:
    for layout in sorted(naive.all_layouts(*name), key=naive.code)[::41]:
        expected = sorted((steps, naive.code(end)) for end, steps in naive.solutions(layout).items())
        found = answers.solutions(f"{naive.code(layout):09X}")
        assert [(steps, end.code) for steps, end in found.found] == expected
        assert (found.nearest is None) == (not expected)
        if found.nearest is not None:
            assert found.nearest.count == naive.shortest_solutions(layout)
            assert len(found.nearest.path) == expected[0][0]


def test_the_classic_start_has_as_many_solutions_as_the_kernels_count() -> None:
    found = json.loads(invoke("solutions", "1A9BF0C", "--json").stdout)["solutions"]
    layouts = enumerate_layouts(ClassName(5, 4, 1))
    counted = class_solutions(layouts, group_graphs(layouts), 30_000)
    located = LayoutInClass(0x1A9BF0C00)
    row = int(layouts.groups.sizes[: located.group].sum()) + located.index
    steps = Counter(solution["steps"] for solution in found)
    assert len(found) == counted.number[row]
    assert (min(steps), steps[min(steps)]) == (counted.least[row], counted.nearest[row])


@pytest.mark.parametrize("arguments", [("solutions", "1A9BF0C"), ("paths", "1A9BF0C", "DAA7F3000")], ids=str)
def test_the_graph_of_shortest_paths_holds_as_many_as_are_counted(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    file = tmp_path / "paths.graphml"
    result = invoke(*arguments, "--graphml", file, "--json")
    assert result.exit_code == 0, result.output
    graph = ElementTree.parse(file).getroot().find(f"{SPACE}graph")
    assert graph is not None
    step = {node.get("id"): int(node.findtext(f"{SPACE}data") or "") for node in graph.iter(f"{SPACE}node")}
    edges = [(edge.get("source"), edge.get("target")) for edge in graph.iter(f"{SPACE}edge")]
    assert all(step[target] == step[source] + 1 for source, target in edges)
    ways = Counter({code: 1 for code in step if step[code] == 0})
    for source, target in sorted(edges, key=lambda edge: step[edge[0]]):
        ways[target] += ways[source]
    last = max(step.values())
    assert last == 81
    assert sum(ways[code] for code in step if step[code] == last) == json.loads(result.stdout)["shortest_paths"]


def test_the_graph_of_shortest_paths_is_drawn_step_by_step(tmp_path: Path) -> None:
    file, svg = tmp_path / "paths.svg", "{http://www.w3.org/2000/svg}"
    result = invoke("paths", "1A9BF0C", "DAA7F3000", "--graphml", file, "--json")
    assert result.exit_code == 0, result.output
    after = json.loads(result.stdout)["graph"]
    drawn = ElementTree.parse(file).getroot()
    discs = {disc.findtext(f"{svg}title"): disc for disc in drawn.iter(f"{svg}circle")}
    assert discs.keys() == after.keys()
    places = {(float(disc.get("cx", 0)), float(disc.get("cy", 0))): code for code, disc in discs.items()}
    assert len(places) == len(after)
    lines = [[float(line.get(name, 0)) for name in ("x1", "y1", "x2", "y2")] for line in drawn.iter(f"{svg}line")]
    edges = {(places[x1, y1], places[x2, y2]) for x1, y1, x2, y2 in lines}
    assert edges == {(code, other) for code, others in after.items() for other in others}
    assert {x2 - x1 for x1, _, x2, _ in lines} == {56.0}


def test_a_layout_without_a_solution_has_no_graph(tmp_path: Path) -> None:
    result = invoke("solutions", NO_WAY, "--graphml", tmp_path / "none.graphml")
    assert result.exit_code == 0
    assert "has no solution: nothing in its group has the block at the exit" in result.output
    assert not [*tmp_path.iterdir()]
