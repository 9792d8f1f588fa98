"""Other trays as a table of the dataset."""

from itertools import product
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from pydantic import ValidationError

from boardspace.cli.main import cli
from boardspace.spaces.klotski.config import KlotskiConfig
from boardspace.spaces.klotski.filling import class_sizes
from boardspace.spaces.klotski.parts.trays import checks
from boardspace.spec.check import Draw
from boardspace.storage.run_folder import FinishedStages
from boardspace_kernels.klotski.classes import ClassName, class_names, class_tables
from tests.naive.klotski_trays import Frame
from tests.pipeline.finished import altered, finished_stages, outcome_of, run_of, with_values


@pytest.fixture(scope="module")
def trays(tmp_path_factory: pytest.TempPathFactory) -> Path:
    config = '[klotski]\nclasses = ["0-0-0"]\ntrays = [[3, 3], [4, 6], [2, 5]]\n'
    out = run_of(config, tmp_path_factory.mktemp("trays"))
    result = CliRunner().invoke(cli, ["verify", str(out)])
    assert result.exit_code == 0, result.output
    return out / "klotski" / "trays"


def test_a_tray_is_searched_and_one_too_large_only_counted(trays: Path) -> None:
    rows = pq.read_table(trays).to_pylist()
    assert [(row["columns"], row["rows"]) for row in rows] == [(2, 5), (3, 3), (4, 6)]
    small, large = rows[1], rows[2]
    frame = Frame(3, 3)
    layouts = frame.layouts()
    assert small["layouts"] == len(layouts)
    assert small["groups"] == len(frame.group_sizes(layouts))
    for column, metric in (("step", "step"), ("straight_step", "straight"), ("unit_move", "unit")):
        most, code, solvable = frame.hardest(layouts, metric)
        found = small[f"hardest_{column}"], small[f"hardest_{column}_code"], small["solvable_layouts"]
        assert found == (most, code, solvable)
    assert (large["layouts"], large["classes"]) == (1_749_098_135, 385)
    assert {value for name, value in large.items() if name not in ("columns", "rows", "layouts", "classes")} == {None}


def test_on_a_frame_of_odd_width_either_central_place_is_the_exit(trays: Path) -> None:
    row = next(row for row in pq.read_table(trays).to_pylist() if (row["columns"], row["rows"]) == (3, 3))
    layouts = Frame(3, 3).layouts()
    assert (row["solvable_layouts"], row["hardest_step"]) == (152, 4)
    for only in (0, 1):
        most, _, solvable = Frame(3, 3, frozenset({only})).hardest(layouts, "step")
        assert (solvable, most) == (136, 8)


def test_counting_cell_after_cell_finds_the_classes_of_the_board_of_4_x_5_cells() -> None:
    sizes = {name: class_tables(name).scan.size for name in class_names()}
    assert class_sizes() == {tuple(name): size for name, size in sizes.items() if size}
    assert class_sizes()[ClassName(5, 4, 1)] == 65_880


@pytest.mark.parametrize(("columns", "rows"), [(2, 3), (3, 3), (2, 5), (3, 4)])
def test_counting_cell_after_cell_finds_the_layouts_of_a_tray(columns: int, rows: int) -> None:
    assert sum(class_sizes(columns, rows).values()) == len(Frame(columns, rows).layouts())


@pytest.mark.parametrize("frame", [(4, 3), (1, 9), (2, 2), (5, 6)])
def test_a_frame_that_is_no_tray_is_refused(frame: tuple[int, int]) -> None:
    with pytest.raises(ValidationError, match="is no tray"):
        KlotskiConfig(trays=(frame,))


@pytest.mark.parametrize(("columns", "rows"), [(2, 3), (3, 3), (2, 5), (3, 4), (4, 5), (4, 6)])
def test_the_second_count_finds_the_same_classes(columns: int, rows: int) -> None:
    assert checks.class_sizes(columns, rows) == class_sizes(columns, rows)


def test_every_tray_that_is_enumerated_unasked_is_walked_whole() -> None:
    """Of larger ones the numbers of groups and of solvable layouts are not known."""
    frames = [frame for frame in product(range(2, 6), repeat=2) if frame[0] <= frame[1]] + [(2, 6), (3, 6), (3, 7)]
    sizes = [sum(class_sizes(*frame).values()) for frame in frames]
    unasked = KlotskiConfig().tray_layouts
    assert max(size for size in sizes if size <= unasked) <= checks.WHOLE_FRAME < unasked < max(sizes)


def test_checks_solve_the_hardest_layouts_of_larger_trays(trays: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "WHOLE_FRAME", 0)
    config, inputs = finished_stages(trays.parents[1], KlotskiConfig)
    found = outcome_of("equations of trays", config, inputs, Draw(0))
    assert not found.fault
    assert found.cases < found.of  # what was not walked whole is not told as tried
    wrong = with_one_more(inputs, "hardest_straight_step")
    assert "hardest_straight_step is" in outcome_of("equations of trays", config, wrong, Draw(0)).fault


def with_one_more(inputs: FinishedStages, column: str) -> FinishedStages:
    """The table of trays with one more in a column."""

    def change(stage: str, table: str, rows: pa.Table) -> pa.Table:
        return with_values(rows, column, [value and value + 1 for value in rows.column(column).to_pylist()])

    return altered(inputs, change)
