"""Games of moves, told apart by their effect: against games played one by one."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from boardspace import solitaire
from boardspace.cli.main import cli
from boardspace.spaces.solitaire.board_files import load_board
from boardspace.spaces.solitaire.boards import build_board
from boardspace_kernels.solitaire.board import Board
from tests.kernels.solitaire.boards import as_set, cells
from tests.naive import solitaire_games as naive

RING = """
1 2 3
4 5 6
7 8 9
"""


def played(board: Board, vacancy: int) -> tuple[int, int, int]:
    """Games of jumps, different games of moves, and those of these that end with one peg."""
    start = as_set(board, board.full ^ board.position([vacancy]))
    games = list(naive.sequences(cells(board), board.grid, start))
    found = {naive.by_effect(game): len(start) - len(game) == 1 for game in games}
    return len(games), len(found), sum(found.values())


@pytest.mark.parametrize("vacancy", [1, 2, 5])
def test_games_of_ten_holes_are_as_many_as_can_be_played(vacancy: int) -> None:
    board = build_board("triangle10", load_board("triangle10"))
    _, games, won = played(board, vacancy)
    counted = solitaire.count_move_games("triangle10", f"all but {vacancy}")
    assert (counted.games, counted.won) == (games, won)


def test_two_ways_round_a_loop_are_one_move(tmp_path: Path) -> None:
    path = tmp_path / "ring.toml"
    path.write_text(f'grid = "square"\npicture = """{RING}"""\n')
    board = build_board("ring", load_board(str(path)))
    start = board.position([1, 2, 4, 6, 8])  # the peg on 1 takes all others, either way round
    games = list(naive.sequences(cells(board), board.grid, as_set(board, start)))
    effects = {naive.by_effect(game) for game in games}
    assert len(effects) < len(games)
    assert solitaire.count_move_games(str(path), "1 2 4 6 8").games == len(effects)


@pytest.mark.slow  # 137,846 games, one by one
def test_games_of_fifteen_holes_are_as_many_as_can_be_played() -> None:
    board = build_board("triangle15", load_board("triangle15"))
    counted = solitaire.count_move_games("triangle15", "all but 5")
    assert played(board, 5) == (137_846, counted.games, counted.won)


def test_the_command_tells_both_numbers() -> None:
    asked = ["solitaire", "games", "--board", "triangle15", "--start", "all but 4", "--moves"]
    assert CliRunner().invoke(cli, asked).stdout == "1,123,910 games of moves, 83,410 of them end with one peg\n"
    found = json.loads(CliRunner().invoke(cli, [*asked, "--json"]).stdout)
    assert (found["games"], found["won"]) == (1_123_910, 83_410)


def test_a_board_that_is_too_large_is_refused() -> None:
    result = CliRunner().invoke(cli, ["solitaire", "games", "--moves"])
    assert result.exit_code == 2
    assert "english: 33 holes; games of moves are counted on up to 21" in result.output
