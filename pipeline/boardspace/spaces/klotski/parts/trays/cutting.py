"""Cuts the trays into shards, without a kernel: a plan loads none."""

from collections.abc import Sequence

from boardspace.spaces.klotski.config import KlotskiConfig
from boardspace.spaces.klotski.filling import class_sizes
from boardspace.spec.space import Inputs, Shard

SECONDS_PER_LAYOUT = 4.4e-6


def cut_trays(config: KlotskiConfig, inputs: Inputs) -> Sequence[Shard]:
    """Return one shard a frame."""
    return [
        Shard(f"{columns}x{rows}", {"columns": columns, "rows": rows}, _seconds(columns, rows, config.tray_layouts))
        for columns, rows in sorted(set(config.trays))
    ]


def _seconds(columns: int, rows: int, most: int) -> float:
    layouts = sum(class_sizes(columns, rows).values())
    return layouts * SECONDS_PER_LAYOUT if layouts <= most else 0.1
