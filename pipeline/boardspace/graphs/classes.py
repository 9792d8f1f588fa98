"""Groups of a puzzle whose moves never leave classes that are known beforehand, by the labels of these.

A shard owns a range of labels. It has the states of each class placed, makes their graph, and keeps a row for each
group: how many states it has, how many of them are goals, how far its farthest state is from one. Nothing goes from
shard to shard, so there are no rounds.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from boardspace.graphs.levels import farthest_said
from boardspace.graphs.paths import ball, goals_among
from boardspace.graphs.puzzle import GROUPS_LISTED, Case, Closed, Puzzle
from boardspace.graphs.trying import TRIED, RuleError, shown, try_rules
from boardspace.spec.space import Inputs, Json, Output, Shard, cut_range
from boardspace.spec.texts import counted
from boardspace_kernels.graph import closed, dense
from boardspace_kernels.jit import interpreted

SECONDS_A_SHARD = 1.0
SECONDS_A_STATE, SECONDS_A_LABEL = 0.5e-6, 50e-6
"""Of placing, linking and searching, roughly."""
CAPACITY = 1 << 16
"""States that are placed at the first try."""
TRIED_WHOLE = 1000
"""States of the largest class that is placed as Python, once."""
TOGETHER = 1 << 14
"""Classes go together until they have so many states; more would not stay in the cache."""
HARDEST_TOGETHER = 50
"""Hardest states whose groups are searched together."""


@dataclass(frozen=True)
class Survey:
    """Figures of some classes.

    states: uint64, the least state of each group; labels: uint64, the class that each is in.
    figures: int64 (groups, 4): states; goals; greatest distance, or -1; states at it.
    hardest: uint64, the first state at the greatest distance; of groups without goals the least.
    levels: int64 (UNREACHED + 1), states by distance; the last are those from which no goal is reached.
    """

    labels: NDArray[np.uint64]
    states: NDArray[np.uint64]
    figures: NDArray[np.int64]
    hardest: NDArray[np.uint64]
    levels: NDArray[np.int64]


@dataclass(frozen=True)
class Batch:
    """Some classes.

    sizes: numbers of their states by their labels, none of which is 0.
    states: uint64, ascending in each class, one class after the other.
    """

    sizes: dict[int, int]
    states: NDArray[np.uint64]

    @property
    def bounds(self) -> NDArray[np.int64]:
        """int64 (classes + 1): where each class begins, and the end."""
        return np.cumsum([0, *self.sizes.values()])


def states_of(puzzle: Puzzle) -> Closed:
    """The classes of a puzzle that has some."""
    assert isinstance(puzzle.states, Closed)
    return puzzle.states


def placed(puzzle: Puzzle, case: Case, label: int, buffer: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The states of a class, ascending, in ``buffer`` or an array of their own; RuleError where they do not ascend."""
    place = states_of(puzzle).place
    number = int(place(case.numbers, np.uint64(label), buffer))
    if number > len(buffer):
        buffer = np.empty(number, np.uint64)
        place(case.numbers, np.uint64(label), buffer)
    states = buffer[:number]
    if not (states[1:] > states[:-1]).all():
        raise RuleError(f"{puzzle.name}, {case.name}: the states of label {label} do not ascend, or come twice")
    return states


def batches(puzzle: Puzzle, case: Case, labels: range) -> Iterator[Batch]:
    """The states of the classes of these labels."""
    buffer, found, used = np.empty(CAPACITY, np.uint64), dict[int, int](), 0
    for label in labels:
        states = placed(puzzle, case, label, buffer[used:])
        fits = len(states) <= len(buffer) - used
        if used and not fits:
            yield Batch(found, buffer[:used])
            found, used = {}, 0
        if not fits:  # they are placed in an array of their own
            yield Batch({label: len(states)}, states)
            continue
        if len(states):
            found[label], used = len(states), used + len(states)
        if used >= TOGETHER:
            yield Batch(found, buffer[:used])
            found, used = {}, 0
    if used:
        yield Batch(found, buffer[:used])


