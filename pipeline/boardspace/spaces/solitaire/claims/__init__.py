"""What the sources state about the Last Supper and the English board, measured on the finished stages."""

from boardspace.spaces.solitaire.claims.board import board_claims
from boardspace.spaces.solitaire.claims.classes import class_claims
from boardspace.spaces.solitaire.claims.counting import counting_claims
from boardspace.spaces.solitaire.claims.english import central_claims, level_claims
from boardspace.spaces.solitaire.claims.last_supper import last_supper_claims
from boardspace.spaces.solitaire.claims.printed import CENTRAL, LAST_SUPPER
from boardspace.spaces.solitaire.config import FeasibleSearch, SolitaireConfig
from boardspace.spec.space import Inputs, Measurement


def measure(config: SolitaireConfig, inputs: Inputs) -> dict[str, Measurement]:
    """Measurements by claim id, of what the config covers."""
    found: dict[str, Measurement] = {}
    searches = {search.problem: search for search in config.searches}
    counting = FeasibleSearch(problem=LAST_SUPPER, moves=14)
    if LAST_SUPPER in searches:
        found |= board_claims()
        found |= last_supper_claims(searches[LAST_SUPPER], inputs)
    if counting in config.feasible:
        found |= counting_claims(counting, searches.get(LAST_SUPPER), inputs)
    if CENTRAL in searches:
        found |= central_claims(searches[CENTRAL], inputs)
    if CENTRAL in config.levels:
        found |= level_claims(inputs)
    return found | class_claims(config, inputs)
