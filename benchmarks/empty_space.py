"""A space whose shards do nothing, to time the engine alone."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import Field

from boardspace.spec.space import Inputs, Output, Part, Shard, Space, SpaceConfig, Stage


class EmptyConfig(SpaceConfig):
    """How many shards, and how long each is expected to take."""

    shards: int = Field(2000, ge=1)
    seconds: float = Field(0.005, ge=0)


def cut(config: EmptyConfig, inputs: Inputs) -> Sequence[Shard]:
    """Shards without parameters."""
    return [Shard(f"{number:06}", cost=config.seconds) for number in range(config.shards)]


def nothing(config: EmptyConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """No rows, no facts."""
    return Output()


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
