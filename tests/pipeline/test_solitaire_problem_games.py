"""Games of problems as a run makes them, and what is found of rows where playing all games again cannot be paid."""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from boardspace.spaces.solitaire.config import CountedProblems, SolitaireConfig
from boardspace.spaces.solitaire.parts.problem_games import checks
from boardspace.spaces.solitaire.space import SPACE
from boardspace.verify.equations import all_checks
from tests.pipeline.finished import faulty_checks, finished_stages, run_of

NAME = "problem_games"
CONFIG = """
[solitaire]
[[solitaire.problem_games]]
board = "triangle15"
jump_sets = 1000
[[solitaire.games]]
board = "triangle15"
vacancies = [1]
"""
OTHERS: dict[str, Any] = {"positions": 268, "orbits": 266, "games": "3409", "paths": "3407", "jump_sets": 7}


@pytest.fixture(scope="module")
def run_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return run_of(CONFIG, tmp_path_factory.mktemp("problems"))


def fault(run_folder: Path, vacancy: int, survivor: int, **values: Any) -> bool:
    """True where a fault is found once a row has other values."""

    def alter(name: str, rows: pa.Table) -> pa.Table:
        if name != NAME:
            return rows
        listed = rows.to_pylist()
        (row,) = (row for row in listed if (row["vacancy"], row["survivor"]) == (vacancy, survivor))
        row.update(values)
        return pa.Table.from_pylist(listed, rows.schema)

    own = [check for check in all_checks(SPACE) if NAME in check.columns]
    return bool(faulty_checks(run_folder, SolitaireConfig, own, alter))


def test_jump_sets_are_null_where_the_config_allows_fewer_positions(run_folder: Path) -> None:
    _, stages = finished_stages(run_folder, SolitaireConfig)
    rows = stages.table(NAME).to_pylist()
    assert {row["positions"] for row in rows if row["jump_sets"] is None} == {1428}
    assert {(row["vacancy"], row["survivor"]): row["games"] for row in rows}[1, 13] == "16128"


def test_rows_that_cannot_be_made_again_have_to_agree_with_each_other(
    run_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checks, "SECONDS", 1e9)
    assert not fault(run_folder, 1, 7)
    for name, value in OTHERS.items():
        assert fault(run_folder, 1, 7, **{name: value}), name  # taken back it is the problem from 2 to 11
    assert fault(run_folder, 1, 1, games="6817")  # `game_ends` has these games
    assert fault(run_folder, 2, 2, luck=4e-5)
    assert fault(run_folder, 2, 2, luck_numerator="61779838538", luck_denominator="1720643420160000")
    assert fault(run_folder, 2, 2, luck_denominator="0")
    assert fault(run_folder, 2, 2, luck_numerator="much")
    assert fault(run_folder, 4, 4, jump_sets=52)


def test_the_second_rules_find_no_game_where_there_is_none() -> None:
    board = checks.ProblemBoard(CountedProblems(board="triangle15"), SolitaireConfig())
    assert checks.play(board, 5, 5, np.random.default_rng(1)) == {}


@pytest.mark.slow
def test_the_second_rules_play_all_central_games_of_the_english_board() -> None:
    board = checks.ProblemBoard(CountedProblems(board="english"), SolitaireConfig())
    found = checks.play(board, 19, 19, np.random.default_rng(1))
    assert (found["positions"], found["orbits"]) == (13_428_122, 1_679_072)
    assert (found["games"], found["paths"]) == ("40861647040079968", "4750671971732176")
    assert found["jump_sets"] == 12_752
    assert f"{found['luck']:.6e}" == "1.348882e-08"
