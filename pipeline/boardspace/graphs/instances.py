"""Instances of every puzzle made from its rules: states to be led to the start, or to a goal, in the fewest moves.

Numbered states are taken evenly from each distance; of closed classes the farthest state of each group is. The checker
brings the second rules of the puzzle along (:mod:`.standalone`).
"""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardspace.graphs.puzzle import Closed, Puzzle
from boardspace.graphs.questions import Answers, answers, puzzle_named
from boardspace.graphs.standalone import standalone
from boardspace.instances.checker import ByRules, reached
from boardspace.instances.source import (
    Batch,
    Instance,
    Request,
    Source,
    labelled,
    puzzle_of_moves,
    without_answer,
)
from boardspace.spec.errors import BoardspaceError
from boardspace.spec.registry import space_named

MOST_REACHED = 100_000
"""States that a certificate goes through."""
OF_A_DISTANCE = 5_000
"""States of each distance that are candidates, of numbered states."""


def source(space: str) -> Source:
    """The instances of a puzzle's space; BoardspaceError where moves cannot be taken back."""
    puzzle = puzzle_named(space)
    if not puzzle.undirected and not puzzle.has_goals:
        raise BoardspaceError(f"{puzzle.name} has no instances: its moves cannot all be taken back, so none lead home")
    to_start = not (puzzle.has_goals or isinstance(puzzle.states, Closed))
    return Source(
        title=f"{puzzle.title}: lead a state {'to the start' if to_start else 'to a goal'} in the fewest moves.",
        part="case",
        usual=(),
        strata=("moves",),
        grouped="Moves join a group's states." if isinstance(puzzle.states, Closed) else "Each is a group of its own.",
        batches=partial(_batches, puzzle),
        table=puzzle.farthest.name,
        unsolvable=puzzle.has_goals or isinstance(puzzle.states, Closed),
        rules=partial(standalone, {_kind(puzzle, metric): puzzle.rules_of(metric) for metric in puzzle.moves}),
    )


def _kind(puzzle: Puzzle, metric: str) -> str:
    return f"{puzzle.name}_{metric}"


def _batches(puzzle: Puzzle, request: Request) -> Iterator[Batch]:
    """A batch for each case that is asked for: of the dataset, or of the config that is usual."""
    data = request.data
    cases = puzzle.cases(space_named(puzzle.name).config() if data is None else data.config)
    for name in request.parts:
        if name not in {case.name for case in cases}:
            raise BoardspaceError(f"--of {name}: write one of {', '.join(case.name for case in cases)}")
    for case in cases:
        if case.name in request.parts or not request.parts:
            asked = answers(puzzle.name, case.metric, case.size, data)
            states, distances, groups = asked.candidates(OF_A_DISTANCE)
            yield Batch(
                name=case.name.replace("/", "-").replace("_", "-"),
                family=case.name,
                key=states,
                group=groups,
                difficulty=distances.astype(np.int64),
                make=partial(_instances, asked),
                measure=f"moves of {case.metric}" if len(puzzle.moves) > 1 else "",
            )
            if request.unsolvable:
                states, sizes, groups = asked.lost()
                yield Batch(
                    name=f"{case.name.replace('/', '-').replace('_', '-')}-lost",
                    family=case.name,
                    key=states,
                    group=groups,
                    difficulty=sizes,
                    make=partial(_lost, asked),
                    solvable=False,
                )


def _instances(asked: Answers, keys: NDArray[np.uint64]) -> Sequence[Instance]:
    return [_instance(asked, state) for state in keys.tolist()]


def _instance(asked: Answers, state: int) -> Instance:
    steps = asked.solution(state)
    assert steps is not None, "a candidate has a distance"
    puzzle = _puzzle(asked, state)
    return Instance(
        puzzle=puzzle,
        least=len(steps),
        solutions=None,
        answer=tuple(step.move for step in steps),
        difficulty=len(steps),
        actions=labelled(ByRules(asked.rules), puzzle, asked.moves_left),
        metrics={asked.case.metric: len(steps)},
    )


def _lost(asked: Answers, keys: NDArray[np.uint64]) -> Sequence[Instance]:
    """The instances of states from which no moves lead to a goal: all that are reached are counted."""
    found = []
    for state in keys.tolist():
        kind, puzzle = ByRules(asked.rules), _puzzle(asked, state)
        size = len(reached(kind, puzzle, MOST_REACHED))
        if size == MOST_REACHED:
            raise BoardspaceError(
                f"{asked.case.name}: from {asked.text(state)!r} moves reach more than {MOST_REACHED:,} states, too "
                "many for a certificate; leave out --unsolvable, or name smaller cases with --of"
            )
        found.append(without_answer(kind, puzzle, {"kind": "group", "positions": size}, size))
    return found


def _puzzle(asked: Answers, state: int) -> dict[str, Any]:
    case, goals = asked.case, [asked.text(goal) for goal in asked.goals]
    return puzzle_of_moves(_kind(asked.puzzle, case.metric), case.size, asked.text(state), goals)
