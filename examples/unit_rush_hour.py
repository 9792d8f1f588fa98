"""Unit Rush Hour, or OriMaze: every car has one cell, and moves along its row or along its column.

All cells of a square hold a car but for some voids. A car that moves along its row wants out: a board is solved when
such a car stands at the left end of a given row. That is the first car of this row which moves along it, as cars never
pass each other.

A state has two bits for each cell, the first cell highest: 0 is a void, 1 a car that moves along its row, 2 one that
moves along its column. Rows keep their cars of the first kind, so the numbers of these name a class.
"""

from math import comb

import numpy as np
from pydantic import Field, field_validator

from boardspace.graphs import Closed, Greatest, Puzzle, SecondRules, space_of
from boardspace.spec.space import SpaceConfig
from boardspace_kernels.graph.rule import GOAL, RULE
from boardspace_kernels.jit import kernel

LARGEST = 5
SIGNS = ".-|"


@kernel
def car(cells, state, cell):
    """The sign of a cell: 0, 1 or 2."""
    return np.int64(state >> np.uint64(2 * (cells - 1 - cell)) & np.uint64(3))


@kernel
def moved(size, state, out, farthest):
    """Write the states after every move of a car by up to ``farthest`` cells; return their number."""
    n, found = size[0], 0
    for cell in range(n * n):
        kind = car(n * n, state, cell)
        if kind == 0:
            continue
        apart, place = (1, cell % n) if kind == 1 else (n, cell // n)
        for sign in (-1, 1):
            free = place if sign < 0 else n - 1 - place
            for far in range(1, min(free, farthest) + 1):
                there = cell + sign * far * apart
                if car(n * n, state, there) != 0:
                    break
                changed = np.uint64(1) << np.uint64(2 * (n * n - 1 - cell))
                changed |= np.uint64(1) << np.uint64(2 * (n * n - 1 - there))
                out[found] = state ^ changed * np.uint64(kind)
                found += 1
    return found


@kernel(RULE)
def step(size, state, out):
    """Move a car any number of cells."""
    return moved(size, state, out, size[0])


@kernel(RULE)
def unit_move(size, state, out):
    """Move a car by one cell."""
    return moved(size, state, out, 1)


@kernel(GOAL)
def is_out(size, state):
    """A car that moves along the given row stands at its left end."""
    return car(size[0] * size[0], state, size[0] * size[2]) == 1


@kernel(RULE)
def place(size, label, out):
    """All boards whose rows have as many cars that move along them as the label says, ascending.

    The last row's number is the label's last digit, in base n + 1.
    """
    n, found = size[0], 0
    across, rest = np.zeros(LARGEST, np.int64), np.int64(label)
    for row in range(n - 1, -1, -1):
        across[row] = rest % (n + 1)
        rest //= n + 1
    left = np.array([size[1], 0, n * n - size[1] - across.sum()])  # of voids, and of cars that move along columns
    if left[2] < 0:
        return 0
    state, cell = np.uint64(0), 0
    chosen = np.full(LARGEST * LARGEST, -1)
    while cell >= 0:
        row, after = cell // n, n - 1 - cell % n  # cells of the row after this one
        last = chosen[cell]
        if last == 1:
            across[row] += 1
        elif last >= 0:
            left[last] += 1
        kind = last + 1
        # Cars along the row that are left fit into the rest of it; all other numbers fit by themselves.
        while kind < 3 and not (across[row] > 0 if kind == 1 else left[kind] > 0 and across[row] <= after):
            kind += 1
        bits = np.uint64(2 * (n * n - 1 - cell))
        state &= ~(np.uint64(3) << bits)
        if kind == 3:
            chosen[cell] = -1
            cell -= 1
            continue
        chosen[cell] = kind
        state |= np.uint64(kind) << bits
        if kind == 1:
            across[row] -= 1
        else:
            left[kind] -= 1
        if cell < n * n - 1:
            cell += 1
        else:
            if found < len(out):
                out[found] = state
            found += 1
    return found


class UnitRules(SecondRules):
    """Boards in lines of signs: a dot is a void, - a car that moves along its row, | one along its column."""

    def __init__(self, farthest):
        self.farthest = farthest

    def moves(self, size, state):
        """Moves, named by column and row, the way (l, r, u, d), and the cells if more than one: c2l is at the top."""
        lines, found = self.text(size, state).split("\n"), {}
        for row, line in enumerate(lines):
            for column, sign in enumerate(line):
                for way, (down, right) in {"-": {"l": (0, -1), "r": (0, 1)}, "|": {"u": (-1, 0), "d": (1, 0)}}.get(
                    sign, {}
                ).items():
                    for far in range(1, self.farthest + 1):
                        r, c = row + far * down, column + far * right
                        if not (0 <= r < len(lines) and 0 <= c < len(lines)) or lines[r][c] != ".":
                            break
                        board = [list(old) for old in lines]
                        board[row][column], board[r][c] = ".", sign
                        name = f"{chr(97 + column)}{row + 1}{way}{far if far > 1 else ''}"
                        found[name] = self.parse(size, "\n".join(map("".join, board)))
        return found

    def solved(self, size, state):
        """The row's first sign is -."""
        return self.text(size, state).split("\n")[size["row"]].startswith("-")

    def text(self, size, state):
        """A line for each row."""
        n = size["n"]
        signs = "".join(SIGNS[state >> 2 * place & 3] for place in range(n * n - 1, -1, -1))
        return "\n".join(signs[row * n : row * n + n] for row in range(n))

    def parse(self, size, text):
        """The state of such lines."""
        lines = text.strip().split("\n")
        if [len(line) for line in lines] != [size["n"]] * size["n"] or set("".join(lines)) - set(SIGNS):
            raise ValueError(f"{size['n']} lines of {size['n']} signs are wanted, each one of {SIGNS}")
        if text.count(".") != size["voids"]:
            raise ValueError(f"{size['voids']} voids are wanted, the board has {text.count('.')}")
        return int("".join(str(SIGNS.index(sign)) for sign in "".join(lines)), 4)


class UnitConfig(SpaceConfig):
    """The ``[unit_rush_hour]`` section."""

    side: int = Field(3, ge=2, le=LARGEST, description="all numbers of voids on squares of 2 x 2 cells up to this side")
    boards: tuple[tuple[int, int, int], ...] = Field(
        (), description="and these: cells of a side, voids, and the row with the exit, from 0"
    )

    @field_validator("boards")
    @classmethod
    def _boards_exist(cls, boards):
        for n, voids, row in boards:
            if not (2 <= n <= LARGEST and 1 <= voids < n * n and 0 <= row < n):
                raise ValueError(
                    f"[{n}, {voids}, {row}]; sides are 2 to {LARGEST}, voids 1 to n^2 - 1, rows 0 to n - 1"
                )
        return boards


def sizes(config):
    """Rows below the middle mirror those above."""
    small = [(n, k, row) for n in range(2, config.side + 1) for k in range(1, n * n) for row in range((n + 1) // 2)]
    return [dict(zip(("n", "voids", "row"), one, strict=True)) for one in sorted({*small, *config.boards})]


TROMP = "J. Tromp, R. Cilibrasi 2005, Limits of Rush Hour Logic Complexity"
UNIT_RUSH_HOUR = Puzzle(
    name="unit_rush_hour",
    title="Unit Rush Hour",
    doc="All boards of Rush Hour with cars of one cell, by the fewest moves that bring a car to the exit.",
    moves={"step": step, "unit_move": unit_move},
    most_moves=lambda size: 4 * size["voids"],
    rules={"step": UnitRules(LARGEST), "unit_move": UnitRules(1)},
    states=Closed(
        labels=lambda size: (size["n"] + 1) ** size["n"],
        place=place,
        goal=is_out,
        count=lambda size: comb(size["n"] ** 2, size["voids"]) << size["n"] ** 2 - size["voids"],
    ),
    undirected=True,
    config=UnitConfig,
    sizes=sizes,
    claims={
        f"hardest_{n}": Greatest(moves, TROMP, metric="unit_move", size={"n": n, "voids": 1, "row": row})
        for n, moves, row in ((2, 3, 0), (3, 12, 0), (4, 40, 1))
    },
)
SPACE, COMMANDS = space_of(UNIT_RUSH_HOUR, __file__)
