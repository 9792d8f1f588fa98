"""Distances between the layouts of a group, searched apart from the kernels: farthest steps of each layout, pairs by
steps and by unit moves.

Of farthest steps all rows are bounded by their neighbours, those of drawn classes compared with their images, and
searches go through the groups of some layouts of these.
"""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from boardspace.spaces.klotski import rules
from boardspace.spaces.klotski.config import KlotskiConfig
from boardspace.spaces.klotski.parts.solutions.checks import refuse_unlike_images
from boardspace.spaces.klotski.texts import format_code
from boardspace.spec.equations import Most, RowFaultError, Total, Tried
from boardspace.verify.folds import Graph, least_neighbour
from boardspace.verify.one_class import Class
from boardspace.verify.totals import summed_up

SMALL = 512
"""Layouts of a group that is counted together with all small ones of its class."""
SEARCHED = 4_000
"""Layouts of the largest group that is counted again, by itself."""
DRAWN = 2
"""Groups beyond SMALL of each class."""
SOURCES = 512
"""Layouts of a larger group from which it is searched; of everything all, so many at a time."""
FARTHEST_SOURCES = 8
"""Layouts of each drawn class from which its farthest steps are searched."""

Pairs = NDArray[np.int64]
"""[steps]: ordered pairs of layouts of a group by distance."""


def search_farthest(config: KlotskiConfig, one: Class, drawn: bool) -> Tried:
    """Bound the farthest steps of a class, and search through their groups from some layouts of a drawn one."""
    tried, count = 0, len(one)
    try:
        _bound(one)
        if drawn:
            refuse_unlike_images(one, ("farthest_step", "farthest_num"), rules.images(one.states))
            for row in one.random.permutation(count)[:FARTHEST_SOURCES].tolist():
                tried += 1
                _search_from(one, row)
    except RowFaultError as error:
        return Tried(tried, count, str(error))
    return Tried(tried, count)


def _bound(one: Class) -> None:
    steps, number = (one.rows[name].astype(np.int64) for name in ("farthest_step", "farthest_num"))
    size = np.bincount(one.rows["group_num"])[one.rows["group_num"]]
    wrong = ((steps == 0) != (size == 1)) | (number < 1) | (number > np.maximum(size - 1, 1))
    one.raise_where(wrong, "farthest_step is 0 exactly where it is alone, farthest_num at most the others")
    one.raise_where(steps > np.iinfo(np.int16).max - 2, "farthest_step is too large")
    least = least_neighbour(one.pieces, steps.astype(np.int16), "chain")
    one.raise_where(steps > least.astype(np.int64) + 1, "a step changes farthest_step by more than 1")


def _search_from(one: Class, row: int) -> None:
    layers = [len(layer) for layer in one.graph("chain").layers(np.array([row]))]
    found = (len(layers) - 1, layers[-1])
    stated = (int(one.rows["farthest_step"][row]), int(one.rows["farthest_num"][row]))
    if found != stated:
        text = format_code(int(one.rows["code"][row]))
        raise RowFaultError(f"{text}: (farthest_step, farthest_num) is {found}, the table says {stated}")


def count_by_steps(config: KlotskiConfig, one: Class, drawn: bool) -> Tried:
    """The pairs of the groups of a class by steps: sums and ends of all, and those of drawn classes counted."""
    group = one.rows["group_num"].astype(np.int64)
    sizes = np.bincount(group)
    pairs, fault = _by_group(one, sizes, "distances", "steps")
    most, ends = (
        summed_up(total, one.rows, None, group, len(sizes))
        for total in (Total("greatest", "farthest_step"), Total("sum", "farthest_num", where=Most("farthest_step")))
    )
    for number, own in enumerate(pairs):
        if not fault and len(own) > 1 and (len(own) - 1, own[-1]) != (most[number], ends[number]):
            what = f"{own[-1]} pairs are {len(own) - 1} steps apart"
            fault = f"{_name(one, number)}: {what}, and by farthest {ends[number]} are, {most[number]} steps"
    if fault or not drawn:
        return Tried(0, len(sizes), fault)
    return _compared(one, pairs, _counted(one.graph("chain"), group, sizes, one))


def count_by_unit_moves(config: KlotskiConfig, one: Class, drawn: bool) -> Tried:
    """The pairs of the groups of a class by unit moves: sums of all, and those of drawn classes counted."""
    group = one.rows["group_num"].astype(np.int64)
    sizes = np.bincount(group)
    pairs, fault = _by_group(one, sizes, "unit_distances", "moves")
    if fault or not drawn:
        return Tried(0, len(sizes), fault)
    graph = one.graph("unit")
    tried = _compared(one, pairs, _counted(graph, group, sizes, one))
    large = np.flatnonzero(sizes > SEARCHED)
    for number in (large if one.draw.everything else large[:1]).tolist():
        if not tried.fault:
            own = np.flatnonzero(group == number)
            tried = _of_some(graph.of(own), pairs[number], one, number)._replace(cases=tried.cases + 1, of=len(sizes))
    return tried


