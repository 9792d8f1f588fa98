"""What stages of shipped configs took before, for ``boardspace plan``."""

import tomllib
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from pathlib import Path

from boardspace.spec.space import Stage


def with_costs(stages: Iterable[Stage]) -> tuple[Stage, ...]:
    """The stages with the seconds and bytes that they took before, where they were measured."""
    return tuple(_with_cost(stage) for stage in stages)


def _with_cost(stage: Stage) -> Stage:
    seconds, size = _costs().get(stage.name, (stage.seconds, stage.bytes))
    return replace(stage, seconds=seconds, bytes=size)


@cache
def _costs() -> dict[str, tuple[float, int]]:
    """Seconds and bytes by the names of stages: those of one problem are the same whatever else a config asks for."""
    entries = tomllib.loads(Path(__file__).with_name("costs.toml").read_text(encoding="utf-8"))["stages"]
    return {name: (seconds, size) for name, (seconds, size) in entries.items()}
