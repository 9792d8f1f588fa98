"""Rush Hour with cars of one cell: the tables of small squares are proved, and false ones do not pass."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest

import boardspace
from boardspace.engine.config import ConfigError, validate
from boardspace.spaces.rush_hour.config import RushHourConfig
from boardspace.spaces.rush_hour.parts.unit import checks, compute
from boardspace.spaces.rush_hour.space import SPACE
from boardspace.spec.space import Draw
from boardspace.verify import verify
from boardspace.verify.equations import all_checks
from tests.pipeline.finished import first_fault, with_values

SECTION = {"boards": (), "unit": ((2, 1, 3), (3, 1, 1), (3, 5, 8), (4, 10, 15))}
CONFIG = RushHourConfig.model_validate(SECTION)
CHECKS = [
    check
    for check in reversed(all_checks(SPACE))
    if check.name == "equations of all boards with cars of one cell" or check.name.startswith("sums of unit")
]
"""What is added up first, since it takes no time."""
OTHER_COLUMNS = ("classes", "boards", "groups", "solvable_groups", "solvable", "starts", "unit_moves", "unit_starts")
HARDEST_5 = "||||--||--|--|.||--||---|"
"""The board of Tromp and Cilibrasi that takes 199 moves."""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of small squares."""
    folder = tmp_path_factory.mktemp("unit")
    boardspace.run({"rush_hour": SECTION}, folder, workers=0)
    return folder


class Tables:
    """The tables of a run, one of which may be another."""

    def __init__(self, run: Path, **other: pa.Table) -> None:
        dataset = boardspace.open(run)["rush_hour"]
        self.tables = {name: dataset.tables[name].to_table() for name in ("unit_squares", "unit_labels")} | other

    def table(self, name: str, **_: Any) -> pa.Table:
        """A table."""
        return self.tables[name]


