"""Games from one vacancy to one survivor: how many, by which positions and jumps, and how likely by chance."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pyarrow as pa

from boardspace.spaces.solitaire.columns import BOARD, SURVIVOR, VACANCY
from boardspace.spaces.solitaire.config import SolitaireConfig
from boardspace.spaces.solitaire.costs import with_totals
from boardspace.spec.deferred import deferred
from boardspace.spec.equations import Key, Made
from boardspace.spec.space import Column, Part, Stage, Table

if TYPE_CHECKING:
    from boardspace.spaces.solitaire.parts.problem_games import checks, compute
else:
    checks, compute = deferred(__package__, "checks", "compute")

COUNTS = "problem_games.counts"

PROBLEM_GAMES = Table(
    "problem_games",
    "The games from a single vacancy to a single survivor, of every such problem of a board that can be solved, one of "
    "those that symmetries exchange. A position counts if the start leads to it and it leads to the survivor.",
    (
        BOARD,
        VACANCY.by(Key()),
        SURVIVOR.by(Key()),
        Column("positions", pa.uint64(), "Positions in these games.", "positions"),
        Column("orbits", pa.uint64(), "The same up to the symmetries that keep vacancy and survivor.", "orbits"),
        Column("games", pa.string(), "Sequences of jumps, exactly, in decimal digits.", "games"),
        Column(
            "paths",
            pa.string(),
            "Sequences of positions up to these symmetries, exactly, in decimal digits.",
            "sequences",
        ),
        Column(
            "jump_sets",
            pa.uint64(),
            "Games that differ by more than the order of their jumps; null where there are more positions than the "
            "config allows for it.",
            "sets",
            nullable=True,
        ),
        Column(
            "luck",
            pa.float64(),
            "The chance that random play makes one of the games: each time any of the "
            "possible jumps, all equally likely.",
        ),
        Column("luck_numerator", pa.string(), "The same as an exact fraction in lowest terms, in decimal digits."),
        Column("luck_denominator", pa.string(), "Its denominator, in decimal digits."),
    ),
    ("board", "vacancy", "survivor"),
    on_card=True,
    rows=Made(
        "games of problems",
        checks.make_problem_games,
        folder="board",
        folders=checks.seconds_by_board,
        partly=True,
        says="all games played from the start down by arrays, in exact integers; of boards where that takes too long "
        "a problem taken back has as many positions, games, paths and jump sets, games end in the survivor as often "
        "as `game_ends` says, where a run has it, and the fraction is in lowest terms",
    ),
)


def stages(config: SolitaireConfig) -> Sequence[Stage]:
    """One shard for each problem, then the rows; none where no problems are asked for."""
    if not config.problem_games:
        return ()
    counts = Stage(
        COUNTS,
        "games from one vacancy to one survivor",
        compute.count_row,
        compute.cut_problems,
        seconds=compute.seconds(config),
        longest=compute.longest(config),
    )
    return with_totals(counts, "problem_games", "rows of all problems", compute.total, 4_000)


PROBLEMS_COUNTED = Part(
    name="problem_games",
    scope="vacancies with games of problems",
    stages=stages,
    tables=(PROBLEM_GAMES,),
    claims=compute.measure_claims,
)
