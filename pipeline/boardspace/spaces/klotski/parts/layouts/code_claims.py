"""Claims on codes: the examples spelled out, the tables, and all codes of the space."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations
from typing import Any

from boardspace.spaces.klotski.texts import CELLS, COLUMNS, DIGITS, EXAMPLES, ITEMS, ROWS, decode, parse_code
from boardspace.spec.space import Measurement

KINDS = ("empty", "1 x 2", "2 x 1", "1 x 1")
"""Meanings of the items 00, 01, 10 and 11; of dominoes height x width."""

EXTENT = {"empty": (1, 1), "1 x 2": (1, 2), "2 x 1": (2, 1), "1 x 1": (1, 1)}


def measure_examples() -> dict[str, Measurement]:
    """Decode the codes that the source spells out, and find how they can be read."""
    codes = [parse_code(text) for text in EXAMPLES]
    spelled = [" ".join([f"{code >> 2 * ITEMS:X}", *_items(code)]) for code in codes]
    written = [[f"{code:09X}", f"{code:09X}".rstrip("0")] for code in codes]
    readings = [kinds for kinds in permutations(KINDS) if all(_fits(code, kinds, _by_rows()) for code in codes)]
    columns = sum(all(_fits(code, kinds, _by_columns()) for code in codes) for kinds in permutations(KINDS))
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


def _by_rows() -> Iterator[int]:
    yield from range(CELLS)


def _by_columns() -> Iterator[int]:
    yield from (COLUMNS * row + column for column in range(COLUMNS) for row in range(ROWS))


def _fits(code: int, kinds: Sequence[str], cells: Iterator[int]) -> bool:
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
