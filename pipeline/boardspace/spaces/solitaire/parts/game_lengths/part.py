"""Numbers of games by their length: how many sequences of k moves there are from the start of a problem."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pyarrow as pa

from boardspace.spaces.solitaire.columns import POSITION, PROBLEM
from boardspace.spaces.solitaire.config import GameLengths, SolitaireConfig
from boardspace.spaces.solitaire.costs import with_totals
from boardspace.spec.deferred import deferred
from boardspace.spec.equations import Made
from boardspace.spec.space import Column, Part, Stage, Table

if TYPE_CHECKING:
    from boardspace.spaces.solitaire.parts.game_lengths import checks, compute
else:
    checks, compute = deferred(__package__, "checks", "compute")

LAYERS = "game_lengths.layers"
NOT_HELD = 2
"""Moves at the end whose results are counted and not held."""


def last_held(section: GameLengths) -> int:
    """Moves after which positions are held for the last time."""
    return section.moves - NOT_HELD


GAME_LENGTHS = Table(
    "game_lengths",
    "How many sequences of k moves there are from the start of a problem, wherever they lead; counted exactly.",
    (
        PROBLEM,
        Column("moves", pa.uint8(), "Number of moves k.", "moves"),
        Column("sequences", pa.string(), "Sequences of k moves, in decimal digits.", "sequences"),
        Column(
            "positions",
            pa.uint64(),
            "Orbits of positions after exactly k moves; null for the last two k, whose positions are not held.",
            "orbits",
            nullable=True,
        ),
    ),
    ("problem", "moves"),
    on_card=True,
    rows=Made(
        "games by length",
        checks.make_lengths,
        says="the first layers made again by arrays, exactly; later numbers estimated by games of its own, within six "
        "standard errors",
    ),
)

NEXT_SEQUENCES = Table(
    "next_sequences",
    "Results of the moves from a part of a layer, with the sequences that lead to each, on their way to the next.",
    (POSITION, Column("ways", pa.uint64(), "Sequences of moves that lead here by way of that part.", "sequences")),
    ("position",),
    published=False,
)


def stages(config: SolitaireConfig) -> Sequence[Stage]:
    """Layers, again and again, then their sums; none where no games are asked for."""
    if not config.game_lengths:
        return ()
    layers = Stage(
        LAYERS,
        "sequences of moves to every position, move by move",
        compute.count_layer,
        compute.cut_layers,
        after=(LAYERS,),
        seconds=compute.seconds(config),
        longest=compute.longest(config),
        bytes=compute.size(config),
    )
    return with_totals(layers, "game_lengths", "numbers of games by their length", compute.total, 2_000)


GAME_LENGTHS_COUNTED = Part(
    name="game_lengths",
    scope="problems with games by length",
    stages=stages,
    tables=(GAME_LENGTHS, NEXT_SEQUENCES),
    claims=compute.measure_claims,
)
