"""The farthest step of every layout of a group and how many layouts are that far: without a search from each.

Let d be the distance in steps, e(u) = max d(u, v) the farthest step of u, F(u) the layouts at that distance. Searching
from v (see :mod:`.passes`) tells every u how far v is. Once v has been searched for every v that lies in some F(u),
each u knows e(u) and the size of F(u): the largest distance it was told, and how often. In deep groups few layouts lie
in any F(u) at all, 24 of the 25,955 of the classic group; nearly everything is nearer to every u than something else
is. So most of the work is to prove of most v that they lie in no F(u).

*Margins.* While searches go on, let s(u) <= e(u) be the largest distance u was told so far, and

    m(w) = min over u of s(u) - d(u, w),      the margin of a searched w.

For v within r < m(w) steps of w, and every u: d(u, v) <= d(u, w) + r < s(u) <= e(u). Hence v lies in no F(u) and needs
no search, it is *settled*. One search of a layout in the thick of the group settles a whole ball around it.

*Symmetry.* A reflection of the board that maps the group to itself maps searches to searches. One layout of each orbit
is searched, with the size o of its orbit as weight; at the end

    e(u) = max over reflections g of s(g u),      |F(u)| = sum over g of counts(g u) / number of reflections,

since among all g u each of the o images of a searched layout is met (number of reflections) / o times. A ball around
one image is settled around all.

*Order.* 0. Single searches, one after another (:mod:`.passes`), as long as they settle so many that a pass could not do
as well; in deep groups they leave little. Margins are small where some s(u) is far below e(u), so such u are looked
for: the unsettled layout with the smallest s is searched, and then the u that bounds its margin; and whenever a search
meets a layout farther than its source had been told, that layout is searched next, which mostly tells all layouts
around the source, too. 1. Peaks, unless single searches have settled much: search where s is largest. These are mostly
layouts that lie in some F(u); and s comes close to e, without which margins are worthless. 2. Nets: search layouts with
small s, which tend to have large margins, spaced more than r from one another, for smaller and smaller r; as long as
they settle more than themselves. 3. The rest: all orbits not settled yet, those that lie near one another in one pass,
because that makes a pass quick. All but the rest are one task, the *outline*; the rest can be cut into parts that know
nothing of each other, and what all of them found is merged. The result is exact, and the same however the work was cut.
Groups of layouts with two to five empty cells need a search from 2 to 25 percent of their orbits; shallow ones, of
eight or more, from nearly all. There nothing is left to settle: of 6,144 orbits drawn from the largest groups of 2-3-1,
3-1-1, 3-2-1 and 0-6-0, 97.5, 92, 89 and 77 percent do lie in some F(u), and whoever counts F(u) by searches has to
search from these. What can still be gained there is the price of a pass, 1.3 to 1.6 ns a pair on quiet cores; leaving a
vertex's neighbours as soon as its row is full gains up to 11 percent (2-3-1, 23 neighbours a vertex) and loses 5
(3-2-1, 16), so it is not done.

The margin that was proved of each vertex (at least) is kept in ``margin``: m(w) - d(v, w) for the best w. A vertex is
settled if it is positive; searched ones get 1 at least.

Source: bounding eccentricities from those of other vertices (Takes and Kosters 2013), here turned round so that the
farthest layouts can be counted; searches from many sources at once (Then et al. 2014, MS-BFS).

*Pairs.* :func:`search_counted` also counts all pairs of layouts of a group by their distance in steps. The number of
ordered pairs that are d steps apart is the sum, over all layouts v, of the layouts that are d steps from v. A search
from v counts them, layer by layer, and those from its images under the reflections that keep the group count the same;
so one layout of each orbit is searched, and what it counts is taken as often as its orbit is large. Passes
(:mod:`.passes`) count for all their sources together: so the sources of one pass have orbits of one size.

Margins settle a layout that is nobody's farthest without a search, and its distances stay unknown. For pairs nothing is
settled: every orbit is searched, which over all groups makes 2.98e12 pairs of an orbit and a layout. In shallow groups,
where margins settle little, that takes 0.9 times as long as the farthest steps alone, since no margins are kept; with 4
to 7 empty cells 3 to 5 times, with 2, where margins settle nearly all, 10 times. What the passes learn of farthest
steps comes with it.

The numbers of a group add up to the square of its size; half their first moment is the Wiener index of the group.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from boardspace_kernels.klotski.balls import SETTLED, SOURCES, level_images, orbits_in_balls, spaced_out, spread_margins
from boardspace_kernels.klotski.passes import (
    MOST_MARGIN,
    Workspace,
    make_workspace,
    search_pass,
    search_single,
)
from boardspace_kernels.klotski.step_graph import Graph

SINGLE_WORTH = 20
"""Single searches go on while each settles more orbits than so many times the neighbours that a vertex has."""

SINGLES_SEEN = 8
"""On the mean of so many searches."""

MOST_IN_VAIN = 6
"""Layouts that bound margins are no longer searched once so many in turn had been told their farthest step."""

PEAKS_LEFT = 0.75
"""Peaks are searched where single searches left more than this share of the orbits."""

PEAKS_WORTH = 1e-3
"""Peaks are searched as long as a pass raises ``steps`` of more than this share of the group."""

NET_WORTH = 2
"""A net is searched if a sample of it settles more than so many orbits a source."""

NET_SOURCES = 64 * SOURCES
"""Nets are given up when so many sources were searched; the rest can be done by many workers."""


class OrbitGraph(NamedTuple):
    """A group to search. ``images`` int32 (reflections, vertices): the image of each vertex, first of all itself.
    ``order`` int32 (orbits): one vertex of each orbit, near ones near each other; ``weight`` uint8 (vertices): how many
    vertices the orbits of these have."""

    graph: Graph
    images: npt.NDArray[np.int32]
    order: npt.NDArray[np.int32]
    weight: npt.NDArray[np.uint8]


class Progress(NamedTuple):
    """Findings of searches so far: ``steps`` uint16 (vertices), the farthest source met, equal on images; ``counts``
    uint32 (vertices), weight of the sources searched at that distance; ``margin`` int16 (vertices), proved."""

    steps: npt.NDArray[np.uint16]
    counts: npt.NDArray[np.uint32]
    margin: npt.NDArray[np.int16]

    def at(self, vertices: slice) -> "Progress":
        """Of these vertices."""
        return Progress(self.steps[vertices], self.counts[vertices], self.margin[vertices])


class Farthest(NamedTuple):
    """For every vertex: ``steps`` uint16, the farthest step, and ``counts`` uint32, how many vertices are that far."""

    steps: npt.NDArray[np.uint16]
    counts: npt.NDArray[np.uint32]

    def at(self, vertices: slice | npt.NDArray[np.signedinteger]) -> "Farthest":
        """Of these vertices, in their order."""
        return Farthest(self.steps[vertices], self.counts[vertices])


def orbit_graph(graph: Graph, images: npt.NDArray[np.int32]) -> OrbitGraph:
    """A connected graph with these automorphisms, int32 (reflections, vertices), which form a
    group of 1, 2 or 4 elements (see :meth:`boardspace_kernels.klotski.group_graphs.Reflections.of_group`)."""
    return OrbitGraph(graph, images, *orbits_in_balls(graph, images))


def farthest(orbits: OrbitGraph) -> Farthest:
    """The farthest step of every vertex and how many vertices are that far."""
    found = outline(orbits)
    return merge(orbits.images, [found, search_orbits(orbits, found, unsettled(orbits, found))])


def outline(orbits: OrbitGraph) -> Progress:
    """Search single layouts, the peaks and the nets of a group; of a small one nothing, which one pass does quicker."""
    vertices = len(orbits.weight)
    progress = nothing_searched(orbits)
    if len(orbits.order) > SOURCES and len(left := _search_singly(orbits, progress)):
        work = make_workspace(vertices)
        if len(left) > PEAKS_LEFT * len(orbits.order):
            _search_peaks(orbits, progress, work)
        _search_nets(orbits, progress, work)
    return progress


def nothing_searched(orbits: OrbitGraph) -> Progress:
    """The progress before the first search."""
    vertices = len(orbits.weight)
    return Progress(
        np.zeros(vertices, dtype=np.uint16), np.zeros(vertices, dtype=np.uint32), np.zeros(vertices, dtype=np.int16)
    )


def unsettled(orbits: OrbitGraph, progress: Progress) -> npt.NDArray[np.int32]:
    """One vertex of each orbit that is not settled, int32, in their order."""
    return _unsettled(progress, orbits.order)


def search_orbits(orbits: OrbitGraph, found: Progress, sources: npt.NDArray[np.int32]) -> Progress:
    """Search or settle the orbits of ``sources`` int32, some of the unsettled ones after the outline ``found``.

    What it returns counts these searches only, so that all parts can be merged."""
    progress = Progress(found.steps.copy(), np.zeros_like(found.counts), found.margin.copy())
    _search_all(orbits, progress, sources, make_workspace(len(found.steps)))
    return progress


def merge(images: npt.NDArray[np.int32], parts: list[Progress]) -> Farthest:
    """The result, from the outline and parts that cover all it left unsettled.

    Of a part only the vertices matter that have counts; ``steps`` of the others may be anything smaller.
    ArithmeticError where the parts cannot be all: a vertex met nobody at its farthest step, or not all images of those.
    """
    if len(parts[0].steps) == 1:  # a group of one layout, which no search meets
        return Farthest(np.zeros(1, dtype=np.uint16), np.ones(1, dtype=np.uint32))
    largest = np.max([part.steps for part in parts], axis=0)
    steps = np.max([largest[image] for image in images], axis=0)
    counts = np.sum([np.where(part.steps == steps, part.counts, 0) for part in parts], axis=0)
    total, rest = np.divmod(np.sum([counts[image] for image in images], axis=0, dtype=np.int64), len(images))
    wrong = np.flatnonzero((total == 0) | (rest != 0))
    if len(wrong):
        raise ArithmeticError(
            f"vertex {wrong[0]}: {total[wrong[0]]} farthest vertices, remainder {rest[wrong[0]]} of {len(images)} "
            f"reflections ({len(wrong)} such vertices); the parts do not cover what the outline left"
        )
    return Farthest(steps, total.astype(np.uint32))


def _unsettled(progress: Progress, vertices: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    return vertices[progress.margin[vertices] < SETTLED]


def _search_singly(orbits: OrbitGraph, progress: Progress) -> npt.NDArray[np.int32]:
    """Search from one layout after another while that settles more than passes would; what is left unsettled."""
    worth = SINGLE_WORTH * len(orbits.graph.indices) // len(orbits.weight)
    left = orbits.order
    before = [len(left)] * SINGLES_SEEN
    searched: set[int] = set()
    following: np.int32 | None = None
    doubted, in_vain = False, 0
    # Where all that is left costs less singly than in one pass, searches go on whatever they settle.
    while len(left) and (
        len(searched) < SINGLES_SEEN or before[0] - len(left) > worth * SINGLES_SEEN or len(left) * worth < SOURCES
    ):
        source = left[np.argmin(progress.steps[left])] if following is None else following
        known = progress.steps[source]
        found = search_single(orbits.graph, source, orbits.weight[source], progress.steps, progress.counts)
        level_images(orbits.images, progress.steps, progress.counts)
        margins = np.array([found.margin], dtype=np.int16)
        spread_margins(orbits.graph, orbits.images, np.array([source]), margins, progress.margin)
        before = [*before[1:], len(left)]
        left = _unsettled(progress, left)
        searched.add(int(source))
        end, bound = (_searched_image(orbits, vertex) for vertex in (found.end, found.bound))
        # No orbit is searched twice, as it would be counted twice. Of those searched, only an image of the source can
        # be farther from it than it was told.
        surprised = found.steps > known and int(end) not in searched
        if doubted:
            in_vain = 0 if surprised else in_vain + 1
        doubted = not surprised and following is None and in_vain < MOST_IN_VAIN and int(bound) not in searched
        following = end if surprised else bound if doubted else None
    return left


def _searched_image(orbits: OrbitGraph, vertex: int) -> np.int32:
    """The vertex of an orbit from which it is searched."""
    images = orbits.images[:, vertex]
    # All others have weight 0.
    searched: np.int32 = images[np.argmax(orbits.weight[images])]
    return searched


def _search_peaks(orbits: OrbitGraph, progress: Progress, work: Workspace) -> None:
    """Search where ``steps`` is largest, until that raises few of them any more."""
    raised = len(progress.steps)
    while raised > PEAKS_WORTH * len(progress.steps):
        left = unsettled(orbits, progress)
        # ~ turns the order of unsigned numbers round, so the largest come first and equal ones stay in order.
        highest_first = np.argsort(~progress.steps[left], kind="stable")
        before = progress.steps.copy()
        _search(orbits, progress, left[np.sort(highest_first[:SOURCES])], work)
        raised = np.count_nonzero(progress.steps > before)


def _search_nets(orbits: OrbitGraph, progress: Progress, work: Workspace) -> None:
    """Search nets of smaller and smaller radius; what was settled meanwhile is left out of the next.

    No margin is larger than the spread of ``steps``: take as u a layout that is farthest from w.
    """
    searched = 0
    radius = min(int(np.ptp(progress.steps)), MOST_MARGIN) - 1
    while radius > 0:
        left = unsettled(orbits, progress)
        lowest_first = np.argsort(progress.steps[left], kind="stable")
        taken = spaced_out(orbits.graph, orbits.images, left[lowest_first], radius)
        # Back in the order of the orbits, so that a pass cut from the net has sources near one another.
        net = left[np.sort(lowest_first[taken])]
        radius = radius - 1 if len(net) > SOURCES // 4 else radius * 3 // 4
        if len(net) < SOURCES:
            continue
        if searched + len(net) > NET_SOURCES:
            return
        sample = net[:: -(-len(net) // SOURCES)].copy()  # one after another, or it is another type to compile for
        _search(orbits, progress, sample, work)
        if len(left) - len(_unsettled(progress, left)) > NET_WORTH * len(sample):
            _search_all(orbits, progress, net, work)
            searched += len(net)


def _search_all(orbits: OrbitGraph, progress: Progress, sources: npt.NDArray[np.int32], work: Workspace) -> None:
    """Search those of ``sources`` that are not settled by the time their turn comes."""
    left = _unsettled(progress, sources)
    while len(left):
        _search(orbits, progress, left[:SOURCES], work)
        # The pass has settled its own sources, and often some of those that waited.
        left = _unsettled(progress, left[SOURCES:])


def _search(orbits: OrbitGraph, progress: Progress, sources: npt.NDArray[np.int32], work: Workspace) -> None:
    """One pass from at most SOURCES vertices, none if there are none; settle what it proves."""
    if not len(sources):
        return
    margins = search_pass(orbits.graph, sources, orbits.weight[sources], progress.steps, progress.counts, work)
    level_images(orbits.images, progress.steps, progress.counts)
    spread_margins(orbits.graph, orbits.images, sources, margins, progress.margin)


ORBIT_SIZES = (1, 2, 4)


def search_counted(orbits: OrbitGraph, sources: npt.NDArray[np.int32]) -> tuple[Progress, npt.NDArray[np.int64]]:
    """Search from the orbits ``sources`` int32, some of ``orbits.order``.

    Returns the progress, to be merged with that of all other orbits, and the pairs, int64 (steps): at ``d`` the ordered
    pairs of a layout of these orbits and a layout of the group that are d steps apart; 0 beyond the farthest.
    """
    progress = nothing_searched(orbits)
    work = make_workspace(len(orbits.weight), pairs=True)
    pairs = np.zeros_like(work.pairs)
    sizes = orbits.weight[sources]
    for size in ORBIT_SIZES:
        alike = sources[sizes == size]
        # A pass counts from layer 1 on, so each source's pair with itself is added here.
        pairs[0] += size * len(alike)
        for first in range(0, len(alike), SOURCES):
            some = alike[first : first + SOURCES]
            search_pass(orbits.graph, some, orbits.weight[some], progress.steps, progress.counts, work)
            level_images(orbits.images, progress.steps, progress.counts)
            pairs += size * work.pairs
    return progress, pairs
