"""Least moves to all positions of a class: how many positions by pegs and moves, the hardest, and of each problem,
with the numbers of its shortest solutions.

A weight, or a band of light ones, is a stage, as in :mod:`.sweeps`. Each shard counts its blocks when it has made them,
and leaves them for the few stages that come after it; these done, the blocks are dropped. At the end the counts are put
together.

The blocks of least moves are kept until the numbers of shortest solutions are known. Each survivor is a shard: from it
back to the start the positions of shortest solutions are found by their least moves, and the solutions are counted on
these, which are few. Where they are not too many they are published themselves, in one order of their moves.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardspace.spaces.solitaire.board_files import BoardFileError
from boardspace.spaces.solitaire.boards import drawing_of
from boardspace.spaces.solitaire.config import SolitaireConfig
from boardspace.spaces.solitaire.parts.classes.part import (
    CLASS_MOVES,
    CLASS_SOLUTIONS,
    HARDEST,
    HARDEST_PARTS,
    PROBLEM_SOLUTIONS,
)
from boardspace.spaces.solitaire.parts.classes.sweeps import Band, bands, reported, sources, stage_of
from boardspace.spaces.solitaire.parts.classes.vacancy import Vacancy, goals_of
from boardspace.spaces.solitaire.parts.searches.compute import solution_rows
from boardspace.spec.space import Inputs, Output, Shard, Stage, one_shard
from boardspace_kernels.solitaire.board import image_of
from boardspace_kernels.solitaire.classes.fold import starts
from boardspace_kernels.solitaire.classes.gather import Blocks
from boardspace_kernels.solitaire.classes.layer_blocks import Layer
from boardspace_kernels.solitaire.classes.layers import MoveSweep, make_layer
from boardspace_kernels.solitaire.classes.moves_left import (
    NOT_REACHED,
    count_moves,
    layers_to,
    moves_to_each,
    with_moves,
)
from boardspace_kernels.solitaire.play import Problem
from boardspace_kernels.solitaire.solutions import Solutions

MOST_BYTES = 1 << 30


def moves_stages(vacancy: Vacancy, shard_bytes: int) -> Iterator[Stage]:
    """The stages of the sweep, and that of the tables; BoardFileError for a class of more than 1 GiB."""
    size = vacancy.order.positions.bytes
    if size > MOST_BYTES:
        raise BoardFileError(
            f"{vacancy.board_name}: a bitmap of {size >> 20:,} MiB is too large for least moves, which are found "
            f"up to {MOST_BYTES >> 20:,} MiB; set moves = false for this board"
        )
    chosen = bands(vacancy, "moves", shard_bytes)
    for band in chosen:
        yield stage_of(vacancy, band, shard_bytes, "least moves", make_band)
    yield Stage(
        f"{vacancy.slug}.moves",
        f"{vacancy.board_name} from vacancy {vacancy.hole}: least moves to all positions",
        partial(make_tables, shard_bytes),
        one_shard(vacancy.slug, vacancy.params, 0.1),
        after=tuple(band.stage(vacancy) for band in chosen),
        facts_only=tuple(band.stage(vacancy) for band in chosen),
    )


def make_band(
    band: Band, shard_bytes: int, config: SolitaireConfig, params: Mapping[str, Any], inputs: Inputs
) -> Output:
    """The blocks of some tiles of each weight of a band, and what is counted on them."""
    vacancy = Vacancy.of(params)
    made = made_layers(vacancy, band, shard_bytes, (params["begin"], params["end"]), inputs)
    before = sources(vacancy, band, shard_bytes)
    most = max((part["most"] for other in before for part in inputs.facts(other.stage(vacancy))), default=-1)
    inputs.report("counting by pegs and moves")
    facts, hardest = _counted(vacancy, made, most)
    tables = {"hardest_parts": HARDEST_PARTS.from_columns(position=hardest)}
    return Output(tables, facts=facts, blobs=blobs_of_layers(made))


def made_layers(
    vacancy: Vacancy,
    band: Band,
    shard_bytes: int,
    tiles: tuple[int, int],
    inputs: Inputs,
    within: Callable[[int], Blocks | None] = lambda weight: None,
) -> list[Layer]:
    """A range of tiles of each weight of a band, from the bands before it; ``within``: see :func:`make_layer`."""
    roots = [vacancy.start] if band.goal == "moves" else goals_of(vacancy, band.goal)
    sweep = MoveSweep(vacancy.order, vacancy.steps(band.goal == "moves"), vacancy.fold)
    made = [layer for other in sources(vacancy, band, shard_bytes) for layer in layers(vacancy, other, inputs)]
    read = len(made)
    for weight in reported(band.weights, inputs):
        made.append(make_layer(sweep, made, roots, weight, tiles, within(weight)))
    return made[read:]


def blobs_of_layers(made: Sequence[Layer]) -> dict[str, NDArray[Any]]:
    """The blobs of a shard, as :func:`layers` reads them."""
    indices = {f"index-{layer.weight:03}": layer.index for layer in made}
    return indices | {f"rows-{layer.weight:03}": layer.rows for layer in made}


def layers(vacancy: Vacancy, band: Band, inputs: Inputs, weights: Sequence[int] | None = None) -> Iterator[Layer]:
    """Layers that a finished band left, of all its weights or of some, mapped into memory."""
    for shard, (begin, end) in zip(band.shards(), band.ranges, strict=True):
        for weight in band.weights if weights is None else weights:
            index, rows = (inputs.blob(band.stage(vacancy), f"{kind}-{weight:03}", shard) for kind in ("index", "rows"))
            yield Layer(index, rows, weight, starts(vacancy.order, vacancy.fold, weight), begin, end)


def _counted(vacancy: Vacancy, made: Sequence[Layer], most: int) -> tuple[dict[str, Any], list[int]]:
    """As facts: rows of pegs, moves, positions, and the sum over symmetries of those that each keeps; the most moves,
    and those to single pegs. And the positions of so many moves, where no stage before had more than they need."""
    order, fold = vacancy.order, vacancy.fold
    group = vacancy.board.stabiliser(vacancy.start)
    totals = np.zeros((2, 1, 1), np.int64)
    last: list[int] = []
    for layer in made:
        counts = count_moves(order, fold, group, layer)
        totals = totals + counts
        here = max(np.flatnonzero(counts[0].any(axis=0)).tolist(), default=-1)
        if here >= max(most, 0):
            last = [*(last if here == most else []), *with_moves(order, layer, here)]
            most = here
    singles = vacancy.single_pegs
    left = moves_to_each(
        order, fold, lambda weight: (layer for layer in made if layer.weight == weight), np.array(singles, np.uint64)
    )
    survivors = {
        str(vacancy.board.pegs(peg)[0]): moves
        for peg, moves in zip(singles, left.tolist(), strict=True)
        if moves != NOT_REACHED
    }
    rows = [[pegs, moves, *totals[:, pegs, moves].tolist()] for pegs, moves in np.argwhere(totals[0]).tolist()]
    least = sorted({min(image_of(row, position) for row in group) for position in last})
    return {"counts": rows, "most": most, "survivors": survivors}, least


def make_tables(shard_bytes: int, config: SolitaireConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """Positions by pegs and least moves; those of the most moves; as facts, the moves to each single peg."""
    vacancy = Vacancy.of(params)
    stages = [band.stage(vacancy) for band in bands(vacancy, "moves", shard_bytes)]
    parts = [part for stage in stages for part in inputs.facts(stage)]
    most = max(part["most"] for part in parts)
    totals: dict[tuple[int, int], NDArray[np.int64]] = {}
    for part in parts:
        for pegs, moves, *counts in part["counts"]:
            totals[pegs, moves] = totals.get((pegs, moves), np.zeros(2, np.int64)) + counts
    name = {"board": vacancy.board_name, "vacancy": vacancy.hole}
    order = len(vacancy.board.stabiliser(vacancy.start))
    rows = [
        {**name, "pegs": pegs, "moves": moves, "positions": fixed // order, "labelled_positions": labelled}
        for (pegs, moves), (labelled, fixed) in sorted(totals.items())
    ]
    last = {position for stage in stages for position in _hardest(stage, most, inputs)}
    hardest = [
        {**name, "position": position, "moves": most, "drawing": drawing_of(vacancy.board, position)}
        for position in sorted(last)
    ]
    tables = {"class_moves": CLASS_MOVES.from_rows(rows), "hardest": HARDEST.from_rows(hardest)}
    survivors = {hole: moves for part in parts for hole, moves in part["survivors"].items()}
    return Output(tables, facts={"survivors": survivors, "most_moves": most})


def _hardest(stage: str, most: int, inputs: Inputs) -> list[int]:
    shards = [shard for shard, facts in inputs.named_facts(stage).items() if facts["most"] == most]
    found: list[int] = inputs.read(stage, "hardest_parts", shards=shards)["position"].to_pylist()
    return found


SECONDS, SECONDS_PER_BYTE, BYTES_LOOKED_AT = 0.06, 2e-9, 500_000_000
"""Of one core, to count the shortest solutions to one peg; so many more for each byte of the blocks, up to so many
bytes: of larger sweeps most is never looked at."""
MOST_LISTED = 100_000


def shortest_stage(vacancy: Vacancy, shard_bytes: int) -> Stage:
    """The stage that counts; it reads the blocks of all weights."""
    chosen = bands(vacancy, "moves", shard_bytes)
    made = tuple(band.stage(vacancy) for band in chosen)
    seconds = SECONDS + SECONDS_PER_BYTE * min(sum(band.bytes for band in chosen), BYTES_LOOKED_AT)
    return Stage(
        f"{vacancy.slug}.shortest",
        f"{vacancy.board_name} from vacancy {vacancy.hole}: numbers of shortest solutions",
        partial(count_shortest, shard_bytes),
        partial(cut_survivors, vacancy, seconds),
        after=(*made, f"{vacancy.slug}.moves"),
        seconds=seconds * len(vacancy.single_pegs),
        longest=seconds if vacancy.single_pegs else 0.0,
        facts_only=(f"{vacancy.slug}.moves",),
    )


def cut_survivors(vacancy: Vacancy, seconds: float, config: SolitaireConfig, inputs: Inputs) -> Sequence[Shard]:
    """A shard of so many seconds for each hole in which one peg can be left."""
    survivors: Mapping[str, int] = inputs.facts(f"{vacancy.slug}.moves")[0]["survivors"]
    found = sorted((int(hole), moves) for hole, moves in survivors.items())
    return [
        Shard(f"{vacancy.slug}-{hole:02}", {**vacancy.params, "survivor": hole, "moves": moves}, seconds)
        for hole, moves in found
    ]


def count_shortest(shard_bytes: int, config: SolitaireConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """The numbers of shortest solutions of a problem, where order, mirror and loop tell two apart or do not."""
    vacancy, moves = Vacancy.of(params), params["moves"]
    chosen = bands(vacancy, "moves", shard_bytes)

    def swept(weight: int) -> Iterator[Layer]:
        return (one for band in chosen if weight in band.weights for one in layers(vacancy, band, inputs, [weight]))

    problem = Problem(vacancy.board, vacancy.start, vacancy.board.position([params["survivor"]]))
    passed = layers_to(problem, moves, vacancy.order, vacancy.fold, swept)
    solutions = Solutions(problem, passed, MOST_LISTED)
    name = {"board": vacancy.board_name, "vacancy": vacancy.hole, "survivor": params["survivor"]}
    counts = [{**name, "moves": moves, **c._asdict()} for c in sorted(solutions.counts())]
    listed = solution_rows(name, solutions) if solutions.can_be_listed else []
    return Output(
        {
            "problem_solutions": PROBLEM_SOLUTIONS.from_rows(counts),
            "class_solutions": CLASS_SOLUTIONS.from_rows(listed),
        },
        facts={"survivor": params["survivor"], "passed": [len(layer) for layer in passed]},
    )
