"""Numbers of games: how many ways there are to play from a single vacancy until no jump is left."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from boardspace.spaces.solitaire.config import SolitaireConfig
from boardspace.spaces.solitaire.costs import with_costs
from boardspace.spaces.solitaire.parts.games.names import LEVELS
from boardspace.spaces.solitaire.parts.games.tables import GAME_ENDS, GAME_LEVELS, GAMES, NEXT_WAYS
from boardspace.spec.deferred import deferred
from boardspace.spec.space import Check, Part, Stage

if TYPE_CHECKING:
    from boardspace.spaces.solitaire.parts.games import checks, claims, compute, estimate
else:
    checks, claims, compute, estimate = deferred(__package__, "checks", "claims", "compute", "estimate")


def stages(config: SolitaireConfig) -> Sequence[Stage]:
    """Levels, again and again, then their sums; none where no games are asked for."""
    if not config.games:
        return ()
    expected = estimate.cost(config)
    levels = Stage(
        LEVELS,
        "sequences of jumps to every position, level by level",
        compute.count_level,
        compute.cut_levels,
        after=(LEVELS,),
        seconds=expected.seconds,
        bytes=expected.bytes,
    )
    totals = Stage("games", "numbers of games", compute.total, compute.cut_total, after=(LEVELS,), bytes=4_000)
    return with_costs((levels, totals))


GAMES_COUNTED = Part(
    name="games",
    scope="starts of games",
    stages=stages,
    tables=(GAMES, GAME_LEVELS, GAME_ENDS, NEXT_WAYS),
    claims=claims.measure,
    checks=(
        Check(
            "games of small boards",
            {
                "games": ("board", "vacancy", "games", "won", "won_in_vacancy", "positions"),
                "game_levels": ("board", "vacancy", "pegs", "positions", "dead_ends", "sequences", "ended"),
                "game_ends": ("board", "vacancy", "survivor", "games"),
            },
            "added up over positions as sets of cells, on boards of up to 15 holes",
            checks.check_small_boards,
        ),
        Check(
            "sums of games",
            {
                "games": ("board", "vacancy", "games", "won", "won_in_vacancy", "positions"),
                "game_levels": ("board", "vacancy", "pegs", "positions", "ended"),
                "game_ends": ("board", "vacancy", "survivor", "games"),
            },
            "levels and ends added up; the starts that the config asks for",
            checks.check_sums,
        ),
        Check(
            "games counted from their ends",
            {
                "games": ("board", "vacancy", "games", "won", "won_in_vacancy"),
                "game_ends": ("board", "vacancy", "survivor", "games"),
            },
            "added up from the dead ends, for all starts at once, over bitmaps of classes; boards of 16 to 28 holes",
            checks.check_backwards,
        ),
        Check(
            "games played backwards",
            {"game_ends": ("board", "vacancy", "survivor", "games")},
            "a game taken back on the complement: as many from vacancy a to survivor b as from b to a",
            checks.check_reversed,
        ),
        Check(
            "sequences between levels",
            {"game_levels": ("pegs", "positions", "dead_ends", "sequences", "ended")},
            "every position's jumps counted by masks, the sequences added up from level to level; of small levels all "
            "positions, else drawn ones, by the jumps that lead to them",
            checks.check_levels,
        ),
    ),
)
