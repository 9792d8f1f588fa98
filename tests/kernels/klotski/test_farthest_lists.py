"""Lists of farthest layouts: against the definition, and byte for byte against the public database's checksums."""

import hashlib
import tomllib
from pathlib import Path

import numpy as np
import pytest

from boardspace_kernels.klotski.classes import ClassName, enumerate_layouts
from boardspace_kernels.klotski.farthest_steps import Farthest, farthest, orbit_graph
from boardspace_kernels.klotski.group_graphs import group_codes, group_graphs
from boardspace_kernels.klotski.public_files import farthest_lists, farthest_rows
from tests.naive import klotski as naive

PUBLISHED = tomllib.loads((Path(__file__).parents[2] / "golden" / "klotski_farthest.toml").read_text())["files"]
QUICK = {"0-0-0", "0-2-0", "0-14-0", "1-0-1", "1-1-1", "4-0-4", "5-0-3", "6-0-2", "6-1-1", "7-0-3", "7-0-7"}
SMALL = 60_000_000
"""Bytes of a file that takes no more than some seconds."""


@pytest.mark.parametrize(
    "name", [ClassName(1, 0, 1), ClassName(6, 0, 6), ClassName(7, 0, 5), ClassName(0, 0, 0)], ids=str
)
def test_the_farthest_layouts_are_those_of_the_definition(name: ClassName) -> None:
    layouts = enumerate_layouts(name)
    graphs = group_graphs(layouts)
    expected = naive.farthest(naive.all_layouts(*name))
    for group, codes in enumerate(group_codes(layouts)):
        orbits = orbit_graph(graphs.graph_of(group), graphs.reflections.of_group(group))
        lists = farthest_lists(orbits, farthest(orbits))
        for i in range(len(codes)):
            found = codes[lists.vertices[lists.starts[i] : lists.starts[i + 1]]].tolist()
            assert found == expected[int(codes[i])][1]


def test_a_group_of_one_layout_is_its_own_farthest() -> None:
    layouts = enumerate_layouts(ClassName(7, 0, 3))
    alone = int(np.flatnonzero(layouts.groups.sizes == 1)[0])
    graphs = group_graphs(layouts)
    orbits = orbit_graph(graphs.graph_of(alone), graphs.reflections.of_group(alone))
    found = farthest(orbits)
    assert (found.steps.tolist(), found.counts.tolist()) == ([0], [1])
    assert farthest_lists(orbits, found).vertices.tolist() == [0]
    with pytest.raises(ValueError, match="other farthest ones"):
        farthest_lists(orbits, Farthest(found.steps, 0 * found.counts))


def test_what_is_known_already_changes_nothing() -> None:
    layouts = enumerate_layouts(ClassName(6, 0, 2))
    rows = list(farthest_rows(layouts))
    columns = zip(*(map(int, row.split(",")[1:3]) for row in rows), strict=True)
    steps, counts = (np.array(column) for column in columns)
    assert list(farthest_rows(layouts, Farthest(steps.astype(np.uint16), counts.astype(np.uint32)))) == rows


@pytest.mark.parametrize(
    ("change_of_step", "change_of_count"), [(-1, 0), (1, 0), (0, 1), (0, -1), (0, 1 << 20)], ids=str
)
def test_numbers_that_are_not_those_of_the_group_are_refused(change_of_step: int, change_of_count: int) -> None:
    """A list of a damaged number was written beyond its end."""
    layouts = enumerate_layouts(ClassName(6, 0, 2))
    graphs = group_graphs(layouts)
    orbits = orbit_graph(graphs.graph_of(0), graphs.reflections.of_group(0))
    found = farthest(orbits)
    found.steps[3] = int(found.steps[3]) + change_of_step
    found.counts[3] = int(found.counts[3]) + change_of_count
    with pytest.raises(ValueError, match="farthest ones"):
        farthest_lists(orbits, found)


@pytest.mark.parametrize(
    "name",
    [
        name if name in QUICK else pytest.param(name, marks=pytest.mark.slow)
        for name, file in PUBLISHED.items()
        if file["bytes"] < SMALL
    ],
)
def test_the_file_of_a_class_is_the_published_one(name: str) -> None:
    assert_published(name)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, file in PUBLISHED.items() if file["bytes"] >= SMALL])
def test_the_large_file_of_a_class_is_the_published_one(name: str) -> None:
    """52 files of 25 GB in all, row by row and none of it kept: hours."""
    assert_published(name)


def assert_published(name: str) -> None:
    digest, size = hashlib.md5(), 0
    for row in farthest_rows(enumerate_layouts(ClassName(*map(int, name.split("-"))))):
        digest.update(row.encode())
        size += len(row)
    assert size == PUBLISHED[name]["bytes"]
    assert digest.hexdigest() == PUBLISHED[name]["md5"]
