"""Numbers of games by length as a run makes them: sharded, verified, judged."""

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from boardspace.spaces.solitaire.config import GameLengths, SolitaireConfig
from boardspace.spaces.solitaire.costs import rows_of_layers
from boardspace.spaces.solitaire.parts.game_lengths import compute
from boardspace.spaces.solitaire.parts.game_lengths.part import GAME_LENGTHS_COUNTED, LAYERS
from boardspace.spaces.solitaire.space import SPACE
from boardspace.verify.equations import all_checks
from tests.kernels.solitaire.boards import as_set, cells, triangle
from tests.naive import solitaire as naive
from tests.pipeline.finished import faulty_checks, finished_stages, run_of, with_values

CONFIG = """
[solitaire]
rows_per_shard = 150
[[solitaire.game_lengths]]
problem = "triangle15/corner"
moves = 7
[[solitaire.game_lengths]]
problem = "./line.toml/p"
moves = 6
"""
LINE = """
grid = "square"
picture = "1 2 3 4"
[problems.p]
start = "1 2"
goal = "3"
"""


@pytest.fixture(scope="module")
def run_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lengths")
    (folder / "line.toml").write_text(LINE)
    return run_of(CONFIG, folder)


def faulty(run_folder: Path, alter: Callable[[str, pa.Table], pa.Table] = lambda name, rows: rows) -> set[str]:
    """The checks that find a fault where tables read otherwise than they were written."""
    own = [check for check in all_checks(SPACE) if "game_lengths" in check.columns]
    return faulty_checks(run_folder, SolitaireConfig, own, alter)


def rows_of(run_folder: Path, problem: str) -> list[dict[str, Any]]:
    _, inputs = finished_stages(run_folder, SolitaireConfig)
    return [row for row in inputs.table("game_lengths").to_pylist() if row["problem"] == problem]


def test_the_numbers_are_those_of_moves_made_one_by_one(run_folder: Path) -> None:
    board = triangle(5)
    start = as_set(board, board.full ^ board.position([1]))
    layers = naive.layers(cells(board), board.grid, start, 7)
    found = rows_of(run_folder, "triangle15-corner")
    assert [int(row["sequences"]) for row in found] == [layer.total() for layer in layers]
    assert [row["positions"] for row in found][-3:] == [len(set(map(mirrored(board), layers[5]))), None, None]


def mirrored(board: Any) -> Callable[[naive.Position], frozenset[naive.Position]]:
    """The orbit of a position under the symmetries that keep the corner."""
    start = as_set(board, board.full ^ board.position([1]))
    group = [image for image in naive.symmetries(cells(board), board.grid) if {image[c] for c in start} == start]
    return lambda position: naive.orbit(group, position)


def test_games_that_end_early_leave_no_sequences(run_folder: Path) -> None:
    assert [row["sequences"] for row in rows_of(run_folder, "line-p")] == ["1", "1", "0", "0", "0", "0", "0"]


def test_layers_are_cut_into_shards_by_ranges(run_folder: Path) -> None:
    _, inputs = finished_stages(run_folder, SolitaireConfig)
    assert any(name.endswith("/0001") for name in inputs.named_facts("game_lengths.layers"))


def test_checks_find_nothing_in_what_was_written(run_folder: Path) -> None:
    assert faulty(run_folder) == set()


def other(value: Any) -> Any:
    """Another value of the same type."""
    if value is None:
        return 1
    return f"{value}0" if isinstance(value, str) and value != "0" else 7 if value == "0" else value + 1


@pytest.mark.columns
@pytest.mark.parametrize(
    ("name", "column"),
    [(table.name, column.name) for table in GAME_LENGTHS_COUNTED.tables if table.published for column in table.columns],
)
def test_every_column_that_was_altered_is_found(run_folder: Path, name: str, column: str) -> None:
    def alter(read: str, rows: pa.Table) -> pa.Table:
        if read != name or not rows.num_rows:
            return rows
        values = [
            str(v) if isinstance(v, int) and column == "sequences" else v for v in map(other, rows[column].to_pylist())
        ]
        return with_values(rows, column, values)

    assert faulty(run_folder, alter)


def test_one_number_that_was_altered_is_found(run_folder: Path) -> None:
    for row in range(8):

        def alter(read: str, rows: pa.Table, row: int = row) -> pa.Table:
            if read != "game_lengths":
                return rows
            values = rows["sequences"].to_pylist()
            values[-1 - row] = str(int(values[-1 - row]) + 1)
            return with_values(rows, "sequences", values)

        assert faulty(run_folder, alter)


def test_claims_of_the_last_supper_need_all_games_of_15_moves() -> None:
    short = SolitaireConfig(game_lengths=(GameLengths(problem="french/last_supper", moves=14),))
    assert compute.measure_claims(short, None) == {}  # type: ignore[arg-type]


def lengths(problem: str, moves: int) -> SolitaireConfig:
    return SolitaireConfig(game_lengths=(GameLengths(problem=problem, moves=moves),))


def test_the_rows_from_which_the_plan_has_its_seconds_are_those_of_a_run(tmp_path: Path) -> None:
    out = run_of('[[solitaire.game_lengths]]\nproblem = "french/last_supper"\nmoves = 9\n', tmp_path)
    _, inputs = finished_stages(out, SolitaireConfig)
    layers = sorted(
        (shard, facts["run"]["rows"]) for shard, facts in inputs.named_facts(LAYERS).items() if "run" in facts
    )
    assert [rows for _, rows in layers] == list(rows_of_layers("french-last_supper")[: len(layers)])
    assert len(layers) == 7


def test_the_plan_has_seconds_of_as_many_moves_as_were_counted() -> None:
    seconds = [compute.seconds(lengths("french/last_supper", moves)) for moves in range(9, 17)]
    assert all(two > 2 * one > 0 for one, two in pairwise(seconds[:-1]))
    assert seconds[-1] == 0
    assert compute.seconds(lengths("english/central", 9)) == 0
    assert compute.size(lengths("french/last_supper", 15)) > 3 * compute.size(lengths("french/last_supper", 14))
