"""The ``[solitaire]`` section of a run's configuration."""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, model_validator

from boardspace.spaces.solitaire.board_files import BoardText, read_boards
from boardspace.spec.space import SpaceConfig

Hint = Literal["winning", "returning"]


def _of_a_board(problem: str) -> str:
    board, _, name = problem.rpartition("/")
    if not (board and name):
        raise ValueError("BOARD/PROBLEM is wanted, such as french/last_supper")
    return problem


Problem = Annotated[str, AfterValidator(_of_a_board)]


class Search(SpaceConfig):
    """A problem to solve with the fewest moves, and how deep the frontiers go on each side."""

    problem: Problem = Field(
        description="BOARD/PROBLEM, such as french/last_supper; BOARD may be a file, its path from the config's folder"
    )
    forward: int = Field(ge=1, le=60, description="frontiers after 1 to this many moves from the start")
    backward: int = Field(ge=1, le=60, description="frontiers after 1 to this many moves taken back from the goal")
    games: int = Field(0, ge=0, le=60, description="estimate the number of games of up to this many moves")


class FeasibleSearch(SpaceConfig):
    """A problem whose feasible positions are enumerated: those that a count of goal pegs does not exclude."""

    problem: Problem = Field(description="BOARD/PROBLEM, such as french/last_supper")
    moves: int = Field(ge=1, le=60, description="length of the games that are to reach the goal")


class Classes(SpaceConfig):
    """Whole position classes of a board, from single vacancies."""

    board: str = Field(description="a shipped board, or a board file, its path from the config's folder")
    vacancies: tuple[int, ...] = Field((), description="holes vacant at the start; none: one of each orbit of holes")
    bitmaps: bool = Field(
        True,
        description="publish bitmaps, a bit for each position of a class; if not, count, and drop blocks once read",
    )
    winning: bool = Field(True, description="sweep backwards as well, from one peg anywhere (bitmaps need it)")
    hints: tuple[Hint, ...] = Field(
        (),
        description="with bitmaps: publish the least moves that are left from every position of a game, a byte each; "
        "`winning`: to one peg anywhere, `returning`: to one peg in the vacancy",
    )
    moves: bool = Field(False, description="find the least moves to all positions as well (classes up to 1 GiB)")
    shortest: bool = Field(
        False,
        description="with moves: count and list the shortest solutions of all problems; keeps all blocks until then",
    )


class Games(SpaceConfig):
    """A board whose games are counted, from single vacancies."""

    board: str = Field(description="a shipped board, or a board file, its path from the config's folder")
    vacancies: tuple[int, ...] = Field((), description="holes vacant at the start; none: one of each orbit of holes")


class GameLengths(SpaceConfig):
    """A problem whose games are counted by their length, exactly."""

    problem: Problem = Field(description="BOARD/PROBLEM, such as french/last_supper; the goal does not matter")
    moves: int = Field(ge=2, le=60, description="count the sequences of 0 to this many moves from the start")


class CountedProblems(Games):
    """A board whose problems, from a single vacancy to a single survivor, are counted: games, paths, luck."""

    jump_sets: int = Field(
        20_000_000,
        ge=0,
        description="count games that differ by more than the order of their jumps, of problems with at most so many "
        "positions",
    )


class SolitaireConfig(SpaceConfig):
    """Spaces to enumerate. Solutions of up to ``forward`` + ``backward`` moves are found and proved shortest."""

    searches: tuple[Search, ...] = Field((), description="problems whose frontiers and solutions are enumerated")
    feasible: tuple[FeasibleSearch, ...] = Field((), description="problems searched by counting pegs on goal holes")
    levels: tuple[Problem, ...] = Field((), description="BOARD/PROBLEM: problems enumerated whole, by pegs")
    boards: Mapping[str, BoardText] = Field(
        {}, description="boards that do not ship, by name; a board named by its file's path is read into this"
    )
    rows_per_shard: int = Field(2_000_000, ge=1, description="positions of a frontier or level that one shard takes")
    classes: tuple[Classes, ...] = Field((), description="boards whose position classes are swept whole")
    games: tuple[Games, ...] = Field((), description="boards whose games are counted, from the first jump to the last")
    game_lengths: tuple[GameLengths, ...] = Field((), description="problems whose games are counted by their length")
    problem_games: tuple[CountedProblems, ...] = Field((), description="boards of which all problems are counted")
    class_bytes: int = Field(64 << 20, ge=64, description="blocks of a position class that one shard makes, in bytes")

    @model_validator(mode="after")
    def _each_once(self) -> "SolitaireConfig":
        for key, names in {
            "searches": [search.problem for search in self.searches],
            "feasible": [f"{search.problem}, {search.moves} moves," for search in self.feasible],
            "levels": list(self.levels),
            "classes": [section.board for section in self.classes],
            "games": [section.board for section in self.games],
            "game_lengths": [section.problem for section in self.game_lengths],
            "problem_games": [section.board for section in self.problem_games],
        }.items():
            again = next((name for name, times in Counter(names).items() if times > 1), None)
            if again is not None:
                raise ValueError(f"{key}: {again} is there twice")
        return self

    @classmethod
    def with_files(cls, section: Mapping[str, Any], folder: Path) -> Mapping[str, Any]:
        """The section with the boards that it names by files: ``boards/mine.toml/p`` becomes ``mine/p``."""
        return read_boards(section, folder)

    def counts_games(self, problem: str, moves: int) -> bool:
        """True where all games of up to so many moves of the problem are counted."""
        return any(section.problem == problem and section.moves >= moves for section in self.game_lengths)
