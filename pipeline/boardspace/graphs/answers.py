"""Questions about a case of a puzzle: how far a state is, the way to its start, the hardest states, one that is drawn.

A run's or a release's array of distances answers them; without one, all states are searched in memory, if they are few
enough. Cases whose states are words answer them in their own ways (:mod:`.word_answers`).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count as count_from
from itertools import pairwise
from operator import index
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardspace.cli.drawing import Picture, gallery, picture_of, text_picture
from boardspace.graphs import classes
from boardspace.graphs.hardness import Figures, Group, Hardness, figures, hardness
from boardspace.graphs.levels import BACK, FORWARD, Ranges, first_level, ranges_of
from boardspace.graphs.paths import ball, goals_among, shortest_path, too_far
from boardspace.graphs.puzzle import Case, Closed, Puzzle, SecondRules
from boardspace.graphs.trying import RuleError, try_rules
from boardspace.release.datasets import Dataset
from boardspace.spec.arguments import between, seed_of
from boardspace.spec.errors import BoardspaceError, NothingFoundError
from boardspace.spec.registry import error_text
from boardspace_kernels.graph import dense
from boardspace_kernels.graph.dense import FARTHEST, UNREACHED

MOST_MEASURED = 1 << 20
"""States of a group that is measured."""
MOST_IN_MEMORY = 1 << 26
"""States that a question searches by itself."""
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


class Way(list[Step]):
    """Moves one after the other, as a list; a notebook draws the state that they begin at and those that they lead to.

    asked: what knows the states.
    start: the state that the first move is made in.
    """

    def __init__(self, asked: "Answers", start: int, steps: Iterable[Step]) -> None:
        super().__init__(steps)
        self.asked, self.start = asked, start

    def captioned(self) -> Iterator[tuple[str, int]]:
        """The states, each with the number and the name of the move that leads there."""
        yield "start", self.start
        for number, step in enumerate(self, 1):
            yield f"{number}: {step.move}", step.state

    def picture(self) -> Picture:
        """The pictures of the states, in rows."""
        captions, states = zip(*self.captioned(), strict=True)
        return gallery([self.asked.picture(state) for state in states], captions)

    def _repr_svg_(self) -> str:
        return self.picture().svg()


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
        """The distances of all states, uint16, indexed by state: an array in memory, or one that is read as it is
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
        try_rules(self.puzzle, self.case, self.puzzle.starts(self.case.size)[:1])
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
        return {name: int(there) for name, there in self.rules.moves(self.case.size, self.require(state)).items()}

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
            return self.require(index(self.rules.parse(self.case.size, drawn)))
        except BoardspaceError:
            raise
        except Exception as error:  # an author's parser may meet anything in a text
            why = error if isinstance(error, ValueError) else error_text(error)
            raise BoardspaceError(
                f"{text!r} is no state of {self.puzzle.name}: {why}; one is\n{self.text(self.example)}"
            ) from error

    def solution(self, state: int) -> Way | None:
        """Fewest moves from a state to a goal, or back to a start where there are no goals; None where none lead there.

        BoardspaceError where there are no goals, and moves cannot be taken back.
        """
        if not self.puzzle.undirected and not self.puzzle.has_goals:
            raise BoardspaceError(f"{self.puzzle.name}: its moves cannot all be taken back, so none lead to the start")
        left, steps = self.moves_left(state), Way(self, state, ())
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

    def path(self, start: int, end: int) -> Way | None:
        """Fewest moves from a state to another, found from both ends; None where no moves lead there."""
        found = shortest_path(self.puzzle, self.case, self.require(start), self.require(end))
        return None if found is None else self._way(found)

    def _way(self, states: Sequence[int]) -> Way:
        return Way(self, states[0], (self._step(here, there) for here, there in pairwise(states)))

    def _step(self, here: int, there: int) -> Step:
        names = [name for name, state in self.moves(here).items() if state == there]
        if not names:
            raise RuleError(f"{self.puzzle.name}, {self.case.name}: kernel and second rules differ at state {here}")
        return Step(names[0], there)

    def hardest(self, number: int) -> list[int]:
        """The first of the farthest states; of classes the farthest of each group, the hardest first."""
        if self.dataset is None:
            return self._farthest(number)
        rows = self.dataset.tables["hardest"].to_table().to_pylist()
        here = [row for row in rows if self.case.columns.items() <= row.items()]
        return [row["state"] for row in sorted(here, key=lambda row: (-row["distance"], row["state"]))[:number]]

    def _farthest(self, number: int) -> list[int]:
        """The first of the farthest states, where no dataset has them."""
        distances: NDArray[np.uint16] = self.distances
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

    def _left_of_reached(self, low: int, high: int) -> NDArray[np.uint16]:
        """The moves that some states take to the end; UNREACHED also of those that are not reached."""
        far = np.asarray(self.distances[low:high])
        return np.where(far == UNREACHED, far, self.left[low:high]) if self.puzzle.has_goals else far

    def candidates(self, of_a_distance: int) -> tuple[NDArray[np.uint64], NDArray[np.uint16], NDArray[np.uint64]]:
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
        distances = np.repeat(np.array([*kept], np.uint16), [len(some) for some in kept.values()])
        return states, distances, states

    def random(self, seed: int, least: int = 0, most: int = FARTHEST) -> int:
        """A state that takes from ``least`` to ``most`` moves, to a goal where there are goals, drawn by a seed;
        BoardspaceError where none is found."""
        random = np.random.default_rng(seed_of(seed))
        least, most = between("moves", (least, most), 0, FARTHEST, (5, 9))
        for states in self._fitting(random, least, most):
            if len(states):
                return int(states[random.integers(0, len(states))])
        raise NothingFoundError(f"{self.puzzle.name}, {self.case.name}: found no state of {least} to {most} moves")

    def _fitting(self, random: np.random.Generator, least: int, most: int) -> Iterator[NDArray[Any]]:
        """States that take from ``least`` to ``most`` moves, where any are met: single ones are drawn first, and all
        are looked at last."""
        for state in (int(random.integers(0, self.count)) for _ in range(100_000 if self.dataset is None else 300)):
            if least <= self._left_of_reached(state, state + 1)[0] <= most:
                yield np.array([state])
        if self.dataset is None:
            cells = self._left_of_reached(0, self.count)
            yield np.flatnonzero((cells >= least) & (cells <= most))


