"""Names of the stages of a search, and how many layers it has on each side."""

from typing import Literal

from boardspace.spaces.solitaire.config import Search
from boardspace.spaces.solitaire.problems import slug

Direction = Literal["forward", "backward"]
DIRECTIONS: tuple[Direction, Direction] = ("forward", "backward")


def depth(search: Search, direction: Direction) -> int:
    """How many layers follow the root."""
    return search.forward if direction == "forward" else search.backward


def layer_stage(problem: str, direction: Direction, moves: int) -> str:
    """The stage that makes one layer."""
    return f"{slug(problem)}.{direction}.{moves:02}"
