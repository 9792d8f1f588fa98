"""Frontiers, sharded: every layer is one stage, every shard of it owns a key range.

A shard merges its range of all the runs that the layer before wrote, marks what no earlier layer holds, writes its part
of the frontier, makes all moves from it, and writes their results as one sorted run for the layer after. So a layer
may outgrow a worker's memory, and workers never talk to each other.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardspace.engine.shuffle import column_of, key_shards, received, sample
from boardspace.spaces.solitaire.board_files import BoardFileError, problem_params
from boardspace.spaces.solitaire.boards import problem_of
from boardspace.spaces.solitaire.columns import slug
from boardspace.spaces.solitaire.config import Search, SolitaireConfig
from boardspace.spaces.solitaire.parts.searches.part import (
    CHILDREN,
    COUNTS,
    DIRECTIONS,
    FRONTIER,
    LAYERS,
    SEQUENCES,
    SOLUTIONS,
    STEPS,
    WAYS_TO_PLAY,
    Direction,
    depth,
    layer_stage,
)
from boardspace.spec.space import Inputs, Output, Shard
from boardspace_kernels.runs import Positions, Run, intersection, is_in, merge, total_ways
from boardspace_kernels.solitaire.moves import expand, orbit_sizes
from boardspace_kernels.solitaire.search import Meeting, labelled
from boardspace_kernels.solitaire.sequences import essential_sequences, estimate_sequences
from boardspace_kernels.solitaire.solutions import Solutions

SECONDS_PER_ROW = 1e-6
GAMES_DRAWN = 200_000


def cut(search: Search, direction: Direction, moves: int, config: SolitaireConfig, inputs: Inputs) -> Sequence[Shard]:
    """Key ranges with about ``rows_per_shard`` rows of the previous layer's runs each; the root is one shard.

    BoardFileError where the start is the goal: there are no moves to find, and no certificate.
    """
    params = {
        **problem_params(search.problem, config.boards),
        "direction": direction,
        "moves": moves,
        "last": moves == depth(search, direction),
    }
    problem = None if moves else problem_of(params)
    if problem and problem.start == problem.goal:
        raise BoardFileError(f"searches: {search.problem}: the start is the goal, so there is nothing to search")
    before = layer_stage(search.problem, direction, moves - 1) if moves else None
    folder = f"problem={slug(search.problem)}/direction={direction}/moves={moves:02}"
    return key_shards(inputs, before, folder, params, config.rows_per_shard, SECONDS_PER_ROW)


def layer(config: SolitaireConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """One key range of one layer, and the results of the moves from it."""
    problem = problem_of(params)
    forward = params["direction"] == "forward"
    tables = problem.forward if forward else problem.backward
    name = f"{params['board']}/{params['problem']}"
    if params["moves"] == 0:
        run = problem.root(problem.start if forward else problem.goal, counted=True)
    else:
        before = layer_stage(name, params["direction"], params["moves"] - 1)
        run = merge([Run(*columns) for columns in received(inputs, before, CHILDREN, params)], weighted=True)
    assert run.ways is not None
    new = _is_new(name, params, run.positions, inputs)
    first = run.positions[new]
    frontier = FRONTIER.from_columns(position=run.positions, first=new, ways=run.ways)
    facts: dict[str, Any] = {
        "positions": len(run.positions),
        "labelled_positions": labelled(tables, run.positions),
        "first": len(first),
        "labelled_first": labelled(tables, first),
        "sequences": total_ways(run.ways),
    }
    if params["last"]:
        return Output({"frontier": frontier}, facts=facts)
    expansion = expand(tables, run)
    assert expansion.run.ways is not None
    facts |= {
        "choices": int(expansion.choices.sum()),
        "labelled_choices": int(expansion.choices @ orbit_sizes(tables, run.positions)),
        "most_choices": int(expansion.choices.max(initial=0)),
        "longest_chain": expansion.longest_chain,
        "run": sample(expansion.run.positions),
    }
    children = CHILDREN.from_columns(position=expansion.run.positions, ways=expansion.run.ways)
    return Output({"frontier": frontier, "children": children}, facts=facts)


def _is_new(name: str, params: Mapping[str, Any], positions: Positions, inputs: Inputs) -> NDArray[np.bool_]:
    """bool (p): the positions of a key range of a layer that no layer before it has."""
    new = np.ones(len(positions), np.bool_)
    for moves in range(params["moves"]):
        stage, between = layer_stage(name, params["direction"], moves), (params["low"], params["high"])
        earlier = inputs.read(stage, "frontier", columns=["position"], between=between)
        new &= ~is_in(positions, column_of(earlier, "position"))
    return new


def count_layers(search: Search, config: SolitaireConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """The row of each layer: its own sizes, and the moves that led to it."""
    rows: list[dict[str, Any]] = []
    for direction in sorted(DIRECTIONS):
        made = {"choices": 0, "labelled_choices": 0, "most_choices": 0, "longest_chain": 0}
        for moves in range(depth(search, direction) + 1):
            facts = inputs.facts(layer_stage(search.problem, direction, moves))
            sizes = ("positions", "labelled_positions", "first", "labelled_first")
            row = {"problem": slug(search.problem), "direction": direction, "moves": moves, **made}
            rows.append(row | {size: sum(f[size] for f in facts) for size in sizes})
            made = {name: sum(f.get(name, 0) for f in facts) for name in ("choices", "labelled_choices")}
            made |= {
                name: max((f.get(name, 0) for f in facts), default=0) for name in ("most_choices", "longest_chain")
            }
    return Output({"layers": LAYERS.from_rows(rows), "ways_to_play": _ways_to_play(search, params, rows, inputs)})


def _ways_to_play(search: Search, params: Mapping[str, Any], layers: list[dict[str, Any]], inputs: Inputs) -> Any:
    """Count games by the layers played from the start, with and without isomorphic ones."""
    forward = [row for row in layers if row["direction"] == "forward"]
    facts = [inputs.facts(layer_stage(search.problem, "forward", row["moves"])) for row in forward]
    totals = [sum(fact["sequences"] for fact in some) for some in facts]
    essential = essential_sequences(problem_of(params), totals)
    rows = zip(forward, totals, essential, strict=True)
    return WAYS_TO_PLAY.from_rows([{**row, "sequences": t, "essential_sequences": e} for row, t, e in rows])


def count_games(search: Search, config: SolitaireConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """The sequences of moves: exact as far as the frontiers go, then estimated from the last of them."""
    rows = []
    for moves in range(search.forward + 1):
        stage = layer_stage(search.problem, "forward", moves)
        layer_rows = inputs.read(stage, "frontier", columns=["position", "ways"])
        run = Run(column_of(layer_rows, "position"), column_of(layer_rows, "ways"))
        assert run.ways is not None
        rows.append({"moves": moves, "sequences": float(total_ways(run.ways)), "standard_error": 0.0})
    further = search.games - search.forward
    estimates = estimate_sequences(problem_of(params).forward, run, further, GAMES_DRAWN, seed=0)
    for moves, estimate in enumerate(estimates, search.forward + 1):
        rows.append({"moves": moves, **estimate._asdict()})
    return Output({"sequences": SEQUENCES.from_rows([{"problem": slug(search.problem), **row} for row in rows])})


def solve(search: Search, config: SolitaireConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """Meet in the middle on the first-reached layers; no rows where the frontiers do not meet."""
    problem = problem_of(params)
    stacks = (_first_layers(search, "forward", inputs), _first_layers(search, "backward", inputs))
    place = meeting_place(*stacks)
    if place is None:
        return Output(facts={"length": None})
    meeting = Meeting(problem, stacks[0][: place[0] + 1], stacks[1][: place[1] + 1])
    solutions = Solutions(problem, meeting.shortest_layers())
    return Output(
        {
            "solutions": SOLUTIONS.from_rows(solution_rows({"problem": slug(search.problem)}, solutions)),
            "solution_counts": _count_rows(search, solutions),
            "solution_steps": _step_rows(search, solutions),
        },
        facts={"length": meeting.length, "meeting": list(place)},
    )


def meeting_place(forward: list[Positions], backward: list[Positions]) -> tuple[int, int] | None:
    """(i, j) with the least i + j, and then the largest i, such that forward[i] and backward[j] share a position."""
    pairs = [(i, j) for i in range(len(forward)) for j in range(len(backward))]
    for i, j in sorted(pairs, key=lambda pair: (sum(pair), -pair[0])):
        if len(intersection(forward[i], backward[j])):
            return i, j
    return None


def _first_layers(search: Search, direction: Direction, inputs: Inputs) -> list[Positions]:
    """For each number of moves of one direction the positions that no fewer lead to."""
    layers = []
    for moves in range(depth(search, direction) + 1):
        rows = inputs.read(layer_stage(search.problem, direction, moves), "frontier", columns=["position", "first"])
        layers.append(column_of(rows, "position")[column_of(rows, "first")])
    return layers


def _count_rows(search: Search, solutions: Any) -> Any:
    """The source's rule first: order and symmetry tell nothing apart, the way round a loop does."""
    counts = sorted(solutions.counts(), key=lambda count: (count.ordered, count.mirror, not count.loop))
    rows = [{"problem": slug(search.problem), "rule": rule, **count._asdict()} for rule, count in enumerate(counts, 1)]
    return COUNTS.from_rows(rows)


def _step_rows(search: Search, solutions: Any) -> Any:
    steps = [
        {
            "problem": slug(search.problem),
            "after": after,
            "position": position,
            "move": solutions.play.format(step.move),
            "child": step.child,
        }
        for after, level in enumerate(solutions.graph)
        for position, steps in level.items()
        for step in steps
    ]
    return STEPS.from_rows(sorted(steps, key=lambda row: (row["after"], row["position"], row["move"])))


def solution_rows(name: Mapping[str, Any], solutions: Solutions) -> list[dict[str, Any]]:
    """A row for each solution up to order and symmetries, beginning with ``name``."""
    return [
        {
            **name,
            **solution._asdict(),
            "moves": ", ".join(map(solutions.play.format, solution.moves)),
            "length": len(solution.moves),
        }
        for solution in solutions.essential
    ]
