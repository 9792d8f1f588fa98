"""A space whose shards do nothing, or sleep, to time the engine alone."""

import os
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import Field

from boardspace.spec.space import Inputs, Output, Part, Shard, Space, SpaceConfig, Stage


class EmptyConfig(SpaceConfig):
    """How many shards, how long each is expected to take, and sleeps; the first process to write its number into the
    file ``slow`` takes 20 times as long."""

    shards: int = Field(2000, ge=1)
    seconds: float = Field(0.005, ge=0)
    sleep: float = Field(0.0, ge=0)
    slow: str = ""


def cut(config: EmptyConfig, inputs: Inputs) -> Sequence[Shard]:
    """Shards without parameters."""
    return [Shard(f"{number:06}", cost=config.seconds) for number in range(config.shards)]


def nothing(config: EmptyConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """No rows, no facts."""
    if config.sleep:
        time.sleep(config.sleep * (20 if config.slow and _is_slow(Path(config.slow)) else 1))
    return Output()


def _is_slow(file: Path) -> bool:
    try:
        with file.open("x") as stream:
            stream.write(str(os.getpid()))
    except FileExistsError:
        pass
    return file.read_text() == str(os.getpid())


SPACE = Space(
    name="empty",
    version=1,
    title="Empty shards",
    doc="Shards that do nothing.",
    config=EmptyConfig,
    parts=(
        Part(
            name="empty",
            stages=lambda config: (Stage("nothing", "nothing", nothing, cut),),
            tables=(),
            arrays=(),
            claims=lambda config, inputs: {},
        ),
    ),
    claims_file=Path(__file__).with_name("empty_claims.toml"),
    warm_up=lambda: None,
)
