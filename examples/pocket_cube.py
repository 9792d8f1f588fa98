"""The pocket cube, 2 x 2 x 2: all 3,674,160 states, by half turns and by quarter turns.

One corner, at the bottom, the back and the left, stays where it is, so only the faces U, R and F turn. A state is the
place of the seven other corners and the twist of six of them; the last twist follows, since all add up to a multiple of
three. Its number is the rank of the places times 3^6 plus the twists in base three.
"""

from itertools import product

import numpy as np

from boardspace.graphs import Count, Dense, Greatest, LevelCounts, Net, Pieces, Puzzle, SecondRules, cycled, space_of
from boardspace.graphs.ranks import permutation, rank_of, rank_of_twists, twists, word_of
from boardspace_kernels.graph import ranks
from boardspace_kernels.graph.rule import RULE
from boardspace_kernels.jit import kernel

# For each face the place that a corner comes from, and its twist there. Places: URF UFL ULB UBR DFR DLF DRB.
SOURCE = [[3, 0, 1, 2, 4, 5, 6], [4, 1, 2, 0, 6, 5, 3], [1, 5, 2, 3, 0, 4, 6]]
TWIST = [[0, 0, 0, 0, 0, 0, 0], [2, 0, 0, 1, 1, 0, 2], [1, 2, 0, 0, 2, 1, 0]]
SOURCES, TWISTS = (np.array([word_of(face) for face in faces], np.uint64) for faces in (SOURCE, TWIST))
TURNED = np.uint64(3**6)


@kernel
def turns(state, out, step):
    """Write the states after every ``step``-th quarter turn of each face; return their number."""
    order, turned = ranks.unrank_permutation(7, state // TURNED), ranks.unrank_twists(3, 7, state % TURNED)
    found = 0
    for face in range(3):
        there, ways = order, turned
        for quarter in range(1, 4):
            there = ranks.permuted(7, there, SOURCES[face])
            ways = ranks.twisted(3, 7, ranks.permuted(7, ways, SOURCES[face]), TWISTS[face])
            if quarter % step == 1 % step:
                out[found] = ranks.rank_permutation(7, there) * TURNED + ranks.rank_twists(3, 7, ways)
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
COLOURS = {"U": "white", "R": "red", "F": "green", "D": "yellow", "L": "orange", "B": "blue"}
NET = Net(
    "  {0}{1}\n  {2}{3}\n{16}{17}{8}{9}{4}{5}{20}{21}\n{18}{19}{10}{11}{6}{7}{22}{23}\n  {12}{13}\n  {14}{15}", COLOURS
)
CYCLES = {
    "U": [(0, 1, 3, 2), (8, 16, 20, 4), (9, 17, 21, 5)],
    "R": [(4, 5, 7, 6), (9, 1, 22, 13), (11, 3, 20, 15)],
    "F": [(8, 9, 11, 10), (2, 4, 13, 19), (3, 6, 12, 17)],
}
CORNERS = Pieces(
    [(3, 4, 9), (2, 8, 17), (0, 16, 21), (1, 20, 5), (13, 11, 6), (12, 19, 10), (15, 7, 22), (14, 23, 18)],
    "UUUURRRRFFFFDDDDLLLLBBBB",
)


class CubeRules(SecondRules):
    """Turns of stickers; ``quarters`` are those that count as one move, with their signs."""

    def __init__(self, quarters):
        self.quarters = quarters

    def moves(self, size, state):
        """Turns of U, R and F."""
        stickers = self.stickers(state)
        return {
            side + sign: self.state(cycled(stickers, cycles, quarter))
            for (side, cycles), (quarter, sign) in product(CYCLES.items(), self.quarters.items())
        }

    def text(self, size, state):
        """The net of the cube: L, F, R and B in a row, U and D above and below F."""
        return NET.text(self.stickers(state))

    def parse(self, size, text):
        """The state of a net, or of its 24 letters."""
        return self.state(NET.signs(text))

    def svg(self, size, state):
        """The net in the colours of its sides."""
        return NET.svg(self.stickers(state))

    def stickers(self, state):
        """The sides that all stickers are from."""
        rank, rest = divmod(state, 3**6)
        return CORNERS.signs([*permutation(7, rank), 7], [*twists(3, 7, rest), 0])

    def state(self, stickers):
        """The state of such stickers; ValueError where there is none."""
        order, turned = CORNERS.read(stickers)
        state = rank_of(order[:7]) * 3**6 + rank_of_twists(3, turned[:7])
        if self.stickers(state) != stickers:
            raise ValueError("no turns lead there: the corner at the bottom, the back and the left stays, untwisted")
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
