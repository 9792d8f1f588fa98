"""The solitaire dataset, from its config to its verified claims."""

import json
import re
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

from boardspace.cli.main import cli
from boardspace.spaces.solitaire.config import SolitaireConfig
from boardspace.spaces.solitaire.parts.feasible import checks as feasible_checks
from boardspace.spec.space import Draw
from tests.daily import daily
from tests.kernels.solitaire.boards import triangle
from tests.kernels.solitaire.golden import GOLDEN
from tests.naive import solitaire as naive
from tests.pipeline.conftest import boardspace, dataset_bytes
from tests.pipeline.finished import altered, finished_stages, outcome_of, with_values

CONFIG = """
[solitaire]
levels = ["triangle15/corner"]
rows_per_shard = {rows}

[[solitaire.searches]]
problem = "triangle15/corner"
forward = 6
backward = 5
games = 9

[[solitaire.feasible]]
problem = "triangle15/corner"
moves = 9
"""
LAST_SUPPER = """
[[solitaire.searches]]
problem = "french/last_supper"
forward = 9
backward = 6
"""


def invoke(*arguments: object) -> Any:
    return CliRunner().invoke(cli, [str(argument) for argument in arguments])


def run(folder: Path, config: str, *options: object) -> Path:
    """Run a config in this process and return the folder of its outputs."""
    folder.mkdir(exist_ok=True)
    (folder / "tiny.toml").write_text(config)
    result = invoke("run", folder / "tiny.toml", "--out", folder / "out", "--workers", 0, "--json", *options)
    assert result.exit_code == 0, result.output
    return folder / "out"


