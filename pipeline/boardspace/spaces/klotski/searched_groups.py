"""Distances between the layouts of a group, searched apart from the kernels: farthest steps of each layout, pairs by
steps and by unit moves.

Of farthest steps all rows are bounded by their neighbours, those of drawn classes compared with their images, and
searches go through the groups of some layouts of these.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from boardspace.spaces.klotski import rules
from boardspace.spaces.klotski.config import KlotskiConfig
from boardspace.spaces.klotski.parts.solutions.checks import compare, refuse_unlike_images
from boardspace.spec.equations import Most, RowFaultError, Total, Tried
from boardspace.verify.folds import Graph, least_neighbour, places_within
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
    names = ("farthest_step", "farthest_num")
    _bound(one)
    if drawn:
        refuse_unlike_images(one, names, rules.images(one.states))
    chosen = one.random.permutation(len(one))[:FARTHEST_SOURCES].tolist() if drawn else []
    for row in chosen:
        layers = [len(layer) for layer in one.graph("chain").layers(np.array([row]))]
        compare(one.rows, row, names, (len(layers) - 1, layers[-1]))
    return Tried(len(chosen), len(one))


def _bound(one: Class) -> None:
    steps, number = (one.rows[name].astype(np.int64) for name in ("farthest_step", "farthest_num"))
    size = np.bincount(one.rows["group_num"])[one.rows["group_num"]]
    wrong = ((steps == 0) != (size == 1)) | (number < 1) | (number > np.maximum(size - 1, 1))
    one.raise_where(wrong, "farthest_step is 0 exactly where it is alone, farthest_num at most the others")
    one.raise_where(steps > np.iinfo(np.int16).max - 2, "farthest_step is too large")
    least = least_neighbour(one.pieces, steps.astype(np.int16), "chain")
    one.raise_where(steps > least.astype(np.int64) + 1, "a step changes farthest_step by more than 1")


def count_by_steps(config: KlotskiConfig, one: Class, drawn: bool) -> Tried:
    """The pairs of the groups of a class by steps: sums and ends of all; those of drawn classes compared with their
    images' and neighbours, and counted."""
    group, stated = _by_group(one, "distances", "steps")
    most, ends = (
        summed_up(total, one.rows, None, group, len(stated))
        for total in (Total("greatest", "farthest_step"), Total("sum", "farthest_num", where=Most("farthest_step")))
    )
    for number, own in enumerate(stated):
        if len(own) > 1 and (len(own) - 1, own[-1]) != (most[number], ends[number]):
            what = f"{own[-1]} pairs are {len(own) - 1} steps apart"
            raise _fault(one, number, f"{what}, and by farthest {ends[number]} are, {most[number]} steps")
    if not drawn:
        return Tried(0, len(stated))
    tried = _count_again(one, one.graph("chain"), group, stated)
    _refuse_unlike_groups(one, group, stated, one.rows["neighbours"])
    return tried


def count_by_unit_moves(config: KlotskiConfig, one: Class, drawn: bool) -> Tried:
    """The pairs of the groups of a class by unit moves: sums of all; those of drawn classes compared and counted as by
    steps, of a group too large for that those of drawn layouts of it, which cannot be more, or of all."""
    group, stated = _by_group(one, "unit_distances", "moves")
    if not drawn:
        return Tried(0, len(stated))
    graph = one.graph("unit")
    cases = _count_again(one, graph, group, stated).cases
    large = np.flatnonzero(np.bincount(group) > SEARCHED)
    for number in (large if one.draw.everything else large[:1]).tolist():
        own = graph.of(np.flatnonzero(group == number))
        sources, total = one.choose(len(own), SOURCES), np.zeros(len(own) + len(stated[number]), np.int64)
        for start in range(0, len(sources), SOURCES):
            (found,) = count_pairs(own, np.zeros(len(own), np.int64), sources[start : start + SOURCES]).values()
            total[: len(found)] += found
        others = total[: len(stated[number])] - stated[number]
        if total[len(stated[number]) :].any() or (others > 0).any() or (others.any() and len(sources) == len(own)):
            raise _fault(one, number, "searches from its layouts count other pairs")
        cases += 1
    _refuse_unlike_groups(one, group, stated, one.rows["unit_neighbours"])
    return Tried(cases, len(stated))


