"""Farthest steps re-derived for ``verify``: groups walked step by step in plain Python, apart from the kernels."""

import random
from collections.abc import Iterator, Sequence

from boardspace.pipeline.space import Check, Inputs
from boardspace.pipeline.spaces.klotski.config import KlotskiConfig
from boardspace.pipeline.spaces.klotski.farthest.costs import afforded
from boardspace.pipeline.spaces.klotski.members import members_of
from boardspace.pipeline.spaces.klotski.texts import COLUMNS, ROWS, Piece, decode, format_code

LARGEST = 3_000
STARTS = 3
NAME = "farthest layouts found by hand"
Layout = frozenset[Piece]


def check_farthest(config: KlotskiConfig, inputs: Inputs, seed: int) -> Sequence[Check]:
    """From some layouts of a group that is not large, everything is reached by hand, step by step."""
    if not afforded(config).classes:
        return []
    chance = random.Random(seed)
    shards = list(inputs.named_facts("farthest_classes"))
    for shard in chance.sample(shards, len(shards)):
        groups = inputs.read("classes", "class_groups", shards=[shard]).to_pylist()
        small = [group["group_num"] for group in groups if 1 < group["group_size"] <= LARGEST]
        if small:
            return [_check_group(inputs, shard, chance.choice(small), chance)]
    return [Check(NAME, 0)]


def _check_group(inputs: Inputs, shard: str, group: int, chance: random.Random) -> Check:
    records = members_of(inputs, shard)
    chosen = records[records["group_num"] == group]
    ids = dict(zip(chosen["layout_id"].tolist(), chosen["code"].tolist(), strict=True))
    rows = inputs.read("farthest_classes", "farthest_members", shards=[shard]).to_pylist()
    stored = {
        ids[row["layout_id"]]: (row["farthest_step"], row["farthest_num"]) for row in rows if row["layout_id"] in ids
    }
    for code in chance.sample(sorted(ids.values()), min(STARTS, len(ids))):
        layers = _layers(frozenset(decode(code, format_code(code))))
        found = len(layers) - 1, layers[-1]
        if stored.get(code) != found:
            fault = f"{format_code(code)}: (farthest_step, farthest_num) is {found}, the table says {stored.get(code)}"
            return Check(NAME, len(ids), fault)
    return Check(NAME, STARTS * len(ids))


def _layers(start: Layout) -> list[int]:
    """How many layouts are 0, 1, 2, ... steps away."""
    reached, layer, sizes = {start}, {start}, []
    while layer:
        sizes.append(len(layer))
        layer = {other for layout in layer for other in _steps(layout)} - reached
        reached |= layer
    return sizes


def _steps(layout: Layout) -> Iterator[Layout]:
    """Every layout that one piece makes by moving any number of cells, round corners too."""
    covered = frozenset(cell for piece in layout for cell in piece.cells)
    for piece in layout:
        free = frozenset(range(ROWS * COLUMNS)) - (covered - piece.cells)
        reached, waiting = {piece.cell}, [piece.cell]
        while waiting:
            row, column = divmod(waiting.pop(), COLUMNS)
            for down, right in ((-1, 0), (1, 0), (0, -1), (0, 1)):
                if 0 <= row + down <= ROWS - piece.height and 0 <= column + right <= COLUMNS - piece.width:
                    moved = piece._replace(cell=COLUMNS * (row + down) + column + right)
                    if moved.cell not in reached and moved.cells <= free:
                        reached.add(moved.cell)
                        waiting.append(moved.cell)
                        yield layout - {piece} | {moved}
