"""Pancakes: a stack of n different ones is sorted by flips of the uppermost k; plain, or burnt on one side each.

A plain stack is a permutation, and its number the permutation's rank. Burnt pancakes are to lie with the burnt side
down: a flip turns them over, and the number is the rank times 2^n, plus a bit for each place that shows a burnt side.
"""

from math import factorial

import numpy as np
from pydantic import Field

from boardspace.graphs import Count, Dense, Greatest, Puzzle, SecondRules, space_of
from boardspace.graphs.ranks import permutation, rank_of
from boardspace.spec.space import SpaceConfig
from boardspace_kernels.graph.ranks import rank_permutation, reversed_prefix, unrank_permutation
from boardspace_kernels.graph.rule import RULE
from boardspace_kernels.jit import kernel


@kernel(RULE)
def flip(size, state, out):
    """Turn over the uppermost pancakes; size: (burnt, n)."""
    burnt, n = size[0], size[1]
    sides = state & (np.uint64(1) << np.uint64(n)) - np.uint64(1)
    word = unrank_permutation(n, state >> np.uint64(n) if burnt else state)
    found = 0
    for flipped in range(1 if burnt else 2, n + 1):
        rank = rank_permutation(n, reversed_prefix(word, flipped))
        if burnt:
            turned = sides >> np.uint64(flipped) << np.uint64(flipped)
            for place in range(flipped):
                turned |= (sides >> np.uint64(place) & np.uint64(1) ^ np.uint64(1)) << np.uint64(flipped - 1 - place)
            rank = rank << np.uint64(n) | turned
        out[found] = rank
        found += 1
    return found


class PancakeRules(SecondRules):
    """A stack is a list of numbers, the uppermost first; those whose burnt side is up are negative."""

    def moves(self, size, state):
        """Flips of the uppermost k."""
        stack, sign = self.stack(size, state), -1 if size["burnt"] else 1
        return {
            f"{k}": self.state(size, [sign * one for one in stack[k - 1 :: -1]] + stack[k:])
            for k in range(2 - size["burnt"], size["n"] + 1)
        }

    def text(self, size, state):
        """The numbers of the stack, 1 the smallest pancake."""
        return " ".join(map(str, self.stack(size, state)))

    def parse(self, size, text):
        """The state of such numbers."""
        stack = [int(word) for word in text.split()]
        if sorted(map(abs, stack)) != [*range(1, size["n"] + 1)] or (min(stack) < 0 and not size["burnt"]):
            raise ValueError(f"the numbers 1 to {size['n']} are wanted, each once, negative where a burnt side is up")
        return self.state(size, stack)

    def stack(self, size, state):
        """The list of a state."""
        rank, sides = divmod(state, 2 ** size["n"]) if size["burnt"] else (state, 0)
        return [(-1) ** (sides >> place & 1) * (one + 1) for place, one in enumerate(permutation(size["n"], rank))]

    def state(self, size, stack):
        """The state of a list."""
        rank, sides = rank_of([abs(one) for one in stack]), sum(2**place for place, one in enumerate(stack) if one < 0)
        return rank * 2 ** size["n"] + sides if size["burnt"] else rank


class PancakesConfig(SpaceConfig):
    """The ``[pancakes]`` section."""

    plain: int = Field(9, ge=1, le=12, description="plain stacks of 1 to this many pancakes")
    burnt: int = Field(7, ge=1, le=10, description="burnt stacks of 1 to this many pancakes")


def sizes(plain, burnt):
    """All sizes up to these."""
    return [{"burnt": kind, "n": n} for kind, most in enumerate((plain, burnt)) for n in range(1, most + 1)]


PLAIN, BURNT = [0, 1, 3, 4, 5, 7, 8, 9, 10, 11, 13], [1, 4, 6, 8, 10, 12, 14, 15, 17]
OEIS = "OEIS A058986, pancake numbers", "OEIS A078942, burnt pancake numbers"
PANCAKES = Puzzle(
    name="pancakes",
    title="Pancakes",
    doc="All stacks of pancakes, plain or burnt on one side, by the fewest flips that sort them.",
    moves={"flip": flip},
    most_moves=lambda size: size["n"],
    rules=PancakeRules(),
    states=Dense(count=lambda size: factorial(size["n"]) * (2 ** size["n"] if size["burnt"] else 1)),
    undirected=True,
    config=PancakesConfig,
    sizes=lambda config: sizes(config.plain, config.burnt),
    whole=sizes(11, 9),
    claims={
        f"{'burnt' if kind else 'plain'}_{n}": Greatest(flips, OEIS[kind], size={"burnt": kind, "n": n})
        for kind, known in enumerate((PLAIN, BURNT))
        for n, flips in enumerate(known, 1)
    }
    | {"farthest_7": Count(35, "OEIS A067607", moves=8, size={"burnt": 0, "n": 7})},
)
SPACE, COMMANDS = space_of(PANCAKES, __file__)
