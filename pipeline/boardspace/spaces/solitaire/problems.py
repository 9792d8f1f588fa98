"""Problems in the names of stages, shards and tables, and as the parameters of shards."""

from collections.abc import Mapping

from boardspace.spaces.solitaire.board_files import problem_params
from boardspace.spaces.solitaire.config import SolitaireConfig
from boardspace.spec.space import Facts, Inputs, Shard


def slug(problem: str) -> str:
    """A problem's name in tables, and in the names of folders, files and stages."""
    return problem.replace("/", "-")


def one_shard(problem: str, config: SolitaireConfig, inputs: Inputs) -> list[Shard]:
    """A single shard that is given the whole problem."""
    return [Shard(slug(problem), problem_params(problem, config.boards))]


def shards_by_level(folder: str, done: Mapping[str, Facts]) -> dict[int, dict[str, Facts]]:
    """Finished shards of a folder, named ``FOLDER/pegs=31/0000`` or the like, by that number, and by name."""
    found: dict[int, dict[str, Facts]] = {}
    for name, facts in done.items():
        of, level, _ = name.split("/")
        if of == folder:
            found.setdefault(int(level.partition("=")[2]), {})[name] = facts
    return found
