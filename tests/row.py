"""A row of places as a plug-in: from the first to the last are as many moves, but one, as there are places."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from boardspace.graphs import Dense, Puzzle, SecondRules, space_of
from boardspace.spec.space import SpaceConfig
from boardspace_kernels.graph.rule import RULE
from boardspace_kernels.jit import kernel


@kernel(RULE)
def beside(size: Any, state: Any, out: Any) -> int:
    """The places beside one in a row."""
    found = 0
    for there in (np.int64(state) - 1, np.int64(state) + 1):
        if 0 <= there < size[0]:
            out[found] = there
            found += 1
    return found


@kernel(RULE)
def around(size: Any, state: Any, out: Any) -> int:
    """The next place of a ring: no move can be taken back."""
    out[0] = (state + np.uint64(1)) % np.uint64(size[0])
    return 1


class RowRules(SecondRules):
    """A row of places."""

    def moves(self, size: Mapping[str, int], state: int) -> dict[str, int]:
        return {name: there for name, there in (("-", state - 1), ("+", state + 1)) if there in range(size["places"])}


class RowConfig(SpaceConfig):
    """The ``[row]`` section."""

    places: int = 300
    metric: str = "beside"


ROW = Puzzle(
    name="row",
    title="A row",
    doc="Places in a row.",
    moves={"beside": beside, "around": around},
    most_moves=lambda size: 2,
    rules=RowRules(),
    states=Dense(count=lambda size: size["places"]),
    undirected=True,
    config=RowConfig,
    metrics=lambda config: [config.metric],
    sizes=lambda config: [{"places": config.places}],
)
SPACE, COMMANDS = space_of(ROW, __file__)
