"""Reflected layouts: as vertices, as groups, and as a shorter way to a graph."""

import numpy as np
import pytest

from boardspace_kernels.klotski.classes import ClassName, class_names, enumerate_layouts
from boardspace_kernels.klotski.group_graphs import flip_code, group_codes, group_graphs, mirror, reflections
from boardspace_kernels.klotski.moves import STEP, UNIT
from boardspace_kernels.klotski.step_graph import move_graph

flip = np.vectorize(flip_code, otypes=[np.uint64])
SMALL = [name for name in class_names() if name.jiang >= 5 and name.bing <= 2] + [
    ClassName(1, 1, 1),
    ClassName(0, 13, 0),
]


def test_the_images_of_vertices_are_the_reflected_layouts() -> None:
    for name in SMALL:
        layouts = enumerate_layouts(name)
        codes = layouts.codes[layouts.name_order()]
        itself, mirrored, flipped, both = reflections(layouts).images
        assert (codes[itself] == codes).all(), name
        assert (codes[mirrored] == mirror(codes)).all(), name
        assert (codes[flipped] == flip(codes)).all(), name
        assert (codes[both] == flip(mirror(codes))).all(), name


@pytest.mark.parametrize("name", [ClassName(7, 0, 3), ClassName(6, 1, 1), ClassName(5, 4, 1)], ids=str)
def test_twins_are_the_groups_that_hold_the_images(name: ClassName) -> None:
    layouts = enumerate_layouts(name)
    reflected, codes = reflections(layouts), group_codes(layouts)
    sets = [set(of_group.tolist()) for of_group in codes]
    for group, first in enumerate(reflected.first_twins().tolist()):
        images = [set(image.tolist()) for image in (codes[group], *_reflected(codes[group]))]
        assert first == min(sets.index(image) for image in images)
        own = reflected.of_group(group)
        assert (own[0] == np.arange(len(codes[group]))).all()
        assert len(own) == sum(image == sets[group] for image in images)
        place = reflected.places_in_twin(group, first)
        assert any((codes[first][place] == image).all() for image in (codes[group], *_reflected(codes[group])))


def _reflected(codes: np.ndarray) -> list[np.ndarray]:
    mirrored = mirror(codes)
    return [mirrored, flip(codes), flip(mirrored)]


def test_rows_read_off_images_are_the_generated_ones() -> None:
    for name in (*SMALL, ClassName(0, 7, 0), ClassName(3, 2, 1), ClassName(2, 3, 0)):
        layouts = enumerate_layouts(name)
        tables, addresses = layouts.tables, layouts.addresses[layouts.name_order()]
        vertex_at = np.empty(len(addresses), dtype=np.int32)
        vertex_at[addresses] = np.arange(len(addresses), dtype=np.int32)
        images = reflections(layouts).images
        for metric in (STEP, UNIT):
            generated = move_graph(tables.patterns, tables.fillings, metric, addresses, vertex_at)
            read_off = move_graph(tables.patterns, tables.fillings, metric, addresses, vertex_at, images)
            assert np.array_equal(read_off.indptr, generated.indptr), (name, metric)
            assert np.array_equal(read_off.indices, generated.indices), (name, metric)
            if metric == STEP:
                assert np.array_equal(group_graphs(layouts).graph.indices, generated.indices), name


def test_images_that_do_not_keep_steps_make_no_graph() -> None:
    layouts = enumerate_layouts(ClassName(7, 0, 3))
    tables, addresses = layouts.tables, layouts.addresses
    vertex_at = np.argsort(addresses).astype(np.int32)
    reversed_order = np.arange(len(addresses), dtype=np.int32)[np.newaxis, ::-1].copy()
    with pytest.raises(ArithmeticError, match="cannot be taken back"):
        move_graph(tables.patterns, tables.fillings, STEP, addresses, vertex_at, reversed_order)
