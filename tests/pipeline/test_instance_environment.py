"""The Gymnasium environment of instances: by Gymnasium's own checker, of every space and of a plug-in's rules."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from boardspace.cli.main import cli

gymnasium = pytest.importorskip("gymnasium")
environment = pytest.importorskip("boardspace.instances.environment")

DRAWS = {
    "klotski": ("--of", "6-1-6", "--unsolvable"),
    "solitaire": ("--of", "rectangle3x5", "--unsolvable"),
    "sliding_blocks": ("--of", "2x3"),
    "five_in_a_row": ("--of", "5", "--difficulty", "..9"),
    "board_division": ("--difficulty", "..64"),
}


@pytest.mark.parametrize("space", DRAWS)
@pytest.mark.filterwarnings("error")
def test_the_environment_passes_the_checker_of_gymnasium_and_pays_an_optimal_answer(
    space: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    done = CliRunner().invoke(
        cli, ["instances", space, *DRAWS[space], "--number", "12", "--out", str(tmp_path / "out")]
    )
    assert done.exit_code == 0, done.output
    files = sorted(map(str, (tmp_path / "out").glob("*.jsonl")))
    assert environment.main(files) == 0  # Gymnasium's checker
    assert json.loads(capsys.readouterr().out)["moves"] >= 0
    world = environment.Instances(files)
    for instance in world.instances[:6]:
        world.reset(options={"id": instance["id"]})
        if space not in ("five_in_a_row", "board_division"):  # whose answers are boards
            assert played(world, instance["answer"]) == 1.0, instance["id"]


def played(world: Any, answer: list[str]) -> float:
    """The reward of an answer; that there is none is the last action."""
    reward, ended = 0.0, False
    for line in answer:
        assert not ended
        action = world.legal if line == "unsolvable" else world.names.index(line)
        _, reward, ended, late, info = world.step(action)
        assert not late
        assert info["action_mask"].sum() == len(info["moves"]) + 1
    assert ended
    return reward


def test_episodes_follow_from_the_seed_and_an_action_that_is_no_move_changes_nothing(tmp_path: Path) -> None:
    arguments = ["instances", "solitaire", "--of", "rectangle3x5", "--number", "12", "--out", str(tmp_path / "out")]
    assert CliRunner().invoke(cli, arguments).exit_code == 0
    (file,) = (tmp_path / "out").glob("train-*.jsonl")
    worlds = [environment.Instances(file, render_mode="ansi") for _ in range(2)]
    seen = [[world.reset(seed=7)[1]["id"], *(world.reset()[1]["id"] for _ in range(9))] for world in worlds]
    assert seen[0] == seen[1]
    assert len(set(seen[0])) > 1
    world = worlds[0]
    before = world.render()
    _, reward, ended, late, _ = world.step(world.legal - 1)
    assert (world.render(), reward, ended, late) == (before, 0.0, False, False)
    while not late:
        *_, late, _ = world.step(world.legal - 1)
    with pytest.raises(ValueError, match="there is no instance 'mine'"):
        world.reset(options={"id": "mine"})
