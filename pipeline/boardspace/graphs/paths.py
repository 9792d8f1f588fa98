"""Shortest paths between any two states of a puzzle, found from both ends; and the neighbours of many states at once.

Levels grow around both states, the smaller one next, until two of them share a state. Where moves cannot be taken back,
they grow from the first state alone. Nothing but the rule is needed: no run, no number of all states.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardspace.graphs.puzzle import Case, Puzzle, Sparse
from boardspace.graphs.trying import RuleError, rule_fault, shown
from boardspace.spec.check import distinct
from boardspace.spec.errors import BoardspaceError
from boardspace_kernels import runs
from boardspace_kernels.graph import sparse
from boardspace_kernels.graph.dense import FARTHEST, UNREACHED
from boardspace_kernels.graph.rule import Rule

States = NDArray[np.uint64]
MOST_HELD = 1 << 25
"""States that one question may hold."""
MOST_LEVELS = 32
"""Levels whose states are tried where a search does not end."""
LOOKED_BACK = 256
"""Level from which searches look back, see :func:`looks_back`."""
AT_ONCE = 1 << 22
"""Neighbours that are held before they are sorted."""


def neighbours(
    puzzle: Puzzle, case: Case, states: States, rule: Rule | None = None
) -> tuple[NDArray[np.uint32], States]:
    """All neighbours of some states, by the rule of the case or another: of each the place of the state that it is one
    of, and itself."""
    most = puzzle.most_moves(case.size)
    origins, found = np.empty(len(states) * most, np.uint32), np.empty(len(states) * most, np.uint64)
    used = sparse.neighbours(rule or puzzle.moves[case.metric], case.numbers, most, states, origins, found)
    if used < 0:
        state = int(states[-1 - used])
        raise RuleError(
            f"{puzzle.name}, {case.name}: state {state} has not 0 to {most} neighbours: mend the kernel, or "
            f"most_moves{shown(puzzle, case, state)}"
        )
    return origins[:used], found[:used]


def marked(puzzle: Puzzle, case: Case, states: States, rule: Rule | None = None, symmetric: bool = False) -> States:
    """The neighbours of some states, ascending, each once; or, if ``symmetric``, their least images."""
    step, parts = max(1, AT_ONCE // puzzle.most_moves(case.size)), [runs.Run(np.empty(0, np.uint64))]
    for low in range(0, len(states), step):
        found = runs.sorted_run(neighbours(puzzle, case, states[low : low + step], rule)[1])
        if symmetric and puzzle.symmetric:
            found = runs.sorted_run(canonical(puzzle, case, found.positions)[0])
        parts.append(found)
    return runs.merge(parts).positions


def canonical(puzzle: Puzzle, case: Case, states: States) -> tuple[States, NDArray[np.uint32]]:
    """The least images of some states, and how many different images each has: 1 where there are no symmetries."""
    orbits = np.ones(len(states), np.uint32)
    images = puzzle.sparse.images if isinstance(puzzle.states, Sparse) else None
    if images is None:
        return states, orbits
    least, order = states.copy(), puzzle.sparse.order(case.size)
    faulty = sparse.least_images(images, case.numbers, order, least, orbits)
    if faulty >= 0:
        state = int(states[faulty])
        raise RuleError(
            f"{puzzle.name}, {case.name}: the images of state {state} are not those of {order} symmetries, itself "
            f"among them: mend the kernel of images, or order{shown(puzzle, case, state)}"
        )
    return least, orbits


def orbits_of(puzzle: Puzzle, case: Case, states: States) -> States:
    """All images of some states, ascending, each once; the states where there are no symmetries."""
    images, order = puzzle.sparse.images, puzzle.sparse.order(case.size)
    if images is None:
        return states
    origins, found = np.empty(len(states) * order, np.uint32), np.empty(len(states) * order, np.uint64)
    sparse.neighbours(images, case.numbers, order, states, origins, found)
    return distinct(found)


def canonical_state(puzzle: Puzzle, case: Case, state: int) -> int:
    """The least image of a state; itself where there are no symmetries."""
    return int(canonical(puzzle, case, np.array([state], np.uint64))[0][0])


def goals_among(puzzle: Puzzle, case: Case, states: States) -> NDArray[np.bool_]:
    """A mask of those of some states that are goals, of a puzzle that has goals."""
    found, goal = np.zeros(len(states), np.bool_), puzzle.states.goal
    assert goal is not None
    sparse.goals_among(goal, case.numbers, states, found)
    return found


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
        if not next_level(puzzle, case, grows):
            return None
        meeting = runs.intersection(ahead[-1], behind[-1])
    path = _way_back(puzzle, case, ahead[:-1], int(meeting[0]))
    for level in reversed(behind[:-1]):
        path.append(int(runs.intersection(marked(puzzle, case, np.array([path[-1]], np.uint64)), level)[0]))
    return path


def shortest_path_to_goal(puzzle: Puzzle, case: Case, start: int) -> list[int] | None:
    """The states of a shortest path to a goal; None where no moves lead to one."""
    levels = [np.array([start], np.uint64)]
    while not (goals := goals_among(puzzle, case, levels[-1])).any():
        if not next_level(puzzle, case, levels):
            return None
    return _way_back(puzzle, case, levels[:-1], int(levels[-1][np.argmax(goals)]))


def reached(puzzle: Puzzle, case: Case) -> dict[str, NDArray[Any]]:
    """All states that can be reached, ascending, least images alone: ``state``, ``distance``; ``to_goal`` if there are
    goals, with UNREACHED for dead ends."""
    starts = np.array(puzzle.starts(case.size), np.uint64)
    levels = [distinct(canonical(puzzle, case, starts)[0])]
    while next_level(puzzle, case, levels, symmetric=True):
        if len(levels) > FARTHEST + 1:
            raise too_far(puzzle, case)
        if looks_back(puzzle, len(levels) - 1) and len(without(levels[-1], levels[:-1])) < len(levels[-1]):
            raise found_again(puzzle, case, distinct(np.concatenate(levels[-MOST_LEVELS:])))
    states, distances = np.concatenate(levels), np.repeat(np.arange(len(levels)), [len(level) for level in levels])
    order = np.argsort(states)
    states, found = states[order], {"state": states[order], "distance": distances[order]}
    return {**found, "to_goal": to_goals(puzzle, case, states)} if puzzle.has_goals else found


def ball(puzzle: Puzzle, case: Case, centres: Sequence[int], radius: int | None, most: int = MOST_HELD) -> States:
    """The states that at most so many moves lead to from some states, ascending; without a radius, all that any lead
    to. BoardspaceError where they are more than ``most``."""
    levels = [distinct(np.array(centres, np.uint64))]
    while (radius is None or len(levels) <= radius) and next_level(puzzle, case, levels, most=most):
        pass
    return runs.sorted_run(np.concatenate(levels)).positions


def to_goals(puzzle: Puzzle, case: Case, states: States) -> NDArray[np.int64]:
    """Fewest moves to a goal of ascending states that moves do not leave; UNREACHED where none lead to one."""
    found, left = np.full(len(states), UNREACHED), np.ones(len(states), np.bool_)
    level, moves = states[goals_among(puzzle, case, states)], 0
    while len(level):
        if moves > FARTHEST:
            raise too_far(puzzle, case)
        here = runs.is_in(states, level)
        found[here], left[here] = moves, False
        before = marked(puzzle, case, level, puzzle.rule_of(case.metric, back=True), symmetric=True)
        level, moves = states[left & runs.is_in(states, before)], moves + 1
    return found


def next_level(
    puzzle: Puzzle, case: Case, levels: list[States], symmetric: bool = False, most: int = MOST_HELD
) -> bool:
    """Add the level after the last, or return False where that is empty; BoardspaceError where they are too many."""
    known = levels[-2:] if puzzle.undirected else levels
    found = without(marked(puzzle, case, levels[-1], symmetric=symmetric), known)
    if len(found):
        levels.append(found)
    if sum(map(len, levels)) > most:
        raise BoardspaceError(
            f"{puzzle.name}, {case.name}: more than {most:,} states are too many to search for one question; "
            "make a run, and name its folder with --data"
        )
    return len(found) > 0


def too_far(puzzle: Puzzle, case: Case) -> RuleError:
    """The error of a search that goes beyond the greatest distance."""
    return RuleError(
        f"{puzzle.name}, {case.name}: some states take more than {FARTHEST:,} moves, the most that a distance can be: "
        "if the rules are right, leave this size out"
    )


def looks_back(puzzle: Puzzle, level: int) -> bool:
    """True of levels whose states are looked up in all before, where the last two should do: 256, 512, 1,024 and so on.

    Rules that say that moves can be taken back, and are wrong, may go round the same states for ever.
    """
    return puzzle.undirected and level >= LOOKED_BACK and level & (level - 1) == 0


def found_again(puzzle: Puzzle, case: Case, states: States) -> RuleError:
    """The error of a search that finds states again: at one of those that it found last the rules are at fault."""
    pair = _not_taken_back(puzzle, case, states)
    some = np.array(pair, np.uint64)
    images = orbits_of(puzzle, case, some).tolist() if puzzle.symmetric else []
    found = next(filter(None, (rule_fault(puzzle, case, state) for state in [*pair, *images])), "")
    if pair and not found:
        found = f"a move leads from state {pair[0]} to state {pair[1]} or its image, and none back"
    text = f"{puzzle.name}, {case.name}: the search finds the same states again, so some move cannot be taken back"
    return RuleError(f"{text}; {found}" if found else f"{text}: mend the rules, or leave out undirected")


def _not_taken_back(puzzle: Puzzle, case: Case, states: States) -> list[int]:
    """A state, and one that a move leads to from it, or its image, from where none leads back; [] where there is none.

    States that symmetries identify count as one: a move that does not go along with these shows in the same way.
    """
    step = max(1, AT_ONCE // puzzle.most_moves(case.size) ** 2)
    for low in range(0, len(states), step):
        here = canonical(puzzle, case, states[low : low + step])[0]
        origins, ends = neighbours(puzzle, case, here)
        ends = canonical(puzzle, case, ends)[0]
        there = distinct(ends)
        places, back = neighbours(puzzle, case, there)
        known = set(zip(there[places].tolist(), canonical(puzzle, case, back)[0].tolist(), strict=True))
        for state, end in zip(here[origins].tolist(), ends.tolist(), strict=True):
            if (end, state) not in known:
                return [state, end]
    return []


def _way_back(puzzle: Puzzle, case: Case, levels: Sequence[States], end: int) -> list[int]:
    """A way through levels, a state of each, to a state that the last leads to."""
    path = [end]
    for level in reversed(levels):
        path.insert(0, _one_before(puzzle, case, level, path[0]))
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
