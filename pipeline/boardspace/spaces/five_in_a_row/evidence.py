"""Rows of results in words."""

from collections.abc import Callable, Iterable
from typing import Any

Row = dict[str, Any]
Rows = list[Row]

NAMED = 6


def boards_in_words(rows: Iterable[Row]) -> str:
    """How many boards of each k, and how far they go."""
    by_k: dict[int, list[Row]] = {}
    for row in rows:
        by_k.setdefault(row["k"], []).append(row)
    parts = (f"{len(some)} boards of k = {k}, N up to {max(r['rows'] for r in some)}" for k, some in by_k.items())
    return "; ".join(parts)


def first_in_words(rows: Rows, what: str = "stones") -> str:
    """The first few of some rows, in words."""
    value: Callable[[Row], str] = {
        "stones": lambda row: (
            f"{row['rows']} x {row['columns']}, k = {row['k']}: {row['stones']}, not {row['formula']}"
        ),
        "placements": lambda row: (
            f"{row['rows']} x {row['columns']}: {row['placements']}, windows {row['lattice_placements']}"
        ),
    }[what]
    if not rows:
        return ""
    rest = f" and {len(rows) - NAMED} more" if len(rows) > NAMED else ""
    return f": {'; '.join(map(value, rows[:NAMED]))}{rest}"
