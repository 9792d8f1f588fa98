"""The pocket cube, 2 x 2 x 2: all 3,674,160 states, by half turns and by quarter turns.

One corner, at the bottom, the back and the left, stays where it is, so only the faces U, R and F turn. A state is the
place of the seven other corners and the twist of six of them; the last twist follows, since all add up to a multiple of
three. Its number is the rank of the places times 3^6 plus the twists in base three.
"""

from itertools import product

import numpy as np

from boardspace.graphs import Count, Dense, Greatest, LevelCounts, Puzzle, SecondRules, space_of
from boardspace.graphs.ranks import permutation, rank_of
from boardspace_kernels.graph.ranks import nibble, rank_permutation, unrank_permutation
from boardspace_kernels.graph.rule import RULE
from boardspace_kernels.jit import kernel

# For each face the place that a corner comes from, and its twist there. Places: URF UFL ULB UBR DFR DLF DRB.
SOURCE = np.array([[3, 0, 1, 2, 4, 5, 6], [4, 1, 2, 0, 6, 5, 3], [1, 5, 2, 3, 0, 4, 6]])
TWIST = np.array([[0, 0, 0, 0, 0, 0, 0], [2, 0, 0, 1, 1, 0, 2], [1, 2, 0, 0, 2, 1, 0]])


@kernel
def turns(state, out, step):
    """Write the states after every ``step``-th quarter turn of each face; return their number."""
    places, rest = unrank_permutation(7, state // np.uint64(729)), state % np.uint64(729)
    twists, last = np.uint64(0), np.uint64(18)
    for corner in range(6):
        twists |= rest % np.uint64(3) << np.uint64(4 * corner)
        last -= rest % np.uint64(3)
        rest //= np.uint64(3)
    twists |= last % np.uint64(3) << np.uint64(24)
    found = 0
    for face in range(3):
        now, twisted = places, twists
        for quarter in range(1, 4):
            moved, turned, number = np.uint64(0), np.uint64(0), np.uint64(0)
            for place in range(6, -1, -1):
                source, at = SOURCE[face, place], np.uint64(4 * place)
                twist = np.uint64((nibble(twisted, source) + TWIST[face, place]) % 3)
                moved |= np.uint64(nibble(now, source)) << at
                turned |= twist << at
                number = number * np.uint64(3) + twist
            now, twisted = moved, turned
            if quarter % step == 1 % step:
                out[found] = rank_permutation(7, now) * np.uint64(729) + number % np.uint64(729)
                found += 1
    return found


@kernel(RULE)
def half_turn(size, state, out):
    """All turns of a face count as one move."""
    return turns(state, out, 1)


@kernel(RULE)
def quarter_turn(size, state, out):
    """A quarter turn either way counts as one move."""
    return turns(state, out, 2)


# The second rules know stickers alone: four of each side, numbered U 0-3, R 4-7, F 8-11, D 12-15, L 16-19, B 20-23.
SOLVED = "UUUURRRRFFFFDDDDLLLLBBBB"
NET = "  {0}{1}\n  {2}{3}\n{16}{17}{8}{9}{4}{5}{20}{21}\n{18}{19}{10}{11}{6}{7}{22}{23}\n  {12}{13}\n  {14}{15}"
READ = [0, 1, 2, 3, 16, 17, 8, 9, 4, 5, 20, 21, 18, 19, 10, 11, 6, 7, 22, 23, 12, 13, 14, 15]
CYCLES = {
    "U": [(0, 1, 3, 2), (8, 16, 20, 4), (9, 17, 21, 5)],
    "R": [(4, 5, 7, 6), (9, 1, 22, 13), (11, 3, 20, 15)],
    "F": [(8, 9, 11, 10), (2, 4, 13, 19), (3, 6, 12, 17)],
}
CORNERS = [(3, 4, 9), (2, 8, 17), (0, 16, 21), (1, 20, 5), (13, 11, 6), (12, 19, 10), (15, 7, 22), (14, 23, 18)]
NAMES = ["".join(SOLVED[sticker] for sticker in corner) for corner in CORNERS]


class CubeRules(SecondRules):
    """Turns of stickers; ``quarters`` are those that count as one move, with their signs."""

    def __init__(self, quarters):
        self.quarters = quarters

    def moves(self, size, state):
        """Turns of U, R and F."""
        found, now = {}, self.stickers(state)
        for (side, cycles), (quarter, sign) in product(CYCLES.items(), self.quarters.items()):
            turned = list(now)
            for cycle in cycles:
                for place, sticker in enumerate(cycle):
                    turned[sticker] = now[cycle[place - quarter]]
            found[side + sign] = self.state(turned)
        return found

    def text(self, size, state):
        """The net of the cube: L, F, R and B in a row, U and D above and below F."""
        return NET.format(*self.stickers(state))

    def parse(self, size, text):
        """The state of a net, or of its 24 letters."""
        letters = "".join(text.split())
        if len(letters) != 24:
            raise ValueError(f"24 letters are wanted, as in\n{NET.format(*SOLVED)}")
        return self.state([letters[READ.index(sticker)] for sticker in range(24)])

    def stickers(self, state):
        """The colours of all stickers."""
        rank, rest = divmod(state, 729)
        twists, found = [rest // 3**corner % 3 for corner in range(6)], [""] * 24
        for place, twist in enumerate([*twists, -sum(twists) % 3, 0]):
            for side, colour in enumerate(NAMES[[*permutation(7, rank), 7][place]]):
                found[CORNERS[place][(side + twist) % 3]] = colour
        return found

    def state(self, stickers):
        """The state of such colours; ValueError where there is none."""
        corners, number = [], 0
        for place, corner in enumerate(CORNERS):
            name = "".join(stickers[sticker] for sticker in corner)
            twist = next((side for side in range(3) if name[side] in "UD"), 0)
            corners.append(name[twist:] + name[:twist])
            number += twist * 3**place
        ranked = [NAMES.index(corner) for corner in corners[:7]] if sorted(corners) == sorted(NAMES) else [*range(7)]
        state = rank_of(ranked) * 729 + number % 729
        if self.stickers(state) != stickers:
            raise ValueError(f"no turns bring the corners {', '.join(corners)} there")
        return state


JAAP = "J. Scherphuis, Mini Cube, the 2x2x2 Rubik's Cube"
HALF = [1, 9, 54, 321, 1847, 9992, 50136, 227536, 870072, 1887748, 623800, 2644]
QUARTER = [1, 6, 27, 120, 534, 2256, 8969, 33058, 114149, 360508, 930588, 1350852, 782536, 90280, 276]
CUBE = Puzzle(
    name="pocket_cube",
    title="The pocket cube",
    doc="All states of the 2 x 2 x 2 cube, one corner of which stays, by the fewest turns from the solved one.",
    moves={"half_turn": half_turn, "quarter_turn": quarter_turn},
    most_moves=lambda size: 9,
    rules={"half_turn": CubeRules({1: "", 2: "2", 3: "'"}), "quarter_turn": CubeRules({1: "", 3: "'"})},
    states=Dense(count=lambda size: 3_674_160),
    undirected=True,
    claims={
        "half_turns": LevelCounts(HALF, JAAP, metric="half_turn"),
        "quarter_turns": LevelCounts(QUARTER, JAAP, metric="quarter_turn"),
        "half_turns_at_most": Greatest(11, JAAP, metric="half_turn"),
        "quarter_turns_at_most": Greatest(14, JAAP, metric="quarter_turn"),
        "all": Count(3_674_160, JAAP, metric="half_turn"),
    },
)
SPACE, COMMANDS = space_of(CUBE, __file__)
