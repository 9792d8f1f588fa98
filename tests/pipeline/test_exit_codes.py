"""Exit codes of commands: all are in one table, and "no" is an answer in every space."""

import ast
import json
import re
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from boardspace.cli.commands import options as exit_codes
from boardspace.cli.main import cli

ROOT = Path(__file__).resolve().parents[2]
PIPELINE = ROOT / "pipeline" / "boardspace"
STANDALONE = {
    *(PIPELINE / "instances" / f"{name}.py" for name in ("checker", "environment")),
    PIPELINE / "cli" / "main.py",
}
"""Files that know no others, and the one that passes on what a command ended with."""
CLASSIC = "0AA1/0AA1/2334/2564/7..8"
UNSOLVABLE = "00AABFC00"


def invoke(*arguments: object) -> Any:
    return CliRunner().invoke(cli, [*map(str, arguments)])


def test_no_is_an_answer_in_every_space(tmp_path: Path) -> None:
    stuck = invoke("klotski", "show", UNSOLVABLE, "--json")
    assert json.loads(stuck.stdout)["steps_to_exit"] is None
    questions = [
        ("klotski", "solve", UNSOLVABLE),
        ("klotski", "paths", "1A9BF0C", UNSOLVABLE),
        ("klotski", "solutions", UNSOLVABLE),
        ("klotski", "hardest", "7-0-7"),
        ("rush-hour", "solve", "AAB/..B/..B", "--metric", "unit"),
        ("rush-hour", "hardness", "AAB/..B/..B"),
        ("klotski", "hardness", UNSOLVABLE),
        ("sliding", "hardness", "AB.", "--piece", "A"),
        ("rush-hour", "random", "--board", "3x3-1", "--steps", "90..99"),
        ("sliding", "solve", "AB.", "--piece", "A"),
        ("sliding", "solve", "ABC", "--piece", "A"),
        ("sliding", "hardest", 2, 2, "--pieces", 4),
        ("sliding", "random", 3, 3, "--pieces", 6, "--steps", "30..40"),
        ("solitaire", "solve", "--board", "triangle15", "--start", "1 2", "--goal", "5"),
    ]
    for question in questions:
        as_text, as_json = invoke(*question), invoke(*question, "--json")
        assert (as_text.exit_code, as_json.exit_code) == (exit_codes.DONE, exit_codes.DONE), question
        assert re.search(r"\bno\b", as_text.stdout), question
        found = json.loads(as_json.stdout)
        assert found["solvable"] is False, question
        assert found["reason"] in as_text.stdout, question


def test_yes_is_said_in_the_same_way() -> None:
    for question in (
        ("klotski", "solve", CLASSIC),
        ("klotski", "paths", CLASSIC, "1AC62FC00"),
        ("klotski", "solutions", CLASSIC),
        ("rush-hour", "solve", "AAB/..B/..."),
        ("sliding", "solve", "AAB/.CB", "--piece", "C", "--to", "2,1"),
        ("solitaire", "solve", "--board", "triangle15", "--problem", "corner"),
    ):
        assert json.loads(invoke(*question, "--json").stdout)["solvable"] is True, question


def test_the_page_on_questions_has_the_table_of_exit_codes() -> None:
    page = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d+) \| .+ \|$", page.split("## Exit codes of commands")[1], re.MULTILINE)
    codes = [value for name, value in vars(exit_codes).items() if name.isupper() and type(value) is int]
    assert rows == list(map(str, codes))


def test_every_command_ends_with_a_code_of_the_table() -> None:
    faults = []
    for path in {*PIPELINE.rglob("*.py")} - STANDALONE:
        text = path.read_text(encoding="utf-8")
        for call in ast.walk(ast.parse(text)) if ".exit" in text else ():
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "exit":
                given = [ast.unparse(argument) for argument in call.args]
                faults += [f"{path}: exit({one})" for one in given if not hasattr(exit_codes, one)]
    assert not faults
