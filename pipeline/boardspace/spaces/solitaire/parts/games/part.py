"""Numbers of games: how many ways there are to play from a single vacancy until no jump is left.

Numbers that outgrow 64 bits are texts of decimal digits. Where that can be paid the second rules make all rows of a
board anew; of larger ones what follows from the levels of a run.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pyarrow as pa

from boardspace.spaces.solitaire.columns import BOARD, PEGS, POSITION, SURVIVOR, VACANCY
from boardspace.spaces.solitaire.config import SolitaireConfig
from boardspace.spaces.solitaire.costs import with_totals
from boardspace.spec.deferred import deferred
from boardspace.spec.equations import Key, Made
from boardspace.spec.space import Column, Part, Stage, Table

if TYPE_CHECKING:
    from boardspace.spaces.solitaire.parts.games import checks, compute
else:
    checks, compute = deferred(__package__, "checks", "compute")

LEVELS = "games.levels"

GAMES_MADE = Made(
    "games of boards",
    checks.make_games,
    folder="board",
    folders=checks.seconds_by_board,
    partly=True,
    says="sequences of jumps added up, position by position, from the start, by arrays, and games over levels or "
    "survivors; of boards where that takes too long from the run's levels, small ones made again from the level above, "
    "of larger ones drawn positions",
)

GAMES = Table(
    "games",
    "How many games there are from a single vacancy. A game is a sequence of jumps until none is possible. "
    "There are as many sequences of moves, where the jumps of one peg in a row are one move, told apart by its way.",
    (
        BOARD,
        VACANCY.by(Key()),
        Column("games", pa.string(), "All games, exactly, in decimal digits.", "games"),
        Column("won", pa.string(), "Those that end with one peg, anywhere.", "games"),
        Column("won_in_vacancy", pa.string(), "Those that end with one peg in the hole that was empty.", "games"),
        Column("positions", pa.uint64(), "Positions that can be reached, up to symmetries of the start.", "orbits"),
    ),
    ("board", "vacancy"),
    on_card=True,
    rows=GAMES_MADE,
)

GAME_LEVELS = Table(
    "game_levels",
    "The games from a single vacancy by the number of pegs on the board.",
    (
        BOARD,
        VACANCY.by(Key()),
        PEGS.by(Key()),
        Column("positions", pa.uint64(), "Positions that can be reached, up to symmetries of the start.", "orbits"),
        Column("dead_ends", pa.uint64(), "Those without a jump.", "orbits"),
        Column("sequences", pa.string(), "Sequences of jumps that lead to so many pegs, exactly.", "sequences"),
        Column("ended", pa.string(), "Those that end a game, since no jump is possible.", "games"),
    ),
    ("board", "vacancy", "pegs"),
    rows=GAMES_MADE,
)

GAME_ENDS = Table(
    "game_ends",
    "The games from a single vacancy that end with one peg, by the hole that it is in.",
    (
        BOARD,
        VACANCY.by(Key()),
        SURVIVOR.by(Key()),
        Column("games", pa.string(), "Games that end there, exactly, in decimal digits.", "games"),
    ),
    ("board", "vacancy", "survivor"),
    rows=GAMES_MADE,
)

NEXT_WAYS = Table(
    "next_ways",
    "Results of the jumps from a part of a level, with the sequences that lead to each, on their way to the next.",
    (
        POSITION,
        Column("low", pa.uint64(), "The number of sequences by way of that part, modulo 2^64.", "sequences"),
        Column("high", pa.uint64(), "The rest of that number, over 2^64."),
    ),
    ("position",),
    published=False,
)


def stages(config: SolitaireConfig) -> Sequence[Stage]:
    """Levels, again and again, then their sums; none where no games are asked for."""
    if not config.games:
        return ()
    expected = compute.cost(config)
    levels = Stage(
        LEVELS,
        "sequences of jumps to every position, level by level",
        compute.count_level,
        compute.cut_levels,
        after=(LEVELS,),
        seconds=expected.seconds,
        longest=expected.longest,
        bytes=expected.bytes,
    )
    return with_totals(levels, "games", "numbers of games", compute.total, 4_000)


GAMES_COUNTED = Part(
    name="games",
    scope="starts of games",
    stages=stages,
    tables=(GAMES, GAME_LEVELS, GAME_ENDS, NEXT_WAYS),
    claims=compute.measure_claims,
)
