"""Computes the table of other trays."""

from collections.abc import Mapping
from typing import Any

from boardspace.spaces.klotski.config import KlotskiConfig
from boardspace.spaces.klotski.filling import class_sizes
from boardspace.spaces.klotski.parts.trays.part import METRICS, TRAYS
from boardspace.spec.space import Inputs, Output
from boardspace_kernels.klotski.trays import survey_tray, tray


def survey(config: KlotskiConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """Compute the row of one frame; one too large to enumerate is counted."""
    columns, rows = params["columns"], params["rows"]
    sizes = class_sizes(columns, rows)
    layouts = sum(sizes.values())
    row: dict[str, Any] = dict.fromkeys(TRAYS.schema.names)
    row |= {"columns": columns, "rows": rows, "layouts": layouts, "classes": len(sizes)}
    if layouts <= config.tray_layouts:
        row |= _searched(columns, rows, layouts)
    facts = {**params, "layouts": layouts, "searched": row["groups"] is not None}
    return Output({TRAYS.name: TRAYS.from_columns(**{name: [value] for name, value in row.items()})}, facts=facts)


def _searched(columns: int, rows: int, layouts: int) -> dict[str, int]:
    found = survey_tray(tray(columns, rows), layouts)
    row = {"groups": found.groups, "largest_group": found.largest_group, "solvable_layouts": found.solvable}
    for (name, _), hardest in zip(METRICS, (found.by_step, found.by_straight_step, found.by_unit_move), strict=True):
        row |= {f"hardest_{name}": hardest.moves, f"hardest_{name}_code": hardest.code}
    return row
