"""Cuts the enumeration into classes, and all layouts into ranges of ids, without a kernel: a plan loads none."""

from collections.abc import Sequence
from math import ceil

from boardspace.spaces.klotski.class_shards import shard_name
from boardspace.spaces.klotski.config import KlotskiConfig
from boardspace.spaces.klotski.filling import class_size, number_of_layouts, share_of_layouts
from boardspace.spaces.klotski.ids import cut_ids
from boardspace.spec.space import Inputs, Shard, cut_range

SECONDS_PER_LAYOUT = 1.5e-6
SECONDS_PER_ROW = 8.5e-7
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


def cut_main(config: KlotskiConfig, inputs: Inputs) -> Sequence[Shard]:
    """Ranges of ids that tile all of them; a run of some classes has as many as their layouts fill."""
    if config.complete:
        return cut_ids(SECONDS_PER_ROW, config, inputs)
    size, share = number_of_layouts(), share_of_layouts(config.chosen)
    shards = max(1, ceil(share * size / config.ids_per_shard))
    params = {"size": size, "complete": False}
    return [
        Shard(f"{low:08}", {**params, "low": low, "high": high}, share * (high - low) * SECONDS_PER_ROW)
        for low, high in cut_range(0, size, ceil(size / shards))
    ]
