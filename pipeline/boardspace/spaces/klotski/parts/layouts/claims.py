"""Claims on all layouts, classes, groups, ids and codes, measured on the finished stages."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise, permutations
from typing import Any

import numpy as np

from boardspace.spaces.klotski import answers
from boardspace.spaces.klotski.config import KlotskiConfig
from boardspace.spaces.klotski.filling import class_sizes
from boardspace.spaces.klotski.texts import (
    CELLS,
    CLASS_NAMES,
    COLUMNS,
    DIGITS,
    EXAMPLES,
    ITEMS,
    ROWS,
    decode,
    parse_code,
)
from boardspace.spec.space import Basis, Inputs, Measurement, by_proof, measured_together

KINDS = ("empty", "1 x 2", "2 x 1", "1 x 1")
"""Meanings of the items 00, 01, 10 and 11; of dominoes height x width."""

EXTENT = {"empty": (1, 1), "1 x 2": (1, 2), "2 x 1": (2, 1), "1 x 1": (1, 1)}


def measure_examples() -> dict[str, Measurement]:
    """Decode the codes that the source spells out, and find how they can be read."""
    codes = [parse_code(text) for text in EXAMPLES]
    spelled = [" ".join([f"{code >> 2 * ITEMS:X}", *_items(code)]) for code in codes]
    written = [[f"{code:09X}", f"{code:09X}".rstrip("0")] for code in codes]
    readings = [kinds for kinds in permutations(KINDS) if all(_fits(code, kinds, range(CELLS)) for code in codes)]
    by_columns = [COLUMNS * row + column for column in range(COLUMNS) for row in range(ROWS)]
    columns = sum(all(_fits(code, kinds, by_columns) for code in codes) for kinds in permutations(KINDS))
    return {
        "scan-order": Measurement(
            not columns,
            f"row by row the three examples are legal layouts with {len(readings)} of the 24 ways to give the items "
            f"their kinds, column by column with {columns}",
            basis="reading",
        ),
        "item-kinds": Measurement(
            dict(zip(("00", "01", "10", "11"), KINDS, strict=True)) if KINDS in readings else "not this",
            f"{len(readings)} of the 24 ways to give the items their kinds make the three examples legal layouts: "
            + ", ".join("/".join(kinds) for kinds in readings),
            basis="reading",
        ),
        "hex-table": Measurement([f"{digit:04b}" for digit in range(16)], "written by a program"),
        "examples": Measurement(written, "decoded, and every rule of a legal layout checked"),
        "code-items": Measurement(spelled, "decoded piece by piece"),
    }


def measure_survey(surveys: Sequence[Mapping[str, Any]], parts: Sequence[Mapping[str, Any]]) -> dict[str, Measurement]:
    """Measure all codes of the space, decoded and encoded one by one, and the names of the layouts."""
    layouts = sum(row["layouts"] for row in surveys)
    coded, named = (sum(row["survey"][key] for row in surveys) for key in ("coded", "named"))
    digits, blocks = (_summed(row["survey"][key] for row in surveys) for key in ("digits", "blocks"))
    items = max(row["survey"]["items"] for row in surveys)
    longest = sum(row["layouts"] for row in surveys if row["survey"]["items"] == items)
    largest = max(part["codes"][1] for part in parts)
    places = "".join(f"{cell:X}" for cell in range(CELLS) if blocks[cell])
    by_length = ", ".join(f"{length}: {digits[length]:,}" for length in range(DIGITS + 1) if digits[length])
    both_ways = f"{coded:,} of {layouts:,} layouts, each written as a code and read again without fault"
    return {
        "rules": Measurement(coded == layouts, both_ways),
        "code-digits": Measurement(-(-int(largest).bit_length() // 4), f"the largest of {layouts:,} is {largest:X}"),
        "one-to-one": Measurement(coded == layouts, f"{both_ways}; no two have one code"),
        "block-places": Measurement(places, f"the first digits of {sum(blocks.values()):,} codes"),
        "code-length": Measurement(items, f"so many have the {longest:,} longest of {layouts:,} codes"),
        "short-codes": Measurement(
            digits[0] == 0,
            f"layouts by the digits that are left: {by_length}; of 000000000, the block alone in its corner, nothing "
            "would be left, so the first digit has to stay",
            verdict="corrected" if digits[0] else None,
        ),
        "names": Measurement(
            named == layouts, f"{named:,} different names, without gaps in any group, of {layouts:,} layouts"
        ),
    }


def _summed(rows: Any) -> Counter[int]:
    total: Counter[int] = Counter()
    for row in rows:
        total.update(dict(enumerate(row)))
    return total


def _items(code: int) -> list[str]:
    """The items of a code as pairs of binary digits, without those that fill it up."""
    pieces = decode(code, f"{code:09X}")
    covering = sum(len(piece.cells) - 1 for piece in pieces[1:])
    return [f"{code >> 2 * (ITEMS - 1 - item) & 3:02b}" for item in range(CELLS - 4 - covering)]


def _fits(code: int, kinds: Sequence[str], cells: Sequence[int]) -> bool:
    """Return whether a code is a legal layout where its items stand for these kinds and cells come in this order."""
    block = code >> 2 * ITEMS
    covered = {block, block + 1, block + COLUMNS, block + COLUMNS + 1}
    item = empties = 0
    for cell in cells:
        if cell in covered:
            continue
        kind = kinds[code >> 2 * (ITEMS - 1 - item) & 3]
        item += 1
        height, width = EXTENT[kind]
        if cell % COLUMNS + width > COLUMNS or cell // COLUMNS + height > ROWS:
            return False
        piece = {cell + COLUMNS * down + right for down in range(height) for right in range(width)}
        if piece & covered:
            return False
        covered |= piece
        empties += kind == "empty"
    return empties >= 2 and not code & (1 << 2 * (ITEMS - item)) - 1


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
    styles = _by_style(rows, "layouts")
    sizes = {pair: sum(counts) for pair, counts in styles.items()}
    total, standard = sum(sizes.values()), sizes[STANDARD]
    evidence = "each class made from its patterns and fillings; ids by an automaton of the whole space"
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


def measure_paths(config: KlotskiConfig, inputs: Inputs) -> dict[str, Measurement]:
    """Count the shortest paths from the first example of the text to a farthest layout; a net counts all."""
    return {} if config.net else {"many-paths": _paths_of_an_example()}


@cache
def _paths_of_an_example() -> Measurement:
    farthest = answers.farthest(EXAMPLES[0])[0]
    paths = answers.path(EXAMPLES[0], farthest)
    assert paths is not None
    evidence = f"one pair is enough: {paths.count:,} shortest paths lead from {EXAMPLES[0]} to {farthest.text}"
    return by_proof(paths.count > 1, evidence)
