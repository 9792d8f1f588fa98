"""Checks of layouts and classes: ids, codes, mirror images and classes, of all rows by counting, of a draw by hand."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardspace.spaces.klotski import table_rows
from boardspace.spaces.klotski.comparing import Column, arrays_outcome, difference, same_rows
from boardspace.spaces.klotski.config import KlotskiConfig
from boardspace.spaces.klotski.filling import class_sizes
from boardspace.spaces.klotski.ranking import mirrored_sizes, rank_of
from boardspace.spaces.klotski.table_rows import CLASS, CLASSES
from boardspace.spaces.klotski.texts import COLUMNS, LayoutError, Piece, class_of, decode, format_code
from boardspace.spec.one_pass import Pass, alone
from boardspace.spec.space import Draw, Inputs, Outcome

DECODED = 2_000
"""Layouts decoded by hand."""
LOW_BITS = np.uint64(0x55555555)


def check_layouts(config: KlotskiConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Ids, codes, classes and mirror images: of all layouts counted, of some decoded."""
    return alone(read_layouts(config, inputs, draw), inputs)


def read_layouts(config: KlotskiConfig, inputs: Inputs, draw: Draw) -> Pass[Outcome]:
    """:func:`check_layouts` as a pass over tables."""
    check = _Layouts(config, draw)
    for between in table_rows.id_ranges():
        rows = yield from table_rows.rows_between(between, ("main", ("code", "is_mirror", *CLASS)))
        fault = check.fault_of(rows)
        if fault:
            return Outcome(check.decoded, check.rows, fault)
    return Outcome(check.decoded, check.rows, check.fault_of_counts())


