"""Frontiers and their sizes: what holds of whole layers, by arrays.

The moves of every position are made again. With the ways to the positions of a layer their numbers give the number of
games that the layer after it has to have in all. Which rows these are, and how many ways there are to each, is compared
with the results of the moves (:mod:`boardspace.spaces.solitaire.counted_layers`).
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import pairwise
from math import isclose
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardspace.spaces.solitaire.board_files import problem_params
from boardspace.spaces.solitaire.boards import problem_of
from boardspace.spaces.solitaire.checking import array_of, compared, is_ascending
from boardspace.spaces.solitaire.config import Search, SolitaireConfig
from boardspace.spaces.solitaire.counted_layers import (
    Counted,
    Step,
    estimates,
    make_step,
    total,
)
from boardspace.spaces.solitaire.parts.searches.part import DIRECTIONS, Direction, depth
from boardspace.spaces.solitaire.problems import slug
from boardspace.spaces.solitaire.rules import GameByArrays, Position, ProblemByHand, Words, are_in, distinct
from boardspace.spec.check import by_folders
from boardspace.spec.space import Draw, Inputs, Outcome
from boardspace_kernels.runs import Run
from boardspace_kernels.solitaire.sequences import estimate_sequences

GAMES = 20_000
DRAWN_BY_THE_RUN = 200_000
DEVIATIONS = 6
PRECISION = 1e-12
"""Relative; sums of floats differ by this little from one processor to another."""


class Layer(NamedTuple):
    """Rows of one layer: position uint64 (p), first bool (p), ways uint64 (p)."""

    position: Words
    first: NDArray[np.bool_]
    ways: NDArray[np.uint64]

    @property
    def counted(self) -> Counted:
        """The positions with their ways."""
        return Counted(self.position, self.ways)


class Sizes(NamedTuple):
    """Sizes of a layer, by column, and of the moves from it; and the games that its ways are."""

    games: int
    row: dict[str, int]
    made: dict[str, int]


class Frontiers:
    """The frontiers of one search as they are published."""

    def __init__(self, search: Search, problem: ProblemByHand, parts: Mapping[tuple[Any, ...], Any]) -> None:
        self.search, self.problem = search, problem
        self.game = GameByArrays(problem, problem.symmetries)
        self.layers = {
            direction: [
                _layer(parts.get((slug(search.problem), direction, moves)))
                for moves in range(depth(search, direction) + 1)
            ]
            for direction in DIRECTIONS
        }

    @classmethod
    def all_of(cls, searches: list[tuple[Search, ProblemByHand]], inputs: Inputs) -> "list[Frontiers]":
        """The frontiers of every search; ValueError where there are layers of none."""
        if not searches:
            return []
        parts = by_folders(inputs.table("frontier"), ("problem", "direction", "moves"))
        found = [cls(search, problem, parts) for search, problem in searches]
        known = {
            (slug(search.problem), direction, moves)
            for search, _ in searches
            for direction in DIRECTIONS
            for moves in range(depth(search, direction) + 1)
        }
        if parts.keys() - known:
            raise ValueError(f"no search has the layer {min(parts.keys() - known)}")
        return found

    @property
    def rows(self) -> int:
        """How many there are."""
        return sum(len(layer.position) for layers in self.layers.values() for layer in layers)


def _layer(rows: Any) -> Layer:
    if rows is None:
        return Layer(np.empty(0, np.uint64), np.empty(0, bool), np.empty(0, np.uint64))
    first = rows.column("first").to_numpy(zero_copy_only=False)
    return Layer(array_of(rows, "position"), first, array_of(rows, "ways"))


def check_whole(frontiers: Frontiers, inputs: Inputs, draw: Draw) -> Outcome:
    """Every layer, the rows of the search in the tables that count layers, and some rows by hand."""
    rows: list[dict[str, Any]] = []
    games: list[int] = []
    tried = 0
    for direction in sorted(DIRECTIONS):
        made, expected, wrong = {"choices": 0, "labelled_choices": 0, "most_choices": 0, "longest_chain": 0}, 1, ""
        earlier = position = np.empty(0, np.uint64)
        random = draw.generator()
        for moves, step in enumerate(_steps(frontiers, direction, draw, random)):
            earlier = distinct(np.concatenate([earlier, position]))
            position = frontiers.layers[direction][moves].position
            least, orbits = frontiers.game.canonical_with_sizes(position)
            fault = _layer_fault(frontiers, direction, moves, least, earlier) or wrong
            sizes = _sizes(frontiers.layers[direction][moves], orbits, step)
            if not fault and sizes.games != expected:
                fault = f"the layer before it leads to {expected:,} sequences, its ways are {sizes.games:,}"
            if fault:
                return Outcome(frontiers.rows, frontiers.rows, f"{direction}, {moves} moves: {fault}")
            name = {"problem": slug(frontiers.search.problem), "direction": direction, "moves": moves}
            rows.append({**name, **sizes.row, **made})
            if direction == "forward":
                games.append(sizes.games)
            expected, made, wrong = sizes.made.pop("games"), sizes.made, step.fault
            tried += step.tried
    for outcome in (_layers_outcome(frontiers, rows, inputs), _ways_outcome(frontiers, rows, games, inputs)):
        if outcome.fault:
            return outcome
    return Outcome(tried + len(DIRECTIONS), frontiers.rows)


def _steps(frontiers: Frontiers, direction: Direction, draw: Draw, random: np.random.Generator) -> Iterator[Step]:
    """The step from each layer to the one after it; from the last a step that makes no moves."""
    layers = [layer.counted for layer in frontiers.layers[direction]]
    for pair in pairwise(layers):
        yield make_step(frontiers.game, pair, direction == "backward", draw, random)
    yield Step(np.zeros(len(layers[-1].positions), np.int64), 0, 0, "")


def _layer_fault(frontiers: Frontiers, direction: Direction, moves: int, least: Words, earlier: Words) -> str:
    """The first fault of the positions of a layer, by their least images and by all positions before them, or \'\'."""
    layer = frontiers.layers[direction][moves]
    if not moves:
        problem = frontiers.problem
        root = problem.word(problem.start if direction == "forward" else problem.goal)
        return "" if layer.position.tolist() == [root] and layer.first.all() else "it is not the root"
    if not is_ascending(layer.position):
        return "its positions do not ascend"
    if (least != layer.position).any():
        return "a position is not the least of its images"
    if not layer.ways.all():
        return "a position is there to which there are no ways"
    new = ~are_in(layer.position, earlier)
    return "" if (new == layer.first).all() else "a position is wrongly marked as first, or wrongly not"


