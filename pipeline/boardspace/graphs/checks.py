"""Checks of a puzzle: every distance is proved, and the kernels are compared with the second rules.

A table of distances is right at every state if

1. exactly the starts have 0,
2. no move leads from a state at d to one that has more than d + 1, and
3. to every state at d + 1 a move leads from one at d.

For by 2 a state is no farther than its cell says less nothing: along a shortest path from a start the cells grow by one
at most, so a cell is at most the distance, and no reachable state has :data:`UNREACHED`. By 3 a cell is at least the
distance, since from it one goes back, one less at a time, to a cell with 0, which by 1 is a start. No search is needed,
and the moves of each state are made once.

Of states that are words nobody knows beforehand how many there are. The rows are all that can be reached, and their
distances right, if

1. the starts are rows, and they alone have 0,
2. every move leads to a row, to one that is not farther than one more, and
3. to every other row leads a move from one that is one less.

By 1 and 2 every state that can be reached is a row, and no value is larger than its distance; by 3 one can go back from
a row, one less at a time, to a start, so each row can be reached and no value is smaller.

The moves to a goal are right at every number or row if 0 stands at goals alone, and everywhere else one more than the
least value of those that a move leads to, UNREACHED where all of these have it or there are none: the same two
arguments, with moves made forwards. Where symmetries identify states, rows and what moves lead to are the least images;
what these prove holds for all images, as the symmetries go along with moves, starts and goals.
"""

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from boardspace.graphs.levels import ranges_of
from boardspace.graphs.paths import AT_ONCE, States, canonical, goals_among, neighbours
from boardspace.graphs.puzzle import MOST_LISTED, Case, Dense, Puzzle
from boardspace.graphs.trying import rule_fault, shown
from boardspace.spec.check import places_among
from boardspace.spec.space import Draw, Inputs, Outcome
from boardspace.verify.arrays import cells_of
from boardspace_kernels.graph import dense
from boardspace_kernels.graph.dense import UNREACHED

SLICE = 1 << 22
"""States that are looked at together."""
DRAWN, ALL = 1000, 20_000
"""States of a case at which the rules are compared, and so many of which all are."""


def check_distances(puzzle: Puzzle, config: Any, inputs: Inputs, draw: Draw) -> Outcome:
    """Every cell of every array, every row of the tables."""
    cells, counted, farthest = 0, [], []
    for case in puzzle.cases(config):
        array = inputs.array(f"distance/{case.name}")
        count = ranges_of(puzzle, case).count
        if array.shape != (count,):
            return Outcome(cells, cells, f"{case.name}: there are {count:,} states, the array has shape {array.shape}")
        distances = cells_of(array)
        cells += count
        fault = next(_distance_faults(puzzle, case, distances), "")
        if not fault and puzzle.has_goals:
            fault = _goal_fault(puzzle, case, cells_of(inputs.array(f"to_goal/{case.name}")), count)
        if fault:
            return Outcome(cells, cells, f"{case.name}: {fault}")
        sizes, last = _counted(distances)
        counted += [{**case.columns, "distance": d, "states": states} for d, states in enumerate(sizes)]
        farthest += [{**case.columns, "state": state, "distance": len(sizes) - 1} for state in last]
    return Outcome(cells, cells, table_fault(inputs, levels=counted, hardest=farthest))


def table_fault(inputs: Inputs, **tables: list[dict[str, Any]]) -> str:
    """Difference between tables and the rows that they should have, of all or some columns; '' where there is none."""
    for name, expected in tables.items():
        columns = list(expected[0]) if expected else []
        rows = inputs.table(name, columns=columns).to_pylist()
        if rows != expected:
            place = next((i for i, pair in enumerate(zip(rows, expected, strict=False)) if pair[0] != pair[1]), None)
            what = f"{len(rows)} rows for {len(expected)}" if place is None else f"{rows[place]} for {expected[place]}"
            return f"the table {name} has {what}"
    return ""


def _distance_faults(puzzle: Puzzle, case: Case, distances: NDArray[np.uint16]) -> Iterator[str]:
    count, most = len(distances), puzzle.most_moves(case.size)
    starts = puzzle.starts(case.size)
    zeros = _states_at(distances, 0, len(starts) + 1)
    if zeros != starts:
        place = next(i for i, pair in enumerate(zip_longest(zeros, starts)) if pair[0] != pair[1])
        zeros, starts = zeros[place : place + 5], starts[place : place + 5]
        yield f"of the states at distance 0 those from place {place:,} on are {zeros}; of the starts {starts}"
    entered = np.zeros(dense.bitmap_words(count), np.uint32)
    rule = puzzle.moves[case.metric]
    faulty = dense.step_fault(rule, case.numbers, most, np.uint64(0), np.uint64(count), distances, entered)
    if faulty >= 0:
        yield f"from state {faulty} at {distances[faulty]} a move leads to no state, or to one farther than one more"
    faulty = dense.first_not_entered(distances, entered)
    if faulty >= 0:
        yield f"state {faulty} is said to take {distances[faulty]} moves, and no move leads there from one less"


