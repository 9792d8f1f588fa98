"""Pegs in a row: a peg jumps over the one beside it into a hole, and takes it away; one peg is to be left.

A state has a bit for each peg, the leftmost lowest. At first one place is free, any one. Jumps cannot be taken back,
and a row looks the same from both sides.
"""

import numpy as np
from pydantic import Field

from boardspace.graphs import Puzzle, SecondRules, Sparse, ToGoal, space_of
from boardspace.spec.space import SpaceConfig
from boardspace_kernels.graph.rule import GOAL, RULE
from boardspace_kernels.jit import kernel


@kernel
def changed(size, state, out, right, left):
    """Write the states where three places that are ``right``, or ``left``, are the other way round."""
    found = 0
    for place in range(size[0] - 2):
        three = state >> np.uint64(place) & np.uint64(7)
        if three == np.uint64(right) or three == np.uint64(left):
            out[found] = state ^ np.uint64(7) << np.uint64(place)
            found += 1
    return found


@kernel(RULE)
def jump(size, state, out):
    """Two pegs and a hole become two holes and a peg; size: (places)."""
    return changed(size, state, out, 0b011, 0b110)


@kernel(RULE)
def jump_back(size, state, out):
    """The states that a jump leads from to this one."""
    return changed(size, state, out, 0b100, 0b001)


@kernel(GOAL)
def is_done(size, state):
    """One peg is left."""
    return state & (state - np.uint64(1)) == np.uint64(0)


@kernel(RULE)
def images(size, state, out):
    """The row, and its mirror image."""
    out[0], out[1] = state, np.uint64(0)
    for place in range(size[0]):
        out[1] |= (state >> np.uint64(place) & np.uint64(1)) << np.uint64(size[0] - 1 - place)
    return 2


class PegRules(SecondRules):
    """Rows as texts of o and dots."""

    def moves(self, size, state):
        """Jumps, named by the places from and to, from 1."""
        row, found = self.text(size, state), {}
        for place in range(len(row) - 2):
            three = row[place : place + 3]
            if three in ("oo.", ".oo"):
                way = (place + 1, place + 3) if three == "oo." else (place + 3, place + 1)
                after = row[:place] + three.translate({ord("o"): ".", ord("."): "o"}) + row[place + 3 :]
                found["{}>{}".format(*way)] = self.parse(size, after)
        return found

    def solved(self, size, state):
        """One peg is left."""
        return self.text(size, state).count("o") == 1

    def images(self, size, state):
        """The row read from both sides."""
        row = self.text(size, state)
        return [self.parse(size, row), self.parse(size, row[::-1])]

    def text(self, size, state):
        """A drawing such as oo.oo."""
        return "".join(".o"[state >> place & 1] for place in range(size["places"]))

    def parse(self, size, text):
        """The state of a drawing."""
        if len(text) != size["places"] or set(text) - set("o."):
            raise ValueError(f"{size['places']} places are wanted, each o or a dot")
        return sum(1 << place for place, peg in enumerate(text) if peg == "o")


class PegConfig(SpaceConfig):
    """The ``[peg_row]`` section."""

    most: int = Field(10, ge=3, le=30, description="rows of 3 places to this many")


PEGS = Puzzle(
    name="peg_row",
    title="Pegs in a row",
    doc="All rows of pegs that jumps lead to from one hole, by the fewest jumps to the last peg.",
    moves={"jump": jump},
    most_moves=lambda size: size["places"],
    rules=PegRules(),
    states=Sparse(
        start=lambda size: [2 ** size["places"] - 1 - 2**hole for hole in range(size["places"])],
        goal=is_done,
        images=images,
        order=lambda size: 2,
        about=lambda size: 4 * 2 ** (size["places"] // 2),
    ),
    retract={"jump": jump_back},
    config=PegConfig,
    sizes=lambda config: [{"places": places} for places in range(3, config.most + 1)],
    claims={"four": ToGoal(2, "by hand: o.oo, then oo.., then ..o.", size={"places": 4})},
)
SPACE, COMMANDS = space_of(PEGS, __file__)
