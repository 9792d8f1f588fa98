"""Numbers of shortest solutions of each problem of a class.

The blocks of least moves are kept until this is known. Each survivor is a shard: from it back to the start the
positions of shortest solutions are found by their least moves, and the solutions are counted on these, which are few.
Where they are not too many they are published themselves, in one order of their moves.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from boardspace.spaces.solitaire.config import SolitaireConfig
from boardspace.spaces.solitaire.parts.classes.moves import layers
from boardspace.spaces.solitaire.parts.classes.part import CLASS_SOLUTIONS, PROBLEM_SOLUTIONS
from boardspace.spaces.solitaire.parts.classes.sweeps import bands
from boardspace.spaces.solitaire.parts.classes.vacancy import Vacancy
from boardspace.spaces.solitaire.parts.searches.compute import solution_rows
from boardspace.spec.space import Inputs, Output, Shard, Stage
from boardspace_kernels.solitaire.classes.layer_blocks import Layer
from boardspace_kernels.solitaire.classes.shortest import layers_to
from boardspace_kernels.solitaire.problem import Problem
from boardspace_kernels.solitaire.solutions import Solutions

SECONDS = 1.0
MOST_LISTED = 100_000


def shortest_stage(vacancy: Vacancy, shard_bytes: int) -> Stage:
    """The stage that counts; it reads the blocks of all weights."""
    made = tuple(band.stage(vacancy) for band in bands(vacancy, "moves", shard_bytes, folded=True))
    return Stage(
        f"{vacancy.slug}.shortest",
        f"{vacancy.board_name} from vacancy {vacancy.hole}: numbers of shortest solutions",
        partial(count_shortest, shard_bytes),
        partial(cut_survivors, vacancy),
        after=(*made, f"{vacancy.slug}.moves"),
        seconds=SECONDS * len(vacancy.single_pegs),
        longest=SECONDS if vacancy.single_pegs else 0.0,
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
    vacancy, moves = Vacancy.of(params), params["moves"]
    chosen = bands(vacancy, "moves", shard_bytes, folded=True)

    def swept(weight: int) -> Iterator[Layer]:
        """Yield the layers of a weight."""
        made = (layer for band in chosen if weight in band.weights for layer in layers(vacancy, band, inputs))
        return (layer for layer in made if layer.weight == weight)

    problem = Problem(vacancy.board, vacancy.start, vacancy.board.position([params["survivor"]]))
    passed = layers_to(problem, moves, vacancy.order, vacancy.fold, swept)
    solutions = Solutions(problem, passed, MOST_LISTED)
    name = {"board": vacancy.board_name, "vacancy": vacancy.hole, "survivor": params["survivor"]}
    counts = [{**name, "moves": moves, **c._asdict()} for c in sorted(solutions.counts_that_can_be_listed())]
    listed = solution_rows(name, solutions) if solutions.can_be_listed else []
    return Output(
        {
            "problem_solutions": PROBLEM_SOLUTIONS.from_rows(counts),
            "class_solutions": CLASS_SOLUTIONS.from_rows(listed),
        },
        facts={"survivor": params["survivor"], "passed": [len(layer) for layer in passed]},
    )
