"""Decision diagrams: the layers of a search with their links, as flat arrays.

A diagram's paths from its root to its only last node are placements. With a cost for a stone on every cell, the
cheapest path from every node is found by one pass from the last layer back; with 1 for every path, the same pass
counts the placements below every node, and a count tells which way the i-th placement in lexicographic order goes. So
a diagram is also a table of all its placements, read at random without listing them.

Where the search folded states that are mirror images (:mod:`.frontier`), some links are *turned*: after each of them a
path says where the stones lie on the mirrored board, until the next. Ranks then follow the paths, not the placements.

*Whole diagrams*, of all placements that block a board, without any bound, are for boards a few columns wide. After
k - 1 rows every state of a row's end occurs that ever will, and until k - 1 rows are left a row decides the next as the
row before it. So once the ends of two rows have the same states, the rows between are copies of one row, which take no
search. The runs are the same, not the keys: a diagonal keeps its slot while it moves a column a row. States are
therefore compared by *ends*, keys with the runs in order of the cells at which their chains leave the row.
"""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from boardspace_kernels.five_in_a_row.board import Board, BoardTooLargeError, Ints
from boardspace_kernels.five_in_a_row.cells import NO_STRIPS, cells_of, decide, root_state
from boardspace_kernels.five_in_a_row.frontier import Frontier, frontier
from boardspace_kernels.five_in_a_row.layers import ANY_STONES, Words
from boardspace_kernels.jit import kernel

Links = npt.NDArray[np.int32]

MOST_NODES = 2_000_000_000
"""Of all layers but the last, so that links, of 32 bits, hold the numbers of all nodes."""

NO_TURNS = np.empty(0, dtype=np.uint8)

MANY_PATHS = np.uint64((1 << 64) - 1)
"""The largest count of paths that is told."""

NO_WAY = 1 << 62
"""Cost where no way leads on: more than that of any way."""

SMALL = 1_000
"""States up to which layers are decided many at a time."""


class Diagram(NamedTuple):
    """Nodes by layer; layer t holds the states after t cells.

    free: int32 (nodes), number of the node after a free cell, -1 where there is none, and at the last node.
    stone: int32 (nodes), number of the node after a stone, -1 at the last node.
    first: int64 (cells + 2), the first node of each layer, then the number of nodes.
    turned: uint8 (nodes), 1 where the free link is turned, plus 2 where the stone's is; empty where none is.
    columns: cells of a row, which a turned link mirrors.
    """

    free: Links
    stone: Links
    first: Ints
    turned: npt.NDArray[np.uint8] = NO_TURNS
    columns: int = 1

    @property
    def cells(self) -> int:
        """Number of cells decided on a path."""
        return len(self.first) - 2


def from_links(
    free: list[Links],
    stone: list[Links],
    last: int,
    turned: Mapping[int, npt.NDArray[np.uint8]] | None = None,
    columns: int = 1,
) -> Diagram:
    """A diagram from every layer's links, numbered within the next layer; ``last`` is the size of the last layer.

    ``turned`` says of some layers which links are, as in :class:`Diagram`.
    """
    first = np.cumsum([0, *map(len, free), last], dtype=np.int64)
    below = np.full(last, -1, dtype=np.int32)
    turns = np.zeros(first[-1], dtype=np.uint8) if turned else NO_TURNS
    for layer, flags in (turned or {}).items():
        turns[first[layer] : first[layer + 1]] = flags
    links = np.concatenate([*free, below]), np.concatenate([*stone, below])
    for kind in links:
        _number(kind, first)
    return Diagram(*links, first, turns, columns)


@kernel
def _number(links: Links, first: Ints) -> None:
    """Number links, in place, that are numbered within the next layer; ``first`` is that of the diagram."""
    for layer in range(len(first) - 2):
        for node in range(first[layer], first[layer + 1]):
            links[node] += first[layer + 1] if links[node] >= 0 else 0


def cost_to_go(diagram: Diagram, cost: Ints, workspace: Ints | None = None) -> Ints:
    """(nodes + 1,): the cheapest way from every node to the last, for ``cost`` (cells,) of a stone on each cell; and at
    place -1, to which a link leads where there is none, NO_WAY.

    The diagram is a whole one: every node but the last has a stone's link. ``workspace`` (nodes + 1,) may be given for
    the result: of large diagrams new memory takes longer than the pass.
    """
    cheapest = np.empty(len(diagram.free) + 1, dtype=np.int64) if workspace is None else workspace
    _fill_cost_to_go(diagram, cost, cheapest)
    return cheapest


