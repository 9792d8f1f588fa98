"""A space whose shards do nothing, or sleep, to time the engine alone."""

import os
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import Field

from boardspace.spec.space import Inputs, Output, Part, Shard, Space, SpaceConfig, Stage


class EmptyConfig(SpaceConfig):
    """How many shards, in each of so many ``rounds`` (0: once), how long each is expected to take, and sleeps.
    Shards write into the file ``log`` when they begin and end."""

    shards: int = Field(2000, ge=1)
    rounds: int = Field(0, ge=0)
    seconds: float = Field(0.005, ge=0)
    sleep: float = Field(0.0, ge=0)
    log: str = ""


def stages(config: EmptyConfig) -> tuple[Stage, ...]:
    """One stage, which repeats where there are rounds."""
    return (Stage("nothing", "nothing", nothing, cut, after=("nothing",) if config.rounds else ()),)


def cut(config: EmptyConfig, inputs: Inputs) -> Sequence[Shard]:
    """Shards without parameters, but for a number where they write into a log."""
    done = inputs.rounds("nothing") if config.rounds else 0
    if done and done == config.rounds:
        return []
    names = (f"{done:03}-{number:06}" if config.rounds else f"{number:06}" for number in range(config.shards))
    return [Shard(name, {"name": name} if config.log else {}, cost=config.seconds) for name in names]


def nothing(config: EmptyConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """No rows, no facts."""
    _note(config, "begins", params)
    if config.sleep:
        time.sleep(config.sleep)
    _note(config, "ends", params)
    return Output()


def _note(config: EmptyConfig, what: str, params: Mapping[str, Any]) -> None:
    """Add a line to the log: short ones, added by many processes, stay whole."""
    if config.log:
        with Path(config.log).open("a") as stream:
            stream.write(f"{what} {params['name']} {time.time()} {os.getpid()}\n")


SPACE = Space(
    name="empty",
    version=1,
    title="Empty shards",
    doc="Shards that do nothing.",
    config=EmptyConfig,
    parts=(
        Part(
            name="empty",
            stages=stages,
            tables=(),
            arrays=(),
            claims=lambda config, inputs: {},
        ),
    ),
    claims_file=Path(__file__).with_name("empty_claims.toml"),
    warm_up=lambda: None,
)
