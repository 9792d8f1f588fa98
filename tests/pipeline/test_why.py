"""Answers of the command line that say on what ground they stand."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

import boardspace
from boardspace.cli.main import cli
from boardspace.verify.coverage import provenance

COMMANDS = sorted(Path(boardspace.__file__).parent.glob("spaces/*/commands.py"))
GROUNDS = [
    found for path in COMMANDS for found in re.findall(r'@why\("(\w+)", "([^"]+)"\)', path.read_text(encoding="utf-8"))
]


@pytest.mark.parametrize(
    ("command", "ground"),
    [
        ("rectangle 4 5", "table rectangles of board_division: complete by theorem"),
        ("tromino 2 1 1", "array covers/{k} of board_division: one example for each case"),
        ("klotski id 5", "table main of klotski: complete by enumeration"),
    ],
)
def test_an_answer_says_why_it_holds_if_asked(command: str, ground: str) -> None:
    plain, asked = (CliRunner().invoke(cli, [*command.split(), *more]) for more in ([], ["--why"]))
    assert plain.exit_code == asked.exit_code == 0, asked.output
    assert asked.stdout.startswith(plain.stdout)
    assert asked.stdout.removeprefix(plain.stdout).startswith(f"why: as in the {ground}")


def test_json_stays_one_document() -> None:
    done = CliRunner().invoke(cli, ["klotski", "id", "5", "--json", "--why"])
    assert json.loads(done.stdout)
    assert "why: " in done.stderr


def test_every_ground_is_a_table_or_an_array_that_a_check_derives_again() -> None:
    for space, content in set(GROUNDS):
        assert "\nderived again: " in provenance(space, content), (space, content)


def test_commands_of_every_space_can_say_why() -> None:
    assert {space for space, _ in GROUNDS} == {path.parent.name for path in COMMANDS}
