"""Names of the stages of a whole space."""

from boardspace.spaces.solitaire.problems import slug


def level_stage(problem: str, pegs: int) -> str:
    """The stage that makes one level."""
    return f"{slug(problem)}.pegs.{pegs:02}"


def winning_stage(problem: str, pegs: int) -> str:
    """The stage that finds the winning positions of one level."""
    return f"{slug(problem)}.winning.{pegs:02}"
