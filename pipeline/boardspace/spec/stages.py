"""The stages of a dataset: those of its space, then the one that judges the claims."""

from collections.abc import Mapping

from boardspace.spec.claims import claims_stage
from boardspace.spec.space import Space, SpaceConfig, Stage

LAST_STAGE = 500_000
"""Its priority, above that of any chain."""


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


def priorities(stages: Mapping[str, Stage]) -> Mapping[str, int]:
    """For each stage how many stages the longest chain that waits for it has, itself included; the larger go first.

    The last stage goes before all others: it is one shard of seconds, and at the end of a run the other workers would
    wait for it.
    """
    lengths = dict.fromkeys(stages, 1)
    for stage in reversed(list(stages.values())):
        for before in set(stage.after) - {stage.name}:
            lengths[before] = max(lengths[before], lengths[stage.name] + 1)
    last = list(stages)[-1]
    return {**lengths, last: LAST_STAGE}