def _by_group(one: Class, table: str, distance: str) -> tuple[NDArray[np.int64], list[Pairs]]:
    """The group of each layout, and the pairs that a table holds of each group; RowFaultError where their sums are
    wrong. Equations tell its keys."""
    group, apart, pairs = (
        one.rows[name].astype(np.int64) for name in ("group_num", f"{table}.{distance}", f"{table}.pairs")
    )
    sizes, starts = np.bincount(group), np.flatnonzero(apart == 0)
    if len(starts) != len(sizes) or starts[0]:
        raise _fault(one, 0, f"its class has {len(sizes)} groups, {table} has {len(starts)}")
    found = np.split(pairs, starts[1:])
    for number, (own, size) in enumerate(zip(found, sizes.tolist(), strict=True)):
        if own.sum() != size**2 or own[0] != size:
            raise _fault(one, number, f"{own.sum()} pairs, {own[0]} of them at distance 0; it has {size} layouts")
        if (own[1:] < 2).any() or (own[1:] % 2).any():
            raise _fault(one, number, "pairs are even in number, and there are some at every distance")
    return group, found


def _refuse_unlike_groups(
    one: Class, group: NDArray[np.int64], stated: Sequence[Pairs], neighbours: NDArray[np.int64]
) -> None:
    """Raise RowFaultError where a group has other pairs at distance 1 than neighbours, or than its images at any."""
    for number, (own, near) in enumerate(zip(stated, np.bincount(group, neighbours).astype(int).tolist(), strict=True)):
        if len(own) > 1 and own[1] != near:
            raise _fault(one, number, f"{own[1]} pairs at distance 1; its layouts have {near} neighbours")
    first, codes = np.unique(group, return_index=True)[1], one.rows["code"]
    for image in rules.images(one.states):
        for number, place in enumerate(np.searchsorted(codes, image[first]).tolist()):
            if not np.array_equal(stated[number], stated[group[min(place, len(group) - 1)]]):
                raise _fault(one, number, "its image has other pairs")


def _count_again(one: Class, graph: Graph, group: NDArray[np.int64], stated: Sequence[Pairs]) -> Tried:
    """Count the pairs of all small groups of a class, and of some larger ones."""
    sizes, cases = np.bincount(group), 0
    large = np.flatnonzero((sizes > SMALL) & (sizes <= SEARCHED))
    for own in (sizes[group] <= SMALL, *(group == number for number in large[one.choose(len(large), DRAWN)].tolist())):
        for number, found in (count_pairs(graph.of(np.flatnonzero(own)), group[own]) if own.any() else {}).items():
            if not np.array_equal(found, stated[number]):
                raise _fault(one, number, "searches from its layouts count other pairs")
            cases += 1
    return Tried(cases, len(stated))


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
    order = np.argsort(-np.diff(graph.starts), kind="stable")
    graph, (numbers, at) = graph.of(order), np.unique(group[order], return_inverse=True)
    counts = (np.count_nonzero(np.diff(graph.starts) > place) for place in range(np.diff(graph.starts).max()))
    neighbours = [graph.ends[graph.starts[:some] + place] for place, some in enumerate(counts)]
    begun = np.arange(len(graph)) if sources is None else np.argsort(order)[np.asarray(sources)]
    place = places_within(at[begun])
    reached = np.zeros((len(graph), place.max() // 64 + 1), dtype=np.uint64)
    reached[begun, place >> 6] = np.uint64(1) << (place & 63).astype(np.uint64)
    arrived = [np.bincount(at[begun])]
    while arrived[-1].any():
        wider = reached.copy()
        for nearest in neighbours:
            wider[: len(nearest)] |= reached.take(nearest, axis=0)
        arrived.append(np.bincount(at, np.bitwise_count(wider ^ reached).sum(axis=1)).astype(np.int64))
        reached = wider
    counted = np.array(arrived)
    if (counted.sum(axis=0) != np.bincount(at) * arrived[0]).any():
        raise ValueError("the layouts are no group: moves do not join them all")
    return {int(number): np.trim_zeros(counted[:, column], "b") for column, number in enumerate(numbers)}


def _fault(one: Class, number: int, what: str) -> RowFaultError:
    """The fault of a group, which is named jiang-bing-style-group."""
    return RowFaultError(f"{'-'.join(map(str, (*one.label, number)))}: {what}")
