"""Proof of the distances of states that are words, of which nobody knows beforehand how many there are.

The rows are all that can be reached, and their distances right, if

1. the starts are rows, and they alone have 0,
2. every move leads to a row, to one that is not farther than one more, and
3. to every other row leads a move from one that is one less.

By 1 and 2 every state that can be reached is a row, and no value is larger than its distance; by 3 one can go back from
a row, one less at a time, to a start, so each row can be reached and no value is smaller.

The moves to a goal are right at every row if 0 stands at goals alone, and everywhere else one more than the least value
of the rows that a move leads to, UNREACHED where all of these have it or there are none: the same two arguments, with
moves made forwards. Where symmetries identify states, rows and what moves lead to are the least images; what these
prove holds for all images, as the symmetries go along with moves, starts and goals.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardspace.graphs.checks import rows_of, table_fault
from boardspace.graphs.paths import AT_ONCE, States, canonical, goals_among, neighbours
from boardspace.graphs.puzzle import MOST_LISTED, Case, Puzzle
from boardspace.spec.space import Draw, Inputs, Outcome
from boardspace_kernels.graph.dense import UNREACHED

Columns = dict[str, NDArray[Any]]


def check_positions(puzzle: Puzzle, config: Any, inputs: Inputs, draw: Draw) -> Outcome:
    """Every row of every table."""
    tried, levels, hardest = 0, [], []
    for case in puzzle.cases(config):
        rows = rows_of(case, inputs, puzzle.positions.name)
        tried += len(rows["state"])
        fault = _fault(puzzle, case, rows)
        if fault:
            return Outcome(tried, tried, f"{case.name}: {fault}")
        orbits = rows.get("orbit", np.ones(len(rows["state"]), np.uint32))
        sizes = np.bincount(rows["distance"], weights=orbits).astype(np.int64).tolist()
        for distance, (states, number) in enumerate(zip(sizes, np.bincount(rows["distance"]).tolist(), strict=True)):
            known = {"orbits": number} if puzzle.symmetric else {}
            levels.append({**case.columns, "distance": distance, "states": states, **known})
        farthest = rows["state"][rows["distance"] == len(sizes) - 1][:MOST_LISTED]
        hardest += [{**case.columns, "state": int(state), "distance": len(sizes) - 1} for state in farthest]
    fault = table_fault(inputs, levels=levels, hardest=hardest)
    return Outcome(tried, tried, fault)


def _fault(puzzle: Puzzle, case: Case, rows: Columns) -> str:
    """Fault of the rows of a case, or ''."""
    states, distances = rows["state"], rows["distance"]
    if not len(states) or not (states[1:] > states[:-1]).all():
        return "the states do not ascend, or there are none"
    starts = np.unique(canonical(puzzle, case, np.array(puzzle.starts(case.size), np.uint64))[0])
    if states[distances == 0].tolist() != starts.tolist():
        return f"the states at distance 0 are not the starts, {starts[:5]}"
    if puzzle.symmetric:
        least, orbits = canonical(puzzle, case, states)
        for column, right in (("state", least), ("orbit", orbits)):
            wrong = np.flatnonzero(rows[column] != right)
            if len(wrong):
                return f"state {states[wrong[0]]} has {column} {rows[column][wrong[0]]}, and it is {right[wrong[0]]}"
    entered = distances == 0
    least_left = np.full(len(states), UNREACHED, np.uint8)
    step = max(1, AT_ONCE // puzzle.most_moves(case.size))
    for low in range(0, len(states), step):
        fault = _move_fault(puzzle, case, rows, range(low, min(low + step, len(states))), entered, least_left)
        if fault:
            return fault
    if not entered.all():
        state = states[np.flatnonzero(~entered)[0]]
        return f"state {state} is said to take moves, and no move leads there from one less"
    if puzzle.has_goals:
        right = np.where(least_left < UNREACHED - 1, least_left + 1, UNREACHED)
        right[goals_among(puzzle, case, states)] = 0
        wrong = np.flatnonzero(rows["to_goal"] != right)
        if len(wrong):
            values = rows["to_goal"][wrong[0]], right[wrong[0]]
            return f"state {states[wrong[0]]} has to_goal {values[0]}, and its neighbours say {values[1]}"
    return ""


def _move_fault(
    puzzle: Puzzle, case: Case, rows: Columns, some: range, entered: NDArray[np.bool_], least: NDArray[np.uint8]
) -> str:
    """Fault of the moves of some rows, or ''.

    entered: set where a move leads from one less. least: of each of these rows the least moves to a goal of those that
    its moves lead to.
    """
    states, distances = rows["state"], rows["distance"].astype(np.int16)
    origins, found = neighbours(puzzle, case, np.array(states[some.start : some.stop]))
    ends, here = _places(states, canonical(puzzle, case, found)[0]), some.start + origins.astype(np.int64)
    wrong = np.flatnonzero((ends < 0) | (distances[ends] > distances[here] + 1))
    if len(wrong):
        state, there = states[here[wrong[0]]], found[wrong[0]]
        return f"from state {state} a move leads to {there}, which is no row, or farther than one more"
    entered[ends[distances[ends] == distances[here] + 1]] = True
    if puzzle.has_goals and len(here):
        first = np.flatnonzero(np.diff(here, prepend=-1))
        least[here[first]] = np.minimum.reduceat(rows["to_goal"][ends], first)
    return ""


def _places(states: States, some: States) -> NDArray[np.int64]:
    """The places of some states among ascending ones; -1 where one is not among them."""
    places = np.minimum(np.searchsorted(states, some), len(states) - 1)
    return np.where(states[places] == some, places, -1)
