"""The search for all placements with a given number of stones: one sweep over the board's cells.

The board is swept along its longest side. Up to two bounds go with the states: one for the whole board, made once,
and, where a layer grows large, one by lines alone that is aimed at the states of that layer
(:mod:`.bound`). Aiming is repeated as long as it removes a tenth of the states. Every bound
is checked exactly before it is used.

At the ends of rows, states that are mirror images of one another are folded into one (:mod:`.frontier`).

A sweep may keep only a *beam*, the states of least value in every layer. What it then finds are placements, but it may
miss any: it gives an upper bound on X.

A sweep may take an hour: who gives ``on_row`` hears how far it is, at ends of rows.

A sweep can be cut into parts: all parts walk the first cells alike, then each keeps the states whose hash falls to
it. The counts of the parts add up, and their placements together are all placements.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from boardspace_kernels.bits import mix
from boardspace_kernels.five_in_a_row.board import (
    Board,
    BoardError,
    BoardTooLargeError,
    Ints,
    PartTooLargeError,
)
from boardspace_kernels.five_in_a_row.bound import SCALE, Bound, aimed_weights, check, root_weights, without_strips
from boardspace_kernels.five_in_a_row.cells import NO_STRIPS, cells_of, decide, root_state
from boardspace_kernels.five_in_a_row.diagram import MOST_NODES, Diagram, from_links
from boardspace_kernels.five_in_a_row.frontier import Frontier, folded, frontier, mirror_after
from boardspace_kernels.five_in_a_row.layers import (
    NO_CHILD,
    Budget,
    States,
    run_histogram,
    selected,
    state_bytes,
    values_by_runs,
)
from boardspace_kernels.five_in_a_row.strips import Strips, ascend, node_bytes, strips_over

DEFAULT_MEMORY = 4 << 30
"""Bytes a search may take unless told otherwise."""

AIM_AT = 2_000
"""States below which a layer is not worth a linear program."""

AIM_GROWTH = 2.0
"""By how much a layer must have grown since the last aim before the next."""

FOLD_FROM = 1_000
"""States below which a layer is left as it is: then a small board's diagram has its placements in lexicographic
order."""

AIM_ROUNDS = 6
AIM_ENOUGH = 0.9
"""Aiming stops after so many rounds, or when a round leaves more than this share of the states."""


@dataclass(frozen=True)
class Part:
    """Part ``index`` of ``of``: the states after ``cells`` cells whose hash is ``index`` modulo ``of``.

    Its own parts are parts ``index``, ``index + of``, ``index + 2 of``, ... of a multiple of ``of``. A cut lies before
    the last cell is decided: after it there is one state, and no part would be smaller.
    """

    index: int
    of: int
    cells: int

    def cut_again(self, number: int) -> tuple["Part", ...]:
        """The part itself in so many parts, which together take the states that it takes."""
        return tuple(Part(self.index + self.of * j, self.of * number, self.cells) for j in range(number))

    def refuse_unless_within(self, board: Board) -> None:
        """Refuse a part that is none, or a cut that the search of the board would never make.

        Raises:
            BoardError: an index outside 0..of - 1, or cells outside 0..cells of the board - 1.
        """
        if not 0 <= self.index < self.of:
            raise BoardError(f"part {self.index} of {self.of}: parts are numbered from 0 to {self.of - 1}")
        if not 0 <= self.cells < board.cells:
            raise BoardError(
                f"{board} cannot be cut after {self.cells} cells: a cut lies after 0 to {board.cells - 1} of them"
            )


@dataclass(frozen=True)
class Sweep:
    """Findings of one sweep within its budget of stones.

    stones: the budget.
    count: placements.
    states: made in all layers together.
    peak: made in the largest layer.
    diagram: of the placements, None where it was not kept.
    taken: of a part, the states that it went on from at the cut.
    offered: of a part, the states that there were at the cut.
    aimed: the layers at whose states line bounds were aimed, each with the weights (L,) of the lines, in order.
    """

    stones: int
    count: int
    states: int
    peak: int
    diagram: Diagram | None
    taken: int = 0
    offered: int = 0
    aimed: Sequence[tuple[int, Ints]] = ()


@dataclass(frozen=True)
class RowDone:
    """Progress of a sweep.

    stones: its budget.
    row: rows decided.
    rows: rows of the board.
    states: in the layer after the rows decided.
    made: states in all layers so far.
    """

    stones: int
    row: int
    rows: int
    states: int
    made: int


OnRow = Callable[[RowDone], None]
"""Called at ends of rows, in order; while layers are small only at the last of those that were decided at once."""


@dataclass(frozen=True)
class Prepared:
    """A board ready to be swept.

    board: with its sides in descending order.
    frontier: its tables.
    strips: if it has any.
    bound: its root bound, checked.
    floor: no placement has fewer stones.
    """

    board: Board
    frontier: Frontier
    strips: Strips | None
    bound: Bound
    floor: int
    """Value of the root bound, in units of 1/SCALE stone."""


def prepare(board: Board, width: int = 0, bound: Bound | None = None, memory: int = DEFAULT_MEMORY) -> Prepared:
    """Frontier and root bound of a board whose sides descend, by strips of that width, or by lines alone if 0.

    ``bound`` may give the root bound, if it was found before; it is checked like a new one.

    Raises:
        BoardError: the bound does not hold, or the board has no strips of that width.
        BoardTooLargeError: the strips would take more than half of ``memory`` bytes.
    """
    strips = strips_over(board, width, memory // 2) if width else None
    if bound is None:
        bound = ascend(strips) if strips else without_strips(root_weights(board))
    check(board, strips.cells if strips else np.empty((0, 0), dtype=np.int64), bound)
    floor = int(bound.weights.sum()) + (int(strips.values(bound.costs)[:, 0].sum()) if strips else 0)
    return Prepared(board, frontier(board), strips, bound, floor)


@dataclass(frozen=True)
class Limits:
    """Limits of a sweep: states in one layer, states in all layers, states whose links are kept for the
    diagram."""

    layer: int
    total: int
    links: int


def limits(prepared: Prepared, memory: int, total: int) -> Limits:
    """The limits that keep a sweep within ``memory`` bytes, a quarter of them for links.

    A state in a layer needs itself, room for twice as many in the next, up to eight entries of a hash table, and two
    links; beside them stands the strips' diagram with its values.
    """
    strips = len(prepared.strips.starts) if prepared.strips else 0
    fixed = len(prepared.strips.diagram.free) * node_bytes(strips) if prepared.strips else 0
    layer = max(0, memory * 3 // 4 - fixed) // (3 * state_bytes(prepared.frontier.words, 2, strips) + 8 * 4 + 2 * 4)
    # Nine bytes a state: two links, and a byte that says which of them are turned.
    # Both have numbers of 32 bits, and a layer makes at most twice as many states before it is looked at.
    return Limits(min(layer, MOST_NODES // 2), total, min(memory // 4 // 9, MOST_NODES))


def sweep(
    prepared: Prepared,
    stones: int,
    limits: Limits,
    part: Part | None = None,
    beam: int = 0,
    on_row: OnRow | None = None,
) -> Sweep:
    """All placements of a prepared board, or of a part of it, with at most ``stones`` stones.

    With a ``beam`` only some of them: no more than so many states of a layer are followed. ``on_row`` hears how far it
    is.

    Raises:
        BoardTooLargeError: the sweep outgrew its limits; PartTooLargeError where smaller parts of this part may fit.
        BoardError: the part is none of this board's.
    """
    if part:
        part.refuse_unless_within(prepared.board)
    return _Sweeping(prepared, stones, limits, part, beam, on_row).run()


class _Sweeping:
    """The state of one sweep."""

    def __init__(
        self, prepared: Prepared, stones: int, limits: Limits, part: Part | None, beam: int, on_row: OnRow | None
    ) -> None:
        self.prepared, self.stones, self.limits = prepared, stones, limits
        self.part, self.beam, self.on_row = part, beam, on_row
        tables, strips = prepared.frontier, prepared.strips
        self.budget = Budget(1, SCALE, stones * SCALE)
        self.cells = cells_of(tables, [tables.gains(prepared.bound.weights)], _strips_by_cell(prepared))
        self.tables = strips.tables(prepared.bound) if strips else NO_STRIPS
        floors = np.array([prepared.floor], dtype=np.int64)
        self.states = root_state(tables.words, floors, len(strips.starts) if strips else 0, count=1)
        self.free: list[npt.NDArray[np.int32]] = []
        self.stone: list[npt.NDArray[np.int32]] = []
        self.turned: dict[int, npt.NDArray[np.uint8]] = {}
        self.made = self.peak = self.linked = self.taken = self.offered = 0
        self.aimed_size = AIM_AT
        self.aimed: list[tuple[int, Ints]] = []

    def run(self) -> Sweep:
        """Decide all cells."""
        columns, cells = self.prepared.board.shape[-1], self.prepared.board.cells
        t = row = 0
        while t < cells:
            if self.part and t == self.part.cells:
                self.offered = len(self.states.stones)
                self._keep(_hash_part(self.states, self.part))
                self.taken = len(self.states.stones)
            self._aim(t)
            # A part stops where it is cut, however small its layers are.
            t = self._advance(t, self.part.cells if self.part and t < self.part.cells else cells)
            self._fold(t - 1)
            if self.beam and len(self.states.stones) > self.beam:
                # Those with the least values; of equal ones the first.
                ranks = np.argsort(np.argsort(self.states.values[:, 0], kind="stable"))
                self._keep(ranks < self.beam)
            if self.on_row and t // columns > row:
                row = t // columns
                self.on_row(RowDone(self.stones, row, cells // columns, len(self.states.stones), self.made))
        last = self.states
        # After the last cell every key is 0: the states that are left differ in their stones alone.
        count = sum(int(low) + (int(high) << 64) for low, high in last.counts)
        diagram = None
        if count and self.linked <= self.limits.links:
            diagram = from_links(self.free, self.stone, len(last.stones), self.turned, columns)
        return Sweep(self.stones, count, self.made, self.peak, diagram, self.taken, self.offered, self.aimed)

    def _advance(self, t: int, end: int) -> int:
        """Decide cell ``t``, and those after it before ``end`` as long as layers are so small that nothing else can be
        due; the next cell."""
        # A layer with more states may be folded, aimed at, refused, or cut to the beam, which is done between calls.
        most = min(FOLD_FROM - 1, AIM_AT - 1, self.limits.layer, self.beam or FOLD_FROM)
        self.states, free, stone = decide(self.states, self.cells, (t, end), self.tables, self.budget, most)
        # A layer has as many links as states, so the links of the next layer tell how many there are in it.
        sizes = [*map(len, free[1:]), len(self.states.stones)]
        for cell, (size, *links) in enumerate(zip(sizes, free, stone, strict=True), t):
            self._count(cell, size, *links)
        return t + len(free)

    def _count(self, t: int, size: int, free: npt.NDArray[np.int32], stone: npt.NDArray[np.int32]) -> None:
        """Count the states of the layer after cell ``t``, and keep the links to them."""
        self.made += size
        self.peak = max(self.peak, size)
        if size > self.limits.layer or self.made > self.limits.total:
            board = self.prepared.board
            error = PartTooLargeError if self.taken > 1 else BoardTooLargeError
            raise error(
                f"{board} with {self.stones} stones needs more than {size} states at once and {self.made} in all by "
                f"cell {t + 1} of {board.cells}; the limits are {self.limits.layer} and {self.limits.total}: give the "
                "search more memory or a smaller board"
            )
        self.linked += len(free)
        if self.linked <= self.limits.links:
            self.free.append(free)
            self.stone.append(stone)
        else:
            # A diagram takes the links of all layers. ``linked`` never falls, so none are kept again after that.
            self.free, self.stone, self.turned = [], [], {}

    def _fold(self, t: int) -> None:
        """Fold mirror images, where cell ``t`` ends a row and the layer is large."""
        mirror = mirror_after(self.prepared.frontier, t + 1) if len(self.states.stones) >= FOLD_FROM else None
        if mirror is None:
            return
        self.states, number, turned = folded(self.states, mirror)
        if self.free:
            # Links go to the folded states; a bit says for each link whether its state was turned, so that placements
            # can be read off again.
            flags = np.zeros(len(self.free[-1]), dtype=np.uint8)
            for bit, links in ((1, self.free), (2, self.stone)):
                # A link that is missing, -1, reads the last entry below, which ``there`` leaves out.
                there = links[-1] >= 0
                flags[there & turned[links[-1]]] += bit
                links[-1] = np.where(there, number[links[-1]], NO_CHILD)
            self.turned[t] = flags

    def _keep(self, keep: npt.NDArray[np.bool_]) -> None:
        """Drop the other states of this layer, and what leads to them."""
        self.states = selected(self.states, keep)
        if self.free:
            number = np.where(keep, np.cumsum(keep) - 1, NO_CHILD).astype(np.int32)
            for links in (self.free, self.stone):
                links[-1] = np.where(links[-1] >= 0, number[links[-1]], NO_CHILD)

    def _aim(self, t: int) -> None:
        """Drop the states that a line bound aimed at them rules out, where the layer has grown large."""
        if len(self.states.stones) < AIM_GROWTH * self.aimed_size:
            return
        for _ in range(AIM_ROUNDS):
            before = len(self.states.stones)
            weights = self._aimed_at_states(t)
            self.aimed.append((t, weights))
            self._keep(self.states.values[:, -1] <= self.budget.most)
            if len(self.states.stones) > AIM_ENOUGH * before or len(self.states.stones) < AIM_AT:
                break
        self.aimed_size = max(AIM_AT, len(self.states.stones))
        # The bound of the last round goes on alone: what the others dropped stays dropped, and one look-up is enough.
        gains = self.prepared.frontier.gains(weights)
        self.cells = self.cells._replace(gains=np.stack([self.cells.gains[:, 0], gains], axis=1))

    def _aimed_at_states(self, t: int) -> Ints:
        """Make the second bound one aimed at the states of layer ``t``, and value them by it."""
        tables, states = self.prepared.frontier, self.states
        histogram = run_histogram(states.keys, tables.places, tables.board.k)
        weights = aimed_weights(tables, t, histogram / len(states.stones))
        check(tables.board, np.empty((0, 0), dtype=np.int64), without_strips(weights, t))
        # Lines behind the frontier hold a stone. Of those across it the run tells, and those ahead all count.
        worth = tables.worth(weights, t)
        ahead = int(weights[tables.line_first >= t].sum())
        values = SCALE * states.stones.astype(np.int64) + ahead + values_by_runs(states.keys, tables.places, worth)
        self.states = states._replace(values=np.stack([states.values[:, 0], values], axis=1))
        return weights


def _strips_by_cell(prepared: Prepared) -> list[Ints]:
    """For every cell the numbers of the strips over it."""
    if prepared.strips is None:
        return [np.empty(0, dtype=np.int64)] * prepared.board.cells
    over = np.zeros((prepared.board.cells, len(prepared.strips.cells)), dtype=bool)
    for strip, cells in enumerate(prepared.strips.cells):
        over[cells, strip] = True
    return [np.flatnonzero(strips) for strips in over]


def _hash_part(states: States, part: Part) -> npt.NDArray[np.bool_]:
    """(n,): which states of a layer fall to the part."""
    hashes = mix(states.stones.astype(np.uint64))
    for w in range(states.keys.shape[1]):
        hashes = mix(hashes ^ states.keys[:, w])
    return hashes % np.uint64(part.of) == part.index
