"""Stage ``plane``: the least stones a cell, from below by boards and strips, from above by a pattern."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from boardspace.pipeline.space import Inputs, Output, Shard
from boardspace.pipeline.spaces.five_in_a_row.config import FiveInARowConfig
from boardspace.pipeline.spaces.five_in_a_row.rows import all_results, table_of
from boardspace.pipeline.spaces.five_in_a_row.tables import PLANE

LINE, STRIP, BOARD = "line", "strip", "board"


def cut_plane(config: FiveInARowConfig, inputs: Inputs) -> list[Shard]:
    """One shard for all k of the run's boards and strips."""
    single = [board.k for board in (*config.boards, *(split.board for split in config.split))]
    ks = sorted({*single, *(k for k, _ in config.squares), *(k for k, _ in config.strips)})
    return [Shard("densities", {"k": list(ks)}, cost=0.05 * len(ks))] if ks else []


def bound_plane(config: FiveInARowConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """A row for every k."""
    from boardspace.kernels.five_in_a_row.plane import best_linear_pattern

    results, strips = all_results(inputs), inputs.read("strips", "strips").to_pylist()
    rows = []
    for k in params["k"]:
        below, source, n, m = best_from_below(k, results, strips)
        pattern = best_linear_pattern(k)
        rows.append(
            {
                "k": k,
                "below_stones": below.numerator,
                "below_cells": below.denominator,
                "below_by": source,
                "rows": n,
                "columns": m,
                "above_stones": len(pattern.residues),
                "modulus": pattern.modulus,
                "slope": pattern.slope,
                "residues": list(pattern.residues),
                "exact": below == pattern.density,
            }
        )
    return Output({"plane": table_of(PLANE, rows)})


def best_from_below(
    k: int, results: list[dict[str, Any]], strips: list[dict[str, Any]]
) -> tuple[Fraction, str, int | None, int | None]:
    """The most stones a cell that a line, a strip or a board needs, and what it is: its rows and columns; the first of
    these, and the smallest, where several need as many."""
    found: list[tuple[Fraction, str, int | None, int | None]] = [(Fraction(1, k), LINE, None, None)]
    for row in sorted((row for row in strips if row["k"] == k), key=lambda row: row["width"]):
        found.append((Fraction(row["stones"], row["period"] * row["width"]), STRIP, None, row["width"]))
    for row in sorted((row for row in results if row["k"] == k), key=lambda row: (row["rows"], row["columns"])):
        found.append((Fraction(row["stones"], row["rows"] * row["columns"]), BOARD, row["rows"], row["columns"]))
    return max(found, key=lambda one: one[0])


def plane_faults(inputs: Inputs, results: list[dict[str, Any]]) -> Iterator[str]:
    """What bounds the plane from below is what the boards and strips say; the patterns, laid out, leave no line
    free."""
    strips = inputs.read("strips", "strips").to_pylist()
    for row in inputs.read("plane", "plane").to_pylist():
        k, below = row["k"], Fraction(row["below_stones"], row["below_cells"])
        if (below, row["below_by"], row["rows"], row["columns"]) != best_from_below(k, results, strips):
            yield f"plane, k = {k}: no board or strip needs {below} stones a cell"
            continue
        above = Fraction(row["above_stones"], row["modulus"])
        if len(set(row["residues"])) != row["above_stones"] or row["exact"] != (above == below) or above < below:
            yield f"plane, k = {k}: a pattern of {above} stones a cell, {len(row['residues'])} residues"
            continue
        yield "" if laid_out_blocks(k, row) else f"plane, k = {k}: the pattern leaves a line free"


def laid_out_blocks(k: int, row: Mapping[str, Any]) -> bool:
    """Whether every line that starts in one period of the pattern holds a stone, cell by cell."""
    modulus, slope, residues = row["modulus"], row["slope"], set(row["residues"])
    return all(
        any((x + i * right + slope * (y + i * down)) % modulus in residues for i in range(k))
        for x in range(modulus)
        for y in range(modulus)
        for right, down in ((1, 0), (0, 1), (1, 1), (1, -1))
    )
