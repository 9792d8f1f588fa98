"""Cuts the net into classes, without a kernel: a plan loads none."""

from collections.abc import Sequence

from boardspace.spaces.klotski.class_shards import shard_name
from boardspace.spaces.klotski.config import KlotskiConfig
from boardspace.spaces.klotski.filling import class_size
from boardspace.spec.space import Inputs, Shard

SECONDS_PER_LAYOUT = 2e-6


def cut_classes(config: KlotskiConfig, inputs: Inputs) -> Sequence[Shard]:
    """Return one shard a class."""
    return [Shard(shard_name(name), {"class": name}, class_size(name) * SECONDS_PER_LAYOUT) for name in config.chosen]