def survey(puzzle: Puzzle, case: Case, labels: range) -> Survey:
    """The figures of the classes of these labels."""
    levels = np.zeros(dense.UNREACHED + 1, np.int64)
    parts = [_of_batch(puzzle, case, batch, levels) for batch in batches(puzzle, case, labels)]
    none = np.empty(0, np.uint64)
    return Survey(
        labels=np.concatenate([none, *(part[0] for part in parts)]),
        states=np.concatenate([none, *(part[1] for part in parts)]),
        figures=np.concatenate([np.empty((0, 4), np.int64), *(part[2] for part in parts)]),
        hardest=np.concatenate([none, *(part[3] for part in parts)]),
        levels=levels,
    )


def _of_batch(
    puzzle: Puzzle, case: Case, batch: Batch, levels: NDArray[np.int64]
) -> tuple[NDArray[np.uint64], NDArray[np.uint64], NDArray[np.int64], NDArray[np.uint64]]:
    """Labels, least states, figures and hardest states of the groups of some classes."""
    states = batch.states
    distances, rows, ends = distances_of(puzzle, case, states, batch.bounds)
    group = np.empty(len(states), np.uint32)
    figures = np.zeros((closed.groups(rows, ends, group), 6), np.int64)
    closed.sum_up(group, distances, figures, levels)
    hardest = np.where(figures[:, 2] >= 0, figures[:, 5], figures[:, 4])
    classes = np.searchsorted(batch.bounds, figures[:, 4], "right") - 1
    return np.array([*batch.sizes], np.uint64)[classes], states[figures[:, 4]], figures[:, :4].copy(), states[hardest]


def distances_of(
    puzzle: Puzzle, case: Case, states: NDArray[np.uint64], bounds: NDArray[np.int64] | None = None
) -> tuple[NDArray[np.uint16], NDArray[np.int64], NDArray[np.uint32]]:
    """The distances of some states to goals, and their graph: rows and ends. See :func:`linked`."""
    rows, ends = linked(puzzle, case, states, bounds)
    distances = np.empty(len(states), np.uint16)
    faulty = closed.distances(states_of(puzzle).goal, case.numbers, states, rows, ends, distances)
    if faulty >= 0:
        raise RuleError(f"{puzzle.name}, {case.name}: state {states[faulty]} takes more than {dense.FARTHEST} moves")
    return distances, rows, ends


def linked(
    puzzle: Puzzle, case: Case, states: NDArray[np.uint64], bounds: NDArray[np.int64] | None = None
) -> tuple[NDArray[np.int64], NDArray[np.uint32]]:
    """The graph of states that moves do not leave: rows and ends. With bounds, they are so many classes, of which moves
    leave none."""
    most = puzzle.most_moves(case.size)
    rows, ends = np.empty(len(states) + 1, np.int64), np.empty(len(states) * most, np.uint32)
    whole = np.array([0, len(states)]) if bounds is None else bounds
    faulty = closed.link(puzzle.moves[case.metric], case.numbers, states, whole, rows, ends)
    if faulty >= 0:
        state = int(states[faulty])
        raise RuleError(
            f"{puzzle.name}, {case.name}: state {state} has not 0 to {most} neighbours, or one outside of its class"
            f"{shown(puzzle, case, state)}"
        )
    return rows, ends


def cut_labels(puzzle: Puzzle, config: Any, inputs: Inputs) -> list[Shard]:
    """Ranges of labels."""
    found = []
    for folder, case in puzzle.folders(config).items():
        labels, seconds = states_of(puzzle).labels(case.size), seconds_of(puzzle, case)
        size = max(1, int(labels * SECONDS_A_SHARD / max(seconds, SECONDS_A_SHARD)))
        for number, (low, high) in enumerate(cut_range(0, labels, size)):
            params: dict[str, Json] = {"case": case.name, "low": low, "high": high}
            found.append(Shard(f"{folder}/{number:05}", params, seconds * (high - low) / labels))
    return found


