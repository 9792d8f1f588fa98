"""The ``[klotski]`` section of a run's configuration."""

import re

from pydantic import Field, field_validator

from pipeline.space import SpaceConfig


class KlotskiConfig(SpaceConfig):
    """Which classes to enumerate; id-addressed arrays are written where it is all of them."""

    classes: tuple[str, ...] = Field((), description="classes such as 5-4-1; none listed means all 203")
    farthest_seconds: float = Field(
        0.0, ge=0, description="core seconds to spend on farthest steps: as many of the cheapest classes as fit"
    )
    counted_group: int = Field(
        200_000,
        ge=0,
        description="largest group, in layouts, whose solutions are all counted; n of them take 3e-11 n^2 s",
    )
    ids_per_shard: int = Field(1 << 21, ge=1 << 14, description="layout ids that one shard of `main` takes")

    @field_validator("classes")
    @classmethod
    def _names(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        for name in names:
            if not re.fullmatch(r"[0-7]-\d{1,2}-[0-7]", name):
                raise ValueError(f"{name!r} is not a class; write jiang-bing-style, such as 5-4-1")
        return names

    @field_validator("ids_per_shard")
    @classmethod
    def _whole_chunks(cls, ids: int) -> int:
        if ids % (1 << 14):
            raise ValueError("a multiple of 16384, the ids of one chunk")
        return ids