def _sizes(layer: Layer, orbits: NDArray[np.int64], step: Step) -> Sizes:
    row = {
        "positions": len(layer.position),
        "labelled_positions": int(orbits.sum()),
        "first": int(layer.first.sum()),
        "labelled_first": int(orbits[layer.first].sum()),
    }
    made = {
        "choices": int(step.counts.sum()),
        "labelled_choices": int((step.counts * orbits).sum()),
        "most_choices": int(step.counts.max(initial=0)),
        "longest_chain": step.longest,
        "games": total(layer.ways, step.counts),
    }
    return Sizes(total(layer.ways), row, made)


def _layers_outcome(frontiers: Frontiers, rows: list[dict[str, Any]], inputs: Inputs) -> Outcome:
    found = by_folders(inputs.table("layers"), ("problem",)).get((slug(frontiers.search.problem),))
    if found is None:
        return Outcome(0, 0, "table layers: has no row of it")
    return compared(found, rows, ("direction", "moves"))


def _ways_outcome(frontiers: Frontiers, rows: list[dict[str, Any]], games: list[int], inputs: Inputs) -> Outcome:
    """The rows of games, with those that symmetries map to one another as one."""
    forward = [row for row in rows if row["direction"] == "forward"]
    names = ("problem", "moves", "labelled_choices", "choices", "labelled_positions", "positions")
    essential = _essential(frontiers.problem, games)
    expected = [
        {name: row[name] for name in names} | {"sequences": some, "essential_sequences": few}
        for row, some, few in zip(forward, games, essential, strict=True)
    ]
    found = by_folders(inputs.table("ways_to_play"), ("problem",)).get((slug(frontiers.search.problem),))
    if found is None:
        return Outcome(0, 0, "table ways_to_play: has no row of it")
    return compared(found, expected, ("moves",))


