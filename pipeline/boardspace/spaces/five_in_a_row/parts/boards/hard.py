"""Solves hard boards, each searched by many workers: stages ``bounds``, ``parts`` and ``joined``.

``bounds`` finds the root bound, which every part then shares, and by a beam how many stones suffice. A ``parts``
shard sweeps its part of the states with the least number of stones that the bound leaves, then one more, until it
finds placements or reaches the number that suffices. A part that would outgrow its memory ends and has that in its
facts; the next round of the stage has it in CUT_AGAIN parts, and so on. ``joined`` takes the least number at which any
part found something: that is X, since all parts together found nothing below it; the counts at X add up.
"""

from collections.abc import Mapping
from typing import Any

from boardspace.spaces.five_in_a_row.config import FiveInARowConfig, SplitBoard
from boardspace.spaces.five_in_a_row.drawings import explained, progress
from boardspace.spaces.five_in_a_row.parts.boards.compute import lattice_of, proved_tables, result_row
from boardspace.spaces.five_in_a_row.parts.boards.part import seconds_in_parts
from boardspace.spaces.five_in_a_row.proofs import with_proofs
from boardspace.spec.space import Facts, Inputs, Json, Output, Shard
from boardspace_kernels.five_in_a_row.best_cells import best_cells
from boardspace_kernels.five_in_a_row.board import Board, PartTooLargeError
from boardspace_kernels.five_in_a_row.certificate import (
    Searched,
    bound_of,
    first_placement,
    prepared_by,
    searched_certificate,
)
from boardspace_kernels.five_in_a_row.minimum import few_stones, least, solve_part
from boardspace_kernels.five_in_a_row.search import Part, prepare

BEAM = 2_000
CUT_AGAIN = 4


def cut_bounds(config: FiveInARowConfig, inputs: Inputs) -> list[Shard]:
    """One shard for each hard board."""
    # A linear program in the cells: ten seconds for 14 x 14.
    return [
        Shard(split.board.name, {"split": list(split)}, cost=10 * (split.board.rows * split.board.columns / 196) ** 3)
        for split in config.split
    ]


def find_bound(config: FiveInARowConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """The root bound of a hard board, and a number of stones that suffices."""
    memory, split = config.memory_mb * 1_000_000, SplitBoard(*params["split"])
    with explained():
        inputs.report("the root bound")
        prepared = prepare(Board((split.rows, split.columns), split.k), split.width, memory=memory)
        enough = few_stones(prepared, BEAM, memory, lambda row: inputs.report(progress(row)))
    return Output(facts={"least": least(prepared), "enough": enough.stones, "bound": bound_of(prepared)})


def cut_parts(config: FiveInARowConfig, inputs: Inputs) -> list[Shard]:
    """The parts of every hard board, and in later rounds the parts of those that were too large."""
    found = inputs.named_facts("parts")
    shards = []
    for split in config.split:
        for part in smallest_parts(split, found):
            params: dict[str, Json] = {"split": list(split), "index": part.index, "of": part.of}
            shards.append(Shard(part_name(split, part), params, cost=seconds_in_parts(split.board) / part.of))
    return [shard for shard in shards if shard.name not in found]


def smallest_parts(split: SplitBoard, found: Mapping[str, Facts]) -> list[Part]:
    """The parts that a board is cut into; ``found``, the facts by shard, names those that were too large."""
    parts = Part(0, 1, split.cut).cut_again(split.parts)
    smallest = []
    while parts:
        smallest += [part for part in parts if not found.get(part_name(split, part), {}).get("outgrown")]
        larger = [part for part in parts if found.get(part_name(split, part), {}).get("outgrown")]
        parts = tuple(smaller for part in larger for smaller in part.cut_again(CUT_AGAIN))
    return smallest


def part_name(split: SplitBoard, part: Part) -> str:
    """The name of a part's shard; parts of parts follow the larger ones."""
    return f"{split.board.name}/{part.of:06}-{part.index:06}"


def search_part(config: FiveInARowConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """Sweep one part of a hard board; a fact tells where it does not fit the memory."""
    split = SplitBoard(*params["split"])
    bound = inputs.named_facts("bounds")[split.board.name]
    memory = config.memory_mb * 1_000_000
    part = Part(params["index"], params["of"], split.cut)
    with explained():
        prepared = prepared_by(bound["bound"], memory)
        try:
            sweeps = solve_part(prepared, part, bound["enough"], memory, lambda row: inputs.report(progress(row)))
        except PartTooLargeError as error:
            return Output(facts={"outgrown": str(error)})
    last = sweeps[-1]
    facts = {
        "sweeps": [[one.stones, str(one.count), one.states, one.peak] for one in sweeps],
        "cut": [[one.taken, one.offered] for one in sweeps],
        "witness": first_placement(last.diagram) if last.count and last.diagram else None,
    }
    return Output(facts=facts)


def cut_joined(config: FiveInARowConfig, inputs: Inputs) -> list[Shard]:
    """One shard for each hard board."""
    return [Shard(split.board.name, {"split": list(split)}, cost=4.0) for split in config.split]


def join(config: FiveInARowConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """One row from all parts of a board."""
    split, found_parts = SplitBoard(*params["split"]), inputs.named_facts("parts")
    bound = inputs.named_facts("bounds")[split.board.name]
    parts = [found_parts[part_name(split, part)] for part in smallest_parts(split, found_parts)]
    sweeps = [sweep for part in parts for sweep in part["sweeps"]]
    stones = min(stones for stones, count, _, _ in sweeps if int(count))
    require_whole(split, parts, stones)
    relevant = [sweep for sweep in sweeps if sweep[0] <= stones]
    count = str(sum(int(count) for budget, count, _, _ in relevant if budget == stones))
    inputs.report("certificate and second count")
    states = sum(states for _, _, states, _ in relevant)
    # No certificate where no part could keep its links, to show a placement.
    witness = next((p["witness"] for p in parts if p["sweeps"][-1][0] == stones and p["witness"]), None)
    empty = list(range(bound["least"], stones))
    searched = Searched(stones, count, empty, states, witness) if witness else None
    proof = searched_certificate(bound["bound"], searched) if searched else None
    found = {
        "stones": stones,
        "proof": "bound" if stones == bound["least"] else "search",
        "placements": count,
        "bound": bound["bound"]["floor"],
        "searches": 1 + stones - bound["least"],
        "states": states,
        "peak": max(peak for _, _, _, peak in relevant),
    }
    board = split.board
    found = with_proofs(config, Board((board.rows, board.columns), board.k), found, proof, inputs.report)
    return Output(proved_tables([result_row(board, lattice_of(board, best_cells(board.k)), found)]))


def require_whole(split: SplitBoard, parts: list[Mapping[str, Any]], stones: int) -> None:
    """Refuse parts that together did not take each state at the cut once, in every sweep up to ``stones``."""
    by_budget: dict[int, list[list[int]]] = {}
    for part in parts:
        for (budget, *_), cut in zip(part["sweeps"], part["cut"], strict=True):
            by_budget.setdefault(budget, []).append(cut)
    for budget in (budget for budget in by_budget if budget <= stones):
        taken, offered = zip(*by_budget[budget], strict=True)
        if len(offered) != len(parts) or len(set(offered)) > 1 or sum(taken) != offered[0]:
            raise ArithmeticError(
                f"{split.board.name}: with {budget} stones {len(offered)} of {len(parts)} parts took {sum(taken)} "
                f"states of {sorted(set(offered))} at the cut"
            )
