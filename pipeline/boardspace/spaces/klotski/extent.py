"""Scopes of Klotski: its classes, those that have more than their layouts, and other trays."""

from boardspace.spaces.klotski.config import KlotskiConfig
from boardspace.spaces.klotski.parts.farthest.costs import within_budget
from boardspace.spaces.klotski.texts import CLASS_NAMES
from boardspace.spec.space import Scope

CLASSES, NET, TRAYS = "classes", "classes with their net", "other trays"
FARTHEST, DISTANCES = "classes with farthest steps", "classes with pairs by distance"
UNIT_MOVES = "classes with pairs by unit moves"


def _classes(config: KlotskiConfig) -> tuple[str, ...]:
    return config.chosen


def _farthest(config: KlotskiConfig) -> tuple[str, ...]:
    return tuple(within_budget(config).classes)


def _distances(config: KlotskiConfig) -> tuple[str, ...]:
    return tuple(sorted(within_budget(config).counted))


def _unit_moves(config: KlotskiConfig) -> tuple[str, ...]:
    return config.in_unit_moves


def _net(config: KlotskiConfig) -> tuple[str, ...]:
    return config.chosen if config.net else ()


def _trays(config: KlotskiConfig) -> tuple[str, ...]:
    return tuple(f"{columns} x {rows}" for columns, rows in config.trays)


def _all_classes() -> tuple[str, ...]:
    return CLASS_NAMES


def _no_tray() -> tuple[str, ...]:
    return ()


SCOPES = (
    Scope(CLASSES, _classes, _all_classes),
    Scope(FARTHEST, _farthest, _all_classes, extra=True),
    Scope(DISTANCES, _distances, _all_classes, extra=True),
    Scope(UNIT_MOVES, _unit_moves, _all_classes, extra=True),
    Scope(NET, _net, _all_classes, extra=True),
    Scope(TRAYS, _trays, _no_tray, extra=True),
)
