"""Checks of the pairs by distance: all groups by their sums and ends, some counted again from all of their layouts."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from boardspace.spaces.klotski import table_rows, walks
from boardspace.spaces.klotski.comparing import table_difference
from boardspace.spaces.klotski.config import KlotskiConfig
from boardspace.spaces.klotski.parts.farthest.costs import afforded
from boardspace.spaces.klotski.sampling import Groups, RowFaultError
from boardspace.spaces.klotski.table_rows import CLASS, CLASSES, MissingRowsError
from boardspace.spec.space import Draw, Inputs, Outcome

SEARCHED = 4_000
"""Layouts of the largest group that is counted again."""
LARGE = 100
"""Layouts of a group from which on as many are drawn as of all together."""
DRAWN = 6
"""Groups that are drawn, of large ones and of all."""

Pairs = NDArray[np.int64]
"""[steps]: ordered pairs of layouts of a group by distance."""


def check_distances(config: KlotskiConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Rows, sums and ends of all groups; the pairs of some counted again."""
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
        fault = fault or _fault_of_sums(own, int(groups.size[number]), int(ends[number]))
        if fault:
            return Outcome(number + 1, len(groups), f"{_name(groups, number)}: {fault}")
    again = _drawn(groups.size, draw)
    try:
        for number, codes in _members(inputs, groups, again):
            if not np.array_equal(count_pairs(codes), pairs[number]):
                raise RowFaultError(f"{_name(groups, number)}: searches from its layouts count other pairs")
    except (RowFaultError, MissingRowsError, KeyError) as error:
        fault = str(error)
    return Outcome(len(again), len(groups), fault)


def check_class_distances(config: KlotskiConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """The pairs that classes left for later stages compared with the published ones."""
    found = inputs.table("class_distances")
    if not _counted(config):
        fault = f"{found.num_rows} rows of classes that were not counted" if found.num_rows else ""
        return Outcome(found.num_rows, found.num_rows, fault)
    expected = inputs.table("distances")
    in_order = found.sort_by([(name, "ascending") for name in (*CLASS, "group_num", "steps")])
    fault = "" if in_order.equals(expected.cast(found.schema)) else "its rows are not those of distances"
    return Outcome(found.num_rows, found.num_rows, fault)


def count_pairs(codes: NDArray[np.uint64]) -> Pairs:
    """The pairs of a group of layouts by distance, from all of them at once: bit j of row i says whether layout i was
    reached from layout j, and a step makes of each row its union with those of its neighbours.

    KeyError where a step leads out of the group.
    """
    graph = walks.move_graph(walks.Board(), walks.decoded(walks.Board(), codes), "step")
    reached = np.packbits(np.eye(len(codes), dtype=np.bool_), axis=1)
    pairs = [len(codes)]
    while sum(pairs) < len(codes) ** 2:
        wider = reached | np.bitwise_or.reduceat(reached[graph.ends], graph.starts[:-1], axis=0)
        pairs.append(int(np.bitwise_count(wider ^ reached).sum()))
        if not pairs[-1]:
            raise KeyError("the layouts are no group: steps do not join them all")
        reached = wider
    return np.array(pairs)


def _counted(config: KlotskiConfig) -> list[int]:
    """The numbers of the classes whose pairs are counted."""
    names = {tuple(map(int, name.split("-"))) for name in afforded(config).counted}
    return [number for number, name in enumerate(CLASSES) if name in names]


def _fault_of_sums(pairs: Pairs, size: int, diametral: int) -> str:
    """What is wrong with the pairs of a group of so many layouts, of which so many pairs lie at its ends; or ''."""
    if pairs.sum() != size**2 or pairs[0] != size:
        return f"{pairs.sum()} pairs, {pairs[0]} of them at 0 steps; it has {size} layouts"
    if (pairs[1:] < 2).any() or (pairs[1:] % 2).any():
        return "pairs are even in number, and there are some at every distance"
    if len(pairs) > 1 and pairs[-1] != 2 * diametral:
        return f"{pairs[-1]} pairs at the farthest distance, diameters has {diametral} unordered ones"
    return ""


def _drawn(size: NDArray[np.int64], draw: Draw) -> list[int]:
    """The numbers of the groups that are counted again."""
    random = draw.generator()
    chosen = set()
    for least in (0, LARGE):
        of = np.flatnonzero((least <= size) & (size <= SEARCHED))
        chosen |= {int(of[number]) for number in draw.choose(len(of), DRAWN, random)}
    return sorted(chosen)


def _members(inputs: Inputs, groups: Groups, wanted: list[int]) -> Iterator[tuple[int, NDArray[np.uint64]]]:
    """The codes of the layouts of some groups, ascending."""
    found: dict[int, list[NDArray[np.uint64]]] = {number: [] for number in wanted}
    for between in table_rows.id_ranges():
        rows = table_rows.rows_between(inputs, between, ("main", ("code", *CLASS, "group_num")))
        here = np.flatnonzero(np.isin(table_rows.class_numbers(rows), groups.classes))
        own = {name: values[here] for name, values in rows.items()}
        numbers = groups.numbers(own)
        for number in np.intersect1d(numbers, wanted).tolist():
            found[number].append(own["code"][numbers == number])
    for number, parts in found.items():
        yield number, np.concatenate(parts)


def _name(groups: Groups, number: int) -> str:
    return "-".join(str(int(values[number])) for values in groups.keys.values())