def seconds_of(puzzle: Puzzle, case: Case) -> float:
    """Estimate of the seconds that a case takes."""
    states = states_of(puzzle)
    return states.count(case.size) * SECONDS_A_STATE + states.labels(case.size) * SECONDS_A_LABEL


def find_groups(puzzle: Puzzle, config: Any, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """The groups of the classes of a range of labels."""
    case = puzzle.case(config, params["case"])
    if params["low"] == 0:
        try_rules(puzzle, case, islice(some_states(puzzle, case), 2 * TRIED), inputs.report)
    found = survey(puzzle, case, range(params["low"], params["high"]))
    used = np.flatnonzero(found.levels[: dense.UNREACHED])
    facts = {
        "case": case.name,
        "states": int(found.levels.sum()),
        "levels": found.levels[: used[-1] + 1].tolist() if len(used) else [],
    }
    return Output({puzzle.groups.name: _rows(puzzle, case, found)}, facts=facts)


def some_states(puzzle: Puzzle, case: Case) -> Iterator[int]:
    """States of some classes, the first ones and others by a seed, two and a goal of each; rules are tried at them."""
    labels, random = states_of(puzzle).labels(case.size), np.random.default_rng(0)
    buffer, tried = np.empty(CAPACITY, np.uint64), False
    for label in [*range(min(labels, 10)), *random.integers(0, labels, 2 * TRIED).tolist()]:
        states = placed(puzzle, case, label, buffer)
        if not tried and 1 < len(states) <= TRIED_WHOLE:
            tried = _try_place(puzzle, case, label, len(states))
        if len(states):
            goals = states[goals_among(puzzle, case, states)][:1]
            yield from [*states[random.integers(0, len(states), 2)].tolist(), *goals.tolist()]


def _try_place(puzzle: Puzzle, case: Case, label: int, states: int) -> bool:
    """True; RuleError where ``place``, run as Python, writes more states of a class than there is room for."""
    out, why = np.zeros(states - 1, np.uint64), f"says that there are fewer, where its array holds {states - 1}"
    with interpreted(True), np.errstate(over="ignore"):
        try:
            right = int(states_of(puzzle).place(case.numbers, np.uint64(label), out)) == states
        except IndexError as error:
            right, why = False, f"writes beyond its array ({error})"
    if right:
        return True
    raise RuleError(
        f"{puzzle.name}, {case.name}: place finds {states:,} states of label {label}, and {why}: write as many "
        "as it holds, and return the number of all"
    )


def _rows(puzzle: Puzzle, case: Case, found: Survey) -> pa.Table:
    number, none = len(found.states), found.figures[:, 2] < 0
    fixed = {name: [value] * number for name, value in case.columns.items()}
    return puzzle.groups.from_columns(
        **fixed,
        label=found.labels,
        state=found.states,
        states=found.figures[:, 0].astype(np.uint64),
        goals=found.figures[:, 1].astype(np.uint64),
        distance=pa.array(np.where(none, 0, found.figures[:, 2]).astype(np.uint16), mask=none),
        farthest=found.figures[:, 3].astype(np.uint64),
        hardest=pa.array(found.hardest, mask=none),
        **puzzle.own(case, found.states),
    )


def tables(puzzle: Puzzle, config: Any, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """The numbers of states by distance, and the hardest states of the groups with the farthest."""
    levels, hardest = [], []
    for case in puzzle.cases(config):
        sizes = level_sizes(case, inputs)
        levels += [{**case.columns, "distance": d, "states": states} for d, states in enumerate(sizes)]
        shards = [shard for shard, facts in inputs.named_facts("groups").items() if facts["case"] == case.name]
        hardest += hardest_rows(puzzle, case, inputs.read("groups", puzzle.groups.name, shards=shards))
    return Output({"levels": puzzle.levels.from_rows(levels), "hardest": puzzle.farthest.from_rows(hardest)})


def hardest_rows(puzzle: Puzzle, case: Case, groups: pa.Table) -> list[dict[str, Any]]:
    """Rows of the hardest states: of the groups of a case those whose farthest states are farthest, the first ones
    where many are alike."""
    distances = groups.column("distance").fill_null(0).to_numpy().astype(np.int64)
    solvable = groups.column("distance").is_valid().to_numpy()
    chosen = np.argsort(np.where(solvable, -distances, 1), kind="stable")[:GROUPS_LISTED]
    rules, found = puzzle.rules_of(case.metric), list[dict[str, Any]]()
    rows = sorted(groups.take(chosen[solvable[chosen]]).to_pylist(), key=lambda row: row["hardest"])
    own = puzzle.own(case, np.array([row["hardest"] for row in rows], np.uint64))
    for row, (solutions, nearest) in zip(rows, _ways(puzzle, case, rows), strict=True):
        state, more = row["hardest"], {name: values[len(found)] for name, values in own.items()}
        counted = {"solutions": solutions, "nearest": nearest, "text": rules.text(case.size, state)}
        found.append({**case.columns, "state": state, "distance": row["distance"], **counted, **more})
    return found


def _ways(puzzle: Puzzle, case: Case, rows: Sequence[Mapping[str, Any]]) -> Iterator[tuple[int | None, int]]:
    """For the hardest state of each of some groups the number of its shortest ways to goals, None where the table has
    no such number, and of these goals. BoardspaceError where the groups have more states than their rows say."""
    for low in range(0, len(rows), HARDEST_TOGETHER):
        together = rows[low : low + HARDEST_TOGETHER]
        some = [row["hardest"] for row in together]
        group = ball(puzzle, case, some, None, most=sum(row["states"] for row in together))
        distances, begins, ends = distances_of(puzzle, case, group)
        for start in np.searchsorted(group, np.array(some, np.uint64)).tolist():
            ways = np.zeros(len(group) + 1, np.uint64)
            goals = closed.shortest_ways(begins, ends, distances, start, ways)
            yield listed_ways(int(ways[-1])), goals


def listed_ways(ways: int) -> int | None:
    """A number of ways as the table of hardest states has it: None where it is MANY or more."""
    return ways if ways < closed.MANY else None


def level_sizes(case: Case, inputs: Inputs) -> list[int]:
    """Number of states at each distance from a goal."""
    found = np.zeros(dense.UNREACHED + 1, np.int64)
    for facts in inputs.facts("groups"):
        if facts["case"] == case.name:
            found[: len(facts["levels"])] += np.array(facts["levels"], np.int64)
    last = np.flatnonzero(found)
    return found[: last[-1] + 1].tolist() if len(last) else []


def results(puzzle: Puzzle, config: Any, inputs: Inputs) -> Iterator[str]:
    """A line for each case."""
    for case in puzzle.cases(config):
        levels = level_sizes(case, inputs)
        states = sum(facts["states"] for facts in inputs.facts("groups") if facts["case"] == case.name)
        farthest = f"; {farthest_said(levels)}" if levels else ""
        yield f"{case.name}: {counted(states, 'state')}; {sum(levels):,} of them lead to a goal{farthest}"


def warm_up(puzzle: Puzzle) -> None:
    """Compile the rules, and the kernels that take them."""
    case, states, buffer = puzzle.cases(puzzle.config())[0], states_of(puzzle), np.zeros(CAPACITY, np.uint64)
    states.place(case.numbers, np.uint64(0), buffer)
    rows, ends, group = np.zeros(1, np.int64), np.zeros(1, np.uint32), np.zeros(0, np.uint32)
    none, cells = buffer[:0], np.zeros(0, np.uint16)
    for rule in puzzle.moves.values():
        closed.link(rule, case.numbers, none, rows, rows, ends)
    closed.groups(rows, ends, group)
    closed.distances(states.goal, case.numbers, none, rows, ends, cells)
    closed.shortest_ways(np.zeros(2, np.int64), ends, np.zeros(1, np.uint16), 0, np.zeros(2, np.uint64))
    closed.sum_up(group, cells, np.zeros((1, 6), np.int64), np.zeros(dense.UNREACHED + 1, np.int64))
