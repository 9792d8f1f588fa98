"""Names of the stages of a search by counting."""

from boardspace.spaces.solitaire.config import FeasibleSearch
from boardspace.spaces.solitaire.problems import slug


def table_stage(search: FeasibleSearch) -> str:
    """The stage that has the table."""
    return f"{slug(search.problem)}.feasible-{search.moves:02}"


def move_stage(search: FeasibleSearch, move: int) -> str:
    """The stage that makes a move."""
    return f"{table_stage(search)}.{move:02}"