class _Layouts:
    """Counts of the rows seen so far."""

    def __init__(self, config: KlotskiConfig, draw: Draw) -> None:
        self.config, self.draw, self.random = config, draw, draw.generator()
        chosen = {tuple(map(int, name.split("-"))) for name in config.chosen}
        self.expected = np.array([class_sizes()[name] if name in chosen else 0 for name in CLASSES])
        self.mirrored = np.array([mirrored_sizes()[name] if name in chosen else 0 for name in CLASSES])
        self.counted, self.counted_mirrors = (np.zeros(len(CLASSES), dtype=np.int64) for _ in range(2))
        self.rows, self.decoded, self.last_code = 0, 0, -1

    def fault_of(self, rows: table_rows.Rows) -> str:
        """Count a range of rows, and decode some; '' where there is no fault."""
        codes, ids = rows["code"], rows["layout_id"]
        if not len(codes):
            return ""
        if int(codes[0]) <= self.last_code or (codes[1:] <= codes[:-1]).any():
            return f"codes do not ascend with ids, between {ids[0]} and {ids[-1]}"
        if self.config.complete and not np.array_equal(ids, np.arange(self.rows, self.rows + len(ids))):
            return f"ids have gaps between {ids[0]} and {ids[-1]}"
        classes = table_rows.class_numbers(rows)
        wrong = np.flatnonzero((classes < 0) | _other_class(rows))
        if len(wrong):
            return f"{format_code(int(codes[wrong[0]]))}: its items are not those of its class"
        self.counted += np.bincount(classes, minlength=len(CLASSES))
        self.counted_mirrors += np.bincount(classes[rows["is_mirror"]], minlength=len(CLASSES))
        self.rows, self.last_code = self.rows + len(ids), int(codes[-1])
        share = -(-DECODED * len(ids) // max(int(self.expected.sum()), 1))
        chosen = self.draw.choose(len(ids), share, self.random)
        self.decoded += len(chosen)
        faults = (_fault_by_hand(rows, row) for row in chosen)
        return next((fault for fault in faults if fault), "")

    def fault_of_counts(self) -> str:
        """The first class that has not as many layouts, or layouts that are their own mirror images, as it must."""
        for name, found, expected in (
            ("layouts", self.counted, self.expected),
            ("layouts that are their own mirror images", self.counted_mirrors, self.mirrored),
        ):
            wrong = np.flatnonzero(found != expected)
            if len(wrong):
                at = wrong[0]
                return f"class {table_rows.class_name(at)} has {expected[at]} {name}, the table has {found[at]}"
        return ""


def _other_class(rows: table_rows.Rows) -> NDArray[np.bool_]:
    """The rows whose codes do not have as many items of each kind as their class says."""
    codes = rows["code"]
    low, high = codes & LOW_BITS, codes >> np.uint64(1) & LOW_BITS
    singles, lying, standing = (np.bitwise_count(bits) for bits in (low & high, low & ~high, high & ~low))
    wrong: NDArray[np.bool_] = (
        (singles != rows["bing_num"]) | (lying != rows["style_num"]) | (lying + standing != rows["jiang_num"])
    )
    return wrong


def _fault_by_hand(rows: table_rows.Rows, row: int) -> str:
    code, layout_id = int(rows["code"][row]), int(rows["layout_id"][row])
    text = format_code(code)
    try:
        pieces = frozenset(decode(code, text))
    except LayoutError as error:
        return str(error)
    if class_of(code) != tuple(int(rows[name][row]) for name in CLASS):
        return f"{text}: its class is {class_of(code)}"
    if rank_of(code) != layout_id:
        return f"{text}: {rank_of(code)} layouts have smaller codes, its id is {layout_id}"
    if (frozenset(map(mirrored_piece, pieces)) == pieces) != bool(rows["is_mirror"][row]):
        return f"{text}: is_mirror is wrong"
    return ""


def mirrored_piece(piece: Piece) -> Piece:
    """The left-right mirror image of a piece."""
    row, column = divmod(piece.cell, COLUMNS)
    return piece._replace(cell=row * COLUMNS + COLUMNS - column - piece.width)


def check_classes(config: KlotskiConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """The whole table made anew from the groups, and compared."""
    expected = _classes_of(inputs.table("groups").to_pylist(), config)
    found = inputs.table("classes").to_pylist()
    return Outcome(len(expected), len(expected), difference(found, expected, 3))


def check_class_groups(config: KlotskiConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """The groups that the classes left for later stages compared with the published ones."""
    return same_rows(inputs, "class_groups", "groups")


def _classes_of(groups: list[dict[str, Any]], config: KlotskiConfig) -> list[dict[str, Any]]:
    """Rows of ``classes``; sizes are counted by filling the board."""
    by_class: dict[tuple[int, ...], list[dict[str, Any]]] = {
        tuple(map(int, name.split("-"))): [] for name in config.chosen
    }
    for group in groups:
        by_class.setdefault(tuple(group[name] for name in CLASS), []).append(group)
    return [_class_of(name, of_class) for name, of_class in sorted(by_class.items())]


def _class_of(name: tuple[int, ...], groups: list[dict[str, Any]]) -> dict[str, Any]:
    hardest = max((group["hardest_step"] for group in groups), default=None)
    return {
        **dict(zip(CLASS, name, strict=True)),
        "layouts": class_sizes()[name[0], name[1], name[2]],
        "groups": len(groups),
        "largest_group": max((group["group_size"] for group in groups), default=None),
        "solvable_layouts": sum(group["group_size"] for group in groups if group["exits"]),
        "hardest_step": hardest,
        "hardest_code": min((g["hardest_code"] for g in groups if g["hardest_step"] == hardest), default=None),
    }


def check_arrays(config: KlotskiConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Some ranges of ids of each array compared with the rows of ``main``."""
    columns: dict[str, Column] = {
        "code": "code",
        "class": _class_numbers,
        "group_num": "group_num",
        "group_index": "group_index",
    }
    return arrays_outcome(config, inputs, draw, "main", columns)


def _class_numbers(rows: table_rows.Rows) -> NDArray[np.int64]:
    jiang, bing, style = (rows[name].astype(np.int64) for name in CLASS)
    return 1000 * jiang + 10 * bing + style
