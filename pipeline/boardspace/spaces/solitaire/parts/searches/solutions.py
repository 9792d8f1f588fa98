"""Solutions with the fewest moves: all of them, from where the frontiers meet."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardspace.engine.shuffle import column_of
from boardspace.spaces.solitaire.boards import problem_of
from boardspace.spaces.solitaire.config import Search, SolitaireConfig
from boardspace.spaces.solitaire.parts.searches.part import COUNTS, SOLUTIONS, STEPS, Direction, depth, layer_stage
from boardspace.spaces.solitaire.problems import slug
from boardspace.spaces.solitaire.solution_rows import solution_rows
from boardspace.spec.space import Inputs, Output
from boardspace_kernels.runs import intersection
from boardspace_kernels.solitaire.search import Meeting
from boardspace_kernels.solitaire.solutions import Solutions

Positions = NDArray[np.uint64]


def solve(search: Search, config: SolitaireConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """Meet in the middle on the first-reached layers; no rows where the frontiers do not meet."""
    problem = problem_of(params)
    stacks = (_first_layers(search, "forward", inputs), _first_layers(search, "backward", inputs))
    place = meeting_place(*stacks)
    if place is None:
        return Output(facts={"length": None})
    meeting = Meeting(problem, stacks[0][: place[0] + 1], stacks[1][: place[1] + 1])
    solutions = Solutions(problem, meeting.shortest_layers())
    return Output(
        {
            "solutions": SOLUTIONS.from_rows(solution_rows({"problem": slug(search.problem)}, solutions)),
            "solution_counts": _count_rows(search, solutions),
            "solution_steps": _step_rows(search, solutions),
        },
        facts={"length": meeting.length, "meeting": list(place)},
    )


def meeting_place(forward: list[Positions], backward: list[Positions]) -> tuple[int, int] | None:
    """(i, j) with the least i + j, and then the largest i, such that forward[i] and backward[j] share a position."""
    pairs = [(i, j) for i in range(len(forward)) for j in range(len(backward))]
    for i, j in sorted(pairs, key=lambda pair: (sum(pair), -pair[0])):
        if len(intersection(forward[i], backward[j])):
            return i, j
    return None


def _first_layers(search: Search, direction: Direction, inputs: Inputs) -> list[Positions]:
    """For each number of moves of one direction the positions that no fewer lead to."""
    layers = []
    for moves in range(depth(search, direction) + 1):
        rows = inputs.read(layer_stage(search.problem, direction, moves), "frontier", columns=["position", "first"])
        layers.append(column_of(rows, "position")[column_of(rows, "first")])
    return layers


def _count_rows(search: Search, solutions: Any) -> Any:
    """The source's rule first: order and symmetry tell nothing apart, the way round a loop does."""
    counts = sorted(solutions.counts(), key=lambda count: (count.ordered, count.mirror, not count.loop))
    rows = [{"problem": slug(search.problem), "rule": rule, **count._asdict()} for rule, count in enumerate(counts, 1)]
    return COUNTS.from_rows(rows)


def _step_rows(search: Search, solutions: Any) -> Any:
    steps = [
        {
            "problem": slug(search.problem),
            "after": after,
            "position": position,
            "move": solutions.play.format(step.move),
            "child": step.child,
        }
        for after, level in enumerate(solutions.graph)
        for position, steps in level.items()
        for step in steps
    ]
    return STEPS.from_rows(sorted(steps, key=lambda row: (row["after"], row["position"], row["move"])))
