"""Instances of puzzles: right, scored by a checker that has the second rules and nothing installed."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from boardspace.cli.main import cli
from boardspace.graphs.instances import standalone
from boardspace.graphs.questions import answers
from boardspace.instances import checker
from boardspace.spec.errors import BoardspaceError
from tests.pipeline.test_instance_environment import environment, played
from tests.puzzles import BeadRules, LampRules


def drawn(folder: Path, *arguments: object, code: int = 0) -> list[dict[str, Any]]:
    done = CliRunner().invoke(cli, ["instances", *map(str, arguments), "--out", str(folder)])
    assert done.exit_code == code, done.output
    return [json.loads(line) for file in sorted(folder.glob("*.jsonl")) for line in file.read_text().splitlines()]


def scored(folder: Path, rows: list[dict[str, Any]], answers_of: Any) -> tuple[int, str]:
    """Exit code and output of check.py, alone."""
    (folder / "all.jsonl").write_text("\n".join(map(json.dumps, rows)))
    told = [json.dumps({"id": row["id"], "answer": answers_of(row)}) for row in rows]
    (folder / "told.jsonl").write_text("\n".join(told))
    command = [sys.executable, "-I", "-S", "check.py", "all.jsonl", "told.jsonl"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("space", ["lamps", "beads"])
def test_the_checker_has_the_second_rules_and_finds_what_is_wrong(space: str, tmp_path: Path) -> None:
    rows = drawn(tmp_path / "out", space, "--number", 60, *(["--middle"] if space == "beads" else []))
    assert len(rows) >= 5
    assert any("-middle-" in row["id"] for row in rows) == (space == "beads")
    code, told = scored(tmp_path / "out", rows, lambda row: row["answer"])
    assert (code, f'"score": {len(rows)}.0' in told) == (0, True), told
    code, told = scored(tmp_path / "out", rows, lambda row: [*row["answer"], "elsewhere"])
    assert (code, f'"wrong": {len(rows)}' in told) == (1, True)
    for row in rows:
        asked = answers(space, size=row["puzzle"]["size"])
        assert asked.distance(asked.parse(row["puzzle"]["start"])) == row["least"] == len(row["answer"]) > 0


def test_candidates_of_a_run_are_those_of_a_search(run_folder: Path, tmp_path: Path) -> None:
    for space, part in (("lamps", "press/3x3"), ("beads", "swap/9")):
        here, there = tmp_path / f"here-{space}", tmp_path / f"there-{space}"
        assert drawn(here, space, "--of", part) == drawn(there, space, "--of", part, "--data", run_folder) != []


def test_a_word_is_said_where_every_puzzle_has_an_answer(tmp_path: Path) -> None:
    cut = "boardspace.graphs.word_answers.ClassAnswers.lost"
    none = (np.zeros(0, np.uint64), np.zeros(0, np.int64), np.zeros(0, np.uint64))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cut, lambda asked: none)
        done = CliRunner().invoke(cli, ["instances", "beads", "--number", "9", "--unsolvable", "--out", str(tmp_path)])
    assert done.exit_code == 0, done.output
    assert "warning: no instance is without an answer" in done.output


def test_a_case_that_is_not_there_and_moves_that_are_not_taken_back_are_refused(tmp_path: Path) -> None:
    for arguments, text in (
        (("lamps", "--of", "x"), "write one of press/1x3"),
        (("steps",), "cannot all be taken back"),
    ):
        done = CliRunner().invoke(cli, ["instances", *arguments, "--out", str(tmp_path / "out")])
        assert (done.exit_code, text in done.output) == (2, True), done.output


UNIT = 1
TABLE = {}
for _place in range(3):
    TABLE[_place] = UNIT << _place


class TableRules(LampRules):
    """Rules that read a table which a loop fills, and a class of another module."""

    def text(self, size: Any, state: int) -> str:
        return "".join("*" if state & TABLE[place] else "." for place in range(3))


def test_rules_bring_along_tables_that_loops_fill_and_classes_of_other_modules() -> None:
    names: dict[str, Any] = {"__name__": "rules"}
    exec(compile(standalone({"table": TableRules(), "beads": BeadRules()}), "rules.py", "exec"), names)
    assert names["KINDS"]["table"].text({}, 5) == "*.*"
    assert names["KINDS"]["beads"].moves({"places": 3}, 1) == {"0": 4}
    assert not {"np", "kernel", "LAMPS"} & names.keys()


class ArrayRules(LampRules):
    """Rules that need what is not part of Python."""

    def text(self, size: Any, state: int) -> str:
        return str(pytest.approx(state))


class HoldingRules(LampRules):
    """Rules that hold what no source says."""

    def __init__(self) -> None:
        self.held = object()


@pytest.mark.parametrize(
    ("rules", "text"), [(ArrayRules(), "use pytest .*in plain Python"), (HoldingRules(), "hold what no source says")]
)
def test_rules_that_cannot_be_taken_along_are_refused(rules: LampRules, text: str) -> None:
    with pytest.raises(BoardspaceError, match=text):
        standalone({"lamps": rules})


def test_instances_are_written_in_pddl_where_the_author_gives_a_domain(tmp_path: Path) -> None:
    pddl = pytest.importorskip("pddl")
    rows = drawn(tmp_path / "out", "beads", "--number", 4, "--pddl")
    domain = pddl.parse_domain(tmp_path / "out/pddl/swap-9-domain.pddl")
    for row in rows:
        file = tmp_path / f"out/pddl/{row['id']}-problem.pddl"
        problem = pddl.parse_problem(file)
        assert problem.domain_name == domain.name
        beads = {str(one.terms[0].name) for one in problem.init if one.name == "bead"}
        assert beads == {f"p{place}" for place, one in enumerate(row["puzzle"]["start"]) if one == "o"}
        assert f"; {row['id']}: the least total cost is {row['least']}\n" in file.read_text()
    drawn(tmp_path / "more", "rounds", "--number", 4, "--pddl", code=2)


@pytest.mark.parametrize("space", ["beads", "rounds", "numbered"])
def test_states_without_a_way_to_a_goal_are_proved_lost_and_an_environment_plays_all(
    space: str, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    rows = drawn(out, space, "--number", 40, "--unsolvable")
    lost = [row for row in rows if row["least"] is None]
    assert 0 < len(lost) < len(rows)
    assert {row["certificate"]["kind"] for row in lost} == {"group"}
    rules = checker.kinds_in(out / "rules.py")
    for row in lost:
        checker.prove(row, rules)
    for row in lost[:5]:
        with pytest.raises(ValueError, match="moves do not reach"):
            checker.prove(
                {**row, "certificate": {"kind": "group", "positions": row["certificate"]["positions"] + 1}},
                rules,
            )
    for row in rows:
        asked = answers(space, size=row["puzzle"]["size"])
        for one in row["actions"] or []:
            assert one["least"] == asked.moves_left(asked.moves(asked.parse(row["puzzle"]["start"]))[one["move"]])
    assert environment.main(sorted(map(str, out.glob("*.jsonl")))) == 0
    world = environment.Instances(sorted(out.glob("*.jsonl")))
    for row in rows:
        world.reset(options={"id": row["id"]})
        assert played(world, row["answer"]) == 1.0
