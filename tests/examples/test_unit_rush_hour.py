"""Unit Rush Hour of examples/: rules agree, small squares are verified, published hardest boards take so many moves."""

from itertools import islice
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import boardspace
from boardspace.engine.config import ConfigError, validate
from boardspace.graphs.classes import placed, some_states, states_of
from boardspace.graphs.questions import answers
from boardspace.graphs.trying import rule_fault, try_rules
from boardspace.verify import verify
from boardspace_kernels.rush_hour.figures import BOARDS, STEPS, UNITS
from boardspace_kernels.rush_hour.unit import search_labels
from tests.examples.conftest import Example, example

HARDEST = {
    (5, 1, 0): (199, "||||-\n-||--\n|--|.\n||--|\n|---|"),
    (4, 1, 1): (40, "---|\n|-||\n-|.|\n||--"),
}
"""Moves and drawings of boards with one void; the first is the published one."""
VOIDS = (1, 2, 5, 8)
"""Numbers of voids of squares of 3 x 3 that are run."""


@pytest.fixture
def unit_rush_hour(plugged: None) -> Example:
    return example("unit_rush_hour")


def test_kernels_and_second_rules_agree(unit_rush_hour: Example) -> None:
    puzzle = unit_rush_hour.puzzle
    for case in puzzle.cases(puzzle.config()):
        some = list(islice(some_states(puzzle, case), 40))
        try_rules(puzzle, case, some[:10])
        assert not any(rule_fault(puzzle, case, state, thorough=False) for state in some)


def test_every_board_of_3_x_3_is_in_one_class(unit_rush_hour: Example) -> None:
    puzzle, buffer = unit_rush_hour.puzzle, np.empty(3000, np.uint64)
    rules = puzzle.rules_of("step")
    for case in puzzle.cases(puzzle.config()):
        if case.metric == "step" and case.size["n"] == 3 and case.size["row"] == 0:
            labels = range(states_of(puzzle).labels(case.size))
            texts = [rules.text(case.size, int(one)) for label in labels for one in placed(puzzle, case, label, buffer)]
            assert len(texts) == len(set(texts)) == states_of(puzzle).count(case.size)
            assert {text.count(".") for text in texts} == {case.size["voids"]}


def test_hardest_boards_of_one_void_take_as_many_moves_as_published(unit_rush_hour: Example) -> None:
    for size, (moves, text) in HARDEST.items():
        asked = answers("unit_rush_hour", "unit_move", dict(zip(("n", "voids", "row"), size, strict=True)))
        assert asked.distance(asked.parse(text)) == moves


@pytest.mark.thorough
def test_squares_up_to_3_x_3_are_verified(unit_rush_hour: Example, tmp_path: Path) -> None:
    boards = [[3, voids, row] for voids in VOIDS for row in (0, 1)]
    datasets = boardspace.run({"unit_rush_hour": {"side": 2, "boards": boards}}, tmp_path, workers=0)
    assert {datasets["unit_rush_hour"].claims[f"hardest_{n}"].verdict for n in (2, 3)} == {"confirmed"}
    assert verify(tmp_path, "logic").faults == ()
    levels = datasets["unit_rush_hour"].tables["levels"].to_table().to_pylist()
    case = {"metric": "step", "n": 3, "voids": 1, "row": 1}
    assert [row["states"] for row in levels if case.items() <= row.items()] == [
        *(1024, 128, 128, 64, 32, 15, 21, 10, 8, 4)
    ]
    _are_those_of_the_space(levels)


def _are_those_of_the_space(levels: list[dict[str, Any]]) -> None:
    """The search of the space ``rush_hour``, which has moves and classes of its own, finds the longest escapes, too."""
    farthest: dict[tuple[str, int, int], dict[int, tuple[int, int]]] = {}
    for row in levels:  # by distance, ascending
        case = farthest.setdefault((row["metric"], row["n"], row["voids"]), {})
        case[row["row"]] = max(case.get(row["row"], (0, 0)), (row["distance"], row["states"]))
    assert len(farthest) == 2 * (3 + len(VOIDS))
    for (metric, n, voids), expected in farthest.items():
        found, moves = search_labels(n, voids, np.arange((n + 1) ** n)), STEPS if metric == "step" else UNITS
        for exit_row, (most, starts) in expected.items():
            own = found.figures[:, exit_row]
            assert own[:, BOARDS].sum() == comb(n * n, voids) << n * n - voids
            assert own[:, moves].max() == most + 1
            assert own[own[:, moves] == most + 1, moves + 1].sum() == starts
            asked = answers("unit_rush_hour", metric, {"n": n, "voids": voids, "row": exit_row})
            assert asked.distance(int(found.codes[exit_row, int(metric != "step")])) == most


def test_boards_that_do_not_exist_are_refused(unit_rush_hour: Example) -> None:
    for board in ([6, 1, 0], [4, 16, 0], [4, 0, 0], [3, 1, 3]):
        with pytest.raises(ConfigError, match="sides are 2 to 5, voids 1 to n"):
            validate({"unit_rush_hour": {"boards": [board]}}, "test", "test.toml")


@pytest.mark.slow
def test_4_x_4_is_verified_and_as_published(unit_rush_hour: Example, tmp_path: Path) -> None:
    boards = [[4, voids, row] for voids in (1, 2) for row in (0, 1)]
    datasets = boardspace.run({"unit_rush_hour": {"side": 2, "boards": boards}}, tmp_path, workers=2)
    assert datasets["unit_rush_hour"].claims["hardest_4"].verdict == "confirmed"
    assert verify(tmp_path, "logic").faults == ()
    levels = datasets["unit_rush_hour"].tables["levels"].to_table().to_pylist()
    case = {"metric": "unit_move", "n": 4, "voids": 2}
    assert [max(row["distance"] for row in levels if (case | {"row": r}).items() <= row.items()) for r in (0, 1)] == [
        50,
        52,
    ]
