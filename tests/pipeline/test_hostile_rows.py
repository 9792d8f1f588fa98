"""Checks end soon and in little memory whatever stands in the rows: what a value alone would make large is told.

Work grew with these values, without measure on larger boards at least, before they were compared with what the config
and the keys of rows allow.
"""

import json
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from boardspace.engine.plan import recorded_work
from boardspace.engine.shuffle import key_ranges
from boardspace.spaces.five_in_a_row import verified
from boardspace.spaces.five_in_a_row.config import FiveInARowConfig, Square
from boardspace.spaces.five_in_a_row.parts.boxes import checks as boxes
from boardspace.spaces.five_in_a_row.proved import Proved
from boardspace.spaces.klotski.parts.solutions.checks import all_solutions
from boardspace.spaces.klotski.rules import Layouts
from boardspace.spec.equations import RowFaultError
from boardspace.spec.second_rules import symmetries
from boardspace.spec.space import Draw, cut_range
from boardspace.storage.run_folder import FinishedStages, SpaceFolder
from boardspace.verify.equations import all_checks, outcomes_of
from boardspace_kernels.five_in_a_row.board import Board
from boardspace_kernels.five_in_a_row.certificate import certificate
from boardspace_kernels.five_in_a_row.minimum import solve
from tests.daily import daily
from tests.pipeline.finished import altered, run_of

CONFIGS = {
    "five_in_a_row": "squares = [[3, 4], [5, 6]]\nboards = [[5, 11, 11]]\ncells = [5]\n",
    "board_division": "special_boards = 2\ncover_counts = 2\nstrips = 4\nvalues = 5\nreplays = 4\nsequences = 4\n"
    "search_pegs = 4\nlines = 2\n",
    "klotski": 'classes = ["0-0-0"]\ntrays = [[3, 3]]\n',
    "sliding_blocks": "trays = [[2, 4]]\nrecords_from = 5\n",
    "rush_hour": "boards = [[3, 1], [4, 1]]\nunit = [[3, 3, 4]]\n",
}
NO_BOARD = {"k": 17, "rows": 60_000, "columns": 60_000}
"""A board of which nobody can list the lines, or the best cells."""
MADE_WHOLE = tuple(
    f"boardspace.spaces.{place}"
    for place in (
        "sliding_blocks.parts.classes.checks.GROUP_CELLS",
        "rush_hour.parts.boards.checks.MADE_SIDE",
        "rush_hour.parts.unit.checks.MADE_SIDE",
        "klotski.parts.trays.checks.WHOLE_FRAME",
    )
)
"""How much is made again whole."""
Row = dict[str, Any]
Rows = list[Row]


def one_more(**values: Any) -> Callable[[Rows], Rows]:
    """The rows, and once more the last one with other values."""
    return lambda rows: [*rows, rows[-1] | values]


def every(**values: Any) -> Callable[[Rows], Rows]:
    """All rows with other values."""
    return lambda rows: [row | values for row in rows]


def certified(**fields: Any) -> Callable[[Rows], Rows]:
    """All rows with other fields in their certificates."""

    def certificate(row: Row) -> str:
        return json.dumps(json.loads(row["certificate"]) | fields, separators=(",", ":"))

    return lambda rows: [row | {"certificate": certificate(row)} for row in rows]


def wide(rows: Rows) -> Rows:
    """The certificate of 11 x 11 with a strip over all of the board."""
    forged = certified(strips=[{"start": 0, "costs": [0] * 121}])
    return [*rows[:-1], *forged(rows[-1:])]


def largest(rows: Rows) -> Rows:
    """All rows with the code of the class that has the most positions."""
    return every(code=max(rows, key=lambda row: int(row["positions"]))["code"])(rows)


@pytest.fixture(scope="module")
def stages_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], tuple[Any, FinishedStages]]:
    """The config and the finished stages of a space's run."""

    @cache
    def made(space: str) -> tuple[Any, FinishedStages]:
        root = run_of(f"[{space}]\n{CONFIGS[space]}", tmp_path_factory.mktemp(space))
        (work,) = recorded_work(root)
        return work.config, FinishedStages(SpaceFolder(root, space), work.space)

    return made


