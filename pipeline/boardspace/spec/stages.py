"""The stages of a dataset: those of its space, then the one that judges the claims."""

from collections.abc import Mapping

from boardspace.spec.claims import claims_stage
from boardspace.spec.space import Space, SpaceConfig, Stage

STAGE_SECONDS = 0.05
"""Least seconds of a stage: it is cut and finished, whatever its shards take, and many have no estimate."""


def stages_of(space: Space, config: SpaceConfig) -> Mapping[str, Stage]:
    """All stages by name, each after those it comes after; ValueError where a space breaks that."""
    stages = {stage.name: stage for stage in space.stages(config)}
    known: set[str] = set()
    for stage in stages.values():
        missing = sorted(set(stage.after) - known - {stage.name})
        if missing:
            raise ValueError(
                f"{space.name}: stage {stage.name!r} comes after {missing[0]!r}, which is no stage before it"
            )
        known.add(stage.name)
    last = claims_stage(space, tuple(stages))
    return {**stages, last.name: last}


def stages_behind(stages: Mapping[str, Stage], name: str) -> set[str]:
    """All stages that a stage waits for, directly or not."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        new = set(stages[waiting.pop()].after) - found - {name}
        found |= new
        waiting += new
    return found


def longest_chain(stages: Mapping[str, Stage], longest: Mapping[str, float]) -> tuple[list[str], float]:
    """Names and seconds of the chain of stages that takes longest on as many workers as can be of use.

    longest: seconds of the longest shard of each stage.
    """
    ends: dict[str, float] = {}
    before: dict[str, str] = {}
    for name, stage in stages.items():
        last = max(set(stage.after) - {name}, key=ends.__getitem__, default="")
        ends[name] = ends.get(last, 0.0) + longest[name] + STAGE_SECONDS
        before[name] = last
    chain = [max(ends, key=ends.__getitem__)]
    while before[chain[0]]:
        chain.insert(0, before[chain[0]])
    return chain, ends[chain[-1]]


def seconds_behind(stages: Mapping[str, Stage]) -> Mapping[str, float]:
    """For each stage the planned seconds of the longest chain of stages that wait for it.

    Of most of these nobody knows yet into how many shards they will be cut, so each counts whole.
    """
    behind = dict.fromkeys(stages, 0.0)
    for stage in reversed(list(stages.values())):
        for before in set(stage.after) - {stage.name}:
            behind[before] = max(behind[before], behind[stage.name] + stage.seconds + STAGE_SECONDS)
    return behind
