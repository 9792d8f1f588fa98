"""Checks of the pairs by distance: all groups by their sums and ends, some counted again from all of their layouts."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from boardspace.spaces.klotski import table_rows, walks
from boardspace.spaces.klotski.comparing import table_difference
from boardspace.spaces.klotski.config import KlotskiConfig
from boardspace.spaces.klotski.parts.farthest.costs import afforded
from boardspace.spaces.klotski.sampling import Groups, RowFaultError, Sample
from boardspace.spaces.klotski.table_rows import CLASS, CLASSES, MissingRowsError
from boardspace.spec.space import Draw, Inputs, Outcome

WALKED = 120_000
"""Layouts of the classes whose small groups are counted again."""
SMALL = 512
"""Layouts of a group that is counted together with all small ones of its class."""
SEARCHED = 4_000
"""Layouts of the largest group that is counted again, by itself."""
DRAWN = 2
"""Groups beyond SMALL of each of these classes."""

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
        fault = fault_of_sums(own, int(groups.size[number]))
        if len(own) > 1 and own[-1] != 2 * ends[number]:
            fault = fault or f"{own[-1]} pairs at the farthest distance, diameters has {ends[number]} unordered ones"
        if fault:
            return Outcome(number + 1, len(groups), f"{name_of(groups, number)}: {fault}")
    tried = 0
    try:
        for number, found in counted_again(inputs, groups, draw):
            tried += 1
            if not np.array_equal(found, pairs[number]):
                raise RowFaultError(f"{name_of(groups, number)}: searches from its layouts count other pairs")
    except (RowFaultError, MissingRowsError, KeyError) as error:
        fault = str(error)
    return Outcome(tried, len(groups), fault)


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


def count_pairs(
    codes: NDArray[np.uint64],
    group: NDArray[np.int64],
    metric: str = "step",
    sources: Sequence[int] | None = None,
) -> dict[int, Pairs]:
    """The pairs of groups of a class by distance in a metric of :func:`.walks.move_graph`, by number of the group.

    All layouts are searched from at once: bit j of row i says whether layout i was reached from the j-th of its group,
    and a step makes of each row its union with those of its neighbours. With ``sources``, places in the order of codes
    of one group, only the pairs of these and any layout are counted.

    KeyError where the layouts are not whole groups.
    """
    order = np.lexsort((codes, group))
    codes, group = codes[order], group[order]
    numbers, first, sizes = np.unique(group, return_index=True, return_counts=True)
    graph = walks.move_graph(walks.Board(), walks.decoded(walks.Board(), codes), metric)
    starts = np.repeat(np.arange(len(codes)), np.diff(graph.starts))
    if (group[starts] != group[graph.ends]).any():
        raise KeyError("a step leads from one group to another")
    moved = np.flatnonzero(np.diff(graph.starts))
    begun = np.arange(len(codes)) if sources is None else np.asarray(sources)
    place = np.arange(len(codes)) - np.repeat(first, sizes) if sources is None else np.arange(len(begun))
    reached = np.zeros((len(codes), (place.max() + 8) // 8), dtype=np.uint8)
    reached[begun, place >> 3] = 1 << (place & 7)
    arrived = [sizes if sources is None else np.array([len(begun)])]
    while arrived[-1].any():
        wider = reached.copy()
        if len(moved):
            wider[moved] |= np.bitwise_or.reduceat(reached[graph.ends], graph.starts[moved], axis=0)
        arrived.append(np.add.reduceat(np.bitwise_count(wider ^ reached).sum(axis=1, dtype=np.int64), first))
        reached = wider
    counted = np.array(arrived)
    if (counted.sum(axis=0) != sizes * arrived[0]).any():
        raise KeyError("the layouts are no group: steps do not join them all")
    return {int(number): np.trim_zeros(counted[:, at], "b") for at, number in enumerate(numbers)}


def _counted(config: KlotskiConfig) -> list[int]:
    """The numbers of the classes whose pairs are counted."""
    names = {tuple(map(int, name.split("-"))) for name in afforded(config).counted}
    return [number for number, name in enumerate(CLASSES) if name in names]


def fault_of_sums(pairs: Pairs, size: int) -> str:
    """Return what is wrong with the pairs of a group of so many layouts; or ''."""
    if pairs.sum() != size**2 or pairs[0] != size:
        return f"{pairs.sum()} pairs, {pairs[0]} of them at distance 0; it has {size} layouts"
    if (pairs[1:] < 2).any() or (pairs[1:] % 2).any():
        return "pairs are even in number, and there are some at every distance"
    return ""


def counted_again(inputs: Inputs, groups: Groups, draw: Draw) -> Iterator[tuple[int, Pairs]]:
    """The pairs of all small groups, and of some larger ones, of classes that are drawn."""
    for codes, number, random in drawn_classes(inputs, groups, draw):
        yield from counted_groups(codes, number, groups, draw, random)


def drawn_classes(
    inputs: Inputs, groups: Groups, draw: Draw
) -> Iterator[tuple[NDArray[np.uint64], NDArray[np.int64], np.random.Generator]]:
    """The layouts of classes that are drawn, by their codes and the numbers of their groups; and the generator."""
    sample = Sample(groups.class_sizes(), WALKED, draw)
    for between in table_rows.id_ranges():
        rows = table_rows.rows_between(inputs, between, ("main", ("code", *CLASS, "group_num")))
        here = np.flatnonzero(np.isin(table_rows.class_numbers(rows), groups.classes))
        own = {name: values[here] for name, values in rows.items()}
        own["number"] = groups.numbers(own)
        sample.keep(own, groups.classes[own["number"]], 0)
    for _, walked in sample.classes():
        yield walked["code"], walked["number"], sample.random


def counted_groups(
    codes: NDArray[np.uint64],
    number: NDArray[np.int64],
    groups: Groups,
    draw: Draw,
    random: np.random.Generator,
    metric: str = "step",
) -> Iterator[tuple[int, Pairs]]:
    """The pairs of all small groups of a class, and of some larger ones."""
    sizes = groups.size[number]
    large = np.unique(number[(sizes > SMALL) & (sizes <= SEARCHED)])
    chosen = large[draw.choose(len(large), DRAWN, random)]
    for own in (sizes <= SMALL, *(number == one for one in chosen)):
        if own.any():
            yield from count_pairs(codes[own], number[own], metric).items()


def name_of(groups: Groups, number: int) -> str:
    """The name of a group: jiang-bing-style-group."""
    return "-".join(str(int(values[number])) for values in groups.keys.values())