@pytest.mark.parametrize(
    ("space", "table", "change", "fault"),
    daily(
        [
            ("five_in_a_row", "results", one_more(**NO_BOARD, proof="carried", listed=False), "results has"),
            ("five_in_a_row", "listed", one_more(**NO_BOARD), "none of the array's"),
            ("five_in_a_row", "listed", one_more(**NO_BOARD, placements=0), "none of the array's"),
            ("five_in_a_row", "certificates", certified(shape=[1 << 40, 0]), "the certificate says shape"),
            ("five_in_a_row", "certificates", certified(k=-(1 << 40)), "the certificate says k"),
            ("five_in_a_row", "certificates", wide, "strips of more than 7 columns"),
            ("board_division", "strips", every(denominator=["1", *["0"] * 5_000]), "a recurrence of order 5000"),
            ("klotski", "trays", every(largest_group=1), "moves lead to more than 1 states"),
            ("sliding_blocks", "classes", largest, "there are more than"),
            ("sliding_blocks", "classes", every(positions=1), "moves lead to more than"),
            ("sliding_blocks", "histograms", every(packings=1), "there are more than 1 ways"),
            ("rush_hour", "labels", every(boards=0), "there are more than 0 ways"),
            ("rush_hour", "hardest", every(group_size=1), "its group has more than 1 boards"),
            ("rush_hour", "unit_labels", one_more(n=200), "unit_labels has"),
            ("rush_hour", "unit_labels", every(boards=0), "has more boards than its label"),
            ("rush_hour", "unit_squares", every(start="-" * 40_000), "is no board of 3 x 3 cells"),
        ],
        4,
        several=True,
    ),
)
def test_a_value_that_would_make_work_without_measure_is_told(
    space: str,
    table: str,
    change: Callable[[Rows], Rows],
    fault: str,
    stages_of: Callable[[str], tuple[Any, FinishedStages]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Small boards stand for larger ones here, of which not all is made again."""
    for place in MADE_WHOLE:
        monkeypatch.setattr(place, 0)
    config, stages = stages_of(space)
    rows = stages.table(table)
    forged = pa.Table.from_pylist(change(rows.to_pylist()), rows.schema)
    wrong = altered(stages, lambda stage, name, found: forged.select(found.column_names) if name == table else found)
    found = [str(one) for check in all_checks(stages.space) for one in outcomes_of([check], config, wrong, Draw(1))]
    assert any(fault in one for one in found), found


def test_solutions_are_counted_by_hand_in_no_larger_group_than_the_rows_say() -> None:
    start = Layouts(np.array([0x1A9BF0C00], np.uint64)).layout(0)
    with pytest.raises(ValueError, match="moves lead to more than 400 states"):
        all_solutions(start, 400)


def test_no_number_that_a_stage_recorded_makes_more_shards_than_a_stage_has() -> None:
    assert len(cut_range(0, 1 << 40, 1 << 20)) == 1 << 20
    with pytest.raises(ValueError, match="shards are more than the 1,048,576 that a stage may have"):
        cut_range(0, 1 << 62, 1)
    with pytest.raises(ValueError, match="4611686018427387904 shards"):
        key_ranges([{"rows": 1 << 62, "sample": [1]}], 1)


def test_a_recount_ends_where_weights_drop_no_states(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verified, "GIVEN_UP", 1)
    solution = solve(Board((6, 6), 3))
    stones, states = solution.minimum, solution.states
    row = {"stones": stones, "placements": str(solution.count), "states": states, "peak": solution.peak}
    config = FiveInARowConfig(squares=(Square(3, 6),), recounted=states)
    weak = {"lines": [], "strips": [], "aimed": [], "floor": 0, "proof": "search", "empty_budgets": list(range(stones))}
    text = json.dumps({**certificate(solution), **weak}, separators=(",", ":"))
    one = Proved((3, 6, 6), row | {"proof": "search", "recounted": True, "refuted": None}, text, None)
    with pytest.raises(RowFaultError, match=f"more than {8 * states} states"):
        verified.known(config, [one], Draw())


def test_placements_that_a_symmetry_keeps_are_counted_through_few_states(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boxes, "KEPT_STATES", 10)
    with pytest.raises(RowFaultError, match="its weights leave more than 10 states"):
        boxes.kept_by(symmetries((3, 3, 3))[1], certificate(solve(Board((3, 3, 3), 2))))
