"""The smallest boards, trays and sizes of every space: questions are answered or refused, runs pass ``verify``."""

import re
from itertools import product
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from boardspace.cli.main import cli
from boardspace.release.publish import publish
from boardspace.spaces.solitaire.boards import open_board
from boardspace.spaces.solitaire.parts.classes.queries import answers_now
from boardspace.spec.errors import BoardspaceError
from boardspace.verify import verify
from tests.kernels.solitaire.boards import as_set
from tests.naive import solitaire as naive
from tests.pipeline.finished import run_of

BOARDS = ("oox", "oxo", "ooxo", "ooo/oox", "oo/oo/ox", "xoo/#o#/#o#", "oox/###/oox", "oox/ooo/ooo")
SIDES = list(product((1, 2, 3), repeat=2))


def asked(*arguments: object, typed: str = "") -> str:
    """What a command says; any other end than an answer or a refusal is an error of the program."""
    done = CliRunner().invoke(cli, list(map(str, arguments)), input=typed)
    if done.exception and not isinstance(done.exception, (SystemExit, BoardspaceError, click.ClickException)):
        raise done.exception
    return done.output


def test_questions_about_the_smallest_boards_of_pegs_are_answered() -> None:
    for board in BOARDS:
        on = ("--board", board)
        asked("solitaire", "position", "all but 1", *on, "--vacancy", 1, "--moves")
        asked("solitaire", "play", *on, "--vacancy", 1, typed="hint\n3 1\nhint\nundo\nquit\n")
        for start, goal in product(("1", "all but 1", "2-3"), ("1", "3", "1-3")):
            asked("solitaire", "solve", *on, "--start", start, "--goal", goal, "--all")
            asked("solitaire", "class", *on, "--start", start, "--goal", goal)
            asked("solitaire", "replay", *on, "--start", start, "--goal", goal)
        for kind in ((), ("--moves",)):
            asked("solitaire", "games", *on, "--start", "all but 1", *kind)
        asked("solitaire", "games", *on, "--every-vacancy")


def test_questions_about_the_smallest_sizes_of_other_spaces_are_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for sides in SIDES:
        asked("sliding", "count", *sides)
        for pieces in (0, 1, 2, 9):
            asked("sliding", "hardest", *sides, "--pieces", pieces)
            asked("sliding", "random", *sides, "--pieces", pieces)
        asked("rectangle", *sides, "--draw")
        asked("tromino", sides[0], sides[1], 1, "--draw")
        for k in (2, 3):
            asked("five", "place", *sides, "-k", k, "--all")
            asked("five", "structure", *sides, "-k", k)
            asked("five", "cnf", *sides, 0, "-k", k)
            asked("five", "proof", *sides, "-k", k, "--out", f"{sides[0]}{sides[1]}{k}")
    for board, goal in product(("A", "AA", "A.", ".", "AB/BA", "A.B"), ("1,1", "1,2")):
        asked("sliding", "show", board)
        asked("sliding", "solve", board, "--piece", "A", "--to", goal)
    for name, layout in product(("show", "group", "neighbours", "solutions", "solve"), ("id:0", "id:29334497", "A")):
        asked("klotski", name, layout)


def test_positions_of_a_class_shorter_than_a_word_are_told_as_by_playing() -> None:
    for text in BOARDS:
        board = open_board(text)
        cells = frozenset(board.cells)
        reached = naive.reachable(cells, board.grid, cells - as_set(board, board.position([1])))
        known = answers_now(text, 1)
        for position in range(board.full + 1):
            if known.vacancy.order.positions.contains(position):
                found = known.ask(position)
                assert found.reachable == (as_set(board, position) in reached)
                after = naive.reachable(cells, board.grid, as_set(board, position))
                assert found.can_win == any(len(one) == 1 for one in after)


RUNS = """
[solitaire]
levels = ["three/jump"]
[[solitaire.classes]]
board = "nine"
moves = true
hints = ["winning", "returning"]
shortest = true
[[solitaire.classes]]
board = "three"
bitmaps = false
winning = false
moves = true
shortest = true
[[solitaire.games]]
board = "three"
[[solitaire.searches]]
problem = "three/jump"
forward = 2
backward = 2
games = 3
[[solitaire.searches]]
problem = "nine/jump"
forward = 1
backward = 1
games = 3
[[solitaire.feasible]]
problem = "three/jump"
moves = 1
[[solitaire.game_lengths]]
problem = "three/jump"
moves = 2
[[solitaire.problem_games]]
board = "three"
[solitaire.boards.nine]
grid = "square"
picture = "1 2 3\\n4 5 6\\n7 8 9"
problems.jump = {start = "1 2", goal = "3"}
[solitaire.boards.three]
grid = "square"
picture = "1 2 3"
problems.jump = {start = "1 2", goal = "3"}
[rush_hour]
boards = [[3, 0], [3, 1]]
unit = [[2, 1, 1]]
[sliding_blocks]
trays = [[1, 1], [1, 2], [2, 2]]
records_from = 1
[five_in_a_row]
squares = [[2, 2]]
boards = [[3, 1, 1]]
cells = [1]
strips = [[2, 2]]
boxes = [[2, 1, 1, 1]]
plane = [[2, [1, 1]]]
[board_division]
special_boards = 0
large_boards = [[0, 1, 1]]
cover_counts = 2
strips = 2
squares = 2
values = 5
replays = 4
sequences = 4
large_rectangles = [[1, 1]]
search_pegs = 4
lines = 2
[klotski]
classes = ["7-0-3"]
farthest_seconds = 0.1
distance_seconds = 0.1
unit_distances = ["7-0-3"]
trays = [[2, 3]]
counted_group = 1
"""


WITHOUT_CASES = {
    ("klotski", "cuts of nets"),
    ("klotski", "equations of layouts with their net"),
    ("sliding_blocks", "multisets of large trays"),
}
"""Checks that have nothing to look at in these runs: larger ones have tests of their own. In releases no shard is made
again."""


@pytest.mark.thorough
def test_a_run_and_a_release_of_the_smallest_sizes_of_every_space_pass_every_check(tmp_path: Path) -> None:
    out = run_of(RUNS, tmp_path)
    assert {path.parent.name for path in out.glob("*/COMPLETE")} == set(re.findall(r"^\[(\w+)\]", RUNS, re.MULTILINE))
    publish(out, tmp_path / "release", [], lambda _: None, verified=True)
    for folder in (out, tmp_path / "release"):
        found = verify(folder, "logic")
        assert found.faults == ()
        checks = {(one.dataset, one.check): one.cases for one in found.rederived}
        assert {check for check, cases in checks.items() if not cases and check[1] != "made again"} == WITHOUT_CASES


def test_what_is_too_small_to_be_enumerated_is_refused(tmp_path: Path) -> None:
    three = '[solitaire.boards.three]\ngrid = "square"\npicture = "1 2 3"\nproblems.none = {start = "1", goal = "1"}\n'
    for section, message in (
        ('[[solitaire.classes]]\nboard = "three"\n', "classes of three: 16 positions each, too few for a bitmap; set"),
        (
            '[[solitaire.searches]]\nproblem = "three/none"\nforward = 1\nbackward = 1\n',
            "searches: three/none: the start is the goal, so there is nothing to search",
        ),
    ):
        (tmp_path / "c.toml").write_text(section + three)
        done = CliRunner().invoke(cli, ["run", str(tmp_path / "c.toml"), "--out", str(tmp_path / "out")])
        assert done.exit_code == 2, done.output
        assert message in " ".join(done.output.split())
