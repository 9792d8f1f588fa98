"""How ``boardspace verify`` re-derives position classes: by arrays and by hand, from the board's picture."""

import random
from collections.abc import Iterator

from boardspace.spaces.solitaire.by_hand import ProblemByHand
from boardspace.spaces.solitaire.checking import joined
from boardspace.spaces.solitaire.config import Classes, SolitaireConfig
from boardspace.spaces.solitaire.parts.classes.checks import (
    bitmaps,
    counts,
    exchanged,
    least_moves,
    neighbours,
    problems,
    solutions,
)
from boardspace.spaces.solitaire.parts.classes.checks.bits import read_bitmaps
from boardspace.spaces.solitaire.parts.classes.checks.played import play_class
from boardspace.spaces.solitaire.parts.classes.hints import ARRAY, goals_of
from boardspace.spaces.solitaire.parts.classes.vacancy import Vacancy, vacancies
from boardspace.spec.space import Draw, Inputs, Outcome


def check_bitmaps(config: SolitaireConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """All of small classes; of others ``winning`` by ``reachable``, and positions of games that are drawn, some with a
    jump taken back."""
    chance = random.Random(draw.seed)
    return joined(
        (vacancy.slug, outcome)
        for section, vacancy in _swept(config)
        if section.bitmaps
        for outcome in _arrays(section, vacancy, inputs, chance, draw)
    )


def _arrays(section: Classes, vacancy: Vacancy, inputs: Inputs, chance: random.Random, draw: Draw) -> Iterator[Outcome]:
    yield bitmaps.check_class(vacancy, inputs, chance)
    for hint in section.hints:
        if goals_of(vacancy, ARRAY[hint]):
            yield bitmaps.check_moves_left(vacancy, hint, inputs, chance)
    played = play_class(vacancy)
    if played.is_whole:
        yield bitmaps.check_played(section, played, inputs)
    else:
        both = read_bitmaps(vacancy, inputs, draw)
        yield neighbours.check_neighbours(played, both, inputs, draw)
        yield exchanged.check_winning(played, both, inputs)


def check_moves_left(config: SolitaireConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """All of a problem whose levels were made, too."""
    return joined(
        (problem.name, bitmaps.check_moves_by_two_methods(problem, vacancy, inputs))
        for section, vacancy in _swept(config)
        if "returning" in section.hints and (problem := _posed(config, vacancy)) is not None
    )


def check_levels(config: SolitaireConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Every row of every class, as far as its numbers are known otherwise."""
    return _unknown_class(config, inputs, "class_levels", "vacancy") or joined(
        (vacancy.slug, counts.check_levels(section, play_class(vacancy), _posed(config, vacancy), inputs))
        for section, vacancy in _swept(config)
    )


def check_moves(config: SolitaireConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Every row of small classes, those of the first levels of others; and what the stages exchanged."""
    unknown = _unknown_class(config, inputs, "class_moves", "vacancy") or _unknown_class(
        config, inputs, "hardest", "vacancy"
    )
    swept = [(section, play_class(vacancy)) for section, vacancy in _swept(config) if section.moves]
    found = [
        (played.vacancy.slug, least_moves.check_moves(played, _posed(config, played.vacancy), inputs))
        for _, played in swept
    ]
    exchanged = least_moves.check_exchanged([played for _, played in swept], inputs)
    return unknown or joined([*found, ("exchanged", exchanged)])


def check_problems(config: SolitaireConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Every row of every board, as far as its problems are known otherwise, and the holes of its numbers."""
    found = []
    for section in config.classes:
        classes = [play_class(vacancy) for vacancy in vacancies(section, config.boards)]
        found.append((section.board, counts.check_holes(classes[0].vacancy, inputs)))
        found.append((section.board, problems.check_problems(section, classes, inputs)))
    return _unknown_class(config, inputs, "problems") or _unknown_class(config, inputs, "class_holes") or joined(found)


def check_solutions(config: SolitaireConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Every solution; of large classes parts of some, and no problem whose solutions are not listed."""
    for table in ("class_solutions", "problem_solutions"):
        unknown = _unknown_class(config, inputs, table, "vacancy", shortest=True)
        if unknown is not None:
            return unknown
    return joined(
        (vacancy.slug, solutions.check_vacancy(play_class(vacancy), inputs, draw))
        for section, vacancy in _swept(config)
        if section.shortest
    )


def _unknown_class(
    config: SolitaireConfig, inputs: Inputs, table: str, *columns: str, shortest: bool = False
) -> Outcome | None:
    """The fault that a table has rows of a board, or a vacancy, that is none of the config's; None if it has not."""
    names = ("board", *columns)
    known = {
        (vacancy.board_name, vacancy.hole)[: len(names)]
        for section, vacancy in _swept(config)
        if section.shortest or not shortest
    }
    rows = inputs.table(table, columns=names)
    others = set(zip(*(rows.column(name).to_pylist() for name in names), strict=True)) - known
    return Outcome(1, 1, f"table {table}: no class is of {min(others)}") if others else None


def _swept(config: SolitaireConfig) -> Iterator[tuple[Classes, Vacancy]]:
    for section in config.classes:
        for vacancy in vacancies(section, config.boards):
            yield section, vacancy


def _posed(config: SolitaireConfig, vacancy: Vacancy) -> ProblemByHand | None:
    """The problem that starts with this vacancy alone and whose levels were made, too."""
    problems = (ProblemByHand(name, config.boards) for name in config.levels)
    return next((problem for problem in problems if bitmaps.starts_with(problem, vacancy)), None)
