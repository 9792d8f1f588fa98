"""The source's own search, sharded: every move is one stage, every shard of it owns a key range; and the claims on it.

The positions themselves are not published, since which are feasible depends on the length asked for; their numbers are.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from boardspace.engine.shuffle import key_shards, received, sample
from boardspace.spaces.solitaire.board_files import problem_params
from boardspace.spaces.solitaire.boards import problem_of
from boardspace.spaces.solitaire.columns import slug
from boardspace.spaces.solitaire.config import FeasibleSearch, Search, SolitaireConfig
from boardspace.spaces.solitaire.parts.feasible.part import FEASIBLE, FEASIBLE_CHILDREN, move_stage, table_stage
from boardspace.spaces.solitaire.source_solutions import LAST_SUPPER, Measured, listed, problem_named, rows
from boardspace.spec.space import Inputs, Measurement, Output, Shard
from boardspace_kernels.runs import Run, is_in, merge
from boardspace_kernels.solitaire.feasible import feasible_step

SECONDS_PER_ROW = 8e-7


def cut(search: FeasibleSearch, move: int, config: SolitaireConfig, inputs: Inputs) -> Sequence[Shard]:
    """Key ranges with about ``rows_per_shard`` rows of what the move before led to; the start is one shard."""
    params = {**problem_params(search.problem, config.boards), "move": move}
    folder = f"problem={slug(search.problem)}/length={search.moves:02}/move={move:02}"
    before = move_stage(search, move - 1) if move > 1 else None
    return key_shards(inputs, before, folder, params, config.rows_per_shard, SECONDS_PER_ROW)


def make_move(search: FeasibleSearch, config: SolitaireConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """Make one move from a key range of the feasible positions."""
    problem, move = problem_of(params), params["move"]
    if move == 1:
        here = problem.root(problem.start).positions
    else:
        parts = received(inputs, move_stage(search, move - 1), FEASIBLE_CHILDREN, params)
        here = merge([Run(*columns) for columns in parts]).positions
    step = feasible_step(problem, here, move, search.moves)
    facts = {
        "positions": len(here),
        "variants": step.variants,
        "most_variants": step.most_variants,
        "most_choices": step.most_moves,
        "longest_chain": step.longest_chain,
        "most_gain": step.most_gain,
        "goal": bool(is_in(np.array([problem.goal], np.uint64), step.children)[0]),
        "run": sample(step.children),
    }
    return Output({"feasible_children": FEASIBLE_CHILDREN.from_columns(position=step.children)}, facts=facts)


def count_moves(search: FeasibleSearch, config: SolitaireConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """The row of each move. Children of different shards may be the same: they are counted before the next move."""
    last = received(inputs, move_stage(search, search.moves), FEASIBLE_CHILDREN)
    children = len(merge([Run(*columns) for columns in last]).positions)
    rows: list[dict[str, Any]] = []
    for move in range(search.moves, 0, -1):
        facts = inputs.facts(move_stage(search, move))
        row = {"problem": slug(search.problem), "length": search.moves, "move": move, "children": children}
        row |= {name: sum(f[name] for f in facts) for name in ("positions", "variants")}
        row |= {
            name: max((f[name] for f in facts), default=0)
            for name in ("most_variants", "most_choices", "longest_chain", "most_gain")
        }
        rows.insert(0, row | {"goal": any(f["goal"] for f in facts)})
        children = rows[0]["positions"]
    return Output({"feasible": FEASIBLE.from_rows(rows)})


def measure_claims(config: SolitaireConfig, inputs: Inputs) -> dict[str, Measurement]:
    """Measurements of the search through feasible positions of the Last Supper decides; with its frontiers more."""
    counting = FeasibleSearch(problem=LAST_SUPPER, moves=14)
    if counting not in config.feasible:
        return {}
    table = inputs.read(table_stage(counting), "feasible").to_pylist()
    found = dict(_measured(table))
    for search in config.searches:
        if search.problem == LAST_SUPPER:
            found |= _backward(table, search, inputs)
            found |= _necessary(table, search, inputs)
    return found


def _measured(table: list[dict[str, Any]]) -> Measured:
    positions, variants = (sum(row[name] for row in table) for name in ("positions", "variants"))
    done = f"all variants of {positions:,} feasible positions, one of each orbit after each number of moves"
    gain = _most(table, "most_gain")
    evidence = f"the most at any stop against any stop before, in all moves, with any stops, of {positions:,} positions"
    yield "ls-one-goal-hole", Measurement(gain, evidence)
    yield "ls-feasible-search", Measurement(any(row["goal"] for row in table), f"made {done}")
    evidence = (
        f"a count of the author's program, which met the same positions again and again after 7 moves; where each is "
        f"met once there are {variants:,} variants to make"
    )
    yield "ls-decisions", Measurement(variants, evidence, "open")
    where = listed(row["move"] for row in table if row["most_variants"] == _most(table, "most_variants"))
    evidence = (
        f"the most of {done}, found at move {where}; a variant has feasible stops only: with any stops there are up to "
        f"{_most(table, 'most_choices')}"
    )
    yield "ls-variants", Measurement(_most(table, "most_variants"), evidence)
    where = listed(row["move"] for row in table if row["longest_chain"] == _most(table, "longest_chain"))
    yield "ls-chain", Measurement(_most(table, "longest_chain"), f"the most of {done}, found at move {where}")


def _backward(table: list[dict[str, Any]], search: Search, inputs: Inputs) -> Measured:
    """Positions after j moves more: taken back from the end, and by counting from those after 7 moves."""
    layers = {row["moves"]: row for row in rows(search.problem, "layers", inputs) if row["direction"] == "backward"}
    moves = range(1, min(search.backward, 7) + 1)
    backward = [layers[j]["positions"] for j in moves]
    counting = [table[6 + j]["children"] for j in moves]
    labelled = sum(layers[j]["labelled_positions"] for j in moves)
    evidence = (
        f"orbits after 1 to {len(backward)} moves taken back: {listed(backward)}; after as many moves of counting, "
        f"which goes on from 7 moves: {listed(counting)}. Together {sum(backward):,} against {sum(counting):,}"
        f"{'' if labelled > sum(counting) else f', and {labelled:,} without identifying isomorphic ones'}; only the "
        "first steps back multiply faster"
    )
    yield "ls-backward-growth", Measurement(sum(backward) > sum(counting), evidence)


def _necessary(table: list[dict[str, Any]], search: Search, inputs: Inputs) -> Measured:
    """The proof's premise for all positions, and its conclusion for the solutions of the least length."""
    goal = problem_named(search.problem).goal
    steps = rows(search.problem, "solutions", inputs, "solution_steps")
    length = max((row["after"] for row in steps), default=-1) + 1
    left = [(row["child"] & goal).bit_count() - (goal.bit_count() - (length - 1 - row["after"])) for row in steps]
    evidence = (
        "a move fills at most one goal hole more (ls-one-goal-hole), so the holes left to fill may not outnumber the "
        f"moves; and all {len(steps):,} moves of the solutions in {length} moves lead to positions that such a count, "
        "for their length, allows"
    )
    yield (
        "ls-feasible-necessary",
        Measurement(_most(table, "most_gain") <= 1 and min(left, default=0) >= 0, evidence, basis="proof"),
    )


def _most(table: list[dict[str, Any]], name: str) -> int:
    return max(int(row[name]) for row in table)
