"""Checks of the pairs by distance: all groups by their sums and ends, some counted again from all of their layouts."""

import numpy as np

from boardspace.spaces.klotski import table_rows
from boardspace.spaces.klotski.comparing import table_difference
from boardspace.spaces.klotski.config import KlotskiConfig
from boardspace.spaces.klotski.counted_pairs import (
    counted_groups,
    fault_of_sums,
    name_of,
    numbers_of_classes,
    read_drawn_classes,
)
from boardspace.spaces.klotski.parts.farthest.costs import afforded
from boardspace.spaces.klotski.sampling import Groups, RowFaultError
from boardspace.spaces.klotski.table_rows import CLASS, MissingRowsError
from boardspace.spec.one_pass import Pass, alone
from boardspace.spec.space import Draw, Inputs, Outcome

METRIC = "step"


def check_distances(config: KlotskiConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Rows, sums and ends of all groups; the pairs of some counted again."""
    return alone(read_distances(config, inputs, draw), inputs)


def read_distances(config: KlotskiConfig, inputs: Inputs, draw: Draw) -> Pass[Outcome]:
    """:func:`check_distances` as a pass over tables."""
    counted = _counted(config)
    if not counted:
        return Outcome(0, 0)
    groups = Groups(inputs.table("groups", columns=[*CLASS, "group_num", "group_size"]), counted)
    extents = inputs.table("diameters")
    chosen = np.isin(table_rows.class_numbers({name: extents.column(name).to_numpy() for name in CLASS}), counted)
    diameter, ends = (
        extents.column(name).to_numpy()[chosen].astype(np.int64) for name in ("diameter", "diametral_pairs")
    )
    table = inputs.table("distances")
    rows = np.repeat(np.arange(len(groups)), diameter + 1)
    first = np.cumsum(diameter + 1) - (diameter + 1)
    expected = {name: values[rows] for name, values in groups.keys.items()} | {
        "steps": np.arange(len(rows)) - first[rows]
    }
    fault = table_difference(table, expected, 4)
    if fault:
        return Outcome(len(groups), len(groups), fault)
    pairs = np.split(table.column("pairs").to_numpy().astype(np.int64), first[1:])
    for number, own in enumerate(pairs):
        fault = fault_of_sums(own, int(groups.size[number]))
        if len(own) > 1 and own[-1] != 2 * ends[number]:
            fault = fault or f"{own[-1]} pairs at the farthest distance, diameters has {ends[number]} unordered ones"
        if fault:
            return Outcome(number + 1, len(groups), f"{name_of(groups, number)}: {fault}")
    tried = 0
    try:
        sample = yield from read_drawn_classes(groups, draw)
        for _, walked in sample.classes():
            for number, found in counted_groups(walked["code"], walked["number"], groups, draw, sample.random, METRIC):
                tried += 1
                if not np.array_equal(found, pairs[number]):
                    raise RowFaultError(f"{name_of(groups, number)}: searches from its layouts count other pairs")
    except (RowFaultError, MissingRowsError, KeyError) as error:
        fault = str(error)
    return Outcome(tried, len(groups), fault)


def _counted(config: KlotskiConfig) -> list[int]:
    """The numbers of the classes whose pairs are counted."""
    return numbers_of_classes(afforded(config).counted)
