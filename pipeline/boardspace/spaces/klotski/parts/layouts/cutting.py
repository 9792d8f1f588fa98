"""Cuts the enumeration into classes, without a kernel: a plan loads none."""

from collections.abc import Sequence

from boardspace.spaces.klotski.class_shards import shard_name
from boardspace.spaces.klotski.config import KlotskiConfig
from boardspace.spaces.klotski.filling import class_size
from boardspace.spec.space import Inputs, Shard

SECONDS_PER_LAYOUT = 1.5e-6
SECONDS_PER_PAIR = 3e-11
"""Of layouts in a group whose solutions are counted."""


def cut_classes(config: KlotskiConfig, inputs: Inputs) -> Sequence[Shard]:
    """Return one shard a class; the dearest are those with the largest group to count."""
    shards = []
    for text in config.chosen:
        jiang, bing, style = map(int, text.split("-"))
        layouts = class_size(text)
        counted = layouts if layouts <= config.counted_group else 0  # most of a class is one group
        cost = layouts * SECONDS_PER_LAYOUT + counted**2 * SECONDS_PER_PAIR
        shards.append(Shard(shard_name(text), {"jiang": jiang, "bing": bing, "style": style}, cost))
    return shards
