"""The pocket cube of examples/: its two rules agree, its whole run confirms what was published."""

import random
from pathlib import Path

import pytest

import boardspace
from boardspace.graphs.space import checks_of
from boardspace.graphs.trying import rule_fault, try_rules
from boardspace.spec.space import Draw
from tests.examples.conftest import Example
from tests.pipeline.finished import finished_stages


def test_kernels_and_second_rules_agree(pocket_cube: Example) -> None:
    puzzle = pocket_cube.puzzle
    for case in puzzle.cases(puzzle.config()):
        try_rules(puzzle, case)
        for state in random.Random(7).sample(range(3_674_160), 100):
            assert not rule_fault(puzzle, case, state)


def test_a_net_that_is_no_cube_of_turns_is_refused(pocket_cube: Example) -> None:
    rules = pocket_cube.puzzle.rules_of("half_turn")
    net = rules.text({}, 12_345)
    assert rules.parse({}, net) == 12_345
    for wrong in (net[:-1], net.replace("U", "R"), "no net", net.replace("D", "X"), ""):
        with pytest.raises(ValueError, match=r"signs|piece|turns"):
            rules.parse({}, wrong)


@pytest.mark.thorough
def test_all_states_are_searched_proved_and_as_many_as_published(pocket_cube: Example, tmp_path: Path) -> None:
    datasets = boardspace.run({"pocket_cube": {}}, tmp_path, workers=0)
    claims = datasets["pocket_cube"].claims
    assert {claims[name].verdict for name in pocket_cube.puzzle.claims} == {"confirmed"}
    config, inputs = finished_stages(tmp_path, pocket_cube.puzzle.config)
    distances, rules = (check.run(config, inputs, Draw(1)) for check in checks_of(pocket_cube.puzzle))
    assert (distances.fault, rules.fault) == ("", "")
    assert distances.cases == 2 * 3_674_160
