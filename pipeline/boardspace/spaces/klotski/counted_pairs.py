"""Pairs of layouts of a group by distance, counted apart from the kernels, for the checks of both metrics."""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from boardspace.spaces.klotski import table_rows, walks
from boardspace.spaces.klotski.rules import Layouts
from boardspace.spaces.klotski.sampling import Groups, Sample
from boardspace.spaces.klotski.table_rows import CLASS, CLASSES
from boardspace.spec.one_pass import Pass
from boardspace.spec.space import Draw

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


def numbers_of_classes(names: Iterable[str]) -> list[int]:
    """The numbers, ascending, of classes given by names such as 5-4-1."""
    chosen = {tuple(map(int, name.split("-"))) for name in names}
    return [number for number, name in enumerate(CLASSES) if name in chosen]


def count_pairs(
    codes: NDArray[np.uint64],
    group: NDArray[np.int64],
    metric: str,
    sources: Sequence[int] | None = None,
) -> dict[int, Pairs]:
    """The pairs of groups of a class by distance in a metric of :func:`.walks.move_graph`, by number of the group.

    All layouts are searched from at once: bit j of row i says whether layout i was reached from the j-th of its group,
    and a step makes of each row its union with those of its neighbours: the first neighbours of all rows, then the
    second ones, and so on, where rows with more neighbours stand before others. With ``sources``, places in the order
    of codes of one group, only the pairs of these and any layout are counted.

    KeyError where the layouts are not whole groups.
    """
    order = np.lexsort((codes, group))
    codes, group = codes[order], group[order]
    numbers, first, sizes = np.unique(group, return_index=True, return_counts=True)
    graph = walks.move_graph(Layouts(codes), metric)
    starts = np.repeat(np.arange(len(codes)), np.diff(graph.starts))
    if (group[starts] != group[graph.ends]).any():
        raise KeyError("a step leads from one group to another")
    rows, neighbours = _by_neighbours(graph)
    begun = np.arange(len(codes)) if sources is None else np.asarray(sources)
    place = np.arange(len(codes)) - np.repeat(first, sizes) if sources is None else np.arange(len(begun))
    reached = np.zeros((len(codes), place.max() // 64 + 1), dtype=np.uint64)
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
        raise KeyError("the layouts are no group: steps do not join them all")
    return {int(number): np.trim_zeros(counted[:, at], "b") for at, number in enumerate(numbers)}


def _by_neighbours(graph: walks.Graph) -> tuple[NDArray[np.int64], list[NDArray[np.int64]]]:
    """The rows of layouts, those with more neighbours before others: int64 (layouts); and, for the first, second, ...
    neighbours, the rows of these, of as many rows as have so many."""
    counts = np.diff(graph.starts)
    layouts = np.argsort(-counts, kind="stable")
    rows = np.empty_like(layouts)
    rows[layouts] = np.arange(len(layouts))
    numbers = (np.count_nonzero(counts > place) for place in range(counts.max(initial=0)))
    return rows, [rows[graph.ends[graph.starts[layouts[:some]] + place]] for place, some in enumerate(numbers)]


def fault_of_sums(pairs: Pairs, size: int) -> str:
    """Return what is wrong with the pairs of a group of so many layouts; or ''."""
    if pairs.sum() != size**2 or pairs[0] != size:
        return f"{pairs.sum()} pairs, {pairs[0]} of them at distance 0; it has {size} layouts"
    if (pairs[1:] < 2).any() or (pairs[1:] % 2).any():
        return "pairs are even in number, and there are some at every distance"
    return ""


def read_drawn_classes(groups: Groups, draw: Draw) -> Pass[Sample]:
    """Read the layouts of classes that are drawn: a sample of rows with ``code`` and the ``number`` of the group."""
    sample = Sample(groups.class_sizes(), WALKED, draw)
    for between in table_rows.id_ranges():
        rows = yield from table_rows.rows_between(between, ("main", ("code", *CLASS, "group_num")))
        here = np.flatnonzero(table_rows.of_classes(rows, np.unique(groups.classes).tolist()))
        own = {name: values[here] for name, values in rows.items()}
        own["number"] = groups.numbers(own)
        sample.keep(own, groups.classes[own["number"]], 0)
    return sample


def counted_groups(
    codes: NDArray[np.uint64],
    number: NDArray[np.int64],
    groups: Groups,
    draw: Draw,
    random: np.random.Generator,
    metric: str,
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
