"""Cuts the farthest steps into classes, and into parts of what outlines left, without a kernel: a plan loads none."""

import math
from collections.abc import Sequence

from boardspace.spaces.klotski.class_shards import shard_name
from boardspace.spaces.klotski.config import KlotskiConfig
from boardspace.spaces.klotski.parts.farthest import costs
from boardspace.spaces.klotski.parts.farthest.tables import OUTLINE_STAGE
from boardspace.spec.space import Inputs, Shard


def cut_classes(config: KlotskiConfig, inputs: Inputs) -> Sequence[Shard]:
    """Return one shard a class."""
    chosen = costs.afforded(config)
    return [
        Shard(shard_name(name), {"class": name, "counted": name in chosen.counted}, costs.TAKEN * cost.outline)
        for name, cost in chosen.classes.items()
    ]


def cut_parts(config: KlotskiConfig, inputs: Inputs) -> Sequence[Shard]:
    """Return equal parts, of about PART_SECONDS, of what is left of each group."""
    shards = []
    for shard, facts in inputs.named_facts(OUTLINE_STAGE).items():
        for group, size, left in facts["left"]:
            seconds = size * left * costs.pair_seconds(facts["counted"])
            parts = math.ceil(seconds / costs.PART_SECONDS)
            params = {"class": facts["class"], "group": group, "parts": parts, "counted": facts["counted"]}
            shards += [
                Shard(f"{shard}-{group}-{part:03}", {**params, "part": part}, costs.TAKEN * seconds / parts)
                for part in range(parts)
            ]
    return shards


def cut_merges(config: KlotskiConfig, inputs: Inputs) -> Sequence[Shard]:
    """Return one shard for each class that its outlines did not finish."""
    return [
        Shard(shard, {"class": facts["class"]}, costs.MERGE_SECONDS)
        for shard, facts in inputs.named_facts(OUTLINE_STAGE).items()
        if facts["left"]
    ]
