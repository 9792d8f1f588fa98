"""What configurations can hold is told whole, from the models that read them."""

import json
from typing import Any

import pytest
from click.testing import CliRunner

from boardspace.cli.commands.keys import sections
from boardspace.cli.main import cli
from boardspace.engine.config import validate
from boardspace.storage.shipped import CONFIGS, parse_toml, shipped_names


def names(document: dict[str, Any], within: str = "") -> set[str]:
    """The keys that a document sets, with those of its tables."""
    found = set()
    for name, value in document.items():
        found.add(within + name)
        for table in value if isinstance(value, list) else [value]:
            if isinstance(table, dict):
                found |= names(table, f"{within}{name}.")
    return found


def test_every_key_says_what_it_takes_and_means() -> None:
    for section in sections():
        assert section.keys
        for key in section.keys if section.name != "toy" else ():
            assert all(key), f"{section.name}: {key}"


def test_every_key_of_the_shipped_configurations_is_told() -> None:
    told = {f"{section.name}.{key.name}" for section in sections() for key in section.keys}
    for name in shipped_names(CONFIGS):
        document = parse_toml((CONFIGS / f"{name}.toml").read_text())
        assert names(document) - document.keys() <= told, name


def test_the_defaults_that_are_told_are_those_that_hold() -> None:
    """Written into a document, they change nothing."""
    for section in sections():
        written = [f"{key.name} = {key.default}" for key in section.keys if "." not in key.name]
        if section.name != "cluster":
            document = parse_toml("\n".join([f"[{section.name}]", *written]))
            assert validate(document, "told", "told") == validate({section.name: {}}, "told", "told")


def test_the_command_prints_a_section_within_the_width_of_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    said = CliRunner().invoke(cli, ["keys", "solitaire"]).output
    assert "  searches.forward: integer, required\n    frontiers after 1 to this many moves from the start\n" in said
    assert max(map(len, said.splitlines())) <= 80
    assert "[klotski]" not in said
    assert "[klotski]" in CliRunner().invoke(cli, ["keys"]).output
    document = json.loads(CliRunner().invoke(cli, ["keys", "run", "--json"]).output)
    assert [key["name"] for key in document["run"]] == ["out", "retries", "shard_seconds", "gpu"]
    refused = CliRunner().invoke(cli, ["keys", "chess"])
    assert (refused.exit_code, "there are: run, board_division" in refused.output) == (2, True)
