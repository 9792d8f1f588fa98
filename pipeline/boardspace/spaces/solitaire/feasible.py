"""The source's own search, sharded: every move is one stage, every shard of it owns a key range.

The positions themselves are not published, since which are feasible depends on the length asked for; their numbers are.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from boardspace.engine.shuffle import key_shards, received, sample
from boardspace.spaces.solitaire.board_files import problem_of, problem_params
from boardspace.spaces.solitaire.config import FeasibleSearch, SolitaireConfig
from boardspace.spaces.solitaire.frontiers import one_shard, slug
from boardspace.spaces.solitaire.tables import FEASIBLE, FEASIBLE_CHILDREN
from boardspace.spec.space import Inputs, Output, Shard, Stage

SECONDS_PER_ROW = 2e-6


def feasible_stages(search: FeasibleSearch) -> Iterator[Stage]:
    """A stage for each move, and one that counts them all."""
    for move in range(1, search.moves + 1):
        yield Stage(
            _stage(search, move),
            f"{search.problem}: feasible positions before move {move} of {search.moves}",
            partial(make_move, search),
            partial(cut, search, move),
            after=(_stage(search, move - 1),) if move > 1 else (),
        )
    yield Stage(
        table_stage(search),
        f"{search.problem}: sizes of the search for games of {search.moves} moves",
        partial(count_moves, search),
        partial(one_shard, search.problem),
        after=(_stage(search, search.moves),),
    )


def cut(search: FeasibleSearch, move: int, config: SolitaireConfig, inputs: Inputs) -> Sequence[Shard]:
    """Key ranges with about ``rows_per_shard`` rows of what the move before led to; the start is one shard."""
    params = {**problem_params(search.problem, config.boards), "move": move}
    folder = f"problem={slug(search.problem)}/length={search.moves:02}/move={move:02}"
    before = _stage(search, move - 1) if move > 1 else None
    return key_shards(inputs, before, folder, params, config.rows_per_shard, SECONDS_PER_ROW)


def make_move(search: FeasibleSearch, config: SolitaireConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """Make one move from a key range of the feasible positions."""
    from boardspace_kernels.solitaire.feasible import feasible_step
    from boardspace_kernels.solitaire.runs import Run, is_in, merge

    problem, move = problem_of(params), params["move"]
    if move == 1:
        here = problem.root(problem.start).positions
    else:
        parts = received(inputs, _stage(search, move - 1), FEASIBLE_CHILDREN, params)
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
    from boardspace_kernels.solitaire.runs import Run, merge

    last = received(inputs, _stage(search, search.moves), FEASIBLE_CHILDREN)
    children = len(merge([Run(*columns) for columns in last]).positions)
    rows: list[dict[str, Any]] = []
    for move in range(search.moves, 0, -1):
        facts = inputs.facts(_stage(search, move))
        row = {"problem": slug(search.problem), "length": search.moves, "move": move, "children": children}
        row |= {name: sum(f[name] for f in facts) for name in ("positions", "variants")}
        row |= {
            name: max((f[name] for f in facts), default=0)
            for name in ("most_variants", "most_choices", "longest_chain", "most_gain")
        }
        rows.insert(0, row | {"goal": any(f["goal"] for f in facts)})
        children = rows[0]["positions"]
    return Output({"feasible": FEASIBLE.from_rows(rows)})


def table_stage(search: FeasibleSearch) -> str:
    """The stage that has the table."""
    return f"{slug(search.problem)}.feasible-{search.moves:02}"


def _stage(search: FeasibleSearch, move: int) -> str:
    return f"{table_stage(search)}.{move:02}"
