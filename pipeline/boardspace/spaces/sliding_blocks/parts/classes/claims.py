"""Measures the statements on packings, classes and corner puzzles, and tells what a run found."""

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

from boardspace.spaces.sliding_blocks.boards import TraySize, pieces_of
from boardspace.spaces.sliding_blocks.config import SlidingBlocksConfig
from boardspace.spec.second_rules import bits
from boardspace.spec.space import Inputs, Measurement
from boardspace_kernels.sliding_blocks.frontier import count_by_sizes, count_packings

FOUR, FIVE = TraySize(4, 4), TraySize(4, 5)
LINES = 20
CORRECTED = (4, 7)
"""Numbers of pieces for which the file has more steps than the article."""
Rows = Sequence[Mapping[str, Any]]


def measure(config: SlidingBlocksConfig, inputs: Inputs) -> dict[str, Measurement]:
    """Counts along the frontier always; what needs packings made, where the run made them."""
    rows = rows_by_tray(inputs)
    return {**_counts(rows), **_of_four(rows), **_of_five(inputs, rows)}


def rows_by_tray(inputs: Inputs) -> Mapping[str, Rows]:
    """The rows of ``histograms`` of each tray."""
    found: dict[str, list[Mapping[str, Any]]] = {}
    for row in inputs.table("histograms").to_pylist():
        found.setdefault(row["tray"], []).append(row)
    return found


def _counts(rows: Mapping[str, Rows]) -> dict[str, Measurement]:
    """Packings, which a frontier counts without making one."""
    measured = {}
    for tray in (FOUR, FIVE, TraySize(5, 5)):
        counted = count_packings(*tray)
        evidence = f"counted along a frontier of {min(tray)} cells"
        if tray.name in rows:
            made = sum(row["packings"] for row in rows[tray.name])
            evidence += f"; made one by one: {made:,}"
            counted = made if made != counted else counted
        measured[f"packings-{tray.name}"] = Measurement(counted, evidence)
    small = []
    for size in ((2, 2), (2, 3)):
        counts = count_by_sizes(*size)
        small.append([sum(counts.values()), sum(n for sizes, n in counts.items() if sum(sizes) == prod(size))])
    odd = [count_packings(1, n) for n in range(1, LINES + 1)]
    wrong = sum(found != _fibonacci(2 * n + 1) for n, found in enumerate(odd, 1))
    return measured | {
        "packings-small": Measurement(small, "counted along a frontier, by sizes of the pieces"),
        "packings-lines": Measurement(wrong, f"counted along a frontier for lines of 1 to {LINES} cells"),
    }


def _fibonacci(index: int) -> int:
    one, other = 0, 1
    for _ in range(index):
        one, other = other, one + other
    return one


def longest_by_pieces(rows: Rows) -> list[int]:
    """Steps of the longest corner puzzle with 1, 2, ... pieces, up to the last number that has one."""
    longest: dict[int, int] = {}
    for row in rows:
        if row["steps"] is not None:
            longest[row["pieces"]] = max(longest.get(row["pieces"], 0), row["steps"])
    return [longest.get(pieces, 0) for pieces in range(1, max(longest, default=0) + 1)]


def _of_four(rows: Mapping[str, Rows]) -> dict[str, Measurement]:
    if FOUR.name not in rows:
        return {}
    own = rows[FOUR.name]
    longest, (hardest, board) = longest_by_pieces(own), _hardest(own)
    best = {pieces: _hardest([row for row in own if row["pieces"] == pieces])[1] for pieces in CORRECTED}
    changed = ", ".join(f"with {pieces} pieces {longest[pieces - 1]} steps: {one}" for pieces, one in best.items())
    return {
        "longest-4x4": Measurement(
            longest,
            f"all corner puzzles searched; two entries of the article are too small, the others hold: {changed}",
            "corrected",
        ),
        "longest-4x4-file": Measurement(longest, "all corner puzzles searched; the file holds, not the article"),
        "hardest-4x4": Measurement(hardest, f"all corner puzzles searched; {board}"),
        "classes-4x4": Measurement(
            [sum(row["classes"] for row in own), max(row["largest_group"] for row in own)],
            "classes of all packings counted; the largest is the largest group, as all of its packings are joined",
        ),
        "marked-4x4": Measurement(_marked(own), "packings made one by one, times their pieces"),
    }


def _hardest(rows: Rows) -> tuple[int, str]:
    return max(((row["steps"], row["board"]) for row in rows if row["steps"] is not None), default=(0, ""))


def _marked(rows: Rows) -> int:
    return sum(row["pieces"] * row["packings"] for row in rows)


def _of_five(inputs: Inputs, rows: Mapping[str, Rows]) -> dict[str, Measurement]:
    if FIVE.name not in rows:
        return {}
    own = rows[FIVE.name]
    steps, board = _hardest([row for row in own if row["pieces"] == 11])
    return {
        "longest-4x5-11": Measurement(steps, f"all corner puzzles searched; {board}"),
        "marked-4x5": Measurement(_marked(own), "packings made one by one, times their pieces"),
        "klotski": Measurement(_klotski(inputs, own), "classes of this space whose shapes are Klotski's"),
    }


def _klotski(inputs: Inputs, rows: Rows) -> list[int]:
    """Classes, groups and positions of the sets of a 2 x 2 block, dominoes and single cells with two voids and more."""
    split = [(row, row["sizes"].split()) for row in rows if row["voids"] >= 2]
    sizes = {row["histogram"] for row, own in split if own[-1:] == ["4"] and {*own[:-1]} <= {"1", "2"}}
    found = [0, 0, 0]
    # The table may have 10^7 rows: only the multisets asked for are read.
    for number in sorted(sizes):
        some = inputs.table("classes", between=(number, number + 1)).to_pylist()
        for row in some:
            if row["tray"] == FIVE.name and any(map(_is_block, pieces_of(FIVE, row["code"]))):
                found[0] += row["orbit"]
                found[1] += row["orbit"] * row["groups"]
                found[2] += row["orbit"] * row["positions"]
    return found


def _is_block(piece: int) -> bool:
    cells = list(bits(piece))
    return len(cells) == 4 and [cell - cells[0] for cell in cells] == [0, 1, FIVE.columns, FIVE.columns + 1]


def results(config: SlidingBlocksConfig, inputs: Inputs) -> list[str]:
    """A line a tray, and one on its longest corner puzzles."""
    lines = []
    for tray, rows in rows_by_tray(inputs).items():
        packings, classes, groups = (sum(row[name] for row in rows) for name in ("packings", "classes", "groups"))
        lines.append(f"{tray}: {packings:,} packings in {classes:,} classes and {groups:,} groups")
        longest = longest_by_pieces(rows)
        if longest:
            steps, board = _hardest(rows)
            listed = ", ".join(map(str, longest))
            lines.append(f"{tray}: longest corner puzzles by pieces {listed}; {steps} steps: {board}")
    return lines
