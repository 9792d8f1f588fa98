"""Levels of a puzzle whose states are numbers: the search by rounds, and what is published of it.

A shard of a round owns some ranges of states. It joins what the round before marked in them, takes away what earlier
levels hold, and has the next level of its ranges; then it marks the neighbours of these, range by range. It leaves two
blobs: the sets of its level, which are laid out as distances at the end, and its marks, which the next round reads.
Facts say where in a blob the set of a range lies. Ranges with little in them travel together, so small levels are one
shard.

Where the puzzle has goals, a second stage is the same search from all goals, by the rule that takes moves back.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardspace.graphs.paths import AT_ONCE, MOST_LEVELS, States, found_again, goals_among, looks_back, too_far
from boardspace.graphs.puzzle import MOST_LISTED, Case, Puzzle
from boardspace.graphs.trying import RuleError, shown, try_rules
from boardspace.spec.check import distinct
from boardspace.spec.space import ArrayPart, Facts, Inputs, Output, Shard
from boardspace.spec.stage import filling
from boardspace.spec.texts import counted
from boardspace_kernels.graph import dense

SECONDS_A_SHARD = 0.4
"""Ranges are put together until their shard takes about so long."""
SECONDS_LAID_OUT = 5e-9
"""Of one state in an array of distances, encoding included."""
CHUNK = 1 << 16
FORWARD, BACK = "levels", "back"
"""The stages: from the start, and back from the goals."""
GOALS_TRIED = 4
"""Goals of a shard at which the rules are tried: walks and draws may meet none."""
LEVEL, MARKS = "states_of_level", "marks"
"""The blobs of a shard of levels."""
Sets = list[tuple[int, int, int]]
"""Where the sets of a blob lie: range, first word, number of words."""
Words = NDArray[np.uint32]


@dataclass(frozen=True)
class Ranges:
    """The ranges of a case: [first, first + states) of each, the last one shorter.

    count: number of all states.
    size: states of one range.
    """

    count: int
    size: int

    @property
    def number(self) -> int:
        """Number of its states."""
        return -(-self.count // self.size)

    def states(self, place: int) -> int:
        """Number of states of a range."""
        return min(self.size, self.count - place * self.size)

    def words(self, place: int) -> slice:
        """The words of a range in a bitmap of all states."""
        first = place * self.size // dense.BITS
        return slice(first, first + dense.bitmap_words(self.states(place)))


def ranges_of(puzzle: Puzzle, case: Case) -> Ranges:
    """The ranges of a case."""
    return Ranges(puzzle.dense.count(case.size), puzzle.dense.range)


# --- rounds ----------------------------------------------------------------------------------------------------------


def cut_levels(puzzle: Puzzle, stage: str, config: Any, inputs: Inputs) -> list[Shard]:
    """The shards of the next level of every case that has one."""
    before = inputs.facts(stage, of_round=-1)
    return [shard for case in puzzle.cases(config) for shard in _next_level(puzzle, case, stage, before)]


def _next_level(puzzle: Puzzle, case: Case, stage: str, before: Sequence[Facts]) -> Iterator[Shard]:
    if not before and stage == FORWARD:
        yield Shard(f"{case.name}/00000/00000", {"case": case.name, "level": 0, "ranges": []}, 0.5)
        return
    marked: dict[int, int] = {}
    for facts in (one for one in before if one["case"] == case.name):
        for place, _, words in facts[MARKS]:
            marked[place] = marked.get(place, 0) + _most_states(puzzle, case, place, words)
    if not before:  # goals may be anywhere
        ranges = ranges_of(puzzle, case)
        marked = {place: ranges.states(place) for place in range(ranges.number)}
    level = before[0]["level"] + 1 if before else 0
    for places in filling(sorted(marked), lambda place: puzzle.seconds(case, marked[place]), SECONDS_A_SHARD):
        cost = puzzle.seconds(case, sum(marked[place] for place in places))
        params = {"case": case.name, "level": level, "ranges": places}
        yield Shard(f"{case.name}/{level:05}/{places[0]:05}", params, cost)


def _most_states(puzzle: Puzzle, case: Case, place: int, words: int) -> int:
    """Most states of a set of so many words; of a bitmap a third of its bits stands for those set."""
    full = dense.bitmap_words(ranges_of(puzzle, case).states(place))
    return words if words < full else words * dense.BITS // 3


def find_level(puzzle: Puzzle, stage: str, config: Any, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """One level of some ranges: the states that the round before marked and no earlier level has, and their marks."""
    case, level = puzzle.case(config, params["case"]), params["level"]
    ranges = ranges_of(puzzle, case)
    if level == 0:
        if stage == FORWARD:
            try_rules(puzzle, case, report=inputs.report)
        bitmaps = first_level(puzzle, case, ranges, stage, params["ranges"])
    else:
        earlier = _Earlier(case, inputs, stage)
        oldest = level - 2 if puzzle.undirected else 0
        if looks_back(puzzle, level):
            _look_back(puzzle, case, ranges, earlier, params["ranges"], level)
        bitmaps = ((place, earlier.new(ranges, place, level, oldest)) for place in params["ranges"])
    found = np.zeros(dense.bitmap_words(ranges.count), np.uint32)
    new, states = _Sets(), 0
    for place, bitmap in bitmaps:
        here = dense.size_of(bitmap)
        if not here:
            continue
        states += here
        new.add(place, bitmap)
        _expand(puzzle, case, ranges, stage, place, bitmap, found)
    if states and level > dense.FARTHEST:
        raise too_far(puzzle, case)
    marks = _Sets()
    for place in range(ranges.number if states else 0):
        if found[ranges.words(place)].any():
            marks.add(place, found[ranges.words(place)])
    facts = {"case": case.name, "level": level, "states": states, LEVEL: new.places, MARKS: marks.places}
    blobs = {name: sets.words for name, sets in ((LEVEL, new), (MARKS, marks)) if sets.places}
    return Output(facts=facts, blobs=blobs)


def _look_back(
    puzzle: Puzzle, case: Case, ranges: Ranges, earlier: "_Earlier", places: Sequence[int], level: int
) -> None:
    """RuleError where a level of some ranges has states of earlier levels than the last two."""
    for place in places:
        if (earlier.new(ranges, place, level, level - 2) != earlier.new(ranges, place, level, 0)).any():
            some = earlier.sets(LEVEL, place, level - MOST_LEVELS, level - 1)
            last = [np.zeros(0, np.uint64), *(listed_states(ranges, place, one) for _, one in some)]
            raise found_again(puzzle, case, distinct(np.concatenate(last)))


def listed_states(ranges: Ranges, place: int, some: Words) -> States:
    """The states of a set of a range, ascending."""
    bitmap = np.zeros(dense.bitmap_words(ranges.states(place)), np.uint32)
    dense.add(some, bitmap)
    states = np.empty(dense.size_of(bitmap), np.uint32)
    dense.listed(bitmap, states)
    return place * ranges.size + states.astype(np.uint64)


def first_level(
    puzzle: Puzzle, case: Case, ranges: Ranges, stage: str, places: Sequence[int]
) -> Iterator[tuple[int, Words]]:
    """Bitmaps of the starts, of ranges that have some; or, if the stage goes back, of the goals of some ranges."""
    if stage == BACK:
        yield from ((place, _goals_of(puzzle, case, ranges, place)) for place in places)
        return
    for place, starts in groupby(puzzle.starts(case.size), lambda start: start // ranges.size):
        bitmap = np.zeros(dense.bitmap_words(ranges.states(place)), np.uint32)
        for start in starts:
            word, bit = divmod(start % ranges.size, dense.BITS)
            bitmap[word] |= np.uint32(1 << bit)
        yield place, bitmap


def _goals_of(puzzle: Puzzle, case: Case, ranges: Ranges, place: int) -> Words:
    bitmap = np.zeros(dense.bitmap_words(ranges.states(place)), np.uint32)
    first, cells = place * ranges.size, bitmap.view(np.uint8)
    for low in range(0, ranges.states(place), AT_ONCE):
        high = min(low + AT_ONCE, ranges.states(place))
        states = np.arange(first + low, first + high, dtype=np.uint64)
        goals = goals_among(puzzle, case, states)
        if not bitmap.any():
            try_rules(puzzle, case, states[goals][:GOALS_TRIED].tolist())
        cells[low // 8 : -(-high // 8)] = np.packbits(goals, bitorder="little")
    return bitmap


def _expand(puzzle: Puzzle, case: Case, ranges: Ranges, stage: str, place: int, bitmap: Words, found: Words) -> None:
    first, most = np.uint64(place * ranges.size), puzzle.most_moves(case.size)
    rule = puzzle.rule_of(case.metric, back=stage == BACK)
    faulty = dense.expand(rule, case.numbers, np.uint64(ranges.count), most, first, bitmap, found)
    if faulty >= 0:
        raise RuleError(
            f"{puzzle.name}, {case.name}: state {faulty} has not 0 to {most} neighbours, or one that is no state "
            f"below {ranges.count:,}: mend the kernel{' of retract' * (stage == BACK)}, or most_moves"
            f"{shown(puzzle, case, faulty)}"
        )


class _Sets:
    """Sets of states of several ranges, in one array of words; the shorter form of each."""

    def __init__(self) -> None:
        self.places: Sets = []
        self._parts: list[Words] = []
        self._length = 0

    def add(self, place: int, bitmap: Words) -> None:
        some = dense.packed(bitmap)
        self.places.append((place, self._length, len(some)))
        self._parts.append(some)
        self._length += len(some)

    @property
    def words(self) -> Words:
        """All of them, one behind the other."""
        return np.concatenate(self._parts)


class _Earlier:
    """Sets that earlier rounds of a case left."""

    def __init__(self, case: Case, inputs: Inputs, stage: str = FORWARD) -> None:
        self._case, self._inputs, self._stage = case, inputs, stage

    def sets(self, blob: str, place: int, first: int, last: int) -> Iterator[tuple[int, Words]]:
        for level in range(max(first, 0), min(last + 1, self._inputs.rounds(self._stage))):
            for shard, facts in self._inputs.named_facts(self._stage, of_round=level).items():
                for where, start, words in facts[blob] if facts["case"] == self._case.name else ():
                    if where == place:
                        # Copied: kernels take arrays that may be written, and what is mapped may not.
                        mapped = self._inputs.blob(self._stage, blob, shard)
                        yield level, np.array(mapped[start : start + words])

    def new(self, ranges: Ranges, place: int, level: int, oldest: int) -> Words:
        """Bitmap of what the last round marked in a range, without the levels from ``oldest`` on."""
        bitmap = np.zeros(dense.bitmap_words(ranges.states(place)), np.uint32)
        for _, marks in self.sets(MARKS, place, level - 1, level - 1):
            dense.add(marks, bitmap)
        for _, seen in self.sets(LEVEL, place, oldest, level - 1):
            dense.remove(seen, bitmap)
        return bitmap


# --- what is published -----------------------------------------------------------------------------------------------


def cut_ranges(puzzle: Puzzle, config: Any, inputs: Inputs) -> list[Shard]:
    """One shard for each range of each case."""
    return [
        Shard(f"{case.name}/{place:05}", {"case": case.name, "range": place}, ranges.states(place) * SECONDS_LAID_OUT)
        for case in puzzle.cases(config)
        for ranges in (ranges_of(puzzle, case),)
        for place in range(ranges.number)
    ]


def lay_out_range(puzzle: Puzzle, config: Any, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """The distances of one range, and the moves to a goal where there are goals."""
    case, place = puzzle.case(config, params["case"]), params["range"]
    ranges, parts = ranges_of(puzzle, case), []
    file = min(ranges.size, -(-ranges.count // CHUNK) * CHUNK)
    for stage, array in ((FORWARD, puzzle.distances), (BACK, puzzle.to_goals))[: 1 + puzzle.has_goals]:
        cells = np.full(ranges.states(place), dense.UNREACHED, np.uint16)
        for level, some in _Earlier(case, inputs, stage).sets(LEVEL, place, 0, dense.FARTHEST):
            dense.lay_out(some, level, cells)
        part = ArrayPart(
            array,
            f"{array.name.partition('/')[0]}/{case.name}",
            shape=(ranges.count,),
            chunks=(min(CHUNK, file),),
            shards=(file,),
            start=(place * ranges.size,),
            values=cells,
        )
        parts.append(part)
    return Output(arrays=parts)


def tables(puzzle: Puzzle, config: Any, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """The sizes of the levels of every case, and the farthest states."""
    return level_tables(puzzle, config, inputs, partial(_first_states, puzzle, inputs))


def level_tables(puzzle: Puzzle, config: Any, inputs: Inputs, first: Callable[[Case, int], list[int]]) -> Output:
    """The tables of levels and of the farthest states; ``first`` lists states of a level of a case, the first ones."""
    levels, farthest = [], []
    for case in puzzle.cases(config):
        sizes = level_sizes(case, inputs)
        orbits = level_sizes(case, inputs, of="rows") if puzzle.symmetric else sizes
        for distance, (states, number) in enumerate(zip(sizes, orbits, strict=True)):
            levels.append({**case.columns, "distance": distance, "states": states, "orbits": number})
        last = len(sizes) - 1
        farthest += _farthest_rows(puzzle, case, first(case, last), last)
    rows = {puzzle.levels: levels, puzzle.farthest: farthest}
    return Output({table.name: table.from_rows(some) for table, some in rows.items()})


def _farthest_rows(puzzle: Puzzle, case: Case, states: Sequence[int], distance: int) -> list[dict[str, Any]]:
    """The rows of the farthest states."""
    rules, own = puzzle.rules_of(case.metric), puzzle.own(case, np.array(states, np.uint64))
    values = [dict(zip(own, row, strict=True)) for row in zip(*own.values(), strict=True)] or [{}] * len(states)
    return [
        {**case.columns, "state": state, "distance": distance, "text": rules.text(case.size, state), **more}
        for state, more in zip(states, values, strict=True)
    ]


def level_sizes(case: Case, inputs: Inputs, stage: str = FORWARD, of: str = "states") -> list[int]:
    """Number of states of each level of a case; or of rows, which are fewer where symmetries identify states."""
    found: dict[int, int] = {}
    for facts in inputs.facts(stage):
        if facts["case"] == case.name and facts["states"]:
            found[facts["level"]] = found.get(facts["level"], 0) + facts[of]
    return [found[level] for level in sorted(found)]


def _first_states(puzzle: Puzzle, inputs: Inputs, case: Case, level: int) -> list[int]:
    ranges, earlier = ranges_of(puzzle, case), _Earlier(case, inputs)
    found: list[int] = []
    for place in range(ranges.number):
        for _, some in earlier.sets(LEVEL, place, level, level):
            found += listed_states(ranges, place, some)[:MOST_LISTED].tolist()
    return sorted(found)[:MOST_LISTED]


def goal_figures(puzzle: Puzzle, case: Case, inputs: Inputs) -> tuple[int | None, int, int]:
    """The fewest moves from a start to a goal, None where none lead there, the most from a state that is reached, and
    the number of dead ends: by the arrays, as releases have them."""
    distances, home = (inputs.array(f"{name}/{case.name}") for name in ("distance", "to_goal"))
    least = min(int(home[start]) for start in puzzle.starts(case.size))
    most = dead = 0
    for low in range(0, puzzle.dense.count(case.size), AT_ONCE):
        left = home[low : low + AT_ONCE][distances[low : low + AT_ONCE] != dense.UNREACHED]
        alive = left[left != dense.UNREACHED]
        most, dead = max(most, int(alive.max(initial=0))), dead + len(left) - len(alive)
    return None if least == dense.UNREACHED else least, most, dead


def farthest_said(levels: Sequence[int]) -> str:
    """The part of a line of results on the farthest states; ``levels`` are the numbers of states by distance."""
    return f"the farthest: {counted(len(levels) - 1, 'move')} ({counted(levels[-1], 'state')})"


def goals_said(puzzle: Puzzle, case: Case, least: int | None, most: int, dead: int) -> str:
    """The end of a line of results where there are goals; the figures are those of :func:`goal_figures`."""
    start = "the nearest start" if len(puzzle.starts(case.size)) > 1 else "the start"
    lead = "no moves lead to a goal"
    if least is not None:
        lead = f"to a goal: {counted(least, 'move')} from {start}, {most} at most"
    return f"; {lead}; dead ends: {counted(dead, 'state')}"


def results(puzzle: Puzzle, config: Any, inputs: Inputs) -> list[str]:
    """A line for each case."""
    lines = []
    for case in puzzle.cases(config):
        levels = level_sizes(case, inputs)
        reached, count = sum(levels), puzzle.dense.count(case.size)
        of = "all " * (count > 1) if reached == count else f"{reached:,} of "
        goals = goals_said(puzzle, case, *goal_figures(puzzle, case, inputs)) if puzzle.has_goals else ""
        lines.append(f"{case.name}: {of}{counted(count, 'state')} can be reached; {farthest_said(levels)}{goals}")
    return lines


def warm_up(puzzle: Puzzle) -> None:
    """Compile the rules, and the kernels that take them."""
    words, cells = np.zeros(1, np.uint32), np.zeros(1, np.uint16)
    dense.add(words, words)
    dense.remove(words, words)
    dense.size_of(words)
    dense.listed(words, words)
    dense.lay_out(words, 0, cells)
    case = puzzle.cases(puzzle.config())[0]
    for metric in puzzle.moves:
        for back in range(1 + puzzle.has_goals):
            rule = puzzle.rule_of(metric, back=bool(back))
            dense.expand(rule, case.numbers, np.uint64(1), 1, np.uint64(0), words, words)
        dense.step_fault(puzzle.moves[metric], case.numbers, 1, np.uint64(0), np.uint64(0), cells, words)
    if puzzle.has_goals:
        goals_among(puzzle, case, np.zeros(0, np.uint64))
