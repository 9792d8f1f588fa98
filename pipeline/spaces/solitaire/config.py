"""The ``[solitaire]`` section of a run's configuration."""

from pydantic import Field

from pipeline.space import SpaceConfig


class Search(SpaceConfig):
    """A problem to solve with the fewest moves, and how deep the frontiers go on each side."""

    problem: str = Field(description="BOARD/PROBLEM, such as french/last_supper")
    forward: int = Field(ge=1, le=60, description="frontiers after 1 to this many moves from the start")
    backward: int = Field(ge=1, le=60, description="frontiers after 1 to this many moves taken back from the goal")


class SolitaireConfig(SpaceConfig):
    """What to enumerate. Solutions of up to ``forward`` + ``backward`` moves are found and proved to be shortest."""

    searches: tuple[Search, ...] = Field((), description="problems whose frontiers and solutions are enumerated")
    levels: tuple[str, ...] = Field((), description="problems whose whole spaces are enumerated, by pegs")
    rows_per_shard: int = Field(2_000_000, ge=1, description="positions of a frontier or level that one shard takes")
