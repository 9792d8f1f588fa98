"""Checks of the pairs by unit moves: all groups by their sums; some counted again from all or some of their layouts."""

from collections.abc import Iterator, Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from boardspace.spaces.klotski.comparing import table_difference
from boardspace.spaces.klotski.config import KlotskiConfig
from boardspace.spaces.klotski.counted_pairs import (
    SEARCHED,
    Pairs,
    count_pairs,
    counted_groups,
    fault_of_sums,
    name_of,
    numbers_of_classes,
    read_drawn_classes,
)
from boardspace.spaces.klotski.parts.unit_distances.part import UNIT_DISTANCES
from boardspace.spaces.klotski.sampling import Groups, RowFaultError
from boardspace.spaces.klotski.table_rows import CLASS, MissingRowsError
from boardspace.spec.one_pass import Pass, alone
from boardspace.spec.space import Draw, Inputs, Outcome

METRIC = "unit_move"
SOURCES = 512
"""Layouts of a large group from which it is searched; with ``draw.everything`` all, so many at a time."""


def check_unit_distances(config: KlotskiConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Rows and sums of all groups; the pairs of some counted again."""
    return alone(read_unit_distances(config, inputs, draw), inputs)


def read_unit_distances(config: KlotskiConfig, inputs: Inputs, draw: Draw) -> Pass[Outcome]:
    """:func:`check_unit_distances` as a pass over tables."""
    counted = numbers_of_classes(config.in_unit_moves)
    if not counted:
        return Outcome(0, 0)
    groups = Groups(inputs.table("groups", columns=[*CLASS, "group_num", "group_size"]), counted)
    table = inputs.table(UNIT_DISTANCES.name)
    fault = _fault_of_keys(table, groups)
    if fault:
        return Outcome(len(groups), len(groups), fault)
    pairs = _by_group(table)
    for group, stated in enumerate(pairs):
        fault = fault_of_sums(stated, int(groups.size[group]))
        if fault:
            return Outcome(group + 1, len(groups), f"{name_of(groups, group)}: {fault}")
    tried = 0
    try:
        sample = yield from read_drawn_classes(groups, draw)
        for _, walked in sample.classes():
            codes, number, random = walked["code"], walked["number"], sample.random
            for group, found in counted_groups(codes, number, groups, draw, random, METRIC):
                tried += 1
                _compare(found, pairs[group], name_of(groups, group))
            for group in _largest(number, groups, draw):
                tried += 1
                own = number == group
                found, searched = _counted_partly(codes[own], number[own], draw, random)
                _compare(found, pairs[group], name_of(groups, group), partly=searched < groups.size[group])
    except (RowFaultError, MissingRowsError, KeyError) as error:
        fault = str(error)
    return Outcome(tried, len(groups), fault)


def _fault_of_keys(table: pa.Table, groups: Groups) -> str:
    """Return what is wrong with the keys, or '': each group has a row for every distance from 0 on."""
    moves = table.column("moves").to_numpy().astype(np.int64)
    starts = np.flatnonzero(moves == 0)
    if len(starts) != len(groups) or starts[0] != 0:
        return f"there are {len(groups)} groups, the table has {len(starts)}"
    lengths = np.diff(starts, append=len(moves))
    rows = np.repeat(np.arange(len(groups)), lengths)
    expected = {name: values[rows] for name, values in groups.keys.items()}
    return table_difference(table, expected | {"moves": np.arange(len(rows)) - starts[rows]}, 4)


def _by_group(table: pa.Table) -> list[Pairs]:
    starts = np.flatnonzero(table.column("moves").to_numpy() == 0)
    return np.split(table.column("pairs").to_numpy().astype(np.int64), starts[1:])


def _largest(number: NDArray[np.int64], groups: Groups, draw: Draw) -> Sequence[int]:
    """The largest group of a class if it was not counted whole; of everything all of these."""
    large = np.unique(number[groups.size[number] > SEARCHED])
    return large.tolist() if draw.everything else large[:1].tolist()


def _counted_partly(
    codes: NDArray[np.uint64],
    number: NDArray[np.int64],
    draw: Draw,
    random: np.random.Generator,
) -> tuple[Pairs, int]:
    """The pairs of drawn layouts of a large group and any of its layouts, and how many were drawn."""
    sources = draw.choose(len(codes), SOURCES, random)
    total = np.zeros(len(codes), dtype=np.int64)
    for some in _blocks(sources):
        for found in count_pairs(codes, number, METRIC, some).values():
            total[: len(found)] += found
    return np.trim_zeros(total, "b"), len(sources)


def _blocks(sources: Sequence[int]) -> Iterator[Sequence[int]]:
    for start in range(0, len(sources), SOURCES):
        yield sources[start : start + SOURCES]


def _compare(found: Pairs, stated: Pairs, name: str, partly: bool = False) -> None:
    """Raise RowFaultError where a group has other pairs than were found; fewer, where it was searched partly."""
    if not partly and not np.array_equal(found, stated):
        raise RowFaultError(f"{name}: searches from its layouts count other pairs")
    if partly and (len(found) > len(stated) or (found > stated[: len(found)]).any()):
        raise RowFaultError(f"{name}: searches from some of its layouts count more pairs")
