"""Levels of a puzzle whose states are words, however many there are: the search by rounds, and what is published of it.

A shard of a round owns a range of words, cut so that each has about as many (:mod:`boardspace.engine.shuffle`). It
merges what the round before marked in its range, takes away what earlier levels hold, and has the next level of its
range; then it marks the neighbours of these, their least images where the puzzle has symmetries. Both are sorted runs
in blobs; a short one is in the facts alone.

Where the puzzle has goals, a second stage goes back from those that were reached, by the rule that takes moves back,
within what was reached. States that it does not find are dead ends: no moves lead from there to a goal.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardspace.engine.shuffle import SAMPLES, range_shards, sample
from boardspace.graphs.levels import (
    BACK,
    FORWARD,
    GOALS_TRIED,
    LEVEL,
    MARKS,
    farthest_said,
    goals_said,
    level_sizes,
    level_tables,
)
from boardspace.graphs.paths import (
    AT_ONCE,
    MOST_LEVELS,
    States,
    canonical,
    found_again,
    goals_among,
    looks_back,
    marked,
    too_far,
    without,
)
from boardspace.graphs.puzzle import MOST_LISTED, Case, Puzzle
from boardspace.graphs.trying import try_rules
from boardspace.spec.check import distinct
from boardspace.spec.space import Facts, Inputs, Output, Shard
from boardspace.spec.texts import counted
from boardspace_kernels import runs
from boardspace_kernels.graph import dense

ROWS_LAID_OUT = 1 << 20
SECONDS_A_ROW = 200e-9


def rows_of_a_shard(puzzle: Puzzle, case: Case) -> int:
    """States that a shard of a round owns, about: their neighbours are held four times."""
    return max(1 << 12, 4 * AT_ONCE // puzzle.most_moves(case.size))


# --- rounds ----------------------------------------------------------------------------------------------------------


def cut_levels(puzzle: Puzzle, stage: str, config: Any, inputs: Inputs) -> list[Shard]:
    """The shards of the next level of every case that has one."""
    before = inputs.facts(stage, of_round=-1)
    level = before[0]["level"] + 1 if before else 0
    found = []
    for case in puzzle.cases(config):
        params = {"case": case.name, "level": level}
        rows = rows_of_a_shard(puzzle, case)
        if before or stage == BACK:
            runs_found = _runs(case, before, MARKS) if before else _runs(case, inputs.facts(FORWARD), LEVEL)
            seconds = puzzle.seconds(case, 1)
            found += range_shards(runs_found, f"{case.name}/{level:05}", params, rows, seconds)
        else:
            starts = np.array(puzzle.starts(case.size), np.uint64)  # no images: their kernel is not tried yet
            found += range_shards([sample(starts)], f"{case.name}/{level:05}", params, rows)
    return found


def _runs(case: Case, facts: Sequence[Facts], name: str) -> list[Facts]:
    return [one[name] for one in facts if one["case"] == case.name and one[name]["rows"]]


def _starts(puzzle: Puzzle, case: Case) -> States:
    return distinct(canonical(puzzle, case, np.array(puzzle.starts(case.size), np.uint64))[0])


def find_level(puzzle: Puzzle, stage: str, config: Any, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """One level of a range of states: what the round before marked there and no earlier level has, and its marks."""
    case, level = puzzle.case(config, params["case"]), params["level"]
    here = _Range(case, inputs, params["low"], params["high"])
    if level == 0:
        new = _first_level(puzzle, case, stage, here)
    else:
        oldest = level - 2 if puzzle.undirected else 0
        new = without(here.marked(stage, level - 1), list(here.levels(stage, oldest, level - 1)))
        if stage == BACK and not puzzle.undirected:  # else moves lead to no others
            new = _within(new, here.levels(FORWARD))
    if len(new) and level > dense.FARTHEST:
        raise too_far(puzzle, case)
    if looks_back(puzzle, level) and len(without(new, list(here.levels(stage, 0, level - 3)))) < len(new):
        last = _Range(case, inputs, 0, 1 << 64).levels(stage, level - MOST_LEVELS, level - 1)
        raise found_again(puzzle, case, distinct(np.concatenate([new, *last])))
    rule = puzzle.rule_of(case.metric, back=stage == BACK)
    marks = marked(puzzle, case, new, rule, symmetric=True)
    orbits = canonical(puzzle, case, new)[1]
    facts = {
        "case": case.name,
        "level": level,
        "rows": len(new),
        "states": int(orbits.sum()),
        "start": bool(np.isin(_starts(puzzle, case), new).any()),
        LEVEL: sample(new),
        MARKS: sample(marks),
    }
    # Of few states the sample has all: levels of long searches are small, and each is looked at from all that follow.
    return Output(facts=facts, blobs={name: run for name, run in ((LEVEL, new), (MARKS, marks)) if len(run) > SAMPLES})


def _first_level(puzzle: Puzzle, case: Case, stage: str, here: "_Range") -> States:
    if stage == FORWARD:
        try_rules(puzzle, case, report=here.inputs.report)
        return here.cut(_starts(puzzle, case))
    reached = runs.merge([runs.Run(one) for one in here.levels(FORWARD)]).positions
    goals = reached[goals_among(puzzle, case, reached)]
    try_rules(puzzle, case, goals[:GOALS_TRIED].tolist(), here.inputs.report)
    return goals


def _within(states: States, levels: Iterator[States]) -> States:
    found = np.zeros(len(states), np.bool_)
    for level in levels:
        found |= runs.is_in(states, level)
    return states[found]


@dataclass(frozen=True)
class _Range:
    """The states of [low, high) that earlier rounds of a case left."""

    case: Case
    inputs: Inputs
    low: int
    high: int

    def cut(self, states: NDArray[np.uint64]) -> States:
        """The part of ascending states that lies in the range; a copy, as kernels take no array of the disk."""
        return np.array(runs.Run(states).between(self.low, self.high).positions)

    def marked(self, stage: str, level: int) -> States:
        return runs.merge([runs.Run(one) for one in self._read(stage, MARKS, level)]).positions

    def levels(self, stage: str, first: int = 0, last: int = dense.FARTHEST) -> Iterator[States]:
        for level in range(max(first, 0), min(last + 1, self.inputs.rounds(stage))):
            yield from self._read(stage, LEVEL, level)

    def numbered(self, stage: str) -> tuple[States, NDArray[np.uint16]]:
        states, levels = [np.empty(0, np.uint64)], [np.empty(0, np.uint16)]
        for level in range(self.inputs.rounds(stage)):
            for some in self._read(stage, LEVEL, level):
                states.append(some)
                levels.append(np.full(len(some), level, np.uint16))
        order = np.argsort(np.concatenate(states))
        return np.concatenate(states)[order], np.concatenate(levels)[order]

    def _read(self, stage: str, blob: str, level: int) -> Iterator[States]:
        for shard, facts in self.inputs.named_facts(stage, of_round=level).items():
            if facts["case"] == self.case.name and facts[blob]["rows"]:
                # What lies wholly beside the range is not opened: levels have many shards.
                some = facts[blob]["sample"]
                if some[-1] >= self.low and some[0] < self.high:
                    few = len(some) == facts[blob]["rows"]
                    yield self.cut(np.array(some, np.uint64) if few else self.inputs.blob(stage, blob, shard))


# --- what is published -----------------------------------------------------------------------------------------------


def cut_positions(puzzle: Puzzle, config: Any, inputs: Inputs) -> list[Shard]:
    """Ranges of states of each case."""
    found = []
    for folder, case in puzzle.folders(config).items():
        some = _runs(case, inputs.facts(FORWARD), LEVEL)
        found += range_shards(some, folder, {"case": case.name}, ROWS_LAID_OUT, SECONDS_A_ROW)
    return found


def lay_out(puzzle: Puzzle, config: Any, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """The rows of the states of a range."""
    case = puzzle.case(config, params["case"])
    here = _Range(case, inputs, params["low"], params["high"])
    states, distances = here.numbered(FORWARD)
    columns: dict[str, Any] = {"state": states, "distance": distances}
    if puzzle.symmetric:
        columns["orbit"] = canonical(puzzle, case, states)[1]
    if puzzle.has_goals:
        columns["to_goal"] = np.full(len(states), dense.UNREACHED, np.uint16)
        home, moves = here.numbered(BACK)
        columns["to_goal"][np.searchsorted(states, home)] = moves
    columns |= puzzle.own(case, states)
    table, fixed = puzzle.positions, {name: [value] * len(states) for name, value in case.columns.items()}
    return Output({table.name: table.from_columns(**fixed, **columns)})


def tables(puzzle: Puzzle, config: Any, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """The sizes of the levels of every case, and the farthest states."""

    def first(case: Case, level: int) -> list[int]:
        states = np.concatenate([*_Range(case, inputs, 0, 1 << 64).levels(FORWARD, level, level)])
        found: list[int] = states[:MOST_LISTED].tolist()
        return found

    return level_tables(puzzle, config, inputs, first)


def moves_of_start(case: Case, inputs: Inputs) -> int | None:
    """Fewest moves from a start to a goal; None where none lead there."""
    found = [facts["level"] for facts in inputs.facts(BACK) if facts["case"] == case.name and facts["start"]]
    return min(found, default=None)


def results(puzzle: Puzzle, config: Any, inputs: Inputs) -> list[str]:
    """A line for each case."""
    lines = []
    for case in puzzle.cases(config):
        levels = level_sizes(case, inputs)
        states, rows = sum(levels), sum(level_sizes(case, inputs, of="rows"))
        alike = f", {counted(rows, 'orbit')}" if puzzle.symmetric else ""
        line = f"{case.name}: {counted(states, 'state')} can be reached{alike}; {farthest_said(levels)}"
        if puzzle.has_goals:
            home = level_sizes(case, inputs, BACK)
            line += goals_said(puzzle, case, moves_of_start(case, inputs), len(home) - 1, states - sum(home))
        lines.append(line)
    return lines


def warm_up(puzzle: Puzzle) -> None:
    """Compile the rules, and the kernels that take them."""
    case, none = puzzle.cases(puzzle.config())[0], np.zeros(0, np.uint64)
    for metric in puzzle.moves:
        for back in range(1 + puzzle.has_goals):
            marked(puzzle, Case(metric, case.size), none, puzzle.rule_of(metric, back=bool(back)))
    canonical(puzzle, case, none)
    runs.merge([runs.Run(none), runs.Run(none)])
    runs.is_in(none, none)
    if puzzle.has_goals:
        goals_among(puzzle, case, none)
