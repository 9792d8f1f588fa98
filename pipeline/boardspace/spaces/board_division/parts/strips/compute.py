"""Finds the recurrences of strips."""

from collections.abc import Mapping
from typing import Any

from boardspace.spaces.board_division.config import BoardDivisionConfig
from boardspace.spaces.board_division.parts.strips.part import STRIPS
from boardspace.spec.space import Inputs, Output, Shard
from boardspace_kernels.board_division.tromino.strips import strip_recurrence

NARROWEST = 2


def cut_strips(config: BoardDivisionConfig, inputs: Inputs) -> list[Shard]:
    """One shard for each number of rows."""
    return [Shard(f"{rows}", {"rows": rows}, cost=0.01 + 0.3 * 4.0 ** (rows - 9)) for rows in _all_rows(config)]


def find_recurrence(config: BoardDivisionConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """The recurrence of strips of so many rows."""
    found = strip_recurrence(params["rows"])
    row = {
        "rows": found.rows,
        "period": found.period,
        "states": found.states,
        "recurrence_order": found.order,
        "numerator": list(map(str, found.numerator)),
        "denominator": list(map(str, found.denominator)),
        "compared": found.compared,
    }
    return Output({"strips": STRIPS.from_rows([row])})


def _all_rows(config: BoardDivisionConfig) -> range:
    return range(NARROWEST, config.strips + 1)
