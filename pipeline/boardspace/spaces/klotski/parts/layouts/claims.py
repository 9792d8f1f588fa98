"""Claims on all layouts, classes, groups and ids, measured on the finished stages."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from boardspace.spaces.klotski.config import KlotskiConfig
from boardspace.spaces.klotski.filling import class_sizes
from boardspace.spaces.klotski.parts.layouts.code_claims import measure_examples, measure_survey
from boardspace.spaces.klotski.texts import CLASS_NAMES
from boardspace.spec.space import Basis, Inputs, Measurement, measured_together


def measure_steps(config: KlotskiConfig, inputs: Inputs) -> dict[str, Measurement]:
    """Measure that steps can be taken back, that groups are closed and connected."""
    surveys = inputs.facts("classes")
    layouts = sum(row["layouts"] for row in surveys)
    steps, returned, leaving, reached = (
        sum(row["survey"][key] for row in surveys) for key in ("steps", "returned", "leaving", "reached")
    )
    groups = sum(row["groups"] for row in surveys)
    basis: Basis = "all cases" if config.complete else "sample"
    held = f"{len(surveys)} of the {len(CLASS_NAMES)} classes"
    return {
        "mutual": Measurement(
            returned == steps, f"{returned:,} of {steps:,} steps of {held}, each met by its counterpart", basis=basis
        ),
        "closed": Measurement(leaving == 0, f"{leaving:,} of {steps:,} steps of {held} leave their group", basis=basis),
        "net": Measurement(
            reached == layouts,
            f"from the smallest layouts of {groups:,} groups of {held} searches reach {reached:,} of {layouts:,}",
            basis=basis,
        ),
        "one-yields-all": Measurement(
            reached == layouts and returned == steps and leaving == 0,
            f"every layout is reached from the smallest of its group ({reached:,} of {layouts:,}), and every step can "
            "be taken back: so any layout of a group reaches the smallest and from there all",
            basis=basis,
        ),
    }


STANDARD = "5-4"

Rows = Sequence[Mapping[str, Any]]


def measure(config: KlotskiConfig, inputs: Inputs) -> dict[str, Measurement]:
    """Measure codes and steps; the whole space only where all classes were enumerated."""
    always = measure_examples, lambda: measure_steps(config, inputs)
    if not config.complete:
        return measured_together(*always)
    rows: list[dict[str, Any]] = inputs.table("classes").to_pylist()
    return measured_together(
        *always,
        lambda: _counts(rows),
        lambda: _classes(inputs.facts("classes")),
        lambda: _groups(rows, inputs.table("groups")),
        lambda: measure_survey(inputs.facts("classes"), inputs.facts("main")),
        lambda: _ids(inputs.facts("main")),
    )


def _counts(rows: Rows) -> dict[str, Measurement]:
    """Numbers of layouts, by class and altogether."""
    styles = _by_style(rows, "layouts")
    sizes = {pair: sum(counts) for pair, counts in styles.items()}
    total, standard = sum(sizes.values()), sizes[STANDARD]
    evidence = "each class enumerated by a walk of its automaton; ids by another automaton of the whole space"
    return {
        "layouts": Measurement(total, evidence),
        "standard": Measurement(standard, evidence),
        "non-standard": Measurement(total - standard, evidence),
        "sizes": Measurement(sizes, f"{len(sizes)} pairs of jiang_num and bing_num; {evidence}"),
        "styles": Measurement(styles, evidence),
    }


def _classes(surveys: Rows) -> dict[str, Measurement]:
    """Classes that there are, by all codes counted by the kinds of their items; and those that there are not."""
    found = {
        (row["jiang"], row["bing"], row["style"]) for row in surveys if row["survey"]["counted"] == row["layouts"] > 0
    }
    sizes = class_sizes()
    filled = set(sizes)
    pairs = {name[:2] for name in found}
    layouts = sum(row["survey"]["counted"] for row in surveys)
    evidence = (
        f"the items of {layouts:,} codes counted by kind; filling the board cell after cell meets "
        f"{'the same classes and no other' if filled == found else f'others: {sorted(filled ^ found)}'}"
    )
    standing = sizes[7, 0, 7]
    backward = sum(1 for name in found if name[2] != name[0] - name[2])
    return {
        "pairs": Measurement(len(pairs) if filled == found else "differ", evidence),
        "style-kind": Measurement(
            "1 x 2",
            "the table of 203 counts and the missing class 7-0-0 hold for the lying dominoes, 1 x 2 and 01 in the "
            f"table of codes; counted by standing ones (2 x 1, code 10) 7-0-0 would have {standing} layouts, "
            f"7-0-7 would be missing, and {backward} of the {len(found)} classes would have another number",
            verdict="corrected",
        ),
        "style": Measurement(all(style <= jiang for jiang, _, style in found), evidence),
        "classes": Measurement(len(found) if filled == found else "differ", evidence),
        "no-7-0-0": Measurement(
            (7, 0, 0) not in filled | found,
            f"{evidence}; style_num counts the lying dominoes, and seven standing ones do not fit",
        ),
    }


def _groups(rows: Rows, groups: Any) -> dict[str, Measurement]:
    """Numbers, sizes and order of groups."""
    counts = _by_style(rows, "groups")
    split = {pair: numbers for pair, numbers in counts.items() if max(numbers) > 1}
    largest = max(rows, key=lambda row: int(row["largest_group"]))
    solvable = int(np.count_nonzero(np.asarray(groups.column("solvable"))))
    hardest = max(rows, key=lambda row: int(row["hardest_step"]))
    columns = ("jiang_num", "bing_num", "style_num", "group_size", "seed_code", "group_num")
    named = zip(*(groups.column(name).to_pylist() for name in columns), strict=True)
    placed = [(j, b, s, -size, seed, number) for j, b, s, size, seed, number in named]
    ordered = sorted(placed, key=lambda group: group[:5])
    gaps = sum(b[5] != (a[5] + 1 if a[:3] == b[:3] else 0) for a, b in pairwise([(-1,) * 6, *ordered]))
    ties = sum(a[:4] == b[:4] for a, b in pairwise(ordered))
    return {
        "group-order": Measurement(
            gaps == 0, f"{groups.num_rows:,} groups sorted again by size and smallest code, {ties:,} times by the code"
        ),
        "group-counts": Measurement(
            split,
            f"{groups.num_rows:,} groups, {solvable:,} of them with a layout at the exit; the hardest layout of all "
            f"takes {hardest['hardest_step']} steps: {hardest['hardest_code']:09X} of class {_name(hardest)}",
        ),
        "largest-group": Measurement(
            {"size": largest["largest_group"], "class": _name(largest)},
            f"the class has {largest['layouts']:,} layouts in {largest['groups']} group(s)",
        ),
    }


def _ids(parts: Rows) -> dict[str, Measurement]:
    """Codes and ids after merging: ids without gaps, codes ascending with them."""
    ends = [(part["codes"], part["ids"]) for part in parts]
    pairs = list(pairwise(ends))
    ascending = all(part["ascending"] for part in parts) and all(a[0][1] < b[0][0] for a, b in pairs)
    whole = all(a[1][1] + 1 == b[1][0] for a, b in pairs)
    rows = sum(part["layouts"] for part in parts)
    ids = [ends[0][1][0], ends[-1][1][1]]
    sound = whole and ascending and rows == ids[1] + 1 - ids[0]
    return {
        "ids": Measurement(
            ids if sound else "gaps", f"{rows:,} rows in order of ids, without gaps, each code larger than the last"
        )
    }


def _by_style(rows: Rows, column: str) -> dict[str, list[int]]:
    """A column by jiang-bing, then a list by style; 0 where there is no such class."""
    found: dict[str, list[int]] = {}
    for row in rows:
        values = found.setdefault(f"{row['jiang_num']}-{row['bing_num']}", [0] * (row["jiang_num"] + 1))
        values[row["style_num"]] = row[column]
    return found


def _name(row: Mapping[str, Any]) -> str:
    return f"{row['jiang_num']}-{row['bing_num']}-{row['style_num']}"