def rows(out: Path, table: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = pq.read_table(out / "solitaire" / table).to_pylist()
    return found


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return run(tmp_path_factory.mktemp("tiny"), CONFIG.format(rows=100_000))


@pytest.fixture(scope="module")
def last_supper(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return run(tmp_path_factory.mktemp("last_supper"), LAST_SUPPER)


def test_the_last_supper_is_proved_to_need_15_moves(last_supper: Path) -> None:
    claims = {row["claim"]: row for row in json.loads(invoke("claims", last_supper, "--json").stdout)["solitaire"]}
    measured = {claim: (row["measured"], row["verdict"]) for claim, row in claims.items() if row["measured"]}
    assert measured["ls-minimum"] == ("15", "confirmed")
    assert measured["ls-frontier-7"] == ("29627", "confirmed")
    assert measured["ls-solvable-15"] == ("true", "confirmed")
    assert measured["ls-solutions"] == ("54", "answered")
    assert measured["ls-two-sides"] == ("false", "refuted")
    assert measured["ls-images"] == measured["ls-same-end"] == ("true", "confirmed")
    assert measured["ls-group"] == ("8", "confirmed")
    assert measured["ls-ninth-move"] == ("5", "confirmed")
    assert (measured["ls-prize"][1], claims["ls-games-reckoned"]["verdict"]) == ("open", "not_covered")
    assert int(measured["ls-prize"][0]) < 1e8
    assert {row["basis"] for row in claims.values()} == {"", "all cases", "proof", "reading"}
    assert claims["english-minimum"]["verdict"] == claims["ls-variants"]["verdict"] == "not_covered"
    assert claims["ls-variants"]["evidence"] == "this run did not cover it; the config laptop does"
    assert claims["french-centre"]["evidence"] == "this run did not cover it; the config french does"


def test_the_lost_table_of_the_source_is_restored(last_supper: Path) -> None:
    forward = [row for row in rows(last_supper, "layers") if row["direction"] == "forward"]
    assert [row["positions"] for row in forward[:8]] == [1, 1, 3, 17, 99, 670, 4534, 29627]
    assert [row["labelled_positions"] for row in forward[:8]] == [1, 4, 20, 120, 754, 5226, 35823, 235713]
    table = rows(last_supper, "ways_to_play")[1:8]
    assert [row["sequences"] for row in table] == [4, 20, 156, 1384, 15800, 210088, 3118152]
    assert [row["essential_sequences"] for row in table] == [1, 3, 20, 173, 1975, 26261, 389769]
    for row, layer in zip(table, forward[1:8], strict=True):
        assert {name: row[name] for name in layer if name in row} == {
            name: layer[name] for name in layer if name in row
        }


def test_every_way_to_count_solutions_is_stated(last_supper: Path) -> None:
    table = rows(last_supper, "solution_counts")
    assert [row["solutions"] for row in table] == [54, 27, 432, 216, 12760, 6380, 102080, 51040]
    counts = {(r["ordered"], r["mirror"], r["loop"]): r["solutions"] for r in table}
    assert len(counts) == 8
    assert counts[True, True, True] == 102080
    assert counts[False, False, True] == len(rows(last_supper, "solutions")) == 54
    assert counts[False, False, False] == 27


@pytest.mark.parametrize("finished", ["tiny", pytest.param("last_supper", marks=pytest.mark.thorough)])
def test_verify_finds_no_fault(finished: str, request: pytest.FixtureRequest) -> None:
    result = json.loads(invoke("verify", request.getfixturevalue(finished), "--json").stdout)
    assert result["faults"] == []
    assert result["cases"] > 100


def test_shards_of_any_size_give_the_same_rows(tiny: Path, tmp_path: Path) -> None:
    many = run(tmp_path, CONFIG.format(rows=150))
    assert len(list((many / "solitaire").rglob("*.parquet"))) > len(list((tiny / "solitaire").rglob("*.parquet")))
    for folder in sorted((tiny / "solitaire").iterdir()):
        if folder.is_dir():
            assert rows(many, folder.name) == rows(tiny, folder.name), folder.name


@pytest.mark.slow
def test_workers_give_the_same_bytes_as_one_process(tiny: Path, tmp_path: Path) -> None:
    config = tmp_path / "tiny.toml"
    config.write_text(CONFIG.format(rows=100_000))
    done = boardspace("run", config, "--out", tmp_path / "out", "--workers", 2, "--json")
    assert done.returncode == 0, done.stderr
    assert dataset_bytes(tmp_path / "out" / "solitaire") == dataset_bytes(tiny / "solitaire")


def test_a_second_run_does_nothing_again(tiny: Path) -> None:
    config = tiny.parent / "tiny.toml"
    summary = json.loads(invoke("run", config, "--out", tiny, "--workers", 0, "--json").stdout)
    dataset = summary["datasets"]["solitaire"]
    assert dataset["skipped"] == dataset["shards"]


def test_levels_are_those_of_the_definition(tiny: Path) -> None:
    board = triangle(5)
    cells = frozenset(board.cells)
    reachable = naive.reachable(cells, board.grid, cells - {(0, 0)})
    found = {row["pegs"]: row for row in rows(tiny, "levels")}
    for pegs, row in found.items():
        moves = [count for position, count in reachable.items() if len(position) == pegs]
        assert row["labelled_positions"] == len(moves)
        assert row["most_moves"] == max(moves)
    assert sum(row["labelled_positions"] for row in found.values()) == len(reachable)


def test_games_are_counted_exactly_and_then_estimated(tiny: Path) -> None:
    board = triangle(5)
    cells = frozenset(board.cells)
    exact = [sum(layer.values()) for layer in naive.layers(cells, board.grid, cells - {(0, 0)}, 8)]
    for row in rows(tiny, "sequences")[:9]:
        error = abs(row["sequences"] - exact[row["moves"]])
        assert error <= 5 * row["standard_error"], row


def test_a_search_too_shallow_to_meet_says_so(tmp_path: Path) -> None:
    out = run(tmp_path, LAST_SUPPER.replace("9", "3").replace("6", "3"))
    claims = {row["claim"]: row for row in json.loads(invoke("claims", out, "--json").stdout)["solitaire"]}
    assert claims["ls-minimum"]["measured"] == "null"
    assert "no solution of up to 6 moves" in claims["ls-minimum"]["evidence"]
    assert invoke("verify", out).exit_code == 0


def test_an_unknown_problem_is_named_with_those_there_are(tmp_path: Path) -> None:
    config = tmp_path / "bad.toml"
    config.write_text('[solitaire]\nlevels = ["english/nowhere"]\n')
    result = invoke("run", config, "--out", tmp_path / "out", "--workers", 0)
    assert result.exit_code == 2
    assert "english/nowhere: no such problem; the board's file has: english/central" in result.output


LINE = """
grid = "square"
picture = '''
 1  2  3  4  5
 6  7  8  9 10
11 12 13 14 15
'''
[problems.p]
start = "1, 2 4"
goal = "5"
[problems.q]
start = "ALL BUT 2"
goal = "2-2"
"""
LINE_CONFIG = """
[solitaire]
levels = ["{0}/p", "{0}/q"]
[[solitaire.searches]]
problem = "{0}/p"
forward = 1
backward = 1
[[solitaire.classes]]
board = "{0}"
vacancies = [2]
bitmaps = false
"""


@pytest.mark.parametrize("name", daily(["line.toml", "boards/line.toml", "../line.toml", "absolute"], 2))
def test_a_board_file_is_named_by_its_path_from_the_config_s_folder_and_needed_once(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "configs"
    board = tmp_path / "absolute" / "line.toml" if name == "absolute" else folder / name
    for place in (folder, board.parent):
        place.mkdir(exist_ok=True)
    board.write_text(LINE)
    config = folder / "mine.toml"
    config.write_text(LINE_CONFIG.format(board if name == "absolute" else name))
    result = invoke("run", config, "--out", tmp_path / "out", "--workers", 0)
    assert result.exit_code == 0, result.output
    board.unlink()
    assert "line/p: 1 move and no fewer, by a checked proof; 1 solution" in result.output
    assert "line/p: 4 positions can be reached" in result.output
    assert "ls-minimum" not in result.output
    assert {row["problem"] for row in rows(tmp_path / "out", "solutions")} == {"line-p"}
    assert {row["board"] for row in rows(tmp_path / "out", "problems")} == {"line"}
    assert invoke("verify", tmp_path / "out").exit_code == 0


@pytest.mark.parametrize(
    ("key", "section"),
    [
        ("levels: triangle15/corner", 'levels = ["triangle15/corner", "triangle15/corner"]'),
        ("searches: triangle15/corner", 2 * '[[searches]]\nproblem = "triangle15/corner"\nforward = 1\nbackward = 1\n'),
        ("feasible: triangle15/corner, 3 moves,", 2 * '[[feasible]]\nproblem = "triangle15/corner"\nmoves = 3\n'),
        ("classes: triangle15", 2 * '[[classes]]\nboard = "triangle15"\n'),
    ],
)
def test_what_is_asked_for_twice_is_refused(tmp_path: Path, key: str, section: str) -> None:
    (tmp_path / "c.toml").write_text("[solitaire]\n" + section.replace("[[", "[[solitaire."))
    result = invoke("plan", tmp_path / "c.toml")
    assert (result.exit_code, f"{key} is there twice" in result.output) == (2, True)


def test_a_problem_may_be_searched_for_games_of_several_lengths(tmp_path: Path) -> None:
    search = '[[solitaire.feasible]]\nproblem = "triangle15/corner"\nmoves = '
    out = run(tmp_path, f"{search}4\n{search}3\n")
    assert [(row["length"], row["move"]) for row in rows(out, "feasible")] == [
        (length, move) for length in (3, 4) for move in range(1, length + 1)
    ]
    assert invoke("verify", out).exit_code == 0


@pytest.mark.parametrize("moves", [3, 9])
def test_a_run_of_nothing_but_the_source_s_search_can_be_verified(tmp_path: Path, moves: int) -> None:
    """And a number that is wrong is found: the first moves are made again by hand."""
    section = f'[[solitaire.feasible]]\nproblem = "triangle15/corner"\nmoves = {moves}\n'
    out = run(tmp_path, section)
    assert invoke("verify", out).exit_code == 0
    config, inputs = finished_stages(out, SolitaireConfig)
    names = ("positions", "variants", "most_variants", "most_choices", "longest_chain", "most_gain", "children")
    for column in names:

        def one_more(stage: str, table: str, rows: pa.Table, column: str = column) -> pa.Table:
            if table != "feasible":
                return rows
            values = rows.column(column).to_pylist()
            return with_values(rows, column, [values[0], values[1] + 1, *values[2:]])

        fault = outcome_of("equations of feasible searches", config, altered(inputs, one_more), Draw()).fault
        assert f"-2: {column} is " in fault, column


def test_a_move_begins_with_the_positions_after_the_one_before_also_where_nobody_has_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = run(tmp_path, '[[solitaire.feasible]]\nproblem = "triangle15/corner"\nmoves = 9\n')
    config, inputs = finished_stages(out, SolitaireConfig)
    monkeypatch.setattr(feasible_checks, "WHOLE", 1)
    monkeypatch.setattr(feasible_checks, "_left_behind", lambda *_: None)  # as in a release

    def one_more(stage: str, table: str, rows: pa.Table) -> pa.Table:
        values = rows.column("positions").to_pylist() if table == "feasible" else []
        return with_values(rows, "positions", [*values[:-1], values[-1] + 1]) if values else rows

    assert not outcome_of("equations of feasible searches", config, inputs, Draw()).fault
    fault = outcome_of("equations of feasible searches", config, altered(inputs, one_more), Draw()).fault
    assert "9: positions is " in fault


def test_columns_of_rows_known_in_part_are_counted_by_themselves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Keys are known at every row, although moves are those of a draw, and positions those that were exchanged."""
    monkeypatch.setattr(feasible_checks, "WHOLE", 1)
    out = run(tmp_path, '[[solitaire.feasible]]\nproblem = "triangle15/corner"\nmoves = 9\n')
    monkeypatch.setenv("COLUMNS", "200")
    printed = invoke("verify", out, "--columns").output
    told = json.loads(invoke("verify", out, "--json").output)["rederived"]
    (found,) = [one for one in told if one["check"] == "equations of feasible searches"]
    assert found["cases"] < found["of"] == 9
    assert found["whole"] == ["feasible.problem", "feasible.length", "feasible.move"]
    assert re.search(r"feasible\.move +│ +9 │ +9 │", printed)
    assert re.search(rf"feasible\.variants +│ +{found['cases']} │ +9 │", printed)


def test_two_boards_may_not_share_a_name(tmp_path: Path) -> None:
    for place in ("a", "b"):
        (tmp_path / place).mkdir()
    (tmp_path / "a" / "line.toml").write_text(LINE)
    (tmp_path / "b" / "line.toml").write_text(LINE.replace("4", "3"))
    (tmp_path / "a" / "english.toml").write_text(LINE)
    for names, fault in (
        (["a/line.toml/p", "b/line.toml/p"], "b/line.toml: there is another board named 'line'"),
        (["a/english.toml/p"], "a/english.toml: there is another board named 'english'"),
    ):
        config = tmp_path / "c.toml"
        config.write_text(f"[solitaire]\nlevels = {json.dumps(names)}\n")
        result = invoke("run", config, "--out", tmp_path / "out", "--workers", 0)
        assert result.exit_code == 2
        assert fault in " ".join(result.output.split())
    config.write_text("[solitaire]\n[solitaire.boards.french]\ngrid = 'square'\npicture = '1 2 3'\n")
    assert "a shipped board has that name" in invoke("run", config, "--out", tmp_path / "out", "--workers", 0).output


def test_the_small_tables_stand_on_the_card_whole(tiny: Path, tmp_path: Path) -> None:
    result = invoke("publish", tiny, "--out", tmp_path, "--verified")
    assert result.exit_code == 0, result.output
    card = (tmp_path / "solitaire" / "README.md").read_text()
    for table in ("ways_to_play", "solution_counts"):
        lines = card.partition(f"## Table `{table}`")[2].partition("All its rows:\n\n")[2].splitlines()
        found = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2 : lines.index("")]]
        expected = rows(tiny, table)
        assert lines[0] == f"| {' | '.join(expected[0])} |"
        assert [[cell.replace(",", "") for cell in line] for line in found] == [
            [str(value) for value in row.values()] for row in expected
        ]
    assert "## Table `layers`" in card
    assert card.count("All its rows:") == 2


@pytest.mark.slow
def test_the_laptop_run_confirms_all_solitaire_claims_but_these(tmp_path: Path) -> None:
    done = boardspace("run", "laptop", "--space", "solitaire", "--out", tmp_path / "out", "--json", timeout=1200)
    assert done.returncode == 0, done.stderr
    found = {row["claim"]: row["verdict"] for row in json.loads(done.stdout)["claims"]["solitaire"]}
    assert {claim: verdict for claim, verdict in found.items() if verdict != "confirmed"} == {
        "english-history": "open",
        "english-only-two": "corrected",
        "english-problems": "not_covered",  # all vacancies of the English board, and the French one: french.toml
        "french-centre": "not_covered",
        "french-corner-moves": "not_covered",
        "french-corner-positions": "not_covered",
        "french-corner-solutions": "not_covered",
        "games-fifteen": "corrected",
        "games-hexagon": "not_covered",  # triangles.toml
        "hexagon-problems": "not_covered",
        "ls-backward-growth": "refuted",
        "ls-beyond-7": "refuted",
        "ls-cube": "open",
        "ls-decisions": "open",
        "ls-four-colours": "open",
        "ls-four-colours-again": "open",
        "ls-games-reckoned": "open",
        "ls-hours": "open",
        "ls-origin": "open",
        "ls-prize": "open",
        "ls-short-proof": "open",
        "ls-solutions": "answered",
        "ls-table-1": "answered",
        "ls-thirty-years": "open",
        "ls-two-sides": "refuted",
        "triangle36-solvable": "not_covered",
        "triangles-moves": "not_covered",
        "triangles-possible": "not_covered",
        "triangles-solvable": "not_covered",
    }
    english = [row for row in rows(tmp_path / "out", "levels") if row["problem"] == "english-central"]
    levels = [row["positions"] for row in english][::-1]
    assert levels == GOLDEN["english_levels"]["positions"]