def _goal_fault(puzzle: Puzzle, case: Case, to_goal: NDArray[np.uint16], count: int) -> str:
    """Fault of the moves to a goal of numbered states, or ''."""
    if to_goal.shape != (count,):
        return f"there are {count:,} states, the array of moves to a goal has shape {to_goal.shape}"
    step = max(1, AT_ONCE // puzzle.most_moves(case.size))
    for low in range(0, count, step):
        states = np.arange(low, min(low + step, count), dtype=np.uint64)
        origins, found = neighbours(puzzle, case, states)
        if found.max(initial=0) >= count:
            return f"from state {low + int(origins[np.argmax(found)])} a move leads to {found.max()}, which is no state"
        least = np.full(len(states), UNREACHED, np.uint16)
        _lower(least, origins, to_goal[found])
        fault = _wrong_to_goal(puzzle, case, states, least, to_goal[low : low + step])
        if fault:
            return fault
    return ""


def _lower(least: NDArray[np.uint16], here: NDArray[Any], values: NDArray[np.uint16]) -> None:
    """Write to places, which ascend and may come several times, the least of their values."""
    if len(here):
        first = np.flatnonzero(np.diff(here.astype(np.int64), prepend=-1))
        least[here[first]] = np.minimum.reduceat(values, first)


def _wrong_to_goal(
    puzzle: Puzzle, case: Case, states: States, least: NDArray[np.uint16], to_goal: NDArray[np.uint16]
) -> str:
    """Fault of the moves to a goal of some states, by the least of those that their moves lead to, or ''."""
    right = np.where(least < dense.FARTHEST, least + 1, UNREACHED)
    right[goals_among(puzzle, case, states)] = 0
    wrong = np.flatnonzero(to_goal != right)
    if not len(wrong):
        return ""
    place = wrong[0]
    return f"state {states[place]} has to_goal {to_goal[place]}, and its neighbours say {right[place]}"


def _counted(distances: NDArray[np.uint16]) -> tuple[list[int], list[int]]:
    """The sizes of the levels, and the first of the farthest states."""
    sizes = np.zeros(UNREACHED + 1, np.int64)
    for low in range(0, len(distances), SLICE):
        sizes += np.bincount(distances[low : low + SLICE], minlength=UNREACHED + 1)
    last = int(np.flatnonzero(sizes[: dense.UNREACHED])[-1])
    return sizes[: last + 1].tolist(), _states_at(distances, last, MOST_LISTED)


def _states_at(distances: NDArray[np.uint16], distance: int, most: int) -> list[int]:
    """The first states at a distance; no array of the size of all is made."""
    found: list[int] = []
    for low in range(0, len(distances), SLICE):
        found += (low + np.flatnonzero(distances[low : low + SLICE] == distance)).tolist()
        if len(found) >= most:
            break
    return found[:most]


def rows_of(case: Case, table: pa.Table) -> dict[str, NDArray[Any]]:
    """The columns of the rows of a case in a table, but for those that name the case."""
    rows = case.among(table)
    return {
        column: np.array(rows.column(column).to_numpy()) for column in rows.column_names if column not in case.columns
    }


def check_own_columns(puzzle: Puzzle, names: Sequence[str], config: Any, inputs: Inputs, draw: Draw) -> Outcome:
    """The author's own columns of tables of these names: made again at every row, and by the second rules at drawn rows
    or all."""
    cases, of, random = 0, 0, draw.generator()
    tables = {name: inputs.table(name) for name in names}
    for case in puzzle.cases(config):
        for name, table in tables.items():
            rows = rows_of(case, table)
            made = puzzle.own(case, rows["state"])
            number = len(rows["state"])
            places = draw.choose(number, ALL if number <= ALL else DRAWN, random)
            cases, of = cases + len(places), of + number
            for one in puzzle.columns:
                wrong = np.flatnonzero(made[one.name] != rows[one.name])[:1].tolist()
                again = {place: one.again(case.size, int(rows["state"][place])) for place in places}
                wrong += [place for place, value in again.items() if value != rows[one.name][place]][:1]
                if wrong:
                    state, value = rows["state"][wrong[0]], rows[one.name][wrong[0]]
                    right = again.get(wrong[0], made[one.name][wrong[0]])
                    what = f"{case.name}, table {name}: state {state} has {one.name} {value}"
                    return Outcome(cases, of, f"{what}, and it is {right}{shown(puzzle, case, int(state))}")
    return Outcome(cases, of)


def check_rules(puzzle: Puzzle, config: Any, inputs: Inputs, draw: Draw) -> Outcome:
    """The kernels compared with the second rules, and the drawings of the farthest states."""
    cases = of = 0
    random, hardest = draw.generator(), inputs.table("hardest")
    positions = None if isinstance(puzzle.states, Dense) else inputs.table("positions")
    for case in puzzle.cases(config):
        known = None if positions is None else rows_of(case, positions)["state"]
        count = puzzle.dense.count(case.size) if known is None else len(known)
        of += count
        whole = count <= ALL or draw.everything
        places = range(count) if whole else random.integers(0, count, DRAWN).tolist()
        for state in places if known is None else map(int, known[list(places)]):
            cases += 1
            fault = rule_fault(puzzle, case, state, thorough=False)
            if fault:
                return Outcome(cases, of, f"{case.name}: {fault}")
        listed = rows_of(case, hardest)
        for state, given in zip(listed["state"].tolist(), listed["text"].tolist(), strict=True):
            text = puzzle.rules_of(case.metric).text(case.size, state)
            if text != given:
                what = f"state {state} is drawn\n{text}\nand the table hardest has\n{given}"
                return Outcome(cases, of, f"{case.name}: {what}")
    return Outcome(cases, of)


Columns = dict[str, NDArray[Any]]


def check_positions(puzzle: Puzzle, config: Any, inputs: Inputs, draw: Draw) -> Outcome:
    """Every row of every table."""
    tried, levels, hardest = 0, [], []
    positions = inputs.table(puzzle.positions.name)
    for case in puzzle.cases(config):
        rows = rows_of(case, positions)
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
    """Fault of the rows of a case, or ''. Levels are tried in order, each once all of it is entered from that before,
    as the author's kernels, which may do anything with words that are no states, get states alone."""
    states, distances = rows["state"], rows["distance"]
    if not len(states) or not (states[1:] > states[:-1]).all():
        return "the states do not ascend, or there are none"
    starts = np.unique(canonical(puzzle, case, np.array(puzzle.starts(case.size), np.uint64))[0])
    if states[distances == 0].tolist() != starts.tolist():
        return f"the states at distance 0 are not the starts, {starts[:5]}"
    entered = distances == 0
    least_left = np.full(len(states), UNREACHED, np.uint16)
    step = max(1, AT_ONCE // puzzle.most_moves(case.size))
    for distance in range(int(distances.max()) + 1):
        level = np.flatnonzero(distances == distance)
        if not entered[level].all():
            state = states[level[~entered[level]][0]]
            return f"state {state} is said to take moves, and no move leads there from one less"
        for low in range(0, len(level), step):
            fault = _move_fault(puzzle, case, rows, level[low : low + step], distance, entered, least_left)
            if fault:
                return fault
    return _wrong_to_goal(puzzle, case, states, least_left, rows["to_goal"]) if puzzle.has_goals else ""


def _move_fault(
    puzzle: Puzzle,
    case: Case,
    rows: Columns,
    some: NDArray[np.int64],
    distance: int,
    entered: NDArray[np.bool_],
    least: NDArray[np.uint16],
) -> str:
    """Fault of the images and the moves of some rows at one distance, or ''.

    entered: set where a move leads from one less. least: of each of these rows the least moves to a goal of those that
    its moves lead to.
    """
    states = rows["state"]
    if puzzle.symmetric:
        images, orbits = canonical(puzzle, case, states[some])
        for column, right in (("state", images), ("orbit", orbits)):
            wrong = np.flatnonzero(rows[column][some] != right)
            if len(wrong):
                given = rows[column][some[wrong[0]]]
                return f"state {states[some[wrong[0]]]} has {column} {given}, and it is {right[wrong[0]]}"
    origins, found = neighbours(puzzle, case, states[some])
    ends = places_among(canonical(puzzle, case, found)[0], states)
    far = rows["distance"][ends]
    wrong = np.flatnonzero((ends < 0) | (far > distance + 1))
    if len(wrong):
        state, there = states[some[origins[wrong[0]]]], found[wrong[0]]
        return f"from state {state} a move leads to {there}, which is no row, or farther than one more"
    entered[ends[far == distance + 1]] = True
    if puzzle.has_goals:
        _lower(least, some[origins], rows["to_goal"][ends])
    return ""
