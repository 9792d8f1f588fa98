"""Shortest paths between any two states of a puzzle, found from both ends; and the neighbours of many states at once.

Levels grow around both states, the smaller one next, until two of them share a state. Where moves cannot be taken back,
they grow from the first state alone. Nothing but the rule is needed: no run, no number of all states.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from boardspace.graphs.puzzle import Case, Puzzle
from boardspace.graphs.trying import RuleError, shown
from boardspace.spec.errors import BoardspaceError
from boardspace_kernels import runs
from boardspace_kernels.graph import sparse

States = NDArray[np.uint64]
MOST_HELD = 1 << 25
"""States that one question may hold."""
AT_ONCE = 1 << 22
"""Neighbours that are held before they are sorted."""


def neighbours(puzzle: Puzzle, case: Case, states: States) -> tuple[NDArray[np.uint32], States]:
    """All neighbours of some states: of each the place of the state that it is one of, and itself."""
    most = puzzle.most_moves(case.size)
    origins, found = np.empty(len(states) * most, np.uint32), np.empty(len(states) * most, np.uint64)
    used = sparse.neighbours(puzzle.moves[case.metric], case.numbers, most, states, origins, found)
    if used < 0:
        state = int(states[-1 - used])
        raise RuleError(
            f"{puzzle.name}, {case.name}: state {state} has more than {most} neighbours: mend the kernel, or "
            f"most_moves{shown(puzzle, case, state)}"
        )
    return origins[:used], found[:used]


def marked(puzzle: Puzzle, case: Case, states: States) -> States:
    """The neighbours of some states, ascending, each once."""
    step = max(1, AT_ONCE // puzzle.most_moves(case.size))
    parts = [
        runs.sorted_run(neighbours(puzzle, case, states[low : low + step])[1]) for low in range(0, len(states), step)
    ]
    return runs.merge(parts).positions


def without(states: States, others: Sequence[States]) -> States:
    """Ascending states that none of the other sorted arrays has."""
    for other in others:
        states = states[~runs.is_in(states, other)]
    return states


def shortest_path(puzzle: Puzzle, case: Case, start: int, end: int) -> list[int] | None:
    """The states of a shortest path, both ends included; None where no moves lead from the start to the end."""
    ahead, behind = [np.array([start], np.uint64)], [np.array([end], np.uint64)]
    meeting = runs.intersection(ahead[-1], behind[-1])
    while not len(meeting):
        grows = behind if puzzle.undirected and len(behind[-1]) < len(ahead[-1]) else ahead
        known = grows[-2:] if puzzle.undirected else grows
        grows.append(without(marked(puzzle, case, grows[-1]), known))
        if not len(grows[-1]):
            return None
        if sum(map(len, ahead)) + sum(map(len, behind)) > MOST_HELD:
            raise BoardspaceError(
                f"{puzzle.name}, {case.name}: more than {MOST_HELD:,} states lie within {len(ahead) - 1} moves of the "
                f"first and {len(behind) - 1} of the second, too many for one question"
            )
        meeting = runs.intersection(ahead[-1], behind[-1])
    path = [int(meeting[0])]
    for level in reversed(ahead[:-1]):
        path.insert(0, _one_before(puzzle, case, level, path[0]))
    for level in reversed(behind[:-1]):
        path.append(int(runs.intersection(marked(puzzle, case, np.array([path[-1]], np.uint64)), level)[0]))
    return path


def _one_before(puzzle: Puzzle, case: Case, level: States, state: int) -> int:
    """The first state of a level that a move leads from to a state; some does."""
    step = max(1, AT_ONCE // puzzle.most_moves(case.size))
    for low in range(0, len(level), step):
        origins, found = neighbours(puzzle, case, level[low : low + step])
        there = np.flatnonzero(found == np.uint64(state))
        if len(there):
            return int(level[low + int(origins[there[0]])])
    raise AssertionError("a level has no state before that of the next")
