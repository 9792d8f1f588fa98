"""A published recurrence, and our question for those of more rows."""

from boardspace.spaces.board_division.config import BoardDivisionConfig
from boardspace.spec.space import Inputs, Measurement

PUBLISHED_ROWS = 4


def measure(config: BoardDivisionConfig, inputs: Inputs) -> dict[str, Measurement]:
    """The recurrence of 4 rows, and the orders of all."""
    rows = inputs.table("strips").to_pylist()
    proved = "found from exact counts, and proved by comparing as many terms as states and order together"
    orders = {str(row["rows"]): row["recurrence_order"] for row in rows}
    measured = {"tromino-strips": Measurement(orders, f"orders by rows; {proved}", "answered", "proof")}
    for row in rows:
        if row["rows"] == PUBLISHED_ROWS:
            value = {"numerator": list(map(int, row["numerator"])), "denominator": list(map(int, row["denominator"]))}
            value["numerator"] = _trimmed(value["numerator"])
            measured["oeis-a046984"] = Measurement(value, proved, None, "proof")
    return measured


def _trimmed(coefficients: list[int]) -> list[int]:
    """Without zeros at the end."""
    while coefficients and coefficients[-1] == 0:
        coefficients = coefficients[:-1]
    return coefficients
