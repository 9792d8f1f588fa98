"""Lights Out of examples/: its rules agree; small squares are verified, and as linear algebra counts them."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import boardspace
from boardspace.cli.main import cli
from boardspace.graphs.trying import rule_fault, walked
from boardspace.verify import verify
from tests.examples.conftest import Example, example


@pytest.fixture
def lights_out(plugged: None) -> Example:
    return example("lights_out")


def test_kernels_and_second_rules_agree(lights_out: Example) -> None:
    puzzle = lights_out.puzzle
    for case in puzzle.cases(puzzle.config()):
        assert not any(rule_fault(puzzle, case, state) for state in walked(puzzle, case, 30))


@pytest.mark.thorough
def test_small_squares_are_verified_and_as_many_patterns_as_the_rank_says(lights_out: Example, tmp_path: Path) -> None:
    datasets = boardspace.run({"lights_out": {"most": 4}}, tmp_path, workers=0)
    assert verify(tmp_path, "logic").faults == ()
    assert datasets["lights_out"].claims["presses_3"].verdict == "confirmed"
    levels = datasets["lights_out"].tables["levels"].to_table().to_pylist()
    counted = {n: sum(row["states"] for row in levels if row["n"] == n) for n in (2, 3, 4)}
    assert counted == {2: 2**4, 3: 2**9, 4: 2**12}  # the presses of 4 x 4 have rank 12


def test_a_command_of_the_author_s_prints_what_it_returns(lights_out: Example) -> None:
    def lamps(*options: str) -> str:
        done = CliRunner().invoke(cli, ["lights-out", "lamps", "***/*.*/***", "--size", "n=3", *options])
        assert done.exit_code == 0, done.output
        return done.output

    assert lamps() == "xxx\nx.x\nxxx\n"
    assert json.loads(lamps("--json")) == ["xxx", "x.x", "xxx"]


@pytest.mark.slow
def test_5_x_5_is_verified_and_as_published(lights_out: Example, tmp_path: Path) -> None:
    datasets = boardspace.run({"lights_out": {"most": 5}}, tmp_path, workers=2)
    assert {datasets["lights_out"].claims[name].verdict for name in lights_out.puzzle.claims} == {"confirmed"}
    assert verify(tmp_path, "logic").faults == ()
