"""Cuts classes into parts of about equal work, without a kernel: a plan loads none."""

import math
from collections.abc import Sequence

from boardspace.spaces.klotski.class_shards import shard_name
from boardspace.spaces.klotski.config import KlotskiConfig
from boardspace.spaces.klotski.parts.farthest.costs import counted_pairs
from boardspace.spec.space import Inputs, Shard

PAIR_SECONDS = 1.7e-9
"""Of one searched layout and one layout of its group: 1.3 times as long as by steps, since groups are deeper."""
PART_SECONDS = 30.0
"""Of one part, about."""


def class_seconds(name: str) -> float:
    """Seconds of one core for all pairs of a class, named jiang-bing-style."""
    return PAIR_SECONDS * counted_pairs(name)


def cut_parts(config: KlotskiConfig, inputs: Inputs) -> Sequence[Shard]:
    """Return equal parts of each class."""
    shards = []
    for name in config.in_unit_moves:
        seconds = class_seconds(name)
        parts = math.ceil(seconds / PART_SECONDS)
        shards += [
            Shard(f"{shard_name(name)}-{part:04}", {"class": name, "part": part, "parts": parts}, seconds / parts)
            for part in range(parts)
        ]
    return shards
