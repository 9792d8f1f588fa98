"""Numbers of games by their length: how many sequences of k moves there are from the start of a problem."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from boardspace.spaces.solitaire.config import SolitaireConfig
from boardspace.spaces.solitaire.costs import with_costs
from boardspace.spaces.solitaire.parts.game_lengths.names import LAYERS
from boardspace.spaces.solitaire.parts.game_lengths.tables import GAME_LENGTHS, NEXT_SEQUENCES
from boardspace.spec.deferred import deferred
from boardspace.spec.space import Check, Part, Stage

if TYPE_CHECKING:
    from boardspace.spaces.solitaire.parts.game_lengths import checks, claims, compute, estimate
else:
    checks, claims, compute, estimate = deferred(__package__, "checks", "claims", "compute", "estimate")


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
        seconds=estimate.seconds(config),
        bytes=estimate.size(config),
    )
    totals = Stage(
        "game_lengths",
        "numbers of games by their length",
        compute.total,
        compute.cut_total,
        after=(LAYERS,),
        bytes=2_000,
    )
    return with_costs((layers, totals))


GAME_LENGTHS_COUNTED = Part(
    name="game_lengths",
    scope="problems with games by length",
    stages=stages,
    tables=(GAME_LENGTHS, NEXT_SEQUENCES),
    claims=claims.measure,
    checks=(
        Check(
            "games by length",
            {"game_lengths": ("problem", "moves", "sequences", "positions")},
            "the first layers made again by arrays, exactly; later numbers estimated by games of its own, within six "
            "standard errors; the problems that the config asks for",
            checks.check_lengths,
        ),
        Check(
            "sequences between layers",
            {"game_lengths": ("sequences", "positions")},
            "moves of drawn parts of layers made again by arrays; every part's numbers added up from layer to layer",
            checks.check_layers,
        ),
    ),
)
