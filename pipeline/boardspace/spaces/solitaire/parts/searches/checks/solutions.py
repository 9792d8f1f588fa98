"""All shortest solutions of a search, found again where its frontiers meet."""

from itertools import pairwise
from typing import Any

import numpy as np

from boardspace.spaces.solitaire.checking import compared
from boardspace.spaces.solitaire.parts.searches.checks.layers import Frontiers
from boardspace.spaces.solitaire.problems import slug
from boardspace.spaces.solitaire.rules import Words, are_in, distinct
from boardspace.spaces.solitaire.shortest_by_hand import Graph, Notation, ShortestByHand, Stops
from boardspace.spec.check import by_folders
from boardspace.spec.space import Inputs, Outcome

RULES = [(o, m, loop) for o in (False, True) for m in (False, True) for loop in (True, False)]
"""Return whether order, mirror and loop make solutions different, by the number of the rule."""


def check_whole(frontiers: Frontiers, inputs: Inputs) -> Outcome:
    """Every solution, every position and move on one, and the numbers of solutions by every rule."""
    name = slug(frontiers.search.problem)
    tables = ("solutions", "solution_counts", "solution_steps")
    found = {table: by_folders(inputs.table(table), ("problem",)).get((name,)) for table in tables}
    passed = positions_of_solutions(frontiers)
    missing = [table for table in tables if (found[table] is None) != (passed is None)]
    if missing or passed is None:
        return Outcome(1, 1, f"table {missing[0]}: a solution should be there, or none" if missing else "")
    graph = graph_of(frontiers, passed)
    cases = sum(len(steps) for level in graph for steps in level.values())
    for outcome in (
        compared(found["solution_steps"], _steps(frontiers, graph), ("after", "position", "move")),
        _solutions_outcome(frontiers, graph, found),
    ):
        if outcome.fault:
            return Outcome(cases, cases, outcome.fault)
    return Outcome(cases, cases)


def positions_of_solutions(frontiers: Frontiers) -> list[Words] | None:
    """By number of moves the positions, up to symmetry, on shortest solutions; None where there is no solution."""
    forward, backward = ([layer.position for layer in frontiers.layers[d]] for d in ("forward", "backward"))
    goal = np.array([frontiers.problem.word(frontiers.problem.goal)], np.uint64)
    stacks = [(i, goal) for i, layer in enumerate(forward) if are_in(goal, layer).all()]
    stacks += [(len(forward) - 1 + j, layer) for j, layer in enumerate(backward) if j]
    for length, layer in stacks:
        split = min(length, len(forward) - 1)
        middle = layer[are_in(layer, forward[split])]
        if not len(middle):
            continue
        found = {split: middle}
        for moves in range(split - 1, -1, -1):
            found[moves] = _next(frontiers, found[moves + 1], forward[moves], back=True)
        for moves in range(split + 1, length + 1):
            found[moves] = _next(frontiers, found[moves - 1], backward[length - moves], back=False)
        return [found[moves] for moves in range(length + 1)]
    return None


def _next(frontiers: Frontiers, words: Words, layer: Words, back: bool) -> Words:
    """The positions of a layer that moves from some positions lead to."""
    results = np.concatenate([made.result for made in frontiers.game.moves_from(words, back)])
    reached = distinct(frontiers.game.canonical(results))
    return reached[are_in(reached, layer)]


def graph_of(frontiers: Frontiers, passed: list[Words]) -> Graph:
    """Every position on a solution, as played, with its moves that stay on one: those of one of each orbit by hand, and
    the images of these."""
    problem, game = frontiers.problem, frontiers.game
    levels: list[dict[int, list[tuple[Stops, int]]]] = []
    for words, after in pairwise(passed):
        level: dict[int, list[tuple[Stops, int]]] = {}
        for word in words.tolist():
            made = [
                (tuple(game.index[cell] for cell in path), problem.word(result))
                for path, result in problem.paths(problem.position(word))
            ]
            inside = are_in(game.canonical(np.array([child for _, child in made], np.uint64)), after)
            kept = [step for step, stays in zip(made, inside, strict=True) if stays]
            for row in game.permutations:
                steps = [(tuple(row[hole] for hole in move), _image(row, child)) for move, child in kept]
                level[_image(row, word)] = sorted(steps)
        levels.append(level)
    return levels


def _image(row: list[int], word: int) -> int:
    return sum(1 << row[hole] for hole in range(len(row)) if word >> hole & 1)


def _steps(frontiers: Frontiers, graph: Graph) -> list[dict[str, Any]]:
    notation, name = Notation(frontiers.problem), slug(frontiers.search.problem)
    rows = [
        {"problem": name, "after": after, "position": position, "move": notation.text(move), "child": child}
        for after, level in enumerate(graph)
        for position, steps in level.items()
        for move, child in steps
    ]
    return sorted(rows, key=lambda row: (row["after"], row["position"], row["move"]))


def _solutions_outcome(frontiers: Frontiers, graph: Graph, found: dict[str, Any]) -> Outcome:
    problem, name = frontiers.problem, {"problem": slug(frontiers.search.problem)}
    solutions = ShortestByHand.of_graph(frontiers.game, graph, problem.word(problem.start))
    expected = [{**name, **row} for row in solutions.listed.values()]
    outcome = compared(found["solutions"], expected, ("number",))
    if outcome.fault:
        return outcome
    fault = moves_fault(frontiers, found["solutions"].to_pylist(), solutions)
    if fault:
        return Outcome(len(expected), len(expected), fault)
    counts = solutions.counts()
    rows = [
        {**name, "rule": rule, "ordered": o, "mirror": m, "loop": loop, "solutions": counts[o, m, loop]}
        for rule, (o, m, loop) in enumerate(RULES, 1)
    ]
    return compared(found["solution_counts"], rows, ("rule",))


def moves_fault(frontiers: Frontiers, rows: list[dict[str, Any]], solutions: ShortestByHand) -> str:
    """The first fault of the moves of a listed solution when they are played by hand, or \'\'."""
    problem, notation = frontiers.problem, Notation(frontiers.problem)
    for row, known in zip(rows, solutions.listed, strict=True):
        position, moves = problem.start, row["moves"].split(", ")
        for move in moves:
            after = problem.after(position, move)
            if after is None:
                return f"solution {row['number']}: {move} is not possible"
            position = after
        if position != problem.goal:
            return f"solution {row['number']} does not end at the goal"
        if solutions.least_image(map(notation.stops, moves)) != known:
            return f"solution {row['number']} has the moves of another"
    return ""
