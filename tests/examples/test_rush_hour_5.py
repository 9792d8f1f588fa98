"""Rush Hour of examples/: both rules agree, 4 x 4 is verified whole, boards are as many as counted by transfer."""

import random
from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

import boardspace
from boardspace.graphs.classes import placed, some_states, states_of
from boardspace.graphs.questions import answers
from boardspace.graphs.trying import rule_fault, try_rules
from boardspace.verify import verify
from tests.examples.conftest import Example, example


@pytest.fixture
def rush_hour(plugged: None) -> Example:
    return example("rush_hour_5")


def test_kernels_and_second_rules_agree(rush_hour: Example) -> None:
    puzzle = rush_hour.puzzle
    for case in puzzle.cases(puzzle.config()):
        some = list(islice(some_states(puzzle, case), 40))
        try_rules(puzzle, case, some[:10])
        assert not any(rule_fault(puzzle, case, state, thorough=False) for state in some)


def test_the_numbers_of_boards_are_those_of_a_transfer_over_cells(rush_hour: Example) -> None:
    puzzle, known = rush_hour.puzzle, {(4, 1): 13_909, (5, 2): 11_889_592, (6, 2): 49_425_302_142}
    for (n, row), number in known.items():
        assert states_of(puzzle).count({"n": n, "row": row}) == number
    case = next(case for case in puzzle.cases(puzzle.config()) if case.size["n"] == 4)
    room, labels = np.empty(5000, np.uint64), range(states_of(puzzle).labels(case.size))
    boards = [int(state) for label in labels for state in placed(puzzle, case, label, room)]
    assert len(boards) == len(set(boards)) == 13_909
    rules = puzzle.rules_of("step")
    texts = [rules.text(case.size, state) for state in random.Random(1).sample(boards, 300)]
    assert all(text.count("A") == 2 for text in texts)
    assert len(set(texts)) == 300


def test_a_board_is_measured_by_its_rule_as_by_its_pieces_that_slide(rush_hour: Example) -> None:
    asked = answers("rush_hour_5", "step", {"n": 5, "row": 2})
    by_rule = asked.hardness(asked.parse("BBC../D.CEE/DAAF./GG.FH/IIJJH"))
    by_pieces = boardspace.rush_hour.hardness("BBC../D.CEE/DAAF./GG.FH/IIJJH")
    assert by_rule is not None
    assert by_pieces is not None
    assert by_rule == replace(by_pieces, detours=None, lures=None, returns=None)


@pytest.mark.thorough
def test_4_x_4_is_verified_and_as_it_was_published(rush_hour: Example, tmp_path: Path) -> None:
    datasets = boardspace.run({"rush_hour_5": {"boards": [[3, 1], [4, 1]]}}, tmp_path, workers=0)
    claims = datasets["rush_hour_5"].claims
    assert {claims[name].verdict for name in ("boards_4", "hardest_4")} == {"confirmed"}
    assert verify(tmp_path, "logic").faults == ()
    levels = datasets["rush_hour_5"].tables["levels"].to_table().to_pylist()
    assert [row["states"] for row in levels if row["n"] == 4] == [4592, 2682, 1219, 673, 194, 64, 17, 3]
    assert sum(row["states"] for row in levels if row["n"] == 4) == 9444


@pytest.mark.slow
def test_5_x_5_is_verified(rush_hour: Example, tmp_path: Path) -> None:
    datasets = boardspace.run({"rush_hour_5": {"boards": [[5, 2]]}}, tmp_path, workers=2)
    assert datasets["rush_hour_5"].claims["boards_5"].verdict == "confirmed"
    assert verify(tmp_path, "logic").faults == ()
