"""What the source states about the space of Klotski, measured on the finished stages."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from boardspace.pipeline.space import Inputs, Measurement
from boardspace.pipeline.spaces.klotski.config import KlotskiConfig
from boardspace.pipeline.spaces.klotski.texts import CELLS, ITEMS, decode, parse_code

STANDARD = "5-4"
EXAMPLES = ("1A9BF0C", "4FEA134", "5DC02F8")
EXAMPLE_CLASS = (5, 4, 1)
"""Whose moves are looked at one by one."""


def measure(config: KlotskiConfig, inputs: Inputs) -> dict[str, Measurement]:
    """Measurements by claim id; of the whole space only where all classes were enumerated."""
    found = _examples() | _moves()
    if not config.complete:
        return found
    rows: list[dict[str, Any]] = inputs.read("summary", "classes").to_pylist()
    return found | _counts(rows) | _groups(rows, inputs) | _ids(inputs)


def _counts(rows: list[dict[str, Any]]) -> dict[str, Measurement]:
    """Numbers of layouts, by class and altogether."""
    styles = _by_style(rows, "layouts")
    sizes = {pair: sum(counts) for pair, counts in styles.items()}
    total, standard = sum(sizes.values()), sizes[STANDARD]
    names = {_name(row) for row in rows}
    evidence = "each class enumerated by a walk of its automaton; ids by another automaton of the whole space"
    return {
        "layouts": Measurement(total, evidence),
        "standard": Measurement(standard, evidence),
        "non-standard": Measurement(total - standard, evidence),
        "sizes": Measurement(sizes, f"{len(sizes)} pairs of jiang_num and bing_num; {evidence}"),
        "styles": Measurement(styles, evidence),
        "pairs": Measurement(len(sizes), "pairs of jiang_num and bing_num with at least one layout"),
        "classes": Measurement(len(names), "classes with at least one layout"),
        "style": Measurement(all(row["style_num"] <= row["jiang_num"] for row in rows), "in every class"),
        "no-7-0-0": Measurement(
            "7-0-0" not in names, "style_num counts the lying dominoes: seven standing ones do not fit"
        ),
    }


def _groups(rows: list[dict[str, Any]], inputs: Inputs) -> dict[str, Measurement]:
    """Numbers and sizes of groups."""
    counts = _by_style(rows, "groups")
    split = {pair: numbers for pair, numbers in counts.items() if max(numbers) > 1}
    largest = max(rows, key=lambda row: int(row["largest_group"]))
    groups = inputs.read("summary", "groups", columns=("group_size", "solvable"))
    solvable = int(np.count_nonzero(np.asarray(groups.column("solvable"))))
    hardest = max(rows, key=lambda row: int(row["hardest_step"]))
    members = int(np.asarray(groups.column("group_size")).sum())
    return {
        "group-counts": Measurement(
            split,
            f"{groups.num_rows:,} groups, {solvable:,} of them with a layout at the exit; the hardest layout of all "
            f"takes {hardest['hardest_step']} steps: {hardest['hardest_code']:09X} of class {_name(hardest)}",
        ),
        "largest-group": Measurement(
            {"size": largest["largest_group"], "class": _name(largest)},
            f"the class has {largest['layouts']:,} layouts in {largest['groups']} group(s)",
        ),
        "names": Measurement(
            members == sum(row["layouts"] for row in rows),
            "group_index numbers the layouts of a group without gaps, and the sizes of groups add up to all layouts",
        ),
    }


def _ids(inputs: Inputs) -> dict[str, Measurement]:
    """Codes and ids after merging: ids without gaps, codes ascending with them."""
    parts = inputs.facts("main")
    ends = [(part["codes"], part["ids"]) for part in parts]
    pairs = list(pairwise(ends))
    ascending = all(part["ascending"] for part in parts) and all(a[0][1] < b[0][0] for a, b in pairs)
    whole = all(a[1][1] + 1 == b[1][0] for a, b in pairs)
    rows = sum(part["layouts"] for part in parts)
    ids = [ends[0][1][0], ends[-1][1][1]]
    return {
        "ids": Measurement(ids if whole else "gaps", f"{rows:,} rows in order of ids, without gaps"),
        "one-to-one": Measurement(
            ascending and rows == ids[1] + 1 - ids[0], f"{rows:,} codes, each larger than the one before"
        ),
    }


def _examples() -> dict[str, Measurement]:
    """The codes that the source spells out."""
    codes = [parse_code(text) for text in EXAMPLES]
    spelled = [" ".join([f"{code >> 2 * ITEMS:X}", *_items(code)]) for code in codes]
    written = [f"{code:09X}".rstrip("0") for code in codes]
    return {
        "examples": Measurement(written == list(EXAMPLES), "decoded, and every rule of a legal layout checked"),
        "code-items": Measurement(spelled, "decoded piece by piece"),
        "code-length": Measurement(CELLS - 4, "an item covers at least one of the cells that the block leaves"),
    }


def _items(code: int) -> list[str]:
    """The items of a code as pairs of binary digits, without those that fill it up."""
    pieces = decode(code, f"{code:09X}")
    covering = sum(len(piece.cells) - 1 for piece in pieces[1:])
    return [f"{code >> 2 * (ITEMS - 1 - item) & 3:02b}" for item in range(CELLS - 4 - covering)]


def _moves() -> dict[str, Measurement]:
    """Every step of a class, one by one."""
    from boardspace.kernels.klotski.classes import ClassName, enumerate_layouts
    from boardspace.kernels.klotski.group_graphs import group_graphs
    from boardspace.pipeline.spaces.klotski.queries import Place, count_paths

    layouts = enumerate_layouts(ClassName(*EXAMPLE_CLASS))
    graph = group_graphs(layouts).graph
    vertices = len(layouts.codes)
    start = np.repeat(np.arange(vertices), np.diff(graph.indptr))
    there = np.sort(start * vertices + graph.indices)
    back = np.sort(graph.indices.astype(np.int64) * vertices + start)
    group = layouts.groups.group_num[layouts.name_order()]
    place = Place(parse_code(EXAMPLES[0]))
    reached = sum(place.layer_sizes())
    farthest = place.farthest()[0]
    ways = count_paths(place.shortest_paths(farthest))
    evidence = f"all {len(start):,} steps of class {'-'.join(map(str, EXAMPLE_CLASS))}"
    return {
        "mutual": Measurement(bool((there == back).all()), evidence),
        "closed": Measurement(
            bool((group[start] == group[graph.indices]).all() and reached == layouts.groups.sizes[place.group]),
            f"{evidence}; a search from {EXAMPLES[0]} meets the {reached:,} layouts of its group",
        ),
        "many-paths": Measurement(ways > 1, f"{ways:,} shortest paths lead from {EXAMPLES[0]} to {farthest:09X}"),
    }


def _by_style(rows: list[dict[str, Any]], column: str) -> dict[str, list[int]]:
    """A column by jiang-bing, then a list by style; 0 where there is no such class."""
    found: dict[str, list[int]] = {}
    for row in rows:
        values = found.setdefault(f"{row['jiang_num']}-{row['bing_num']}", [0] * (row["jiang_num"] + 1))
        values[row["style_num"]] = row[column]
    return found


def _name(row: Mapping[str, Any]) -> str:
    return f"{row['jiang_num']}-{row['bing_num']}-{row['style_num']}"
