"""Measures the longest escapes of boards with cars of one cell and one void, and tells what a run found."""

from boardspace.spaces.rush_hour.config import RushHourConfig
from boardspace.spec.space import Inputs, Measurement


def measure(config: RushHourConfig, inputs: Inputs) -> dict[str, Measurement]:
    """The most moves with one void, from whichever row."""
    rows = [row for row in inputs.table("unit_squares").to_pylist() if row["voids"] == 1]
    found = {}
    for n in sorted({row["n"] for row in rows}):
        best = max((row for row in rows if row["n"] == n), key=lambda row: row["unit_moves"])
        found[f"unit-{n}"] = Measurement(
            best["unit_moves"],
            f"all {best['boards']:,} boards searched from the exits of all rows; the farthest is from row "
            f"{best['exit_row']}: {best['unit_start']}",
        )
    return found


def results(config: RushHourConfig, inputs: Inputs) -> list[str]:
    """A line on each side."""
    rows, lines = inputs.table("unit_squares").to_pylist(), []
    for n in sorted({row["n"] for row in rows}):
        own = [row for row in rows if row["n"] == n]
        boards = sum(row["boards"] for row in own if row["exit_row"] == 0)
        far = max(own, key=lambda row: row["unit_moves"])
        lines.append(
            f"{n}x{n}, cars of one cell: {boards:,} boards; at most {far['unit_moves']} unit moves, with "
            f"{far['voids']} voids: {far['unit_start']}"
        )
    return lines
