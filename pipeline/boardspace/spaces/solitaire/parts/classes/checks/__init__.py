"""Checks that re-derive position classes: by arrays and by hand, from the board's picture."""

from collections.abc import Iterator

from boardspace.spaces.solitaire.checking import joined
from boardspace.spaces.solitaire.config import Classes, SolitaireConfig
from boardspace.spaces.solitaire.parts.classes.checks import (
    counts,
    problems,
    solutions,
)
from boardspace.spaces.solitaire.parts.classes.checks.played import play_class
from boardspace.spaces.solitaire.parts.classes.vacancy import Vacancy, vacancies
from boardspace.spaces.solitaire.rules import ProblemByHand
from boardspace.spec.space import Draw, Inputs, Outcome


def check_levels(config: SolitaireConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Every row of every class, as far as its numbers are known otherwise."""
    return _unknown_class(config, inputs, "class_levels", "vacancy") or joined(
        (vacancy.slug, counts.check_levels(section, play_class(vacancy), _posed(config, vacancy), inputs))
        for section, vacancy in _swept(config)
    )


def check_moves(config: SolitaireConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Every row of small classes, those of the first levels of others."""
    unknown = _unknown_class(config, inputs, "class_moves", "vacancy") or _unknown_class(
        config, inputs, "hardest", "vacancy"
    )
    swept = [(play_class(vacancy), _posed(config, vacancy)) for section, vacancy in _swept(config) if section.moves]
    found = [(played.vacancy.slug, problems.check_moves(played, posed, inputs)) for played, posed in swept]
    return unknown or joined(found)


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
    return next((problem for problem in problems if _starts_with(problem, vacancy)), None)


def _starts_with(posed: ProblemByHand, vacancy: Vacancy) -> bool:
    """Return whether a problem starts with this vacancy alone, and has a goal with the same symmetries."""
    if posed.board_name != vacancy.board_name:
        return False
    alone = frozenset(posed.cells) - {posed.cell[vacancy.hole]}
    return posed.start == alone and posed.goal == frozenset(posed.cells) - alone
