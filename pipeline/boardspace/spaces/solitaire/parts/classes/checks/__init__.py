"""How ``boardspace verify`` re-derives what is published of position classes: by plain Python on cells and sets."""

import random
from collections.abc import Iterator

from boardspace.spaces.solitaire.by_hand import ProblemByHand
from boardspace.spaces.solitaire.checking import joined
from boardspace.spaces.solitaire.config import Classes, SolitaireConfig
from boardspace.spaces.solitaire.parts.classes.checks.bitmaps import (
    check_class,
    check_counts,
    check_moves_by_two_methods,
    check_moves_left,
    check_two_methods,
    starts_with,
)
from boardspace.spaces.solitaire.parts.classes.checks.shortest import check_shortest
from boardspace.spaces.solitaire.parts.classes.hints import ARRAY, goals_of
from boardspace.spaces.solitaire.parts.classes.vacancy import Vacancy, vacancies
from boardspace.spec.space import Draw, Inputs, Outcome


def check_bitmaps(config: SolitaireConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Positions of games that are drawn, and of some with a jump taken back."""
    chance = random.Random(draw.seed)
    return joined(
        (vacancy.slug, check_class(vacancy, inputs, chance)) for section, vacancy in _swept(config) if section.bitmaps
    )


def check_least_moves_left(config: SolitaireConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Positions of games that are drawn; and all of a problem whose levels were made, too."""
    chance = random.Random(draw.seed)
    return joined(
        [
            *(
                (vacancy.slug, check_moves_left(vacancy, hint, inputs, chance))
                for section, vacancy in _swept(config)
                for hint in section.hints
                if goals_of(vacancy, ARRAY[hint])
            ),
            *(
                (problem.name, check_moves_by_two_methods(problem, vacancy, inputs))
                for section, vacancy, problem in _posed(config)
                if "returning" in section.hints
            ),
        ]
    )


def check_class_levels(config: SolitaireConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """The first levels, and all of a problem whose levels were made, too."""
    return joined(
        [
            *((vacancy.slug, check_counts(vacancy, inputs)) for _, vacancy in _swept(config)),
            *(
                (problem.name, check_two_methods(problem.name, vacancy, inputs))
                for _, vacancy, problem in _posed(config)
            ),
        ]
    )


def check_class_solutions(config: SolitaireConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Every solution."""
    chance = random.Random(draw.seed)
    return joined(
        (vacancy.slug, check_shortest(vacancy, inputs, chance))
        for section, vacancy in _swept(config)
        if section.shortest
    )


def _swept(config: SolitaireConfig) -> Iterator[tuple[Classes, Vacancy]]:
    for section in config.classes:
        for vacancy in vacancies(section, config.boards):
            yield section, vacancy


def _posed(config: SolitaireConfig) -> Iterator[tuple[Classes, Vacancy, ProblemByHand]]:
    """Vacancies from which a problem starts whose levels were made, too."""
    for section, vacancy in _swept(config):
        for problem in (ProblemByHand(name, config.boards) for name in config.levels):
            if starts_with(problem, vacancy):
                yield section, vacancy, problem
