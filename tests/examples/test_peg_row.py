"""Pegs in a row of examples/, the whole file that the page on puzzles prints: verified, and as is known of rows."""

from pathlib import Path

import boardspace
from boardspace.graphs.questions import answers
from boardspace.verify import verify
from boardspace_kernels.graph.dense import UNREACHED
from tests.examples.conftest import example


def test_rows_are_verified_and_short_odd_ones_are_all_dead_ends(plugged: None, tmp_path: Path) -> None:
    example("peg_row")
    datasets = boardspace.run({"peg_row": {"most": 7}}, tmp_path, workers=0)
    assert verify(tmp_path, "logic").faults == ()
    assert datasets["peg_row"].claims["four"].verdict == "confirmed"
    positions = datasets["peg_row"].tables["positions"].to_table().to_pylist()
    alive = {row["places"] for row in positions if row["to_goal"] != UNREACHED}
    assert alive == {3, 4, 6}  # of an odd number of places, 5 or more, none leaves one peg


def test_the_last_size_is_taken_where_none_is_given(plugged: None) -> None:
    example("peg_row")
    assert answers("peg_row").case.name == "jump/10"
