"""Peg solitaire: frontiers by moves, shortest solutions with their proof, whole spaces by jumps."""

from collections.abc import Sequence
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from boardspace.spaces.solitaire.config import (
    Classes,
    CountedProblems,
    FeasibleSearch,
    GameLengths,
    Games,
    Search,
    SolitaireConfig,
)
from boardspace.spaces.solitaire.parts.classes.part import POSITION_CLASSES
from boardspace.spaces.solitaire.parts.feasible.part import FEASIBLE_POSITIONS
from boardspace.spaces.solitaire.parts.game_lengths.part import GAME_LENGTHS_COUNTED
from boardspace.spaces.solitaire.parts.games.part import GAMES_COUNTED
from boardspace.spaces.solitaire.parts.levels.part import LEVELS_BY_PEGS
from boardspace.spaces.solitaire.parts.problem_games.part import PROBLEMS_COUNTED
from boardspace.spaces.solitaire.parts.searches.part import SEARCHES
from boardspace.spec.deferred import DeferredFunction, deferred
from boardspace.spec.question import Parameter, Question
from boardspace.spec.space import Measurement, Scope, Space

if TYPE_CHECKING:
    from boardspace.spaces.solitaire.parts.classes import vacancy
else:
    (vacancy,) = deferred(f"{__package__}.parts.classes", "vacancy")


@cache
def published() -> SolitaireConfig:
    """The config of version 7."""
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
        problem_games=(CountedProblems(board="triangle15"),),
    )


def _frontiers(config: SolitaireConfig) -> list[str]:
    return [
        f"{search.problem} {direction} {moves}"
        for search in config.searches
        for direction, depth in (("forward", search.forward), ("backward", search.backward))
        for moves in range(1, depth + 1)
    ]


def _starts(config: SolitaireConfig, sections: Sequence[Classes | Games]) -> list[str]:
    found = [one for section in sections for one in vacancy.vacancies(section, config.boards)]
    return [f"{one.board_name} from vacancy {one.hole}" for one in found]


SCOPES = (
    Scope.of("frontiers", _frontiers, published),
    Scope.of(
        "feasible searches",
        lambda config: [f"{one.problem} in {one.moves} moves" for one in config.feasible],
        published,
    ),
    Scope.of("problems by pegs", lambda config: config.levels, published),
    Scope.of("position classes", lambda config: _starts(config, config.classes), published),
    Scope.of("starts of games", lambda config: _starts(config, config.games), published),
    Scope.of(
        "problems with games by length",
        lambda config: [f"{one.problem} to {one.moves} moves" for one in config.game_lengths],
        published,
    ),
    Scope.of("vacancies with games of problems", lambda config: _starts(config, config.problem_games), published),
)

ask = DeferredFunction("boardspace.spaces.solitaire.parts.classes.queries", "ask_shipped")
WARM_UP = "boardspace_kernels.solitaire.warm_up"
class_kernels = DeferredFunction("boardspace.spaces.solitaire.parts.classes.stages", "class_kernels")
problem_kernels = DeferredFunction("boardspace.spaces.solitaire.parts.problem_games.compute", "kernels")
POSITION = (
    Parameter("board", "text", "A board that ships, such as english.", "triangle15"),
    Parameter("vacancy", "number", "The hole that was empty at the start.", "1", most=999),
    Parameter("pegs", "text", "The pegs: '1 3-5', 'all but 6 12', or a drawing.", "all but 1"),
)
READINGS = {
    claim: Measurement(None, evidence, "open", "reading")
    for claim, evidence in {
        "english-history": "of persons and centuries; no enumeration can judge it",
        "ls-hours": "of the author's machines; a run of this program takes the moves that ls-prize counts",
        "ls-origin": "of where a game is from and is played; no enumeration can judge it",
        "ls-thirty-years": "of what other computers could have done; ls-fewer-decisions counts what the proof takes "
        "today",
        "ls-cube": "a comparison of two problems is a matter of judgement, and the cube is not enumerated here; "
        "ls-both-sides says how many positions this one takes",
        "ls-four-colours-again": "of another theorem and other programs; nothing here bears on it",
        "ls-four-colours": "a comparison of two proofs is a matter of judgement; ls-frontier-7 and ls-prize have "
        "figures",
    }.items()
}

SPACE = Space(
    name="solitaire",
    version=7,
    title="Peg solitaire",
    doc=(
        "Positions of peg solitaire: frontiers of the Last Supper (37 holes) and of the English central game from both "
        "sides, all solutions with the fewest moves, certificates that none has fewer, and whole reachable spaces."
    ),
    config=SolitaireConfig,
    parts=(
        SEARCHES,
        FEASIBLE_POSITIONS,
        LEVELS_BY_PEGS,
        POSITION_CLASSES,
        GAMES_COUNTED,
        GAME_LENGTHS_COUNTED,
        PROBLEMS_COUNTED,
    ),
    readings=READINGS,
    claims_file=Path(__file__).with_name("claims.toml"),
    warm_up=DeferredFunction(WARM_UP, "warm_up"),
    more_warm_up={"between": DeferredFunction(WARM_UP, "warm_up_between")}
    | {
        f"{kind}-{word}": partial(DeferredFunction(WARM_UP, f"warm_up_{kind}"), word)
        for kind in ("moves", "sweeps")
        for word in ("uint8", "uint16", "uint32", "uint64")
    },
    needed_warm_up=lambda config: {*class_kernels(config), *(problem_kernels(config) if config.problem_games else ())},
    scopes=SCOPES,
    authors=("The boardspace maintainers",),
    questions=(Question("moves", "A position: can it be reached, can it be won, and every next jump.", ask, POSITION),),
)
