"""Counts the games of problems, one of them a shard, by what lies between start and goal."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from boardspace.spaces.solitaire.config import SolitaireConfig
from boardspace.spaces.solitaire.parts.classes.vacancy import Vacancy, vacancies
from boardspace.spaces.solitaire.parts.games.compute import reached
from boardspace.spaces.solitaire.parts.problem_games.part import COUNTS, PROBLEM_GAMES
from boardspace.spec.space import Inputs, Measurement, Output, Shard
from boardspace_kernels.solitaire.classes.between import Between, count_problem

SECONDS_PER_POSITION = 6e-7
"""Of one core, for each position that a start leads to, on the average of the problems of 33 holes."""
Row = dict[str, Any]


class Problem(NamedTuple):
    """A vacancy, and the number of the hole of the last peg; what is allowed for jump sets."""

    start: Vacancy
    survivor: int
    most_for_jump_sets: int


def problems(config: SolitaireConfig) -> Iterator[Problem]:
    """The problems of all sections that parities allow, one of those that symmetries exchange."""
    for section in config.problem_games:
        for start in vacancies(section, config.boards):
            allowed = start.single_pegs
            for hole in start.board.first_holes(start.start):
                if 1 << hole in allowed:
                    yield Problem(start, start.board.labels[hole], section.jump_sets)


def cut_problems(config: SolitaireConfig, inputs: Inputs) -> list[Shard]:
    """A shard for each problem."""
    return [
        Shard(
            f"{problem.start.slug}/{problem.survivor:02}",
            {**problem.start.params, "survivor": problem.survivor, "most_for_jump_sets": problem.most_for_jump_sets},
            _seconds(problem),
        )
        for problem in problems(config)
    ]


def count_row(config: SolitaireConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """The row of a problem, as facts; none where it cannot be solved."""
    start = Vacancy.of(params)
    goal = start.board.position([params["survivor"]])
    found = count_problem(start.board, start.start, goal, params["most_for_jump_sets"])
    return Output(facts=_row(*found) if found else {})


def _row(found: Between, jump_sets: int | None) -> Row:
    luck = {"luck_numerator": str(found.luck.numerator), "luck_denominator": str(found.luck.denominator)}
    numbers = {"games": str(found.games), "paths": str(found.paths), "jump_sets": jump_sets, "luck": float(found.luck)}
    return {**found._asdict(), **numbers, **luck}


def total(config: SolitaireConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """The rows of all problems that can be solved."""
    done = inputs.named_facts(COUNTS)
    rows = []
    for problem in problems(config):
        found = done[f"{problem.start.slug}/{problem.survivor:02}"]
        key = {"board": problem.start.board_name, "vacancy": problem.start.hole, "survivor": problem.survivor}
        rows += [{**key, **found}] if found else []
    rows.sort(key=lambda row: (row["board"], row["vacancy"], row["survivor"]))
    return Output({PROBLEM_GAMES.name: PROBLEM_GAMES.from_rows(rows)})


def seconds(config: SolitaireConfig) -> float:
    """About what all problems take."""
    return sum(map(_seconds, problems(config)))


def longest(config: SolitaireConfig) -> float:
    """About what the longest problem takes."""
    return max(map(_seconds, problems(config)), default=0.0)


def _seconds(problem: Problem) -> float:
    return 0.01 + reached(problem.start.board) * SECONDS_PER_POSITION


def kernels(config: SolitaireConfig) -> tuple[str, ...]:
    """The names of the kernels that problems need: their own, and those of classes for words of their widths."""
    words = {problem.start.word for problem in problems(config)}
    return ("between", *(f"sweeps-{word}" for word in sorted(words))) if words else ()


CENTRE = {"board": "english", "vacancy": 19, "survivor": 19}


def measure_claims(config: SolitaireConfig, inputs: Inputs) -> dict[str, Measurement]:
    """Claims of the central game, where its problem is counted."""
    rows = inputs.table(PROBLEM_GAMES.name).to_pylist() if config.problem_games else []
    centre = next((row for row in rows if CENTRE.items() <= row.items()), None)
    if centre is None:
        return {}
    evidence = (
        f"{centre['positions']:,} positions that the start leads to and that lead to the goal, {centre['orbits']:,} up "
        "to symmetry; games added up over them"
    )
    found = {"central-paths": Measurement(int(centre["paths"]), evidence)}
    luck = f"{centre['luck_numerator']} / {centre['luck_denominator']}"
    found["central-luck"] = Measurement(float(f"{centre['luck']:.4g}"), f"exactly {luck}")
    if centre["jump_sets"] is not None:
        found["central-jump-sets"] = Measurement(
            centre["jump_sets"], "sums of random words of the jumps, modulo 2^64, distinct ones counted"
        )
    return found
