"""Lights Out: a square of n x n lamps, each of which switches itself and those beside it; all are to be put out.

A state has a bit for each lamp that is on, line by line. Half or a quarter of all patterns of some sizes cannot be put
out, so states are words that are found from the dark square. It looks the same from eight sides, and one pattern of
each eight is searched.
"""

import click
import numpy as np
from pydantic import Field

from boardspace.graphs import Count, Greatest, Puzzle, SecondRules, Sparse, space_of
from boardspace.spec.space import SpaceConfig
from boardspace_kernels.graph.rule import RULE
from boardspace_kernels.jit import kernel


@kernel(RULE)
def press(size, state, out):
    """Pressing a lamp switches it and those above, below and beside it."""
    n = size[0]
    for cell in range(n * n):
        switched = np.uint64(1) << np.uint64(cell)
        if cell >= n:
            switched |= np.uint64(1) << np.uint64(cell - n)
        if cell < n * (n - 1):
            switched |= np.uint64(1) << np.uint64(cell + n)
        if cell % n > 0:
            switched |= np.uint64(1) << np.uint64(cell - 1)
        if cell % n < n - 1:
            switched |= np.uint64(1) << np.uint64(cell + 1)
        out[cell] = state ^ switched
    return n * n


@kernel(RULE)
def images(size, state, out):
    """The square as it is, mirrored up and down, left and right, and each of the four with rows as columns."""
    n = size[0]
    for image in range(8):
        out[image] = np.uint64(0)
    for cell in range(n * n):
        if state >> np.uint64(cell) & np.uint64(1):
            for image in range(8):
                row = n - 1 - cell // n if image & 1 else cell // n
                column = n - 1 - cell % n if image & 2 else cell % n
                place = column * n + row if image & 4 else row * n + column
                out[image] |= np.uint64(1) << np.uint64(place)
    return 8


class LightsRules(SecondRules):
    """Lamps as lines of * and dots."""

    def moves(self, size, state):
        """Presses, named by column and row: a1 is at the upper left."""
        lines, found = self.text(size, state).split("\n"), {}
        for row in range(size["n"]):
            for column in range(size["n"]):
                pressed = [
                    "".join(".*"[(lamp == "*") ^ (abs(r - row) + abs(c - column) < 2)] for c, lamp in enumerate(line))
                    for r, line in enumerate(lines)
                ]
                found[f"{chr(97 + column)}{row + 1}"] = self.parse(size, "\n".join(pressed))
        return found

    def images(self, size, state):
        """Four quarter turns, and those of the mirror image."""
        lines, found = self.text(size, state).split("\n"), []
        for _ in range(4):
            lines = ["".join(column) for column in zip(*lines[::-1], strict=True)]
            found += ["\n".join(lines), "\n".join(lines[::-1])]
        return [self.parse(size, text) for text in found]

    def text(self, size, state):
        """A line for each row; * is a lamp that is on."""
        lamps = "".join(".*"[state >> cell & 1] for cell in range(size["n"] ** 2))
        return "\n".join(lamps[row : row + size["n"]] for row in range(0, len(lamps), size["n"]))

    def parse(self, size, text):
        """The state of such lines."""
        lines = text.split("\n")
        if [len(line) for line in lines] != [size["n"]] * size["n"] or set("".join(lines)) - set(".*"):
            raise ValueError(f"{size['n']} lines of {size['n']} lamps are wanted, . or *")
        return sum(1 << cell for cell, lamp in enumerate("".join(lines)) if lamp == "*")


@click.argument("state")
def lamps(asked, state):
    """Draw the lamps to press, each once, in any order."""
    steps = asked.solution(asked.parse(state))
    if steps is None:
        return "it cannot be put out"
    sides, pressed = range(asked.case.size["n"]), {step.move for step in steps}
    return ["".join(".x"[f"{chr(97 + column)}{row + 1}" in pressed] for column in sides) for row in sides]


class LightsConfig(SpaceConfig):
    """The ``[lights_out]`` section."""

    most: int = Field(5, ge=2, le=6, description="squares of 2 x 2 lamps up to this side")


ANDERSON = "M. Anderson, T. Feil 1998, Turning Lights Out with Linear Algebra"
LIGHTS_OUT = Puzzle(
    name="lights_out",
    title="Lights Out",
    doc="All patterns of lamps that can be put out, up to symmetries, by the fewest presses.",
    moves={"press": press},
    most_moves=lambda size: size["n"] ** 2,
    rules=LightsRules(),
    states=Sparse(
        start=lambda size: 0,
        images=images,
        order=lambda size: 8,
        about=lambda size: 2 ** (size["n"] ** 2 - 3),
    ),
    undirected=True,
    config=LightsConfig,
    sizes=lambda config: [{"n": n} for n in range(2, config.most + 1)],
    commands=(lamps,),
    claims={
        "patterns_5": Count(2**23, ANDERSON, size={"n": 5}),
        "presses_5": Greatest(15, "J. Scherphuis, Lights Out", size={"n": 5}),
        "presses_3": Greatest(9, "by hand: each of the 512 sets of presses makes another pattern", size={"n": 3}),
    },
)
SPACE, COMMANDS = space_of(LIGHTS_OUT, __file__)
