"""Rush Hour on small boards: all of them, with cars of two cells, trucks of three, and a red car that wants out.

Pieces slide along the row or the column in which they lie; the red car lies in a given row, and its exit is at the
right. A line is *arranged*: where each of its pieces stands. A board is the arrangements of its n rows and n columns,
five bits each, the first row highest. Moves never change which pieces a line has, in their order; so the boards whose
rows have given pieces are a class, and the columns' arrangements fit into what the rows leave free, each by itself.
"""

from itertools import combinations, groupby, pairwise, product

import numpy as np
from pydantic import Field

from boardspace.graphs import Closed, Greatest, Puzzle, SecondRules, States, space_of
from boardspace.spec.second_rules import slides, transfer
from boardspace.spec.space import SpaceConfig
from boardspace_kernels.graph.rule import GOAL, RULE
from boardspace_kernels.jit import kernel

LARGEST = 6


def arranged(n, red):
    """All arrangements of a line, as (place, length, is red), by kind; ``red``: one of the cars is the red one."""
    pieces = [(place, length) for length in (2, 3) for place in range(n - length + 1)]
    found = []
    for number in range(n // 2 + 1):
        for some in combinations(sorted(pieces), number):
            if all(a + length <= b for (a, length), (b, _) in pairwise(some)):
                reds = [i for i, (_, length) in enumerate(some) if length == 2] if red else [-1]
                found += [tuple((*piece, i == k) for i, piece in enumerate(some)) for k in reds]
    return sorted(found, key=lambda one: (kind(one), one))


def kind(line):
    """The pieces of an arrangement, in their order, without their places."""
    return tuple(piece[1:] for piece in line)


# Tables by [red, n]: of kinds the first arrangement and the number of them; of arrangements the mask of covered cells,
# where the red car stands, and the moves: arrangement after it, and mask of the cells that the piece comes through.
LINES = [[arranged(n, red) if n > 1 else [] for n in range(LARGEST + 1)] for red in (False, True)]
KINDS = np.zeros((2, LARGEST + 1), np.int64)
FIRST, NUMBER = np.zeros((2, LARGEST + 1, 8), np.int64), np.zeros((2, LARGEST + 1, 8), np.int64)
MASK, RED = np.zeros((2, LARGEST + 1, 32), np.int64), np.zeros((2, LARGEST + 1, 32), np.int64)
MOVES, AFTER, THROUGH = (np.zeros((2, LARGEST + 1, 32, *more), np.int64) for more in ((), (16,), (16,)))
SPREAD = np.array([sum(1 << 6 * cell for cell in range(6) if mask >> cell & 1) for mask in range(64)])
for red, n in product((0, 1), range(2, LARGEST + 1)):
    lines = LINES[red][n]
    for number, (_, same) in enumerate(groupby(lines, kind)):
        some = list(same)
        FIRST[red, n, number], NUMBER[red, n, number] = lines.index(some[0]), len(some)
        KINDS[red, n] = number + 1
    for here, line in enumerate(lines):
        MASK[red, n, here] = sum(1 << place + cell for place, length, _ in line for cell in range(length))
        RED[red, n, here] = next((place for place, _, is_red in line if is_red), -1)
        for there, other in enumerate(lines):
            moved = [pair for pair in zip(line, other, strict=False) if pair[0] != pair[1]]
            if kind(line) == kind(other) and len(moved) == 1:
                (a, length, _), (b, _, _) = moved[0]
                AFTER[red, n, here, MOVES[red, n, here]] = there
                THROUGH[red, n, here, MOVES[red, n, here]] = sum(1 << i for i in range(min(a, b), max(a, b) + length))
                MOVES[red, n, here] += 1


@kernel
def line_of(size, state, line):
    """Arrangement of a line: rows first, then columns."""
    return np.int64(state >> np.uint64(5 * (2 * size[0] - 1 - line)) & np.uint64(31))


@kernel(RULE)
def step(size, state, out):
    """Slide one piece along its line, any number of cells."""
    n, found = size[0], 0
    in_rows, in_columns = 0, 0  # cells that pieces of the other direction cover, six bits a line
    for line in range(2 * n):
        spread = SPREAD[MASK[np.int64(line == size[1]), n, line_of(size, state, line)]]
        if line < n:
            in_columns |= spread << line
        else:
            in_rows |= spread << (line - n)
    for line in range(2 * n):
        red, here = np.int64(line == size[1]), line_of(size, state, line)
        at, covered = np.uint64(5 * (2 * n - 1 - line)), in_rows if line < n else in_columns
        covered = covered >> 6 * (line % n) & 63
        for move in range(MOVES[red, n, here]):
            if THROUGH[red, n, here, move] & covered == 0:
                out[found] = state ^ np.uint64(here ^ AFTER[red, n, here, move]) << at
                found += 1
    return found


@kernel(GOAL)
def is_out(size, state):
    """The red car stands at the exit."""
    return RED[1, size[0], line_of(size, state, size[1])] == size[0] - 2


@kernel(RULE)
def place(size, label, out):
    """All boards whose rows have the pieces that a label names, ascending; the last row's kind is its last digit."""
    n, found = size[0], 0
    first, number, turn = np.zeros(LARGEST, np.int64), np.zeros(LARGEST, np.int64), np.zeros(LARGEST, np.int64)
    rest = np.int64(label)
    for row in range(n - 1, -1, -1):
        red = np.int64(row == size[1])
        first[row], number[row] = FIRST[red, n, rest % KINDS[red, n]], NUMBER[red, n, rest % KINDS[red, n]]
        rest //= KINDS[red, n]
    fitting = np.zeros((LARGEST, 32), np.int64)
    many, chosen = np.zeros(LARGEST, np.int64), np.zeros(LARGEST, np.int64)
    while True:
        rows = np.uint64(0)
        for row in range(n):
            rows = rows << np.uint64(5) | np.uint64(first[row] + turn[row])
        for column in range(n):
            blocked, many[column], chosen[column] = 0, 0, 0
            for row in range(n):
                mask = MASK[np.int64(row == size[1]), n, first[row] + turn[row]]
                blocked |= (mask >> column & 1) << row
            for line in range(FIRST[0, n, KINDS[0, n] - 1] + NUMBER[0, n, KINDS[0, n] - 1]):
                if MASK[0, n, line] & blocked == 0:
                    fitting[column, many[column]] = line
                    many[column] += 1
        last = n - 1
        while last >= 0:
            if found < len(out):
                board = rows
                for column in range(n):
                    board = board << np.uint64(5) | np.uint64(fitting[column, chosen[column]])
                out[found] = board
            found += 1
            last = n - 1
            while last >= 0 and chosen[last] == many[last] - 1:
                chosen[last] = 0
                last -= 1
            if last >= 0:
                chosen[last] += 1
        row = n - 1
        while row >= 0 and turn[row] == number[row] - 1:
            turn[row] = 0
            row -= 1
        if row < 0:
            return found
        turn[row] += 1


class RushHourRules(SecondRules):
    """Pieces in a square of letters: A is the red car, the others have letters in reading order."""

    def moves(self, size, state):
        """Slides, named by the piece's letter and the cells it goes: right and down are +."""
        after = slides(tuple(self.text(size, state).split("\n")))
        return {
            name: self.parse(size, "\n".join(rows)) for name, rows in sorted(after.items(), key=lambda one: one[0][0])
        }

    def solved(self, size, state):
        """The red car stands at the exit."""
        return self.text(size, state).split("\n")[size["row"]].endswith("A")

    def text(self, size, state):
        """The board, in letters."""
        n, pieces = size["n"], []
        for line in range(2 * n):
            for start, length, red in LINES[line == size["row"]][n][state >> 5 * (2 * n - 1 - line) & 31]:
                cells = [(line, start + i) if line < n else (start + i, line - n) for i in range(length)]
                pieces.append((not red, cells))
        grid = dict.fromkeys(product(range(n), repeat=2), ".")
        for letter, (_, cells) in zip("ABCDEFGHIJKLMNOPQRSTUVWXYZ", sorted(pieces), strict=False):
            grid |= dict.fromkeys(cells, letter)
        return "\n".join("".join(grid[r, c] for c in range(n)) for r in range(n))

    def parse(self, size, text):
        """The state of a board in any letters; A is the red car, a dot is empty."""
        grid, n = text.strip().split("\n"), size["n"]
        if [len(line) for line in grid] != [n] * n:
            raise ValueError(f"{n} lines of {n} cells are wanted")
        pieces = {}
        for cell, letter in zip(product(range(n), repeat=2), "".join(grid), strict=True):
            pieces.setdefault(letter, []).append(cell)
        pieces.pop(".", None)
        found = [[] for _ in range(2 * n)]
        for letter, cells in pieces.items():
            (r, c), length = cells[0], len(cells)
            if length > 3 or cells not in ([(r, c + i) for i in range(length)], [(r + i, c) for i in range(length)]):
                raise ValueError(f"{letter} is no car of two cells and no truck of three")
            across = length > 1 and cells[1][0] == r
            found[r if across else n + c].append((c if across else r, length, letter == "A"))
        try:
            lines = [LINES[i == size["row"]][n].index(tuple(sorted(line))) for i, line in enumerate(found)]
        except ValueError:
            raise ValueError(f"a red car A is wanted in row {size['row'] + 1}, cars and trucks elsewhere") from None
        return sum(line << 5 * (2 * n - 1 - i) for i, line in enumerate(lines))

    def count(self, size):
        """The number of all boards, row by row: what matters is how far the pieces in columns go on below."""
        n = size["n"]

        def ways(row, down):
            for line in LINES[row == size["row"]][n]:
                across = {place + cell for place, length, _ in line for cell in range(length)}
                if not any(down[column] for column in across):
                    free = [rest for rest in range(3) if row + rest < n]
                    below = ([rest - 1] if rest else [0] if c in across else free for c, rest in enumerate(down))
                    yield from ((one, 1) for one in product(*below))

        return transfer((0,) * n, range(n), ways)[(0,) * n]


class RushHourConfig(SpaceConfig):
    """The ``[rush_hour_5]`` section."""

    boards: tuple[tuple[int, int], ...] = Field(
        ((3, 1), (4, 1), (5, 2)), min_length=1, description="cells of a side, and row of the red car, from 0"
    )


SOURCE = "counted by transfer over cells, in the notes on graphs of this project"
RUSH_HOUR = Puzzle(
    name="rush_hour_5",
    title="Rush Hour up to 5 x 5",
    doc="All boards of Rush Hour up to 5 x 5 cells, by the fewest steps that bring the red car to the exit.",
    moves={"step": step},
    most_moves=lambda size: 4 * size["n"] * size["n"] // 2,
    rules=RushHourRules(),
    states=Closed(
        labels=lambda size: int(KINDS[0, size["n"]]) ** (size["n"] - 1) * int(KINDS[1, size["n"]]),
        place=place,
        goal=is_out,
        count=RushHourRules().count,
    ),
    undirected=True,
    config=RushHourConfig,
    sizes=lambda config: [{"n": n, "row": row} for n, row in config.boards],
    claims={
        "boards_4": States(13_909, SOURCE, size={"n": 4, "row": 1}),
        "boards_5": States(11_889_592, SOURCE, size={"n": 5, "row": 2}),
        "hardest_4": Greatest(7, "the former tutorial of boardspace", size={"n": 4, "row": 1}),
    },
)
SPACE, COMMANDS = space_of(RUSH_HOUR, __file__)
