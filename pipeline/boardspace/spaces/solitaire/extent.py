"""Scopes of peg solitaire: how much of it a config covers.

There is no end of boards and problems; the whole is that of version 4 of the dataset, as the config ``laptop`` has it.
"""

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from boardspace.spaces.solitaire.config import Classes, FeasibleSearch, GameLengths, Games, Search, SolitaireConfig
from boardspace.spec.deferred import deferred
from boardspace.spec.space import Scope

if TYPE_CHECKING:
    from boardspace.spaces.solitaire.parts.classes import vacancy
else:
    (vacancy,) = deferred(f"{__package__}.parts.classes", "vacancy")

FRONTIERS, FEASIBLE, LEVELS = "frontiers", "feasible searches", "problems by pegs"
CLASSES, GAMES, LENGTHS = "position classes", "starts of games", "problems with games by length"


@cache
def published() -> SolitaireConfig:
    """The config of version 4."""
    return SolitaireConfig(
        levels=("english/central", "triangle15/corner"),
        searches=(
            Search(problem="french/last_supper", forward=9, backward=6, games=14),
            Search(problem="english/central", forward=11, backward=7),
        ),
        feasible=(FeasibleSearch(problem="french/last_supper", moves=14),),
        classes=(Classes(board="english", vacancies=(19,)), Classes(board="triangle15")),
        games=(Games(board="triangle15"), Games(board="english", vacancies=(19,))),
        game_lengths=(GameLengths(problem="triangle15/corner", moves=14),),
    )


def _frontiers(config: SolitaireConfig) -> list[str]:
    return [
        f"{search.problem} {direction} {moves}"
        for search in config.searches
        for direction, depth in (("forward", search.forward), ("backward", search.backward))
        for moves in range(1, depth + 1)
    ]


def _feasible(config: SolitaireConfig) -> list[str]:
    return [f"{search.problem} in {search.moves} moves" for search in config.feasible]


def _levels(config: SolitaireConfig) -> Sequence[str]:
    return config.levels


def _classes(config: SolitaireConfig) -> list[str]:
    return _starts(config, config.classes)


def _games(config: SolitaireConfig) -> list[str]:
    return _starts(config, config.games)


def _lengths(config: SolitaireConfig) -> list[str]:
    return [f"{section.problem} to {section.moves} moves" for section in config.game_lengths]


def _starts(config: SolitaireConfig, sections: Sequence[Classes | Games]) -> list[str]:
    found = [one for section in sections for one in vacancy.vacancies(section, config.boards)]
    return [f"{one.board_name} from vacancy {one.hole}" for one in found]


SCOPES = (
    Scope(FRONTIERS, _frontiers, lambda: _frontiers(published())),
    Scope(FEASIBLE, _feasible, lambda: _feasible(published())),
    Scope(LEVELS, _levels, lambda: _levels(published())),
    Scope(CLASSES, _classes, lambda: _classes(published())),
    Scope(GAMES, _games, lambda: _games(published())),
    Scope(LENGTHS, _lengths, lambda: _lengths(published())),
)
