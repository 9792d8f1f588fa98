"""Measures of a start beside its length, on the whole graph of its group.

They are facts on the graph. How hard people find a puzzle is not among them: P. Jarusek and R. Pelanek, who measured
it, found that length alone tells little of it (Difficulty rating of Sokoban puzzle, 2010).
"""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardspace.spec.sliding import Group as Group
from boardspace.verify import folds
from boardspace_kernels.graph.walk import expected_moves

MOST_WALKED = 200_000
"""Positions of a group on which a random walk is followed."""
MOST_ROUNDS = 20_000
DIGITS = 5
ENOUGH = 10.0 ** -(DIGITS + 2)
"""Bound of the relative error of the expected moves, which are rounded to so many significant digits."""


@dataclass(frozen=True)
class Hardness:
    """Measures of a start.

    moves, solutions: of a shortest solution, and how many there are.
    positions: of its group. All can still be solved: where each move can be taken back there are no dead ends.
    forced: moves of a shortest solution at which, whichever it is, but one next move leads nearer to a goal.
    choices: next moves on an average, one number for each move of the shortest solutions, over their positions.
    leading: those of them that lead nearer, in the same way.
    detours: fewest moves of a shortest solution that seem to lead away from the goal; None where no seeming is known.
    lures: next moves, at positions of the shortest solutions, that seem to lead nearer to a goal and do not.
    returns: fewest moves of a shortest solution that take a piece to where the start has one of its kind.
    blind_ends: positions from which every move leads nearer to a goal: to come there was in vain.
    walk: moves that a random walk takes on an average to a goal, to 5 digits; None where the group is too large.
    """

    moves: int
    solutions: int
    positions: int
    forced: int
    choices: tuple[float, ...]
    leading: tuple[float, ...]
    detours: int | None
    lures: int | None
    returns: int | None
    blind_ends: int
    walk: float | None

    def document(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return asdict(self)

    def __str__(self) -> str:
        means = {name: " ".join(f"{value:g}" for value in getattr(self, name)) for name in ("choices", "leading")}
        return _lines(asdict(self) | means)


@dataclass(frozen=True)
class Figures:
    """Figures of a position and of its group, all positions that moves join to it.

    positions, goals: of the group.
    moves, solutions: of a shortest solution of the position, and how many there are; None where it has none.
    most: moves that the hardest positions of the group take; None where there is no goal.
    """

    positions: int
    goals: int
    moves: int | None
    solutions: int | None
    most: int | None

    def document(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return asdict(self)

    def __str__(self) -> str:
        return _lines(asdict(self))


def _lines(numbers: Mapping[str, Any]) -> str:
    return "\n".join(
        f"{name.replace('_', ' ')}: {value:,}" if isinstance(value, int) else f"{name}: {value}"
        for name, value in numbers.items()
        if value is not None
    )


def distances_of(group: Group) -> NDArray[np.int64]:
    """The fewest moves of each position to a goal; -1 where none lead to one."""
    return folds.Graph(group.rows, group.ends).distances(np.flatnonzero(group.goals))


def figures(group: Group, start: int = 0) -> Figures:
    """The figures of a position and its group."""
    left, goals = distances_of(group), int(group.goals.sum())
    if left[start] < 0:
        return Figures(len(left), goals, None, None, None)
    *_, last = _levels(group, left, start, {})
    return Figures(len(left), goals, int(left[start]), sum(last.ways.tolist()), int(left.max()))


def hardness(
    group: Group, start: int = 0, *, seems: NDArray[np.int64] | None = None, as_begun: NDArray[np.int64] | None = None
) -> Hardness | None:
    """The measures of a position; None where no moves lead to a goal.

    seems: int64 (positions), how far each seems to be from a goal.
    as_begun: int64 (positions), how many pieces stand where the start has one of their kind.
    """
    left = distances_of(group)
    if left[start] < 0:
        return None
    costs = {"detours": seems, "returns": as_begun}
    levels = list(_levels(group, left, start, {name: rises for name, rises in costs.items() if rises is not None}))
    least = {name: int(levels[-1].costs[name].min()) if rises is not None else None for name, rises in costs.items()}
    farthest = np.maximum.reduceat(left[group.ends], group.rows[:-1]) if len(group.ends) else left
    return Hardness(
        moves=int(left[start]),
        solutions=sum(levels[-1].ways.tolist()),
        positions=len(left),
        forced=sum(level.only_one for level in levels[:-1]),
        choices=tuple(level.choices for level in levels[:-1]),
        leading=tuple(level.leading for level in levels[:-1]),
        detours=least["detours"],
        lures=None if seems is None else sum(level.lures for level in levels),
        returns=least["returns"],
        blind_ends=int(((left > 0) & (farthest < left)).sum()),
        walk=_walk(group, start),
    )


@dataclass(frozen=True)
class _Level:
    """Positions of shortest solutions that are equally far: the ways to each, and their least costs; next moves from
    them: on an average, those that lead nearer, and those that only seem to."""

    ways: NDArray[Any]
    costs: dict[str, NDArray[np.int64]]
    choices: float = 0.0
    leading: float = 0.0
    only_one: bool = False
    lures: int = 0


def _levels(group: Group, left: NDArray[np.int64], start: int, rises: dict[str, NDArray[np.int64]]) -> Iterator[_Level]:
    """The levels of the shortest solutions, that of the start first; a cost of a way is how often a number rises."""
    level, ways = np.array([start]), np.ones(1, object)  # whole numbers of any size
    costs = {name: np.zeros(1, np.int64) for name in rises}
    while left[level[0]]:
        there = folds.Graph(group.rows, group.ends).from_rows(level)
        origin = np.repeat(np.arange(len(level)), group.rows[level + 1] - group.rows[level])
        leads = left[there] < left[level[0]]
        nearer = np.bincount(origin[leads], minlength=len(level))
        seem = "detours" in rises and rises["detours"][there] < rises["detours"][level[origin]]
        yield _Level(
            ways,
            costs,
            choices=round(len(there) / len(level), 2),
            leading=round(len(there[leads]) / len(level), 2),
            only_one=bool((nearer == 1).all()),
            lures=int(np.sum(seem & ~leads)),
        )
        origin, there = origin[leads], there[leads]
        after, place = np.unique(there, return_inverse=True)
        following = np.zeros(len(after), object)
        np.add.at(following, place, ways[origin])
        found = {}
        for name, number in rises.items():
            found[name] = np.full(len(after), np.iinfo(np.int64).max)
            np.minimum.at(found[name], place, costs[name][origin] + (number[there] > number[level[origin]]))
        level, ways, costs = after, following, found
    yield _Level(ways, costs)


def _walk(group: Group, start: int) -> float | None:
    """The expected moves of a random walk; None where they are too costly to find, or found too inexactly."""
    if len(group.goals) > MOST_WALKED:
        return None
    found = np.empty(len(group.goals))
    error = expected_moves(group.rows, group.ends, group.goals, ENOUGH, MOST_ROUNDS, found)
    return float(f"{found[start]:.{DIGITS}g}") if error <= ENOUGH else None
