"""Problems in the names of stages, shards and tables, and as the parameters of shards."""

from boardspace.spaces.solitaire.board_files import problem_params
from boardspace.spaces.solitaire.config import SolitaireConfig
from boardspace.spec.space import Inputs, Shard


def slug(problem: str) -> str:
    """A problem's name in tables, and in the names of folders, files and stages."""
    return problem.replace("/", "-")


def one_shard(problem: str, config: SolitaireConfig, inputs: Inputs) -> list[Shard]:
    """A single shard that is given the whole problem."""
    return [Shard(slug(problem), problem_params(problem, config.boards))]
