"""Questions about a case whose states are words: those that a start leads to, or those of closed classes."""

from collections.abc import Iterator
from functools import cached_property, reduce
from operator import and_
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from boardspace.graphs import classes
from boardspace.graphs.answers import BATCH, MOST_IN_MEMORY, Answers, Way, evenly
from boardspace.graphs.paths import (
    ball,
    canonical,
    canonical_state,
    orbits_of,
    reached,
    shortest_path_to_goal,
    to_goals,
)
from boardspace.graphs.puzzle import Case
from boardspace.graphs.trying import read_back, try_rules
from boardspace.spec.check import places_among
from boardspace.spec.errors import BoardspaceError
from boardspace_kernels.graph.dense import UNREACHED

MOST_STATES = 5_000
"""States of a group without goals that is given as a puzzle: somebody may want to look at all of them."""


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
            try_rules(self.puzzle, self.case, self.puzzle.starts(self.case.size)[:1])
            return reached(self.puzzle, self.case)
        rows = self.dataset.tables[self.puzzle.positions.name].to_table(filter=_of_case(self.case))
        return {name: np.array(rows.column(name).to_numpy()) for name in ("state", *self._names)}

    @property
    def _names(self) -> list[str]:
        return ["distance", "to_goal"] if self.puzzle.has_goals else ["distance"]

    def _row(self, state: int) -> dict[str, int] | None:
        """The row of a state's least image; None where no start leads to it."""
        if self.dataset is None:
            _ = self.rows  # tries the kernel of images before it is called
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
        places = places_among(least, known)
        return np.where(places >= 0, self._takes[places].astype(np.int64), UNREACHED)

    def distance(self, state: int) -> int | None:
        row = self._row(state)
        return None if row is None else row["distance"]

    def solution(self, state: int) -> Way | None:
        if not self.puzzle.has_goals:
            return super().solution(state)
        found = shortest_path_to_goal(self.puzzle, self.case, self.require(state))
        return None if found is None else self._way(found)

    def _farthest(self, number: int) -> list[int]:
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

    def candidates(self, of_a_distance: int) -> tuple[NDArray[np.uint64], NDArray[np.uint16], NDArray[np.uint64]]:
        states, takes = self.rows["state"], self._takes
        kept = [evenly(states[takes == one], of_a_distance) for one in np.unique(takes) if 0 < one < UNREACHED]
        found = np.sort(np.concatenate([np.empty(0, np.uint64), *kept]))
        return found, takes[np.searchsorted(states, found)].astype(np.uint16), found

    def all_states(self) -> Iterator[NDArray[np.uint64]]:
        """All states, orbit by orbit where there are symmetries."""
        order = self.puzzle.sparse.order(self.case.size)
        for low in range(0, len(self.rows["state"]), step := max(1, BATCH // order)):
            yield orbits_of(self.puzzle, self.case, np.array(self.rows["state"][low : low + step]))

    def _fitting(self, random: np.random.Generator, least: int, most: int) -> Iterator[NDArray[Any]]:
        yield self.rows["state"][(self._takes >= least) & (self._takes <= most)]


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

    def _farthest(self, number: int) -> list[int]:
        found = self._survey()
        best = np.lexsort((found.hardest, -found.figures[:, 2]))[:number]
        return [int(found.hardest[place]) for place in best if found.figures[place, 2] >= 0]

    @property
    def goals(self) -> list[int]:
        """None is listed: there are many, which the second rules tell."""
        return []

    def lost(self) -> tuple[NDArray[np.uint64], NDArray[np.int64], NDArray[np.uint64]]:
        """The least states of groups without goals, by the states of the group."""
        states, sizes = self._groups(pc.field("goals") == 0, "state", "states")
        few = sizes <= MOST_STATES
        return states[few], sizes[few].astype(np.int64), states[few]

    def candidates(self, of_a_distance: int) -> tuple[NDArray[np.uint64], NDArray[np.uint16], NDArray[np.uint64]]:
        """The farthest states of all groups that have goals."""
        states, distances, groups = self._groups(pc.field("distance") > 0, "hardest", "distance", "state")
        return states, distances.astype(np.uint16), groups

    def _fitting(self, random: np.random.Generator, least: int, most: int) -> Iterator[NDArray[Any]]:
        """The class is drawn first, then a state of it."""
        buffer, labels = np.empty(classes.CAPACITY, np.uint64), classes.states_of(self.puzzle).labels(self.case.size)
        for _ in range(1000):
            states = classes.placed(self.puzzle, self.case, int(random.integers(0, labels)), buffer)
            distances = classes.distances_of(self.puzzle, self.case, states)[0]
            yield states[(distances >= least) & (distances <= most)]
