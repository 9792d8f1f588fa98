"""Questions about a puzzle: how far a state is, the way to its start, the hardest states, one drawn at random.

A run's or a release's array of distances answers them; without one, all states are searched in memory, if they are few
enough.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache, reduce
from itertools import pairwise
from operator import and_
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from boardspace.cli.drawing import Picture, picture_of, text_picture
from boardspace.graphs import classes
from boardspace.graphs.declared import refuse_cases
from boardspace.graphs.hardness import Figures, Group, Hardness, figures, hardness
from boardspace.graphs.levels import BACK, FORWARD, Ranges, first_level, ranges_of
from boardspace.graphs.paths import (
    ball,
    canonical,
    canonical_state,
    goals_among,
    orbits_of,
    reached,
    shortest_path,
    shortest_path_to_goal,
    to_goals,
)
from boardspace.graphs.puzzle import Case, Closed, Dense, Puzzle, SecondRules, Sparse
from boardspace.graphs.space import PuzzleSpace
from boardspace.graphs.trying import RuleError, read_back
from boardspace.release.datasets import Dataset
from boardspace.spec.arguments import shown
from boardspace.spec.errors import BoardspaceError, NothingFoundError
from boardspace.spec.registry import error_text, space_named
from boardspace_kernels.graph import dense
from boardspace_kernels.graph.dense import UNREACHED

MOST_MEASURED = 1 << 20
"""States of a group that is measured."""
MOST_IN_MEMORY = 1 << 26
"""States that a question searches by itself."""
MOST_STATES = 5_000
"""States of a group without goals that is given as a puzzle: somebody may want to look at all of them."""
BATCH = 1 << 20
"""Cells of distances that are read together."""


@dataclass(frozen=True)
class Step:
    """One move of a solution.

    move: its name, by the second rules.
    state: number of the state that it leads to.
    """

    move: str
    state: int


@dataclass(frozen=True)
class Answers:
    """Questions about one case of a puzzle.

    puzzle, case: the puzzle, its metric and size.
    dataset: of a run or a release that has the distances; None to search all states here.
    """

    puzzle: Puzzle
    case: Case
    dataset: Dataset | None = None

    @property
    def rules(self) -> SecondRules:
        """The second rules of the metric."""
        return self.puzzle.rules_of(self.case.metric)

    @cached_property
    def count(self) -> int:
        """Number of all states."""
        return ranges_of(self.puzzle, self.case).count

    @cached_property
    def distances(self) -> Any:
        """The distances of all states, uint8, indexed by state: an array in memory, or one that is read as it is
        asked."""
        return self._cells("distance")

    @cached_property
    def left(self) -> Any:
        """The fewest moves of all states to the end, a goal or else a start; as :attr:`distances`."""
        return self._cells("to_goal") if self.puzzle.has_goals else self.distances

    def _cells(self, name: str) -> Any:
        if self.dataset is not None:
            stored = self.dataset.arrays[f"{name}/{self.case.name}"]
            # To read one cell takes a millisecond, and solutions ask for many.
            return stored[:] if self.count <= BATCH else stored
        if self.count > MOST_IN_MEMORY:
            raise BoardspaceError(
                f"{self.puzzle.name}, {self.case.name}: {self.count:,} states are too many to search for one question; "
                "make a run of this size, and name its folder with --data"
            )
        return searched(self.puzzle, self.case, FORWARD if name == "distance" else BACK)

    def distance(self, state: int) -> int | None:
        """Fewest moves from a start to a state; None where no moves lead."""
        value = int(self.distances[self.require(state)])
        return None if value == UNREACHED else value

    def takes(self, states: NDArray[np.uint64]) -> NDArray[np.int64]:
        """The fewest moves that each of some states takes to the end, a start or a goal; UNREACHED where none lead."""
        cells, places = self.left, states.astype(np.int64)
        found = cells[places] if isinstance(cells, np.ndarray) else cells.get_coordinate_selection(places)
        return np.asarray(found).astype(np.int64)

    def require(self, state: int) -> int:
        """The state; BoardspaceError where there is none of that number."""
        if not 0 <= state < self.count:
            raise BoardspaceError(
                f"{self.puzzle.name}, {self.case.name}: there is no state {state}: 0 to {self.count - 1}"
            )
        return state

    @property
    def example(self) -> int:
        """A state, to be shown as one."""
        return self.puzzle.starts(self.case.size)[0]

    def is_goal(self, state: int) -> bool:
        """True where solutions end: at a goal, or at a start where there are no goals."""
        if self.puzzle.has_goals:
            return self.rules.solved(self.case.size, state)
        return state in self.puzzle.starts(self.case.size)

    def moves(self, state: int) -> Mapping[str, int]:
        """The states one move away, by the names of the moves."""
        return self.rules.moves(self.case.size, self.require(state))

    def text(self, state: int) -> str:
        """The drawing of a state."""
        return self.rules.text(self.case.size, self.require(state))

    def picture(self, state: int) -> Picture:
        """The picture of a state: the author's, or its drawing in text as cells; BoardspaceError where it is none."""
        drawn = self.rules.svg(self.case.size, self.require(state))
        try:
            return picture_of(drawn) if drawn else text_picture(self.text(state).split("\n"))
        except ValueError as error:
            raise BoardspaceError(f"{self.puzzle.name}: svg of its second rules, at state {state}: {error}") from error

    def parse(self, text: str) -> int:
        """The state of a drawing, or of ``#`` and its number; BoardspaceError where it is none.

        Lines may be separated by / where the puzzle's own drawings have none. Ends of lines behind it, as files have
        them, are no part of it.
        """
        text = text.rstrip("\n")
        if text.startswith("#") and text[1:].isdecimal():
            return self.require(int(text[1:]))
        drawn = text if "\n" in text or "/" in self.text(self.example) else text.replace("/", "\n")
        try:
            return self.require(self.rules.parse(self.case.size, drawn))
        except BoardspaceError:
            raise
        except Exception as error:  # an author's parser may meet anything in a text
            why = error if isinstance(error, ValueError) else error_text(error)
            raise BoardspaceError(
                f"{text!r} is no state of {self.puzzle.name}: {why}; one is\n{self.text(self.example)}"
            ) from error

    def solution(self, state: int) -> list[Step] | None:
        """Fewest moves from a state to a goal, or back to a start where there are no goals; None where none lead there.

        BoardspaceError where there are no goals, and moves cannot be taken back.
        """
        if not self.puzzle.undirected and not self.puzzle.has_goals:
            raise BoardspaceError(f"{self.puzzle.name}: its moves cannot all be taken back, so none lead to the start")
        left, steps = self.moves_left(state), list[Step]()
        while left:
            name, state = next(one for one in self.moves(state).items() if self.moves_left(one[1]) == left - 1)
            steps.append(Step(name, state))
            left -= 1
        return None if left is None else steps

    def hardness(self, state: int) -> Hardness | None:
        """Measures of a state beside the number of its moves, on all states that it leads to; None where no moves lead
        to the end. Errors as for :meth:`figures`."""
        return hardness(*self._group(state))

    def figures(self, state: int) -> Figures:
        """Figures of a state and of all states that it leads to.

        BoardspaceError where moves cannot be taken back, or these states are too many.
        """
        return figures(*self._group(state))

    def _group(self, state: int) -> tuple[Group, int]:
        """All states that a state leads to, and the place of the state among them."""
        if not self.puzzle.undirected:
            raise BoardspaceError(f"{self.puzzle.name}: its moves cannot all be taken back; that is not measured")
        group = ball(self.puzzle, self.case, [self.require(state)], None, MOST_MEASURED)
        rows, ends = classes.linked(self.puzzle, self.case, group)
        if self.puzzle.has_goals or isinstance(self.puzzle.states, Closed):
            goals = goals_among(self.puzzle, self.case, group)
        else:
            goals = np.isin(group, np.array(self.puzzle.starts(self.case.size), np.uint64))
        return Group(rows, ends[: rows[-1]], goals), int(np.searchsorted(group, np.uint64(state)))

    def path(self, start: int, end: int) -> list[Step] | None:
        """Fewest moves from a state to another, found from both ends; None where no moves lead there."""
        found = shortest_path(self.puzzle, self.case, self.require(start), self.require(end))
        return None if found is None else [self._step(here, there) for here, there in pairwise(found)]

    def _step(self, here: int, there: int) -> Step:
        names = [name for name, state in self.moves(here).items() if state == there]
        if not names:
            raise RuleError(f"{self.puzzle.name}, {self.case.name}: kernel and second rules differ at state {here}")
        return Step(names[0], there)

    def hardest(self, number: int) -> list[int]:
        """The first of the farthest states."""
        if self.dataset is not None:
            rows = self.dataset.tables["hardest"].to_table().to_pylist()
            here = [row["state"] for row in rows if self.case.columns.items() <= row.items()]
            return here[:number]
        distances: NDArray[np.uint8] = self.distances
        last = int(distances[distances != UNREACHED].max())
        found: list[int] = np.flatnonzero(distances == last)[:number].tolist()
        return found

    def all_states(self) -> Iterator[NDArray[np.uint64]]:
        """All states that can be reached, ascending, in batches; those of classes all, label by label."""
        for low in range(0, self.count, BATCH):
            cells = np.asarray(self.distances[low : low + BATCH])
            yield low + np.flatnonzero(cells != UNREACHED).astype(np.uint64)

    def labelled(self, label: int) -> NDArray[np.uint64]:
        """The states of a class; BoardspaceError where there are none."""
        raise BoardspaceError(f"{self.puzzle.name}: its states are in no classes, so none have a label")

    @property
    def goals(self) -> list[int]:
        """The states that solutions end at; none are listed where the second rules tell them."""
        return [] if self.puzzle.has_goals else self.puzzle.starts(self.case.size)

    def moves_left(self, state: int) -> int | None:
        """Fewest moves from a state to where solutions end; None where none lead there."""
        if not self.puzzle.has_goals:
            return self.distance(state)
        moves = int(self.takes(np.array([self.require(state)], np.uint64))[0])
        return None if moves == UNREACHED else moves

    def lost(self) -> tuple[NDArray[np.uint64], NDArray[np.int64], NDArray[np.uint64]]:
        """States that are reached, from which no moves lead to a goal; their moves from the start, and groups."""
        if not self.puzzle.has_goals:
            raise BoardspaceError(f"{self.puzzle.name}: every state that is reached has a way back to the start")
        far = np.asarray(self.distances[:])
        states = np.flatnonzero((far != UNREACHED) & (np.asarray(self.left[:]) == UNREACHED)).astype(np.uint64)
        return states, far[states].astype(np.int64), states

    def _left_of_reached(self, low: int, high: int) -> NDArray[np.uint8]:
        """The moves that some states take to the end; UNREACHED also of those that are not reached."""
        far = np.asarray(self.distances[low:high])
        return np.where(far == UNREACHED, far, self.left[low:high]) if self.puzzle.has_goals else far

    def candidates(self, of_a_distance: int) -> tuple[NDArray[np.uint64], NDArray[np.uint8], NDArray[np.uint64]]:
        """States that are puzzles, so many of each distance at most, evenly taken; their distances, and groups."""
        found: dict[int, list[NDArray[np.uint64]]] = {}
        for low in range(0, self.count, BATCH):
            cells = self._left_of_reached(low, low + BATCH)
            for distance in np.unique(cells).tolist():
                if 0 < distance < UNREACHED:
                    states = low + np.flatnonzero(cells == distance).astype(np.uint64)
                    found.setdefault(distance, []).append(evenly(states, of_a_distance))
        kept = {distance: evenly(np.concatenate(parts), of_a_distance) for distance, parts in sorted(found.items())}
        states = np.concatenate([np.empty(0, np.uint64), *kept.values()])
        distances = np.repeat(np.array([*kept], np.uint8), [len(some) for some in kept.values()])
        return states, distances, states

    def random(self, seed: int, least: int = 0, most: int = UNREACHED - 1) -> int:
        """A state that takes from ``least`` to ``most`` moves, to a goal where there are goals, drawn by a seed;
        BoardspaceError where none is found."""
        random, most = np.random.default_rng(seed), min(most, UNREACHED - 1)
        for _ in range(100_000 if self.dataset is None else 300):
            state = int(random.integers(0, self.count))
            if least <= self._left_of_reached(state, state + 1)[0] <= most:
                return state
        if self.dataset is None:
            cells = self._left_of_reached(0, self.count)
            fit = np.flatnonzero((cells >= least) & (cells <= most))
            if len(fit):
                return int(fit[random.integers(0, len(fit))])
        raise NothingFoundError(f"{self.puzzle.name}, {self.case.name}: found no state of {least} to {most} moves")


