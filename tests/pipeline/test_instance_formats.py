"""Instances in PDDL and MiniZinc: parsed, solved, and the solver's answers scored by the checker.

The planner is Fast Downward (``up-fast-downward``), the solver Gecode by way of Debian's package ``minizinc``; where
these are not installed their tests are left out.
"""

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from boardspace.instances import checker, folder
from boardspace.instances.choice import Sample
from boardspace.instances.slides import pddl_name
from boardspace.instances.source import Request, source_of

needs_minizinc = pytest.mark.skipif(shutil.which("minizinc") is None, reason="minizinc is not installed")


def drawn(space: str, parts: tuple[str, ...], number: int) -> list[dict[str, Any]]:
    source = source_of(space)
    return [row.document(space) for row in folder.draw(space, source, Request(parts), Sample(number, seed=3)).rows]


def written(row: dict[str, Any], language: str, out: Path) -> list[Path]:
    """The files of an instance in a language, in order of their names."""
    texts = source_of(row["space"]).formats[language](row["id"], row["puzzle"], row["least"])
    for name, text in texts.items():
        (out / name).write_text(text)
    return [out / name for name in sorted(texts)]


def test_one_domain_serves_all_problems_of_a_kind() -> None:
    rows = [*drawn("sliding_blocks", ("2x2", "2x3"), 4), *drawn("klotski", ("3-8-1",), 2)]
    domains = {source_of(row["space"]).formats["pddl"](row["id"], row["puzzle"], 1)["domain.pddl"] for row in rows}
    assert len(domains) == 1


def test_names_in_pddl_begin_with_a_letter_and_hold_no_odd_signs() -> None:
    assert pddl_name("solitaire-My Board.1") == "solitaire-my-board-1"


@pytest.mark.parametrize(
    ("space", "parts"),
    [
        pytest.param("klotski", ("3-8-1",), marks=pytest.mark.slow),
        ("sliding_blocks", ("2x2",)),
        ("solitaire", ("rectangle3x5",)),
    ],
)
def test_a_parser_reads_domains_and_problems(space: str, parts: tuple[str, ...], tmp_path: Path) -> None:
    pddl = pytest.importorskip("pddl")
    for row in drawn(space, parts, 1):
        domain, problem = written(row, "pddl", tmp_path)
        assert pddl.parse_domain(domain).name == pddl.parse_problem(problem).domain_name
        assert f"; {row['id']}: the least total cost is {row['least']}\n" in problem.read_text()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("space", "parts"), [("klotski", ("3-8-1",)), ("sliding_blocks", ("3x3",)), ("solitaire", ("rectangle3x5",))]
)
def test_an_optimal_planner_finds_the_least_cost_and_its_plan_is_an_optimal_answer(
    space: str, parts: tuple[str, ...], tmp_path: Path
) -> None:
    pytest.importorskip("up_fast_downward")
    shortcuts = pytest.importorskip("unified_planning.shortcuts")
    reader = pytest.importorskip("unified_planning.io").PDDLReader
    shortcuts.get_environment().credits_stream = None
    for row in drawn(space, parts, 8):
        domain, problem = map(str, written(row, "pddl", tmp_path))
        with shortcuts.OneshotPlanner(name="fast-downward-opt") as planner:
            found = planner.solve(reader().parse_problem(domain, problem))
        assert found.status.name == "SOLVED_OPTIMALLY"
        actions = [(one.action.name, [str(each) for each in one.actual_parameters]) for one in found.plan.actions]
        answer = moves_of(actions) if space == "solitaire" else steps_of(actions)
        assert sum(name in {"hold", "begin"} for name, _ in actions) == row["least"]
        assert checker.score(row, answer)[0] == 1.0


def moves_of(actions: list[tuple[str, list[str]]]) -> list[str]:
    """The moves of a plan."""
    moves: list[str] = []
    for name, holes in actions:
        if name == "begin":
            moves.append(f"{holes[0][1:]}==>{holes[2][1:]}")
        elif name == "go-on":
            moves[-1] += f"==>{holes[2][1:]}"
    return moves


def steps_of(actions: list[tuple[str, list[str]]]) -> list[str]:
    """The steps of a plan."""
    steps: list[str] = []
    for name, (piece, *places) in actions:
        if name == "hold":
            steps.append("")
        elif name != "release":
            steps[-1] = " ".join([chr(int(piece[1:])), *re.findall("[0-9]+", places[3])])
    return steps


def solved(model: Path) -> list[str]:
    """The lines of the last solution that MiniZinc prints, proved to be optimal or all there is to be found."""
    done = subprocess.run(
        ["minizinc", "--solver", "gecode", str(model)], capture_output=True, text=True, check=True, timeout=300
    )
    solutions = done.stdout.split("----------\n")
    return solutions[-2].strip().splitlines()


@needs_minizinc
def test_minizinc_finds_the_fewest_stones(tmp_path: Path) -> None:
    for row in drawn("five_in_a_row", ("5",), 40):
        if row["puzzle"]["rows"] * row["puzzle"]["columns"] <= 35:
            (model,) = written(row, "minizinc", tmp_path)
            assert checker.score(row, solved(model))[0] == 1.0


@pytest.mark.slow
@needs_minizinc
def test_minizinc_finds_the_fewest_moves_of_solitaire(tmp_path: Path) -> None:
    for row in [row for row in drawn("solitaire", ("rectangle3x5",), 24) if len(row["puzzle"]["pegs"]) <= 7][:6]:
        (model,) = written(row, "minizinc", tmp_path)
        moves, *jumps = solved(model)
        assert moves == f"moves {row['least']}"
        joined: list[str] = []
        for begin, end in (jump.split("==>") for jump in jumps):
            if joined and joined[-1].endswith(f">{begin}"):
                joined[-1] += f"==>{end}"
            else:
                joined.append(f"{begin}==>{end}")
        assert checker.score(row, joined)[0] == 1.0


@pytest.mark.slow
@needs_minizinc
def test_minizinc_covers_a_board_and_reduces_a_rectangle(tmp_path: Path) -> None:
    rows = drawn("board_division", (), 400)
    for row in [row for row in rows if row["puzzle"].get("side", 16) <= 8]:
        (model,) = written(row, "minizinc", tmp_path)
        assert len(solved(model)) == row["least"]
    small = [row for row in rows if row["puzzle"].get("rows", 9) * row["puzzle"].get("columns", 9) <= 6]
    assert small
    for row in small:
        (model,) = written(row, "minizinc", tmp_path)
        assert checker.score(row, solved(model))[0] == 1.0
