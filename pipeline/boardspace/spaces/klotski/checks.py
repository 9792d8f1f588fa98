"""Re-derivations for ``verify``: plain Python on pieces and cells, sharing no code with the kernels."""

import random
from collections.abc import Sequence
from typing import Any

from boardspace.spaces.klotski.class_stage import shard_name
from boardspace.spaces.klotski.config import KlotskiConfig
from boardspace.spaces.klotski.filling import class_sizes
from boardspace.spaces.klotski.frame import UNIT, Frame
from boardspace.spaces.klotski.texts import (
    CELLS,
    COLUMNS,
    ROWS,
    LayoutError,
    Piece,
    class_of,
    decode,
    format_code,
)
from boardspace.spec.check import Finding
from boardspace.spec.space import Inputs

SAMPLED = 200


def check(config: KlotskiConfig, inputs: Inputs, seed: int) -> Sequence[Finding]:
    """The layouts of each class are counted by hand, a sample of rows is decoded, and one of layouts moved."""
    counted = _check_counts(inputs.read("summary", "classes").to_pylist())
    chance = random.Random(seed)
    shard = chance.choice(list(inputs.named_facts("main")))
    rows = inputs.read("main", "main", shards=[shard])
    if not rows.num_rows:
        return [counted, Finding("layouts decoded", 0)]
    chosen = rows.take(chance.sample(range(rows.num_rows), min(SAMPLED, rows.num_rows))).to_pylist()
    return [counted, _check_rows(chosen), _check_groups(inputs, chosen[0])]


def _check_counts(classes: list[dict[str, Any]]) -> Finding:
    name = "layouts of each class counted by filling cell after cell"
    counts = class_sizes()
    for row in classes:
        key = row["jiang_num"], row["bing_num"], row["style_num"]
        if row["layouts"] != counts[key]:
            fault = f"class {'-'.join(map(str, key))} has {counts[key]} layouts, the table says {row['layouts']}"
            return Finding(name, len(classes), fault)
    return Finding(name, len(classes))


def _check_rows(rows: list[dict[str, Any]]) -> Finding:
    for row in rows:
        text = format_code(row["code"])
        try:
            pieces = frozenset(decode(row["code"], text))
        except LayoutError as error:
            return Finding("layouts decoded", len(rows), str(error))
        if class_of(row["code"]) != (row["jiang_num"], row["bing_num"], row["style_num"]):
            return Finding("layouts decoded", len(rows), f"{text}: its class is {class_of(row['code'])}")
        mirrored = frozenset(_mirrored(piece) for piece in pieces)
        if (mirrored == pieces) != row["is_mirror"]:
            return Finding("layouts decoded", len(rows), f"{text}: is_mirror is wrong")
    return Finding("layouts decoded", len(rows))


def _check_groups(inputs: Inputs, row: dict[str, Any]) -> Finding:
    """The smallest group of the row's class that has more than one layout is walked by hand."""
    name = "a group walked by hand"
    shard = shard_name(f"{row['jiang_num']}-{row['bing_num']}-{row['style_num']}")
    groups = inputs.read("classes", "class_groups", shards=[shard]).to_pylist()
    group = min((g for g in groups if g["group_size"] > 1), key=lambda g: g["group_size"], default=groups[-1])
    if group["group_size"] > 20_000:
        return Finding(name, 0)
    frame = Frame(COLUMNS, ROWS)
    found = frame.distances([frame.decoded(group["seed_code"])], UNIT)
    if len(found) != group["group_size"]:
        fault = f"group {shard}-{group['group_num']} has {len(found)} layouts, the table says {group['group_size']}"
        return Finding(name, len(found), fault)
    return Finding(name, len(found))


def _mirrored(piece: Piece) -> Piece:
    row, column = divmod(piece.cell, COLUMNS)
    assert piece.cell < CELLS
    return piece._replace(cell=row * COLUMNS + COLUMNS - column - piece.width)
