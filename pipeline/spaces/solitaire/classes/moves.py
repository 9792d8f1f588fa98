"""Least moves to all positions of a class: how many positions by pegs and moves, the hardest, and of each problem.

A class is swept in memory by one shard, which takes about sixteen bitmaps' room; so larger classes are refused.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardspace.pipeline.space import Inputs, Output, Shard, Stage
from boardspace.pipeline.spaces.solitaire.boards import BoardFileError
from boardspace.pipeline.spaces.solitaire.classes.vacancy import Vacancy
from boardspace.pipeline.spaces.solitaire.config import SolitaireConfig
from boardspace.pipeline.spaces.solitaire.tables import CLASS_MOVES, HARDEST

MOST_BYTES = 256 << 20
SECONDS_PER_BYTE = 1e-7


def moves_stages(vacancy: Vacancy) -> Iterator[Stage]:
    """One stage of one shard; BoardFileError for a class of more than 256 MiB."""
    size = vacancy.order.positions.bytes
    if size > MOST_BYTES:
        raise BoardFileError(
            f"{vacancy.board_name}: a bitmap of {size >> 20:,} MiB is too large for least moves, which are made in "
            f"memory up to {MOST_BYTES >> 20} MiB; set moves = false for this board"
        )
    yield Stage(
        f"{vacancy.slug}.moves",
        f"{vacancy.board_name} from vacancy {vacancy.hole}: least moves to all positions",
        make_moves,
        partial(cut_moves, vacancy),
    )


def cut_moves(vacancy: Vacancy, config: SolitaireConfig, inputs: Inputs) -> Sequence[Shard]:
    """A single shard."""
    return [Shard(vacancy.slug, vacancy.params, vacancy.order.positions.bytes * SECONDS_PER_BYTE)]


def make_moves(config: SolitaireConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """Positions by pegs and least moves; those of the most moves; as facts, the moves to each single peg."""
    from boardspace.kernels.solitaire.classes.census import count_by_pegs, count_orbits
    from boardspace.kernels.solitaire.classes.moves import moves_from, positions_at

    vacancy = Vacancy.of(params)
    group = vacancy.board.stabiliser(vacancy.start)
    planes = moves_from(vacancy.order, [vacancy.start])
    rows: list[dict[str, Any]] = []
    survivors: dict[str, int] = {}
    last = np.zeros(0, np.uint64)
    for moves in range((1 << len(planes)) - 1):
        blocks = positions_at(planes, moves)
        if not blocks.any():
            break
        last = blocks
        labelled, orbits = count_by_pegs(vacancy.order, blocks), count_orbits(vacancy.order, group, blocks)
        rows += [
            {"pegs": pegs, "moves": moves, "positions": orbits[pegs], "labelled_positions": labelled[pegs]}
            for pegs in np.flatnonzero(labelled).tolist()
        ]
        for single in vacancy.single_pegs:
            if vacancy.has(blocks, single):
                survivors[str(vacancy.board.pegs(single)[0])] = moves
    name = {"board": vacancy.board_name, "vacancy": vacancy.hole}
    hardest = [{**name, "position": p, "moves": rows[-1]["moves"]} for p in _least_images(vacancy, group, last)]
    by_pegs = sorted(({**name, **row} for row in rows), key=lambda row: (row["pegs"], row["moves"]))
    tables = {"class_moves": CLASS_MOVES.from_rows(by_pegs), "hardest": HARDEST.from_rows(hardest)}
    return Output(tables, facts={"survivors": survivors, "most_moves": rows[-1]["moves"]})


def _least_images(vacancy: Vacancy, group: NDArray[np.int64], blocks: NDArray[Any]) -> list[int]:
    """The positions of a bitmap, the least of each orbit."""
    bits = np.unpackbits(blocks.reshape(-1).view(np.uint8), bitorder="little")
    positions = map(vacancy.order.positions.position, np.flatnonzero(bits).tolist())
    return sorted({min(_image(row, position) for row in group.tolist()) for position in positions})


def _image(symmetry: list[int], position: int) -> int:
    return sum(1 << image for hole, image in enumerate(symmetry) if position >> hole & 1)
