"""Sokoban of examples/: its rules agree; whole boards are verified, and as a slow search of texts finds them."""

from pathlib import Path

import pytest

import boardspace
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
