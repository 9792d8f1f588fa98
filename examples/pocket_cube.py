"""The pocket cube, 2 x 2 x 2: all 3,674,160 states, by half turns and by quarter turns.

One corner, at the bottom, the back and the left, stays where it is, so only the faces U, R and F turn. A state is the
place of the seven other corners and the twist of six of them; the last twist follows, since all add up to a multiple of
three. Its number is the rank of the places times 3^6 plus the twists in base three.
"""

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
    twists, total = np.uint64(0), np.uint64(0)
    for corner in range(6):
        twists |= rest % np.uint64(3) << np.uint64(4 * corner)
        total += rest % np.uint64(3)
        rest //= np.uint64(3)
    twists |= (np.uint64(18) - total) % np.uint64(3) << np.uint64(24)
    found = 0
    for face in range(3):
        now, twisted = places, twists
        for quarter in range(1, 4):
            moved, turned = np.uint64(0), np.uint64(0)
            for place in range(7):
                source, at = SOURCE[face, place], np.uint64(4 * place)
                moved |= np.uint64(nibble(now, source)) << at
                turned |= np.uint64((nibble(twisted, source) + TWIST[face, place]) % 3) << at
            now, twisted = moved, turned
            if quarter % step == 1 % step:
                number = np.uint64(0)
                for corner in range(5, -1, -1):
                    number = number * np.uint64(3) + np.uint64(nibble(twisted, corner))
                out[found] = rank_permutation(7, now) * np.uint64(729) + number
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


# The second rules turn stickers in space: a sticker is the place of its corner, and the direction that it looks in.
DIRECTION = {"U": (0, 1, 0), "R": (1, 0, 0), "F": (0, 0, 1), "D": (0, -1, 0), "L": (-1, 0, 0), "B": (0, 0, -1)}
CORNERS = ("URF", "UFL", "ULB", "UBR", "DFR", "DLF", "DRB", "DBL")
"""The sides of each corner, clockwise from the top or the bottom; the last corner stays."""
NET = ("  UU", "  UU", "LLFFRRBB", "LLFFRRBB", "  DD", "  DD")
AXES = {"U": "RF", "D": "RB", "F": "RD", "R": "BD", "B": "LD", "L": "FD"}
"""In which directions the columns and the rows of a side in the net go on."""


def total(*vectors):
    """The sum of vectors."""
    return tuple(map(sum, zip(*vectors, strict=True)))


def turned(vector, axis):
    """A vector after a quarter turn, clockwise for who looks at the side from outside."""
    (a, b, c), (x, y, z) = axis, vector
    along = a * x + b * y + c * z
    return a * along - (b * z - c * y), b * along - (c * x - a * z), c * along - (a * y - b * x)


def net_places():
    """Row, column and sticker of every cell of the net."""
    seen = dict.fromkeys(DIRECTION, 0)
    for row, line in enumerate(NET):
        for column, side in enumerate(line):
            if side != " ":
                down, right = divmod(seen[side], 2)
                seen[side] += 1
                steps = [
                    DIRECTION[way] for way, on in zip(AXES[side], (right, down), strict=True) for _ in range(2 * on)
                ]
                back = [tuple(-x for x in DIRECTION[way]) for way in AXES[side]]
                yield row, column, (total(DIRECTION[side], *back, *steps), DIRECTION[side])


def stickers(corner):
    """The stickers of the corner at a place."""
    place = total(*(DIRECTION[side] for side in corner))
    return [(place, DIRECTION[side]) for side in corner]


class CubeRules(SecondRules):
    """Turns of stickers in space; ``quarters`` are the turns that count as one move, with their signs."""

    def __init__(self, quarters):
        self.quarters = quarters

    def moves(self, size, state):
        """Turns of U, R and F."""
        found, colours = {}, colours_of(state)
        for side in "URF":
            axis, now = DIRECTION[side], colours
            for quarter in (1, 2, 3):
                here = {one for one in now if sum(map(int.__mul__, one[0], axis)) == 1}
                now = now | {(turned(one[0], axis), turned(one[1], axis)): now[one] for one in here}
                if quarter in self.quarters:
                    found[side + self.quarters[quarter]] = state_of(now)
        return found

    def text(self, size, state):
        """The net of the cube."""
        lines, colours = [[" "] * len(line) for line in NET], colours_of(state)
        for row, column, sticker in net_places():
            lines[row][column] = colours[sticker]
        return "\n".join(map("".join, lines))

    def parse(self, size, text):
        """The state of a net."""
        lines = [line.rstrip() for line in text.strip("\n").split("\n")]
        if [len(line) for line in lines] != [len(line) for line in NET]:
            raise ValueError(f"a net has the form {NET}")
        return state_of({sticker: lines[row][column] for row, column, sticker in net_places()})


def colours_of(state):
    """The colour of every sticker, named by the side where it belongs."""
    rank, rest = divmod(state, 729)
    twists = [rest // 3**corner % 3 for corner in range(6)]
    twists += [-sum(twists) % 3, 0]
    found = {}
    for place, (corner, twist) in enumerate(zip([*permutation(7, rank), 7], twists, strict=True)):
        for side in range(3):
            found[stickers(CORNERS[place])[(side + twist) % 3]] = CORNERS[corner][side]
    return found


def state_of(colours):
    """The state of the colours of all stickers; ValueError where there is none."""
    corners, number = [], 0
    for place, name in enumerate(CORNERS):
        seen = [colours[sticker] for sticker in stickers(name)]
        twist = next((at for at, colour in enumerate(seen) if colour in "UD"), 0)
        corners.append("".join(seen[twist:] + seen[:twist]))
        number += twist * 3**place if place < 6 else 0
    if sorted(corners) != sorted(CORNERS) or corners[7] != CORNERS[7] or corners[:7].count(CORNERS[7]):
        raise ValueError(f"the corners {', '.join(corners)} are not those of a cube whose corner DBL stays")
    state = rank_of([CORNERS.index(corner) for corner in corners[:7]]) * 729 + number
    if colours_of(state) != colours:
        raise ValueError("its last corner is twisted as no turns can do it")
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
    rules={
        "half_turn": CubeRules({1: "", 2: "2", 3: "'"}),
        "quarter_turn": CubeRules({1: "", 3: "'"}),
    },
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
