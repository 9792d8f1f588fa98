"""Sokoban of examples/: its rules agree; whole boards are verified, and as a slow search of texts finds them."""

from collections import Counter
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

import boardspace
from boardspace.graphs import Case
from boardspace.graphs.trying import rule_fault, walked
from boardspace.verify import verify
from tests.examples.conftest import Example, example
from tests.naive import graph as naive


@pytest.fixture
def sokoban(plugged: None) -> Example:
    return example("sokoban")


def test_kernels_and_second_rules_agree(sokoban: Example) -> None:
    puzzle = sokoban.puzzle
    for case in puzzle.cases(puzzle.config()):
        assert not any(rule_fault(puzzle, case, state) for state in walked(puzzle, case, 60))


def test_drawings_that_are_not_of_the_board_are_refused(sokoban: Example) -> None:
    rules = sokoban.puzzle.rules_of("step")
    for wrong in ("#####\n#@$ #\n#####", "#####\n#@ .#\n#####", "#####\n# $.#\n#####", "", "@"):
        with pytest.raises(ValueError, match=r"walls|player|boxes"):
            rules.parse({"board": 0}, wrong)


@pytest.mark.thorough
def test_two_boards_are_verified_and_as_a_slow_search_finds_them(sokoban: Example, tmp_path: Path) -> None:
    datasets = boardspace.run({"sokoban": {"boards": [0, 1]}}, tmp_path, workers=0)
    assert verify(tmp_path, "logic").faults == ()
    assert datasets["sokoban"].claims["smallest"].verdict == "confirmed"
    rules, [start] = sokoban.puzzle.rules_of("step"), sokoban.puzzle.starts({"board": 1})
    slow = naive.distances([start], lambda state: rules.moves({"board": 1}, state).values())
    rows = [row for row in datasets["sokoban"].tables["positions"].to_table().to_pylist() if row["board"] == 1]
    assert {row["state"]: row["distance"] for row in rows} == slow
    least = min(distance for state, distance in slow.items() if rules.solved({"board": 1}, state))
    assert [row["to_goal"] for row in rows if row["state"] == start] == [least]


Facts = frozenset[tuple[str, ...]]


def facts(formula: Any, names: dict[Any, Any], negated: bool = False) -> Facts:
    """The facts that a conjunction says, or those that it negates; ``names`` replace variables."""
    if hasattr(formula, "operands"):
        return frozenset[tuple[str, ...]]().union(*(facts(one, names, negated) for one in formula.operands))
    if hasattr(formula, "argument"):
        return facts(formula.argument, names, not negated)
    return frozenset() if negated else frozenset([(formula.name, *(names.get(one, one).name for one in formula.terms))])


def test_actions_of_pddl_are_moves_and_reach_goals_in_as_many(sokoban: Example, tmp_path: Path) -> None:
    pddl, puzzle, size = pytest.importorskip("pddl"), sokoban.puzzle, {"board": 1}
    [start], rules = puzzle.starts(size), puzzle.rules_of("step")
    assert puzzle.pddl is not None
    for name, text in zip(("domain", "problem"), puzzle.pddl(Case("step", size), start), strict=True):
        (tmp_path / name).write_text(text)
    domain, problem = pddl.parse_domain(tmp_path / "domain"), pddl.parse_problem(tmp_path / "problem")
    first = frozenset[tuple[str, ...]]().union(*(facts(one, {}) for one in problem.init))
    actions = []
    for action in domain.actions:
        for objects in permutations(problem.objects, len(action.parameters)):
            names = dict(zip(action.parameters, objects, strict=True))
            needed = facts(action.precondition, names)
            if {one for one in needed if one[0] in ("beside", "in-line")} <= first:
                actions.append((needed, facts(action.effect, names), facts(action.effect, names, negated=True)))

    def after(known: Facts) -> list[Facts]:
        return [known - deleted | added for needed, added, deleted in actions if needed <= known]

    found = naive.distances([first], after)
    slow = naive.distances([start], lambda state: rules.moves(size, state).values())
    goals = [distance for known, distance in found.items() if facts(problem.goal, {}) <= known]
    assert Counter(found.values()) == Counter(slow.values())
    assert Counter(goals) == Counter(distance for state, distance in slow.items() if rules.solved(size, state))
