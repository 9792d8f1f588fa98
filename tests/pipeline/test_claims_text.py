"""Claims as text: what is stated, what was measured, and why a statement is not confirmed though its value is right."""

from typing import Any

import click
import pytest

from boardspace.cli.commands.claims import entry, short, totals


def row(verdict: str, stated: str, measured: str, basis: str = "all cases") -> dict[str, Any]:
    return {
        "claim": "a-claim",
        "position": 6,
        "source": "A text, page 3",
        "statement": "What the text says.",
        "verdict": verdict,
        "stated": stated,
        "measured": measured,
        "basis": basis,
        "evidence": "why so",
    }


def told(**given: str) -> str:
    return click.unstyle("\n".join(entry("toy", row(**given), 80)))


def test_a_measured_value_is_told_beside_the_stated_one() -> None:
    assert "stated 2, measured 4 (all cases)" in told(verdict="corrected", stated="2", measured="4")
    assert "stated 2, measured the same (all cases)" in told(verdict="confirmed", stated="2", measured="2")


@pytest.mark.parametrize("verdict", ["corrected", "refuted"])
def test_where_the_value_is_right_and_the_statement_not_the_evidence_says_why(verdict: str) -> None:
    text = told(verdict=verdict, stated="true", measured="true")
    assert "stated true; this holds (all cases), but its wording is not right" in text
    assert "why so" in text
    assert "why so" not in told(verdict=verdict, stated="true", measured="false")


def test_what_was_not_measured_is_no_value() -> None:
    assert "measured" not in told(verdict="open", stated='"a view"', measured="null", basis="reading")
    assert "no value stated, measured 9" in told(verdict="answered", stated="null", measured="9")
    assert "stated 1; why so" in told(verdict="not_covered", stated="1", measured="", basis="")


def test_what_is_confirmed_is_counted_and_left_out() -> None:
    rows = [row("confirmed", "1", "1"), row("refuted", "1", "2"), row("not_covered", "1", "", "")]
    lines = [click.unstyle(line) for line in short("toy", rows, 80)]
    assert lines[0] == totals("toy", rows) == "toy: 1 confirmed, 1 refuted, 1 not covered"
    assert sum("a-claim" in line for line in lines) == 1
    assert lines[1:3] == ["  A text, page 3", "     7  refuted      claims/toy#a-claim"]