def _essential(problem: ProblemByHand, games: list[int]) -> list[int]:
    """Games up to symmetry: the mean, over the symmetries, of those whose every move it maps to itself."""
    fixed = [games]
    for image in problem.symmetries:
        if all(image[cell] == cell for cell in problem.cells):
            continue
        level, counts = Counter({problem.start: 1}), []
        for _ in games:
            counts.append(level.total())
            after: Counter[Position] = Counter()
            for position, ways in level.items():
                kept = (result for path, result in problem.paths(position) if all(image[cell] == cell for cell in path))
                for result in kept:
                    after[result] += ways
            level = after
        fixed.append(counts)
    return [sum(counts) // len(fixed) for counts in zip(*fixed, strict=True)]


def check_sequences(frontiers: Frontiers, inputs: Inputs, draw: Draw) -> Outcome:
    """The exact numbers of games from the frontiers; the estimated ones by games of its own, drawn."""
    search = frontiers.search
    found = by_folders(inputs.table("sequences"), ("problem",)).get((slug(search.problem),))
    if search.games <= search.forward:
        return Outcome(0, 0, "" if found is None else "games that were not asked for")
    rows = [] if found is None else found.to_pylist()
    if [row["moves"] for row in rows] != list(range(search.games + 1)):
        return Outcome(len(rows), len(rows), f"its rows are not those of 0 to {search.games} moves")
    layers = frontiers.layers["forward"]
    for row, layer in zip(rows, layers, strict=False):
        if (row["sequences"], row["standard_error"]) != (float(total(layer.ways)), 0.0):
            return Outcome(len(rows), len(rows), f"{row['moves']} moves: {total(layer.ways):,} games, exactly")
    drawn = estimates(frontiers.game, layers[-1].counted, draw.generator(), GAMES)
    for row, (mean, deviation) in zip(rows[len(layers) :], drawn, strict=False):
        error = deviation / GAMES**0.5
        off = abs(row["sequences"] - mean)
        if off > DEVIATIONS * (error**2 + row["standard_error"] ** 2) ** 0.5:
            return Outcome(len(rows), len(rows), f"{row['moves']} moves: about {mean:.4g} games, not so many")
        if not 0.5 < row["standard_error"] / (deviation / DRAWN_BY_THE_RUN**0.5) < 2:
            return Outcome(len(rows), len(rows), f"{row['moves']} moves: its standard error is another")
    return Outcome(len(layers), len(rows))


def check_drawn_again(frontiers: Frontiers, config: SolitaireConfig, inputs: Inputs, found_right: Outcome) -> Outcome:
    """The estimates of a search, by the same games as the run drew; ``found_right`` if nothing is wrong with them.

    The draws follow from their seed, so they say the same to the last digits; that they are right tells
    :func:`check_sequences`, by games of its own.
    """
    search = frontiers.search
    found = by_folders(inputs.table("sequences"), ("problem",)).get((slug(search.problem),))
    if found is None or search.games <= search.forward:
        return found_right
    rows = found.to_pylist()[search.forward + 1 :]
    layer = frontiers.layers["forward"][-1]
    problem = problem_of(problem_params(search.problem, config.boards))
    run = Run(np.array(layer.position), np.array(layer.ways))
    drawn = estimate_sequences(problem.forward, run, search.games - search.forward, DRAWN_BY_THE_RUN, seed=0)
    for row, estimate in zip(rows, drawn, strict=True):
        for name, value in estimate._asdict().items():
            if not isclose(row[name], value, rel_tol=PRECISION):
                return Outcome(len(rows), len(rows), f"{row['moves']} moves: its {name} is {value}, drawn again")
    return found_right