@kernel
def _fill_cost_to_go(diagram: Diagram, cost: Ints, cheapest: Ints) -> None:
    """Write to ``cheapest`` int64 (nodes + 1) what :func:`cost_to_go` returns, from the last layer to the first;
    ``cost`` is int64 (cells)."""
    free, stone, first = diagram.free, diagram.stone, diagram.first
    cheapest[-1], cheapest[-2] = NO_WAY, 0
    for t in range(len(cost) - 1, -1, -1):
        price = cost[t]
        # Unsigned numbers, for of a signed one numba tests each time whether it is counted from the end.
        for node in range(np.uint64(first[t]), np.uint64(first[t + 1])):
            # Half of the nodes have no free link: to read place -1 for them takes less time than a branch that a
            # processor cannot predict. The stone's link is there, so its place is never counted from the end.
            cheapest[node] = min(cheapest[free[node]], cheapest[np.uint32(stone[node])] + price)


@kernel
def cheapest_path(diagram: Diagram, cheapest: Ints) -> npt.NDArray[np.int8]:
    """(cells,): 1 for a stone, 0 for a free cell, on a cheapest path; ``cheapest`` is what :func:`cost_to_go` gives."""
    layers = len(diagram.first) - 2
    path = np.zeros(layers, dtype=np.int8)
    node = 0
    for t in range(layers):
        free = diagram.free[node]
        # Where there is no free link this reads place -1, NO_WAY, which no node's cost is equal to.
        if cheapest[free] == cheapest[node]:
            node = free
        else:
            path[t] = 1
            node = diagram.stone[node]
    return path


@kernel
def paths_to_go(diagram: Diagram) -> npt.NDArray[np.uint64]:
    """(nodes,): how many paths lead from every node to the last layer; MANY_PATHS stands for so many or more."""
    paths = np.zeros(len(diagram.free), dtype=np.uint64)
    layers = len(diagram.first) - 2
    paths[diagram.first[layers] :] = 1
    # Links lead to greater numbers, so what a node leads to is counted before it.
    for node in range(diagram.first[layers] - 1, -1, -1):
        free = paths[diagram.free[node]] if diagram.free[node] >= 0 else np.uint64(0)
        stone = paths[diagram.stone[node]] if diagram.stone[node] >= 0 else np.uint64(0)
        # Compared with what is left up to MANY_PATHS, since the sum itself could wrap round.
        paths[node] = free + stone if stone <= MANY_PATHS - free else MANY_PATHS
    return paths


@kernel
def placements_by_rank(
    diagram: Diagram, paths: npt.NDArray[np.uint64], ranks: npt.NDArray[np.uint64]
) -> npt.NDArray[np.uint8]:
    """(len(ranks), cells) 0 or 1: the placements at these ranks, those of a path with a free cell before those with a
    stone; where no link is turned that is the lexicographic order.

    ``paths`` is what :func:`paths_to_go` gives; every rank is below ``paths[0]``. A node with MANY_PATHS has more than
    any rank, so ranks are right on diagrams of any size.
    """
    layers = len(diagram.first) - 2
    placements = np.zeros((len(ranks), layers), dtype=np.uint8)
    for i in range(len(ranks)):
        rank, node, mirrored = ranks[i], 0, False
        for t in range(layers):
            turns = diagram.turned[node] if len(diagram.turned) else 0
            free = diagram.free[node]
            below = paths[free] if free >= 0 else np.uint64(0)
            if rank < below:
                node = free
                mirrored ^= (turns & 1) > 0
            else:
                rank -= below
                # A turned link mirrors the cells after it, so ``mirrored`` changes after the stone is placed.
                column = t % diagram.columns
                placements[i, t - column + (diagram.columns - 1 - column if mirrored else column)] = 1
                node = diagram.stone[node]
                mirrored ^= (turns & 2) > 0
    return placements


def whole_diagram(board: Board, most_nodes: int) -> Diagram:
    """All placements that block a board.

    Raises:
        BoardTooLargeError: the diagram has more than ``most_nodes`` nodes, or than ``MOST_NODES``.
    """
    return _Growing(board, most_nodes).grown()


