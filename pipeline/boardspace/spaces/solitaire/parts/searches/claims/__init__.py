"""Statements about the Last Supper and the central game, measured on their searches."""

from boardspace.spaces.solitaire.config import SolitaireConfig
from boardspace.spaces.solitaire.parts.searches.claims.board import board_claims
from boardspace.spaces.solitaire.parts.searches.claims.english import central_claims
from boardspace.spaces.solitaire.parts.searches.claims.last_supper import last_supper_claims, sampled_games
from boardspace.spaces.solitaire.source_estimate import MOVES
from boardspace.spaces.solitaire.source_solutions import CENTRAL, LAST_SUPPER
from boardspace.spec.space import Inputs, Measurement


def measure(config: SolitaireConfig, inputs: Inputs) -> dict[str, Measurement]:
    """Measurements by claim id, of what the config covers."""
    found: dict[str, Measurement] = {}
    searches = {search.problem: search for search in config.searches}
    if LAST_SUPPER in searches:
        found |= board_claims()
        found |= last_supper_claims(searches[LAST_SUPPER], inputs)
        if not config.counts_games(LAST_SUPPER, MOVES):
            found |= dict(sampled_games(searches[LAST_SUPPER], inputs))
    if CENTRAL in searches:
        found |= central_claims(searches[CENTRAL], inputs)
    return found
