"""The tables of a walk over a board's cells, cut into one :class:`Cell` after the other, and the state it starts
from."""

import numpy as np
import numpy.typing as npt

from boardspace.kernels.five_in_a_row.board import Board, BoardTooLargeError, Ints
from boardspace.kernels.five_in_a_row.diagram import Diagram, from_links
from boardspace.kernels.five_in_a_row.frontier import Frontier, frontier
from boardspace.kernels.five_in_a_row.layers import Cell, States, StripTables, decide, empty_states


class Walk:
    """A frontier with the gains (cells, D, k) of its bounds; ``over[t]`` numbers the strips over cell t."""

    def __init__(self, front: Frontier, gains: list[Ints], over: list[Ints] | None = None) -> None:
        self.frontier = front
        cells, directions = front.slot.shape
        on_board = front.slot >= 0
        self._word = np.where(on_board, front.slot // front.slots_per_word, -1)
        self._shift = (np.where(on_board, front.slot, 0) % front.slots_per_word * front.bits).astype(np.uint64)
        self._gains = np.empty((cells, len(gains), directions, front.board.k), dtype=np.int64)
        for g, gain in enumerate(gains):
            self._gains[:, g] = gain
        self._over = over if over is not None else [np.empty(0, dtype=np.int64)] * cells

    def use_second(self, gains: Ints) -> None:
        """Let these gains be those of the second bound from here on."""
        self._gains = np.stack([self._gains[:, 0], gains], axis=1)

    def cell(self, t: int) -> Cell:
        """The tables of cell ``t``."""
        return Cell(self._word[t], self._shift[t], self.frontier.next_run[t], self._gains[t], self._over[t])


NO_STRIPS = StripTables(np.empty(0, dtype=np.int32), np.empty(0, dtype=np.int32), np.empty((0, 0, 0), dtype=np.int64))


def root_state(words: int, values: Ints, strips: int, count: int) -> States:
    """Layer 0: nothing decided; ``values`` (G,) are the bounds at the root, ``count`` the placements it stands
    for."""
    root = empty_states(1, words, len(values), strips)
    root.keys[:] = 0
    root.stones[:] = 0
    root.counts[:] = count, 0
    root.values[:] = values
    root.nodes[:] = 0
    return root


def whole_diagram(board: Board, most_nodes: int) -> Diagram:
    """The diagram of all placements that block a board, without any bound: for boards a few columns wide.

    Raises:
        BoardTooLargeError: it has more than ``most_nodes`` nodes.
    """
    front = frontier(board)
    walk = Walk(front, [])
    states = root_state(front.words, np.empty(0, dtype=np.int64), 0, count=0)
    free: list[npt.NDArray[np.int32]] = []
    stone: list[npt.NDArray[np.int32]] = []
    nodes = 0
    for t in range(board.cells):
        nodes += len(states.stones)
        if nodes > most_nodes:
            raise BoardTooLargeError(
                f"{board}, a strip of a larger one, has more than {most_nodes} states by cell {t} of {board.cells}; "
                "give the search more memory or a smaller board"
            )
        states, free_link, stone_link = decide(states, walk.cell(t), NO_STRIPS, budget=0, scale=0, stone=0)
        free.append(free_link)
        stone.append(stone_link)
    return from_links(free, stone, last=len(states.stones))