@pytest.fixture
def fault_of(run: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """The fault that the checks find in tables, one of which may be another; only 2 x 2 is made again whole, of the
    others a few drawn labels."""
    assert [check.name[:4] for check in CHECKS] == ["sums", "equa"]
    monkeypatch.setattr(checks, "MADE_SIDE", 2)

    def fault(**other: pa.Table) -> str:
        inputs: Any = Tables(run, **other)
        return first_fault(CHECKS, CONFIG, inputs, Draw(1))

    return fault


def forged(rows: pa.Table, column: str, place: int) -> pa.Table:
    """The table with a value one more."""
    values = rows.column(column).to_pylist()
    values[place] += 1
    at = rows.schema.get_field_index(column)
    return rows.set_column(at, rows.schema.field(at), pa.array(values, rows.schema.field(at).type))


def test_a_run_is_verified_and_confirms_what_was_published(run: Path) -> None:
    assert verify(run, "logic").faults == ()
    claims = boardspace.open(run)["rush_hour"].claims
    verdicts = [claims[f"unit-{n}"].verdict for n in (2, 3, 4, 5)]
    assert verdicts == ["confirmed", "confirmed", "not_covered", "not_covered"]


def test_the_longest_escape_of_4_x_4_is_as_published_and_its_starts_take_as_many_moves(tmp_path: Path) -> None:
    section = {"boards": (), "unit": ((4, 1, 1),)}
    claims = boardspace.run({"rush_hour": section}, tmp_path, workers=0)["rush_hour"].claims
    assert [claims[f"unit-{n}"].verdict for n in (3, 4)] == ["not_covered", "confirmed"]
    inputs: Any = Tables(tmp_path)
    assert first_fault(CHECKS, RushHourConfig.model_validate(section), inputs, Draw(1)) == ""


def test_the_published_board_of_5_x_5_takes_199_moves() -> None:
    assert checks.moves_of(5, HARDEST_5, 0, "unit_move") == 199
    assert checks.moves_of(5, HARDEST_5, 0, "step") == 199


def test_more_shards_have_the_same_rows(run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compute, "LONGEST", 2.5e-3)
    cut = boardspace.run({"rush_hour": SECTION}, tmp_path, workers=0)["rush_hour"]
    assert len(compute.cut_labels(CONFIG, Tables(run))) > 2 * len(CONFIG.unit_squares)  # type: ignore[arg-type]
    for name, rows in Tables(run).tables.items():
        assert cut.tables[name].to_table().equals(rows)


def test_right_tables_have_no_fault(fault_of: Callable[..., str]) -> None:
    assert not fault_of()


@pytest.mark.parametrize("table", ["unit_squares", "unit_labels"])
@pytest.mark.parametrize(
    "column",
    [
        "steps",
        *(pytest.param(column, marks=pytest.mark.columns) for column in OTHER_COLUMNS),
    ],
)
def test_a_value_that_is_one_more_is_found_where_no_row_is_made_again(
    run: Path, fault_of: Callable[..., str], table: str, column: str
) -> None:
    rows = Tables(run).table(table).to_pylist()
    farthest = max(range(len(rows)), key=lambda place: (rows[place]["n"] == 4, rows[place]["boards"]))
    assert fault_of(**{table: forged(Tables(run).table(table), column, farthest)})


@pytest.mark.parametrize("column", ["start", "unit_start"])
@pytest.mark.parametrize(("sign", "other"), [("|", "x"), (".", "|")])
def test_a_start_of_another_square_or_in_other_signs_is_found_whatever_is_drawn(
    run: Path, fault_of: Callable[..., str], monkeypatch: pytest.MonkeyPatch, column: str, sign: str, other: str
) -> None:
    monkeypatch.setattr(checks, "STARTS", 0)
    rows = Tables(run).table("unit_squares")
    starts = [
        start.replace(sign, other, 1) if row["n"] == 4 else start
        for start, row in zip(rows.column(column).to_pylist(), rows.to_pylist(), strict=True)
    ]
    assert "is no board of 4 x 4 cells" in fault_of(unit_squares=with_values(rows, column, starts))


@pytest.mark.thorough
def test_labels_whose_values_keep_all_sums_are_found_where_they_are_drawn(
    run: Path, fault_of: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = Tables(run).table("unit_labels")
    of = [(row["n"], row["voids"], row["exit_row"]) for row in rows.to_pylist()]
    places = [place for place, square in enumerate(of) if square == (4, 14, 0)]
    swapped = forged(rows, "groups", places[0])
    values = swapped.column("groups").to_pylist()
    values[places[1]] -= 1
    swapped = swapped.set_column(swapped.schema.get_field_index("groups"), "groups", pa.array(values, pa.uint64()))
    assert pc.sum(swapped.column("groups")) == pc.sum(rows.column("groups"))
    monkeypatch.setattr(checks, "LABEL_BOARDS", 0)
    assert not fault_of(unit_labels=swapped)
    monkeypatch.setattr(checks, "LABEL_BOARDS", max(rows.column("boards")[place].as_py() for place in places[:2]))
    monkeypatch.setattr(checks, "LABELS", rows.num_rows)
    assert "unit_labels 4-14-0" in fault_of(unit_labels=swapped)


@pytest.mark.parametrize("square", [(6, 1, 1), (1, 1, 1), (3, 0, 2), (3, 2, 1), (3, 1, 9)])
def test_squares_that_do_not_exist_are_refused(square: tuple[int, int, int]) -> None:
    with pytest.raises(ConfigError, match="sides have 2 to 5 cells, voids are 1 to n"):
        validate({"rush_hour": {"unit": [square]}}, "test", "test.toml")


def test_a_number_of_voids_that_is_there_twice_is_refused() -> None:
    with pytest.raises(ConfigError, match="a number of voids twice"):
        validate({"rush_hour": {"unit": [(3, 1, 4), (3, 4, 5)]}}, "test", "test.toml")
