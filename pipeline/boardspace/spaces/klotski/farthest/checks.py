"""Farthest steps re-derived for ``verify``: groups walked step by step in plain Python, apart from the kernels."""

import random
from collections.abc import Sequence

from boardspace.spaces.klotski.config import KlotskiConfig
from boardspace.spaces.klotski.farthest.costs import afforded
from boardspace.spaces.klotski.farthest.stages import farthest_members, finished_classes
from boardspace.spaces.klotski.frame import STEP, Frame
from boardspace.spaces.klotski.members import members_of
from boardspace.spaces.klotski.texts import COLUMNS, ROWS, format_code
from boardspace.spec.check import Finding
from boardspace.spec.space import Inputs

LARGEST = 3_000
STARTS = 3
NAME = "farthest layouts found by hand"


def check_farthest(config: KlotskiConfig, inputs: Inputs, seed: int) -> Sequence[Finding]:
    """From some layouts of a group that is not large, everything is reached by hand, step by step."""
    if not afforded(config).classes:
        return []
    chance = random.Random(seed)
    shards = list(finished_classes(inputs))
    for shard in chance.sample(shards, len(shards)):
        groups = inputs.read("classes", "class_groups", shards=[shard]).to_pylist()
        small = [group["group_num"] for group in groups if 1 < group["group_size"] <= LARGEST]
        if small:
            return [_check_group(inputs, shard, chance.choice(small), chance)]
    return [Finding(NAME, 0)]


def _check_group(inputs: Inputs, shard: str, group: int, chance: random.Random) -> Finding:
    records = members_of(inputs, shard)
    chosen = records[records["group_num"] == group]
    ids = dict(zip(chosen["layout_id"].tolist(), chosen["code"].tolist(), strict=True))
    stored = {ids[row[0]]: row[1:] for row in farthest_members(inputs, shard).tolist() if row[0] in ids}
    frame = Frame(COLUMNS, ROWS)
    for code in chance.sample(sorted(ids.values()), min(STARTS, len(ids))):
        steps = list(frame.distances([frame.decoded(code)], STEP).values())
        found = max(steps), steps.count(max(steps))
        if stored.get(code) != found:
            fault = f"{format_code(code)}: (farthest_step, farthest_num) is {found}, the table says {stored.get(code)}"
            return Finding(NAME, len(ids), fault)
    return Finding(NAME, STARTS * len(ids))