def _by_group(one: Class, sizes: NDArray[np.int64], table: str, distance: str) -> tuple[list[Pairs], str]:
    """The pairs that a table holds of each group, and the first fault of their sums, or ''; equations tell its keys."""
    apart, pairs = (one.rows[f"{table}.{name}"].astype(np.int64) for name in (distance, "pairs"))
    starts = np.flatnonzero(apart == 0)
    if len(starts) != len(sizes) or starts[0]:
        return [], f"{_name(one, 0)}: its class has {len(sizes)} groups, {table} has {len(starts)}"
    found = np.split(pairs, starts[1:])
    for group, (own, size) in enumerate(zip(found, sizes.tolist(), strict=True)):
        if own.sum() != size**2 or own[0] != size:
            what = f"{own.sum()} pairs, {own[0]} of them at distance 0; it has {size} layouts"
            return found, f"{_name(one, group)}: {what}"
        if (own[1:] < 2).any() or (own[1:] % 2).any():
            return found, f"{_name(one, group)}: pairs are even in number, and there are some at every distance"
    return found, ""


def _counted(
    graph: Graph, group: NDArray[np.int64], sizes: NDArray[np.int64], one: Class
) -> Iterator[tuple[int, Pairs]]:
    """The pairs of all small groups of a class, and of some larger ones."""
    size = sizes[group]
    large = np.flatnonzero((sizes > SMALL) & (sizes <= SEARCHED))
    for own in (size <= SMALL, *(group == number for number in large[one.choose(len(large), DRAWN)].tolist())):
        if own.any():
            yield from count_pairs(graph.of(np.flatnonzero(own)), group[own]).items()


def count_pairs(graph: Graph, group: NDArray[np.int64], sources: Sequence[int] | None = None) -> dict[int, Pairs]:
    """The pairs of whole groups by distance, by number of the group, which ``group`` tells of each layout.

    All layouts are searched from at once: bit j of row i says whether layout i was reached from the j-th of its group,
    and a step makes of each row its union with those of its neighbours: the first neighbours of all rows, then the
    second ones, and so on, where rows with more neighbours stand before others. With ``sources``, layouts of a single
    group, only the pairs of these and any layout are counted.

    ValueError where moves do not join all layouts of a group, or lead out of it.
    """
    if (group[graph.origins] != group[graph.ends]).any():
        raise ValueError("a move leads from one group to another")
    order = np.argsort(group, kind="stable")
    numbers, first, sizes = np.unique(group[order], return_index=True, return_counts=True)
    graph = graph.of(order)
    rows, neighbours = _by_neighbours(graph)
    begun = np.arange(len(graph)) if sources is None else np.asarray(sources)
    place = np.arange(len(graph)) - np.repeat(first, sizes) if sources is None else np.arange(len(begun))
    reached = np.zeros((len(graph), place.max() // 64 + 1), dtype=np.uint64)
    reached[rows[begun], place >> 6] = np.uint64(1) << (place & 63).astype(np.uint64)
    arrived = [sizes if sources is None else np.array([len(begun)])]
    while arrived[-1].any():
        wider = reached.copy()
        for nearest in neighbours:
            wider[: len(nearest)] |= reached.take(nearest, axis=0)
        new = np.bitwise_count(wider ^ reached).sum(axis=1, dtype=np.int64)
        arrived.append(np.add.reduceat(new[rows], first))
        reached = wider
    counted = np.array(arrived)
    if (counted.sum(axis=0) != sizes * arrived[0]).any():
        raise ValueError("the layouts are no group: moves do not join them all")
    return {int(number): np.trim_zeros(counted[:, at], "b") for at, number in enumerate(numbers)}


def _by_neighbours(graph: Graph) -> tuple[NDArray[np.int64], list[NDArray[np.int64]]]:
    """The rows of layouts, those with more neighbours before others: int64 (layouts); and, for the first, second, ...
    neighbours, the rows of these, of as many rows as have so many."""
    counts = np.diff(graph.starts)
    layouts = np.argsort(-counts, kind="stable")
    rows = np.empty_like(layouts)
    rows[layouts] = np.arange(len(layouts))
    numbers = (np.count_nonzero(counts > place) for place in range(counts.max(initial=0)))
    return rows, [rows[graph.ends[graph.starts[layouts[:some]] + place]] for place, some in enumerate(numbers)]


def _compared(one: Class, stated: Sequence[Pairs], counted: Iterator[tuple[int, Pairs]]) -> Tried:
    cases = 0
    for number, found in counted:
        cases += 1
        if not np.array_equal(found, stated[number]):
            return Tried(cases, len(stated), f"{_name(one, number)}: searches from its layouts count other pairs")
    return Tried(cases, len(stated))


def _of_some(graph: Graph, stated: Pairs, one: Class, number: int) -> Tried:
    """Compare the pairs of a large group with those of drawn layouts of it, which cannot be more, or of all."""
    sources = one.choose(len(graph), SOURCES)
    total = np.zeros(len(graph), dtype=np.int64)
    for start in range(0, len(sources), SOURCES):
        group = np.full(len(graph), number)
        for found in count_pairs(graph, group, sources[start : start + SOURCES]).values():
            total[: len(found)] += found
    total = np.trim_zeros(total, "b")
    if len(sources) == len(graph) and not np.array_equal(total, stated):
        return Tried(1, 1, f"{_name(one, number)}: searches from its layouts count other pairs")
    if len(total) > len(stated) or (total > stated[: len(total)]).any():
        return Tried(1, 1, f"{_name(one, number)}: searches from some of its layouts count more pairs")
    return Tried(1, 1)


def _name(one: Class, number: int) -> str:
    """The name of a group: jiang-bing-style-group."""
    return "-".join(map(str, (*one.label, number)))
