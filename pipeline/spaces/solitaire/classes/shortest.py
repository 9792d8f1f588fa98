"""How many shortest solutions each problem of a class has.

The blocks of least moves are kept until this is known. Each survivor is a shard: from it back to the start the
positions of shortest solutions are found by their least moves, and the solutions are counted on these, which are few.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from boardspace.pipeline.space import Inputs, Output, Shard, Stage
from boardspace.pipeline.spaces.solitaire.classes.moves import layers
from boardspace.pipeline.spaces.solitaire.classes.sweeps import runs
from boardspace.pipeline.spaces.solitaire.classes.vacancy import Vacancy
from boardspace.pipeline.spaces.solitaire.config import SolitaireConfig
from boardspace.pipeline.spaces.solitaire.tables import PROBLEM_SOLUTIONS

SECONDS = 10.0


def shortest_stage(vacancy: Vacancy, shard_bytes: int) -> Stage:
    """The stage that counts; it reads the blocks of all weights."""
    made = tuple(run.stage(vacancy) for run in runs(vacancy, "moves", shard_bytes, folded=True))
    return Stage(
        f"{vacancy.slug}.shortest",
        f"{vacancy.board_name} from vacancy {vacancy.hole}: numbers of shortest solutions",
        partial(count_shortest, shard_bytes),
        partial(cut_survivors, vacancy),
        after=(*made, f"{vacancy.slug}.moves"),
        facts_only=(f"{vacancy.slug}.moves",),
    )


def cut_survivors(vacancy: Vacancy, config: SolitaireConfig, inputs: Inputs) -> Sequence[Shard]:
    """A shard for each hole in which one peg can be left."""
    survivors: Mapping[str, int] = inputs.facts(f"{vacancy.slug}.moves")[0]["survivors"]
    found = sorted((int(hole), moves) for hole, moves in survivors.items())
    return [
        Shard(f"{vacancy.slug}-{hole:02}", {**vacancy.params, "survivor": hole, "moves": moves}, SECONDS)
        for hole, moves in found
    ]


def count_shortest(shard_bytes: int, config: SolitaireConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """The numbers of shortest solutions of a problem, where order, mirror and loop tell two apart or do not."""
    from boardspace.kernels.solitaire.classes.shortest import layers_to
    from boardspace.kernels.solitaire.problem import Problem
    from boardspace.kernels.solitaire.solutions import Solutions

    vacancy, moves = Vacancy.of(params), params["moves"]
    swept = [
        layer for run in runs(vacancy, "moves", shard_bytes, folded=True) for layer in layers(vacancy, run, inputs)
    ]
    problem = Problem(vacancy.board, vacancy.start, vacancy.board.position([params["survivor"]]))
    passed = layers_to(problem, moves, vacancy.order, vacancy.fold, swept)
    counts = Solutions(problem, passed).counts_that_can_be_listed()
    name = {"board": vacancy.board_name, "vacancy": vacancy.hole, "survivor": params["survivor"], "moves": moves}
    rows = [{**name, **count._asdict()} for count in sorted(counts)]
    return Output(
        {"problem_solutions": PROBLEM_SOLUTIONS.from_rows(rows)},
        facts={"survivor": params["survivor"], "passed": [len(layer) for layer in passed]},
    )