def evenly(states: NDArray[np.uint64], number: int) -> NDArray[np.uint64]:
    """So many of some states, at equal distances in their order; all where they are fewer."""
    if len(states) <= number:
        return states
    return states[np.linspace(0, len(states) - 1, number).astype(np.int64)]


def searched(puzzle: Puzzle, case: Case, stage: str = FORWARD) -> NDArray[np.uint16]:
    """The distances of all states of a case from a start, or to a goal, uint16 (states), searched in this process."""
    count = ranges_of(puzzle, case).count
    [(_, level)] = first_level(puzzle, case, Ranges(count, count), stage, [0])
    distances, seen = np.full(count, UNREACHED, np.uint16), np.zeros_like(level)
    rule, most = puzzle.rule_of(case.metric, back=stage == BACK), puzzle.most_moves(case.size)
    for distance in count_from(0):
        if not dense.size_of(level):
            break
        if distance > FARTHEST:
            raise too_far(puzzle, case)
        dense.lay_out(level, distance, distances)
        np.bitwise_or(seen, level, out=seen)
        found = np.zeros_like(level)
        if dense.expand(rule, case.numbers, np.uint64(count), most, np.uint64(0), level, found) >= 0:
            raise BoardspaceError(f"{puzzle.name}, {case.name}: a faulty rule; a run says where")
        level = found & ~seen
    return distances