class _WordAnswers(Answers):
    """Questions about a case whose states are words."""

    def require(self, state: int) -> int:
        if not 0 <= state < 1 << 64 or read_back(self.puzzle, self.case, state) != state:
            raise BoardspaceError(f"{self.puzzle.name}, {self.case.name}: {state} encodes no state")
        return state


class SparseAnswers(_WordAnswers):
    """Questions about a case whose states are words that a start leads to; a state is as far as its images are."""

    @cached_property
    def rows(self) -> dict[str, NDArray[Any]]:
        """The states that can be reached, ascending, least images alone, and their distances: of a run, or searched."""
        if self.dataset is None:
            return reached(self.puzzle, self.case)
        rows = self.dataset.tables[self.puzzle.positions.name].to_table(filter=_of_case(self.case))
        return {name: np.array(rows.column(name).to_numpy()) for name in ("state", *self._names)}

    @property
    def _names(self) -> list[str]:
        return ["distance", "to_goal"] if self.puzzle.has_goals else ["distance"]

    def _row(self, state: int) -> dict[str, int] | None:
        """The row of a state's least image; None where no start leads to it."""
        least = canonical_state(self.puzzle, self.case, self.require(state))
        if self.dataset is not None and "rows" not in vars(self):
            row = _of_case(self.case) & (pc.field("state") == pa.scalar(least, pa.uint64()))
            found = self.dataset.tables[self.puzzle.positions.name].to_table(filter=row, columns=self._names)
            return next(iter(found.to_pylist()), None)
        place = int(np.searchsorted(self.rows["state"], np.uint64(least)))
        there = place < len(self.rows["state"]) and self.rows["state"][place] == least
        return {name: int(self.rows[name][place]) for name in self._names} if there else None

    @property
    def _takes(self) -> NDArray[Any]:
        """The moves that each row takes to a goal, or from the start where there are no goals."""
        return self.rows["to_goal" if self.puzzle.has_goals else "distance"]

    def takes(self, states: NDArray[np.uint64]) -> NDArray[np.int64]:
        known, least = self.rows["state"], canonical(self.puzzle, self.case, states)[0]
        places = np.minimum(np.searchsorted(known, least), len(known) - 1)
        return np.where(known[places] == least, self._takes[places].astype(np.int64), UNREACHED)

    def distance(self, state: int) -> int | None:
        row = self._row(state)
        return None if row is None else row["distance"]

    def solution(self, state: int) -> list[Step] | None:
        if not self.puzzle.has_goals:
            return super().solution(state)
        found = shortest_path_to_goal(self.puzzle, self.case, self.require(state))
        return None if found is None else [self._step(here, there) for here, there in pairwise(found)]

    def hardest(self, number: int) -> list[int]:
        if self.dataset is not None:
            return super().hardest(number)
        last = self.rows["distance"].max()
        return [int(state) for state in self.rows["state"][self.rows["distance"] == last][:number]]

    def moves_left(self, state: int) -> int | None:
        if not self.puzzle.has_goals:
            return super().moves_left(state)
        row = self._row(state)
        if row is None:  # the way to a goal of a state that no start leads to is in no row
            path = shortest_path_to_goal(self.puzzle, self.case, state)
            return None if path is None else len(path) - 1
        return None if row["to_goal"] == UNREACHED else row["to_goal"]

    def lost(self) -> tuple[NDArray[np.uint64], NDArray[np.int64], NDArray[np.uint64]]:
        """Dead ends, by their moves from the start."""
        dead = self._takes == UNREACHED
        states = self.rows["state"][dead]
        return states, self.rows["distance"][dead].astype(np.int64), states

    def candidates(self, of_a_distance: int) -> tuple[NDArray[np.uint64], NDArray[np.uint8], NDArray[np.uint64]]:
        states, takes = self.rows["state"], self._takes
        kept = [evenly(states[takes == one], of_a_distance) for one in np.unique(takes) if 0 < one < UNREACHED]
        found = np.sort(np.concatenate([np.empty(0, np.uint64), *kept]))
        return found, takes[np.searchsorted(states, found)].astype(np.uint8), found

    def all_states(self) -> Iterator[NDArray[np.uint64]]:
        """All states, orbit by orbit where there are symmetries."""
        order = self.puzzle.sparse.order(self.case.size)
        for low in range(0, len(self.rows["state"]), step := max(1, BATCH // order)):
            yield orbits_of(self.puzzle, self.case, np.array(self.rows["state"][low : low + step]))

    def random(self, seed: int, least: int = 0, most: int = UNREACHED - 1) -> int:
        fit = np.flatnonzero((self._takes >= least) & (self._takes <= min(most, UNREACHED - 1)))
        if not len(fit):
            raise NothingFoundError(f"{self.puzzle.name}, {self.case.name}: found no state of {least} to {most} moves")
        return int(self.rows["state"][fit[np.random.default_rng(seed).integers(0, len(fit))]])


def _of_case(case: Case) -> Any:
    return reduce(and_, [pc.field(name) == value for name, value in case.columns.items()])


class ClassAnswers(_WordAnswers):
    """Questions about a case whose states are in closed classes; groups are searched as they are asked for."""

    @cached_property
    def known(self) -> dict[int, int | None]:
        """Distances of the states of all groups that were searched."""
        return {}

    @property
    def example(self) -> int:
        return next(classes.some_states(self.puzzle, self.case))

    def is_goal(self, state: int) -> bool:
        return self.rules.solved(self.case.size, state)

    def distance(self, state: int) -> int | None:
        if state not in self.known:
            group = ball(self.puzzle, self.case, [self.require(state)], None)
            takes = to_goals(self.puzzle, self.case, group).tolist()
            found = [None if moves == UNREACHED else moves for moves in takes]
            self.known.update(zip(group.tolist(), found, strict=True))
        return self.known[state]

    def takes(self, states: NDArray[np.uint64]) -> NDArray[np.int64]:
        found = (self.distance(state) for state in states.tolist())
        return np.array([UNREACHED if moves is None else moves for moves in found], np.int64)

    def _survey(self) -> classes.Survey:
        states = classes.states_of(self.puzzle)
        if states.count(self.case.size) > MOST_IN_MEMORY:
            raise BoardspaceError(
                f"{self.case.name}: too many states for one question; make a run, and name it: --data"
            )
        return classes.survey(self.puzzle, self.case, range(states.labels(self.case.size)))

    def _groups(self, where: pc.Expression, *names: str) -> list[NDArray[Any]]:
        """Columns of the groups ``where`` something holds: of a run, or surveyed."""
        if self.dataset is not None:
            rows = self.dataset.tables["groups"].to_table(filter=_of_case(self.case) & where)
        else:
            found = self._survey()
            figures = dict(zip(("states", "goals", "distance"), found.figures.T, strict=False))
            rows = pa.table({"state": found.states, "hardest": found.hardest, **figures}).filter(where)
        return [rows.column(name).to_numpy() for name in names]

    def all_states(self) -> Iterator[NDArray[np.uint64]]:
        return map(self.labelled, range(classes.states_of(self.puzzle).labels(self.case.size)))

    def labelled(self, label: int) -> NDArray[np.uint64]:
        labels = classes.states_of(self.puzzle).labels(self.case.size)
        if not 0 <= label < labels:
            raise BoardspaceError(f"{self.puzzle.name}, {self.case.name}: there is no label {label}: 0 to {labels - 1}")
        return classes.placed(self.puzzle, self.case, label, np.empty(classes.CAPACITY, np.uint64))

    def hardest(self, number: int) -> list[int]:
        if self.dataset is not None:
            return super().hardest(number)
        found = self._survey()
        best = np.argsort(-found.figures[:, 2], kind="stable")[:number]
        return sorted(int(found.hardest[place]) for place in best if found.figures[place, 2] >= 0)

    @property
    def goals(self) -> list[int]:
        """None is listed: there are many, which the second rules tell."""
        return []

    def lost(self) -> tuple[NDArray[np.uint64], NDArray[np.int64], NDArray[np.uint64]]:
        """The least states of groups without goals, by the states of the group."""
        states, sizes = self._groups(pc.field("goals") == 0, "state", "states")
        few = sizes <= MOST_STATES
        return states[few], sizes[few].astype(np.int64), states[few]

    def candidates(self, of_a_distance: int) -> tuple[NDArray[np.uint64], NDArray[np.uint8], NDArray[np.uint64]]:
        """The farthest states of all groups that have goals."""
        states, distances, groups = self._groups(pc.field("distance") > 0, "hardest", "distance", "state")
        return states, distances.astype(np.uint8), groups

    def random(self, seed: int, least: int = 0, most: int = UNREACHED - 1) -> int:
        """The class is drawn first, then a state of it."""
        random, buffer = np.random.default_rng(seed), np.empty(classes.CAPACITY, np.uint64)
        labels = classes.states_of(self.puzzle).labels(self.case.size)
        for _ in range(1000):
            states = classes.placed(self.puzzle, self.case, int(random.integers(0, labels)), buffer)
            distances = classes.distances_of(self.puzzle, self.case, states)[0]
            fit = np.flatnonzero((distances >= least) & (distances <= most) & (distances != UNREACHED))
            if len(fit):
                return int(states[fit[random.integers(0, len(fit))]])
        raise BoardspaceError(f"{self.puzzle.name}, {self.case.name}: found no state of {least} to {most} moves")


def evenly(states: NDArray[np.uint64], number: int) -> NDArray[np.uint64]:
    """So many of some states, at equal distances in their order; all where they are fewer."""
    if len(states) <= number:
        return states
    return states[np.linspace(0, len(states) - 1, number).astype(np.int64)]


def searched(puzzle: Puzzle, case: Case, stage: str = FORWARD) -> NDArray[np.uint8]:
    """The distances of all states of a case from a start, or to a goal, uint8 (states), searched in this process."""
    count = ranges_of(puzzle, case).count
    [(_, level)] = first_level(puzzle, case, Ranges(count, count), stage, [0])
    distances, seen = np.full(count, UNREACHED, np.uint8), np.zeros_like(level)
    rule, most = puzzle.rule_of(case.metric, back=stage == BACK), puzzle.most_moves(case.size)
    for distance in range(UNREACHED):
        if not dense.size_of(level):
            break
        dense.lay_out(level, distance, distances)
        np.bitwise_or(seen, level, out=seen)
        found = np.zeros_like(level)
        if dense.expand(rule, case.numbers, np.uint64(count), most, np.uint64(0), level, found) >= 0:
            raise BoardspaceError(f"{puzzle.name}, {case.name}: a faulty rule; a run says where")
        level = found & ~seen
    return distances


def puzzle_named(space: str) -> Puzzle:
    """The puzzle that a space was made from; BoardspaceError where it was made from none."""
    found = space_named(space)
    if not isinstance(found, PuzzleSpace) or found.puzzle is None:
        raise BoardspaceError(f"{space}: is no space made from a puzzle's rules")
    return found.puzzle


def answers(
    space: str, metric: str = "", size: Mapping[str, int] | None = None, dataset: Dataset | None = None
) -> Answers:
    """Questions about a puzzle of a size, its first metric where none is named, the last size where none is given.

    The last is that which ``sizes`` of the puzzle makes last, from the config of the dataset, or from the default one.

    >>> answers("pocket_cube").distance(1_574_640)  # after one turn of the upper face
    1

    BoardspaceError where the space is no puzzle, or it or the dataset has no such metric or size.
    """
    puzzle = puzzle_named(space)
    known = {} if dataset is None else {case.name: case for case in puzzle.cases(dataset.config)}
    metric = metric or next((case.metric for case in known.values()), next(iter(puzzle.moves)))
    if metric not in puzzle.moves:
        raise BoardspaceError(f"{space}: there is no metric {metric!r}; there are: {', '.join(puzzle.moves)}")
    names = puzzle.size_names
    if size is None:
        size = [*puzzle.sizes(dataset.config if dataset is not None else puzzle.config())][-1]
    if set(size) != set(names):
        raise BoardspaceError(f"{space}: its size has {', '.join(names) or 'no numbers'}, each once")
    made = {Dense: Answers, Sparse: SparseAnswers, Closed: ClassAnswers}[type(puzzle.states)]
    case = Case(metric, {name: size[name] for name in names})
    refuse_cases(puzzle, [case])
    if dataset is not None and case.name not in known:
        raise BoardspaceError(
            f"{space}: these data have no {case.name}; they have {', '.join(known)}: ask without data, or make a run "
            "of this size"
        )
    return made(puzzle, case, dataset)


@dataclass(frozen=True)
class Moves:
    """A state, the moves that are left from it to where solutions end, and each next move with the state it leads to
    and the moves left there, the best first; None where no moves lead to an end."""

    asked: Answers
    state: int
    left: int | None
    choices: tuple[tuple[Step, int | None], ...]

    def document(self) -> dict[str, Any]:
        """Return it as JSON values; numbers of states are texts, as they may have 64 bits."""
        choices = [{"move": step.move, "state": f"#{step.state}", "moves": left} for step, left in self.choices]
        drawn = {"state": f"#{self.state}", "text": self.asked.text(self.state)}
        return {**self.asked.case.columns, **drawn, "moves": self.left, "choices": choices}


def moves(space: str, state: str = "", metric: str = "", size: str = "") -> Moves:
    """Every next move of a state, given as :meth:`Answers.parse` takes it, with the exact number of moves it leaves; a
    size is written ``rows=3,columns=4``. What is searched for it is kept for the next question."""
    asked = _kept(space, metric, size)
    number = asked.parse(state) if state else asked.example
    found = ((Step(name, there), asked.moves_left(there)) for name, there in asked.moves(number).items())
    choices = sorted(found, key=lambda one: (one[1] is None, one[1] or 0, one[0].move))
    return Moves(asked, number, asked.moves_left(number), tuple(choices))


def numbers_of(size: str) -> dict[str, int]:
    """The numbers of a size that is written ``rows=3,columns=4``; BoardspaceError where it is none."""
    parts = size.split(",")
    found = dict(part.split("=") for part in parts if re.fullmatch(r"[^=]+=[0-9]{1,18}", part))
    if len(found) < len(parts):
        raise BoardspaceError(f"size: {shown(size)} is not of the form rows=3,columns=4, each name once")
    return {name: int(number) for name, number in found.items()}


@lru_cache(4)
def _kept(space: str, metric: str, size: str) -> Answers:
    return answers(space, metric, numbers_of(size) if size else None)