class _Growing:
    """The layers decided so far, the states of the last, and the ends of the last row but one."""

    def __init__(self, board: Board, most_nodes: int) -> None:
        self.board, self.most_nodes = board, min(most_nodes, MOST_NODES)
        self.row = board.cells // board.shape[0]
        self.frontier = frontier(board)
        self.cells = cells_of(self.frontier, [])
        # From a count of 0 all counts stay 0: there may be more placements than 128 bits can tell.
        self.states = root_state(self.frontier.words, np.empty(0, dtype=np.int64), 0, count=0)
        self.free: list[Links] = []
        self.stone: list[Links] = []
        self.nodes = 0

    def grown(self) -> Diagram:
        """All rows, one after the other, those that repeat at once."""
        before = _ends(self.frontier, 0, self.states.keys)
        while len(self.free) < self.board.cells:
            end = len(self.free) + self.row
            while len(self.free) < end:
                t = len(self.free)
                self._refuse_beyond(len(self.states.stones))
                self.states, *links = decide(self.states, self.cells, (t, end), NO_STRIPS, ANY_STONES, SMALL)
                self._add(*links)
            ends = _ends(self.frontier, len(self.free), self.states.keys)
            self._repeat_row(before, ends)
            before = ends
        return from_links(self.free, self.stone, last=len(self.states.stones))

    def _repeat_row(self, before: Words, ends: Words) -> None:
        """Copy the last row as often as the next row is like it, where it began with the states with which it ended."""
        t = len(self.free)
        alike = _rows_alike(self.frontier, t, self.row)
        if not alike or len(before) != len(ends):
            return
        order, order_before = (np.lexsort(columns.T) for columns in (ends, before))
        if not np.array_equal(ends[order], before[order_before]):
            return
        # The row ends with the states that it began with, in another order: a copy has its first links in that one.
        place = np.empty_like(order)
        place[order] = order_before
        rows = [[links[t - self.row][place], *links[t - self.row + 1 : t]] for links in (self.free, self.stone)]
        for _ in range(alike):
            self._refuse_beyond(sum(map(len, rows[0])))
            self._add(rows[0], rows[1])
        # The runs are those of the row that was copied, but diagonals have them in other slots now.
        self.states = self.states._replace(keys=_keys(self.frontier, len(self.free), ends))

    def _add(self, free: list[Links], stone: list[Links]) -> None:
        self.free, self.stone = self.free + free, self.stone + stone
        self.nodes += sum(map(len, free))

    def _refuse_beyond(self, more: int) -> None:
        if self.nodes + more > self.most_nodes:
            raise BoardTooLargeError(
                f"{self.board}, a strip of a larger one, has more than {self.most_nodes} states by cell "
                f"{len(self.free)} of {self.board.cells}; give the search more memory or a smaller board"
            )


def _rows_alike(board_tables: Frontier, t: int, row: int) -> int:
    """Number of rows from cell ``t`` on that have the tables of the row before it."""
    tables = np.concatenate([board_tables.next_run, (board_tables.slot >= 0)[:, :, None]], axis=2)
    rows = tables.reshape(-1, row * tables[0].size)
    last = t // row - 1
    differ = (rows[last + 1 :] != rows[last]).any(axis=1)
    return int(np.argmax(differ)) if differ.any() else len(differ)


def _ends(board_tables: Frontier, t: int, keys: Words) -> Words:
    """The ends (n, words) of the states with these keys (n, words) after ``t`` cells, whole rows."""
    crossing = _crossing(board_tables, t)
    return _with_fields(board_tables, keys, crossing, list(range(len(crossing))))


def _keys(board_tables: Frontier, t: int, ends: Words) -> Words:
    """The keys (n, words) of the states with these ends (n, words) after ``t`` cells, whole rows."""
    crossing = _crossing(board_tables, t)
    return _with_fields(board_tables, ends, list(range(len(crossing))), crossing)


def _crossing(board_tables: Frontier, t: int) -> list[int]:
    """The slots of the chains that go on after ``t`` cells, whole rows, in order of their cells in the last row."""
    row = board_tables.board.cells // board_tables.board.shape[0]
    cells = np.arange(max(t - row, 0), t)
    goes_on = (board_tables.board.after[cells] > 0) & (cells[:, None] + board_tables.board.steps >= t)
    slots = board_tables.slot[cells]
    found: list[int] = slots[goes_on & (slots >= 0)].tolist()
    return found


def _with_fields(board_tables: Frontier, words: Words, fields: list[int], places: list[int]) -> Words:
    """(n, words): these fields of ``words`` (n, words), put at other places."""
    moved = np.zeros_like(words)
    word, shift, bits = board_tables.places
    for field, place in zip(fields, places, strict=True):
        moved[:, word[place]] |= (words[:, word[field]] >> shift[field] & bits) << shift[place]
    return moved
