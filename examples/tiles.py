"""Sliding tiles: a frame of rows x columns cells, all but one of them with a numbered tile.

A state is the cell of the hole and the order of the tiles, read line by line without the hole. A slide along a row
leaves this order as it is; a slide along a column takes a tile past columns - 1 others. So the row of the hole says
whether the order is even or odd, and its number is that of the hole times (cells - 1)! / 2 plus the rank of the order
among those of its parity. The start has the hole last.
"""

from math import factorial
from typing import Literal

import numpy as np
from pydantic import Field

from boardspace.graphs import Count, Dense, Greatest, Puzzle, SecondRules, space_of
from boardspace.graphs.ranks import permutation_of_parity, rank_of
from boardspace.spec.space import SpaceConfig
from boardspace_kernels.graph.ranks import nibble, put_in, rank_of_parity, taken_out, unrank_of_parity
from boardspace_kernels.graph.rule import RULE
from boardspace_kernels.jit import kernel


@kernel
def slides(size, state, out, most):
    """Write the states after slides of up to ``most`` tiles; return their number."""
    rows, columns = size[0], size[1]
    tiles = rows * columns - 1
    orders = np.uint64(1)
    for factor in range(3, tiles + 1):
        orders *= np.uint64(factor)
    hole, rank = np.int64(state // orders), state % orders
    row, column = hole // columns, hole % columns
    found = 0
    for place in range(max(0, column - most), min(columns, column + most + 1)):
        if place != column:
            out[found] = np.uint64(row * columns + place) * orders + rank
            found += 1
    odd = columns % 2 == 0 and (rows - 1 - row) % 2 == 1
    order = unrank_of_parity(tiles, rank, odd)
    for way in (-1, 1):
        now, at = order, hole
        for step in range(1, most + 1):
            if not 0 <= row + way * step < rows:
                break
            source = at - columns if way < 0 else at + columns - 1
            tile = nibble(now, source)
            now = put_in(taken_out(now, source), at - 1 if way < 0 else at, tile)
            at += way * columns
            out[found] = np.uint64(at) * orders + rank_of_parity(tiles, now)
            found += 1
    return found


@kernel(RULE)
def slide(size, state, out):
    """One tile goes into the hole."""
    return slides(size, state, out, 1)


@kernel(RULE)
def line(size, state, out):
    """Any number of tiles in a line go one cell towards the hole."""
    return slides(size, state, out, max(size[0], size[1]) - 1)


class TileRules(SecondRules):
    """Tiles in a list of cells, the hole 0; ``lines`` says whether several tiles may go at a time."""

    def __init__(self, lines):
        self.lines = lines

    def moves(self, size, state):
        """Slides, named by the way of the tiles and, if there are several, their number."""
        rows, columns = size["rows"], size["columns"]
        cells, found = self.cells(size, state), {}
        row, column = divmod(cells.index(0), columns)
        for name, down, right in (("down", -1, 0), ("up", 1, 0), ("right", 0, -1), ("left", 0, 1)):
            now, r, c, number = list(cells), row, column, 0
            while 0 <= r + down < rows and 0 <= c + right < columns and (self.lines or not number):
                here, there = r * columns + c, (r + down) * columns + c + right
                now[here], now[there] = now[there], now[here]
                r, c, number = r + down, c + right, number + 1
                found[f"{name} {number}" if self.lines else name] = self.state(size, now)
        return found

    def text(self, size, state):
        """The cells, line by line; a dot is the hole."""
        words = [str(tile or ".").rjust(2) for tile in self.cells(size, state)]
        return "\n".join(" ".join(words[i : i + size["columns"]]) for i in range(0, len(words), size["columns"]))

    def parse(self, size, text):
        """The state of such lines."""
        cells = [0 if word == "." else int(word) for word in text.split()]
        if sorted(cells) != [*range(size["rows"] * size["columns"])]:
            raise ValueError(f"the numbers 1 to {size['rows'] * size['columns'] - 1} and one dot are wanted")
        state = self.state(size, cells)
        if self.cells(size, state) != cells:
            raise ValueError("no slides lead from there to the order of the start: two tiles are exchanged")
        return state

    def half(self, size):
        """How many orders of the tiles have one parity."""
        return factorial(size["rows"] * size["columns"] - 1) // 2

    def cells(self, size, state):
        """The list of a state."""
        hole, rank = divmod(state, self.half(size))
        odd = size["columns"] % 2 == 0 and (size["rows"] - 1 - hole // size["columns"]) % 2 == 1
        order = [one + 1 for one in permutation_of_parity(size["rows"] * size["columns"] - 1, rank, odd)]
        return [*order[:hole], 0, *order[hole:]]

    def state(self, size, cells):
        """The state of a list."""
        return cells.index(0) * self.half(size) + rank_of([tile for tile in cells if tile]) // 2


class TilesConfig(SpaceConfig):
    """The ``[tiles]`` section."""

    frames: tuple[tuple[int, int], ...] = Field(
        ((2, 2), (2, 3), (2, 4), (3, 3)), min_length=1, description="rows and columns of each frame, 4 to 13 cells"
    )
    metrics: tuple[Literal["line", "slide"], ...] = Field(
        ("line", "slide"), min_length=1, description="what counts as one move"
    )


def sizes(frames):
    """The sizes of frames."""
    return [{"rows": rows, "columns": columns} for rows, columns in frames]


OEIS = "OEIS A151944, the most slides that a frame needs"
FARTHEST = {(2, 2): 6, (2, 3): 21, (2, 4): 36, (3, 3): 31, (3, 4): 53}
TILES = Puzzle(
    name="tiles",
    title="Sliding tiles",
    doc="All states of sliding tiles that can be reached, by the fewest slides from the start.",
    moves={"slide": slide, "line": line},
    most_moves=lambda size: max(4, size["rows"] + size["columns"] - 2),
    rules={"slide": TileRules(False), "line": TileRules(True)},
    states=Dense(
        count=lambda size: factorial(size["rows"] * size["columns"]) // 2,
        start=lambda size: factorial(size["rows"] * size["columns"]) // 2 - TileRules(False).half(size),
    ),
    undirected=True,
    config=TilesConfig,
    metrics=lambda config: config.metrics,
    sizes=lambda config: sizes(config.frames),
    whole=sizes(FARTHEST),
    claims={
        f"slides_{rows}x{columns}": Greatest(most, OEIS, metric="slide", size={"rows": rows, "columns": columns})
        for (rows, columns), most in FARTHEST.items()
    }
    | {
        "farthest_3x3": Count(
            2, "A. Reinefeld 1993, on the eight puzzle", moves=31, metric="slide", size={"rows": 3, "columns": 3}
        )
    },
)
SPACE, COMMANDS = space_of(TILES, __file__)
