"""Where the frontiers meet: all solutions with the fewest moves, and a certificate that none has fewer."""

import json
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.space import Inputs, Output, Stage, Table
from pipeline.spaces.solitaire.boards import problem_of
from pipeline.spaces.solitaire.config import Search, SolitaireConfig
from pipeline.spaces.solitaire.frontiers import Direction, depth, one_shard, slug, stage_name
from pipeline.spaces.solitaire.tables import CERTIFICATES, COUNTS, SOLUTIONS, STEPS

Positions = NDArray[np.uint64]


def solution_stages(search: Search) -> Iterator[Stage]:
    """Find all shortest solutions, then prove that they are shortest."""
    name = slug(search.problem)
    yield Stage(
        f"{name}.solutions",
        f"{search.problem}: all solutions with the fewest moves",
        partial(solve, search),
        partial(one_shard, search.problem),
        after=(f"{name}.layers",),
    )
    yield Stage(
        f"{name}.certificate",
        f"{search.problem}: proof that no solution has fewer moves, checked by another program",
        partial(certify, search),
        partial(one_shard, search.problem),
        after=(f"{name}.solutions",),
    )


def solve(search: Search, config: SolitaireConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """Meet in the middle on the first-reached layers; no rows where the frontiers do not meet."""
    from kernels.solitaire.search import Meeting
    from kernels.solitaire.solutions import Solutions

    problem = problem_of(params)
    stacks = (_layers(search, "forward", inputs, first=True), _layers(search, "backward", inputs, first=True))
    place = meeting_place(*stacks)
    if place is None:
        return Output(facts={"length": None})
    meeting = Meeting(problem, stacks[0][: place[0] + 1], stacks[1][: place[1] + 1])
    solutions = Solutions(problem, meeting.shortest_layers())
    return Output(
        {
            "solutions": _solution_rows(search, solutions),
            "solution_counts": _count_rows(search, solutions),
            "solution_steps": _step_rows(search, solutions),
        },
        facts={"length": meeting.length, "meeting": list(place)},
    )


def certify(search: Search, config: SolitaireConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """Write the certificate and let the checker, which shares no code with the search, verify it."""
    from kernels.solitaire.certificate import Claim, check_certificate
    from kernels.solitaire.play import Play, parse_solution

    length = inputs.facts(f"{slug(search.problem)}.solutions")[0]["length"]
    if length is None:
        return Output(facts={"proved": None})
    problem = problem_of(params)
    solutions = inputs.read(f"{slug(search.problem)}.solutions", "solutions", columns=["moves"])
    game = [list(move.stops) for move in parse_solution(Play(problem.board), solutions.column("moves")[0].as_py())]
    forward = min(search.forward, length - 1)
    backward = length - 1 - forward
    document = {
        "grid": problem.board.grid,
        "cells": [list(cell) for cell in problem.board.cells],
        "start": problem.start,
        "goal": problem.goal,
        "symmetries": problem.group.tolist(),
        "game": game,
    }
    proof = check_certificate(
        Claim(**{**document, "cells": problem.board.cells}),
        _layers(search, "forward", inputs, first=False)[: forward + 1],
        _layers(search, "backward", inputs, first=False)[: backward + 1],
    )
    row = {
        "problem": search.problem,
        "moves": proof.moves,
        "forward": forward,
        "backward": backward,
        "document": json.dumps(document, separators=(",", ":")),
        "positions": proof.positions,
        "results": proof.results,
    }
    return Output({"certificates": _rows(CERTIFICATES, [row])}, facts={"proved": proof.moves})


def meeting_place(forward: list[Positions], backward: list[Positions]) -> tuple[int, int] | None:
    """(i, j) with the least i + j, and then the largest i, such that forward[i] and backward[j] share a position."""
    from kernels.solitaire.runs import intersection

    pairs = [(i, j) for i in range(len(forward)) for j in range(len(backward))]
    for i, j in sorted(pairs, key=lambda pair: (sum(pair), -pair[0])):
        if len(intersection(forward[i], backward[j])):
            return i, j
    return None


def _layers(search: Search, direction: Direction, inputs: Inputs, first: bool) -> list[Positions]:
    """All layers of one side: the positions first reached, or all after exactly k moves."""
    layers = []
    for moves in range(depth(search, direction) + 1):
        rows = inputs.read(stage_name(search.problem, direction, moves), "frontier", columns=["position", "first"])
        positions = np.array(rows.column("position"), dtype=np.uint64)
        layers.append(positions[np.array(rows.column("first"))] if first else positions)
    return layers


def _solution_rows(search: Search, solutions: Any) -> Any:
    return _rows(
        SOLUTIONS,
        [
            {
                "problem": search.problem,
                "number": solution.number,
                "moves": ", ".join(solutions.play.format(move) for move in solution.moves),
                "length": len(solution.moves),
                "orders": solution.orders,
                "images": solution.images,
                "sweeps": solution.sweeps,
            }
            for solution in solutions.essential
        ],
    )


def _count_rows(search: Search, solutions: Any) -> Any:
    counts = [
        {"problem": search.problem, "order": c.order, "mirror": c.mirror, "loop": c.loop, "solutions": c.solutions}
        for c in solutions.counts()
    ]
    return _rows(COUNTS, sorted(counts, key=lambda row: (row["order"], row["mirror"], row["loop"])))


def _step_rows(search: Search, solutions: Any) -> Any:
    steps = [
        {
            "problem": search.problem,
            "after": after,
            "position": position,
            "move": solutions.play.format(step.move),
            "child": step.child,
        }
        for after, level in enumerate(solutions.graph)
        for position, steps in level.items()
        for step in steps
    ]
    return _rows(STEPS, sorted(steps, key=lambda row: (row["after"], row["position"], row["move"])))


def _rows(table: Table, rows: list[dict[str, Any]]) -> Any:
    return table.from_columns(**{column.name: [row[column.name] for row in rows] for column in table.columns})
