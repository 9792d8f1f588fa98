"""The source's own search, sharded: every move is one stage, every shard of it owns a key range.

The positions themselves are not published, since which are feasible depends on the length asked for; their numbers are.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from boardspace.engine.shuffle import key_shards, received, sample
from boardspace.spaces.solitaire.board_files import problem_params
from boardspace.spaces.solitaire.boards import problem_of
from boardspace.spaces.solitaire.columns import slug
from boardspace.spaces.solitaire.config import FeasibleSearch, SolitaireConfig
from boardspace.spaces.solitaire.parts.feasible.part import FEASIBLE, FEASIBLE_CHILDREN, move_stage
from boardspace.spec.space import Inputs, Output, Shard
from boardspace_kernels.runs import Run, is_in, merge
from boardspace_kernels.solitaire.feasible import feasible_step

SECONDS_PER_ROW = 2e-6


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
