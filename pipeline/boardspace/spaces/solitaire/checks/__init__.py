"""Re-derivations for ``verify``: plain Python on cells and sets, sharing no code with the kernels."""

import random
from collections.abc import Sequence

from boardspace.spaces.solitaire.checks.by_hand import ProblemByHand
from boardspace.spaces.solitaire.checks.classes import (
    check_class,
    check_counts,
    check_moves_by_two_methods,
    check_moves_left,
    check_two_methods,
    starts_with,
)
from boardspace.spaces.solitaire.checks.feasible import check_feasible
from boardspace.spaces.solitaire.checks.frontiers import check_solutions, check_steps, check_ways_to_play
from boardspace.spaces.solitaire.checks.levels import check_levels
from boardspace.spaces.solitaire.checks.shortest import check_shortest
from boardspace.spaces.solitaire.classes.hints import ARRAY, goals_of
from boardspace.spaces.solitaire.classes.vacancy import vacancies
from boardspace.spaces.solitaire.config import SolitaireConfig
from boardspace.spaces.solitaire.frontiers import DIRECTIONS
from boardspace.spec.check import Finding
from boardspace.spec.space import Inputs


def check(config: SolitaireConfig, inputs: Inputs, seed: int) -> Sequence[Finding]:
    """Positions of every frontier and level are played by hand, short games are listed, every solution is replayed,
    and the bitmaps of whole classes agree with what is played."""
    chance = random.Random(seed)
    checks = []
    for search in config.searches:
        problem = ProblemByHand(search.problem, config.boards)
        checks += [check_steps(search, direction, problem, inputs, chance) for direction in DIRECTIONS]
        checks.append(check_ways_to_play(search, problem, inputs))
        checks.append(check_solutions(search, problem, inputs))
    checks += [
        check_feasible(search, ProblemByHand(search.problem, config.boards), inputs) for search in config.feasible
    ]
    by_levels = [ProblemByHand(name, config.boards) for name in config.levels]
    checks += [check_levels(problem, inputs, chance) for problem in by_levels]
    for section in config.classes:
        swept = vacancies(section, config.boards)
        checks += [check_class(vacancy, inputs, chance) for vacancy in swept if section.bitmaps]
        checks += [check_counts(vacancy, inputs) for vacancy in swept if not section.bitmaps]
        checks += [
            check_moves_left(vacancy, hint, inputs, chance)
            for vacancy in swept
            for hint in section.hints
            if goals_of(vacancy, ARRAY[hint])
        ]
        checks += [check_shortest(vacancy, inputs, chance) for vacancy in swept if section.shortest]
        both = [(problem, vacancy) for problem in by_levels for vacancy in swept if starts_with(problem, vacancy)]
        checks += [check_two_methods(problem.name, vacancy, inputs) for problem, vacancy in both]
        if "returning" in section.hints:
            checks += [check_moves_by_two_methods(problem, vacancy, inputs) for problem, vacancy in both]
    return checks
