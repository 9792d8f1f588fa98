"""Seconds and bytes that stages of shipped configs took before, and rows they wrote, for ``boardspace plan``."""

import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from boardspace.spec.space import Compute, Stage, one_shard

SMALL = 0.02
"""Seconds of a stage that is not listed, of a problem that was measured."""


def with_costs(stages: Iterable[Stage]) -> tuple[Stage, ...]:
    """The stages with the seconds and bytes that they took before, where they were measured."""
    return tuple(_with_cost(stage) for stage in stages)


def with_totals(counting: Stage, name: str, doc: str, total: Compute, size: int) -> tuple[Stage, ...]:
    """A stage that counts, and one that makes rows of its numbers, with the seconds and bytes that they took before."""
    rows = Stage(name, doc, total, one_shard("all", cost=0.05), after=(counting.name,), bytes=size)
    return with_costs((counting, rows))


def _with_cost(stage: Stage) -> Stage:
    seconds = stage.seconds or (SMALL if stage.name.partition(".")[0] in _file()["measured"] else 0.0)
    seconds, size, longest = _costs().get(stage.name, (seconds, stage.bytes, stage.longest))
    return replace(stage, seconds=seconds, bytes=size, longest=longest)


def rows_of_layers(problem: str) -> Sequence[int]:
    """Rows that the layers of games by length wrote, by the problem's slug; none where they were not counted."""
    found: Sequence[int] = _file()["rows"].get(problem, ())
    return found


@cache
def _costs() -> dict[str, tuple[float, int, float]]:
    """Seconds, bytes, and seconds of the longest shard, by the names of stages: those of one problem are the same
    whatever else a config asks for."""
    return {name: (cost[0], cost[1], cost[-1] if len(cost) > 2 else 0.0) for name, cost in _file()["stages"].items()}


@cache
def _file() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name("costs.toml").read_text(encoding="utf-8"))
