"""The diagram of all placements that block a board, without any bound: for boards a few columns wide.

After k - 1 rows every state of a row's end occurs that ever will, and until k - 1 rows are left a row decides the next
as the row before it. So once the ends of two rows have the same states, the rows between are copies of one row, which
take no search. The runs are the same, not the keys: a diagonal keeps its slot while it moves a column a row. States are
therefore compared by *ends*, keys with the runs in order of the cells at which their chains leave the row.
"""

import numpy as np

from boardspace_kernels.five_in_a_row.board import Board, BoardTooLargeError
from boardspace_kernels.five_in_a_row.cells import NO_STRIPS, CellTables, decide_small, root_state
from boardspace_kernels.five_in_a_row.diagram import Diagram, Links, from_links
from boardspace_kernels.five_in_a_row.frontier import Frontier, frontier
from boardspace_kernels.five_in_a_row.layers import ANY_STONES, Words, decide

SMALL = 1_000
"""States up to which layers are decided many at a time."""


def whole_diagram(board: Board, most_nodes: int) -> Diagram:
    """All placements that block a board.

    Raises:
        BoardTooLargeError: the diagram has more than ``most_nodes`` nodes.
    """
    return _Growing(board, most_nodes).grown()


class _Growing:
    """The layers decided so far, the states of the last, and the ends of the last row but one."""

    def __init__(self, board: Board, most_nodes: int) -> None:
        self.board, self.most_nodes = board, most_nodes
        self.row = board.cells // board.shape[0]
        self.frontier = frontier(board)
        self.cell_tables = CellTables(self.frontier, [])
        self.states = root_state(self.frontier.words, np.empty(0, dtype=np.int64), 0, count=0)
        self.free: list[Links] = []
        self.stone: list[Links] = []
        self.nodes = 0

    def grown(self) -> Diagram:
        """All rows, one after the other, those that repeat at once."""
        before = _ends(self.frontier, 0, self.states.keys)
        while len(self.free) < self.board.cells:
            self._decide_row()
            ends = _ends(self.frontier, len(self.free), self.states.keys)
            self._repeat_row(before, ends)
            before = ends
        return from_links(self.free, self.stone, last=len(self.states.stones))

    def _decide_row(self) -> None:
        end = len(self.free) + self.row
        while len(self.free) < end:
            t = len(self.free)
            self._refuse_beyond(len(self.states.stones))
            found = decide_small(self.states, self.cell_tables.cells, (t, end), NO_STRIPS, ANY_STONES, SMALL)
            if not found[1]:
                states, *links = decide(self.states, self.cell_tables.cell(t), NO_STRIPS, ANY_STONES)
                found = states, links[:1], links[1:]
            self.states = found[0]
            self._add(found[1], found[2])

    def _repeat_row(self, before: Words, ends: Words) -> None:
        """Copy the last row as often as the next row is like it, where it began with the states with which it ended."""
        t = len(self.free)
        alike = _rows_alike(self.frontier, t, self.row)
        if not alike or len(before) != len(ends):
            return
        order, order_before = (np.lexsort(columns.T) for columns in (ends, before))
        if not np.array_equal(ends[order], before[order_before]):
            return
        place = np.empty_like(order)
        place[order] = order_before
        rows = [[links[t - self.row][place], *links[t - self.row + 1 : t]] for links in (self.free, self.stone)]
        for _ in range(alike):
            self._refuse_beyond(sum(map(len, rows[0])))
            self._add(rows[0], rows[1])
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
    mask = np.uint64((1 << board_tables.bits) - 1)
    for field, place in zip(fields, places, strict=True):
        (word, at), (to, bit) = (divmod(number, board_tables.slots_per_word) for number in (field, place))
        runs = words[:, word] >> np.uint64(at * board_tables.bits) & mask
        moved[:, to] |= runs << np.uint64(bit * board_tables.bits)
    return moved
