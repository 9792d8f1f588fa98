"""Frontiers and solutions, made again by hand."""

import random
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardspace.spaces.solitaire.by_hand import Cell, Path, Position, ProblemByHand
from boardspace.spaces.solitaire.checking import joined
from boardspace.spaces.solitaire.config import Search, SolitaireConfig
from boardspace.spaces.solitaire.parts.searches.names import DIRECTIONS, Direction, depth, layer_stage
from boardspace.spaces.solitaire.problems import slug
from boardspace.spec.space import Draw, Inputs, Outcome

SAMPLED = 5
MOST_GAMES = 2_000


class _Layer:
    """What the dataset says of one layer."""

    def __init__(self, search: Search, direction: Direction, moves: int, inputs: Inputs) -> None:
        rows = inputs.read(layer_stage(search.problem, direction, moves), "frontier")
        self.positions: NDArray[np.uint64] = np.array(rows.column("position"), dtype=np.uint64)
        self.first = rows.column("first")
        self.ways = rows.column("ways")

    def row(self, word: int) -> int | None:
        row = int(np.searchsorted(self.positions, np.uint64(word)))
        return row if row < len(self.positions) and int(self.positions[row]) == word else None

    def ways_to(self, problem: ProblemByHand, position: Position) -> Fraction:
        """Sequences of moves to this very position: the images share those of the row equally."""
        images = problem.images(position)
        row = self.row(min(images))
        return Fraction(0) if row is None else Fraction(self.ways[row].as_py(), len(images))


def check_steps(
    search: Search, direction: Direction, problem: ProblemByHand, inputs: Inputs, chance: random.Random
) -> Outcome:
    """Some rows of each layer are made again from the layer before, and moved on into the layer after."""
    layers: list[_Layer] = []
    cases = 0
    for moves in range(depth(search, direction) + 1):
        layers.append(_Layer(search, direction, moves, inputs))
        for layer, fault_of in ((layers[-1], _origin_fault), (layers[-2] if moves else None, _results_fault)):
            rows = range(0 if layer is None else len(layer.positions))
            for row in chance.sample(rows, min(SAMPLED, len(rows))):
                fault, tried = fault_of(problem, layers, row, direction == "backward")
                cases += tried
                if fault:
                    return Outcome(cases, cases, f"{moves} moves, {fault}")
    return Outcome(cases, cases)


def _origin_fault(problem: ProblemByHand, layers: list[_Layer], row: int, back: bool) -> tuple[str, int]:
    """What is wrong with a row of the last layer, by the layers before it; and how many moves were tried."""
    *earlier, layer = layers
    word = int(layer.positions[row])
    position = problem.position(word)
    if word != problem.canonical(position):
        return f"row {row}: not the least of its images", 1
    if layer.first[row].as_py() == any(other.row(word) is not None for other in earlier):
        return f"row {row}: whether fewer moves lead here is said wrongly", 1
    if not earlier:
        return ("" if (len(layer.positions), layer.ways[0].as_py()) == (1, 1) else "the root is not one position"), 1
    origins = problem.moves(position, back=not back)
    ways = sum(number * earlier[-1].ways_to(problem, origin) for origin, number in origins.items())
    if ways != layer.ways_to(problem, position):
        return f"row {row}: {ways} sequences of moves lead here, the table says otherwise", len(origins)
    return "", len(origins)


def _results_fault(problem: ProblemByHand, layers: list[_Layer], row: int, back: bool) -> tuple[str, int]:
    """Whether a move from a row of the last layer but one leads to a position that the last one lacks."""
    position = problem.position(int(layers[-2].positions[row]))
    results = problem.moves(position, back)
    missing = any(layers[-1].row(problem.canonical(result)) is None for result in results)
    return (f"row {row} before it: a move leads to a position not in the layer" if missing else ""), len(results)


def check_ways_to_play(search: Search, problem: ProblemByHand, inputs: Inputs) -> Outcome:
    """All games of the first moves are listed, and counted with and without isomorphic ones."""
    rows = inputs.read(f"{slug(search.problem)}.layers", "ways_to_play").to_pylist()
    games: list[tuple[tuple[Path, ...], Position]] = [((), problem.start)]
    choices: list[tuple[int, Position]] = []
    for row in rows:
        positions = {position for _, position in games}
        orbits = {problem.canonical(position) for position in positions}
        images = {min(_image(image, game) for image in problem.symmetries) for game, _ in games}
        found = {
            "sequences": len(games),
            "essential_sequences": len(images),
            "labelled_choices": sum(number for number, _ in choices),
            "choices": sum({problem.canonical(position): number for number, position in choices}.values()),
            "labelled_positions": len(positions),
            "positions": len(orbits),
        }
        wrong = [column for column, number in found.items() if row[column] != number]
        if wrong:
            return Outcome(len(games), len(games), f"{row['moves']} moves: {wrong[0]} is {found[wrong[0]]} by hand")
        choices = [(problem.moves(position, back=False).total(), position) for position in positions]
        if sum(number for number, _ in choices) > MOST_GAMES:
            break
        games = [((*game, path), after) for game, position in games for path, after in problem.paths(position)]
    return Outcome(len(games), len(games))


def _image(image: dict[Cell, Cell], game: tuple[Path, ...]) -> tuple[Path, ...]:
    return tuple(tuple(image[cell] for cell in path) for path in game)


def check_solutions(search: Search, problem: ProblemByHand, inputs: Inputs) -> Outcome:
    """Every solution is replayed jump by jump from start to goal."""
    rows: list[dict[str, Any]] = inputs.read(f"{slug(search.problem)}.solutions", "solutions").to_pylist()
    for row in rows:
        position = problem.start
        for move in row["moves"].split(", "):
            after = problem.after(position, move)
            if after is None:
                return Outcome(len(rows), len(rows), f"solution {row['number']}: {move} is not possible")
            position = after
        if position != problem.goal:
            return Outcome(len(rows), len(rows), f"solution {row['number']} does not end at the goal")
    return Outcome(len(rows), len(rows))


def check_frontiers(config: SolitaireConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Some rows of each layer of each search."""
    chance = random.Random(draw.seed)
    return joined(
        (f"{search.problem}, {direction}", check_steps(search, direction, problem, inputs, chance))
        for search, problem in _problems(config)
        for direction in DIRECTIONS
    )


def check_games(config: SolitaireConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """The first rows of each search."""
    return joined((s.problem, check_ways_to_play(s, problem, inputs)) for s, problem in _problems(config))


def check_listed(config: SolitaireConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Every solution."""
    return joined((s.problem, check_solutions(s, problem, inputs)) for s, problem in _problems(config))


def _problems(config: SolitaireConfig) -> list[tuple[Search, ProblemByHand]]:
    return [(search, ProblemByHand(search.problem, config.boards)) for search in config.searches]
