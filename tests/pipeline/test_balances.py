"""Totals over several tables that have to be equal."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa
import pytest

from boardspace.spec.equations import Balance, Fewest, Is, Most, Over, Total
from boardspace.spec.space import Draw, Outcome
from boardspace.verify.totals import balance_outcome

COLUMNS = {"levels": ("board", "metric", "moves", "boards"), "starts": ("board", "most", "number", "times")}
ROWS: dict[str, list[tuple[Any, ...]]] = {
    "levels": [("a", "step", 0, 3), ("a", "step", 1, 4), ("a", "unit", 0, 5), ("b", "step", 0, 1)],
    "starts": [("a", 1, 2, 2), ("a", 0, 3, 1), ("a", None, 0, 5), ("b", 0, 1, 1)],
}


@dataclass(frozen=True)
class Tables:
    """Tables of a dataset, read as checks read them."""

    rows: dict[str, list[tuple[Any, ...]]] = field(default_factory=lambda: ROWS)

    def table(self, name: str, *, columns: Sequence[str]) -> pa.Table:
        values = zip(*self.rows[name], strict=True)
        return pa.table(dict(zip(COLUMNS[name], map(list, values), strict=True))).select(columns)

    def outcome(self, *balances: Balance) -> Outcome:
        stages: Any = self
        return balance_outcome(balances, None, stages, Draw())


def levels(total: Total) -> Over:
    return Over("levels", total, Is("metric", "step"))


def by_board(one: Over, *other: Over) -> Balance:
    return Balance(("board",), (one,), other)


HELD = {
    "sums of products": by_board(levels(Total("sum", "boards")), Over("starts", Total("sum", "number", times="times"))),
    "a number and one more than the greatest": by_board(
        levels(Total("count")), Over("starts", Total("greatest", "most"), plus=1)
    ),
    "sums at the greatest": by_board(
        levels(Total("sum", "boards", where=Most("moves"))),
        Over("starts", Total("sum", "number", where=Most("most"), times="times")),
    ),
    "sums at the least": by_board(
        levels(Total("sum", "boards", where=Fewest("moves"))),
        Over("starts", Total("sum", "number", where=Is("most", 0))),
    ),
    "several sums, and what is said of no rows": by_board(
        levels(Total("count")),
        Over("levels", Total("least", "moves"), Is("metric", "unit"), none=1),
        Over("starts", Total("greatest", "number")),
        Over("starts", Total("count"), Is("most", 7), none=-1),
    ),
}


@pytest.mark.parametrize("balance", HELD.values(), ids=HELD)
def test_a_balance_holds_for_each_value_of_its_columns_and_not_where_one_row_differs(balance: Balance) -> None:
    held = Tables().outcome(balance)
    assert (held.fault, held.cases) == ("", 2)
    more = [*ROWS["levels"][:-1], ("b", "step", 0, 2), ("b", "step", 1, 3)]
    wrong = Tables({**ROWS, "levels": more})
    assert "should be equal: " in wrong.outcome(balance).fault


def test_a_fault_names_the_value_and_both_sums() -> None:
    balance = by_board(levels(Total("count")), Over("starts", Total("count")))
    says = "number of levels where metric is step, as number of starts, for each board"
    assert Tables().outcome(balance).fault == f"board a: 2 and 3 should be equal: {says}"
