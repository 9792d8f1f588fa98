"""Scope of the sliding blocks: trays. There is no end of them; the whole is those of version 1 of the dataset."""

from boardspace.spaces.sliding_blocks.config import SlidingBlocksConfig
from boardspace.spec.space import Scope

TRAYS = "trays"
PUBLISHED = ("3x3", "3x4", "4x4")
"""The trays of version 1 of the dataset, as the config ``laptop`` has them."""


def _trays(config: SlidingBlocksConfig) -> tuple[str, ...]:
    return tuple(tray.name for tray in config.trays)


def _published() -> tuple[str, ...]:
    return PUBLISHED


SCOPES = (Scope(TRAYS, _trays, _published),)
