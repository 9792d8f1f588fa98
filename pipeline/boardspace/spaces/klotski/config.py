"""The ``[klotski]`` section of a run's configuration."""

from fnmatch import fnmatchcase
from functools import lru_cache

from pydantic import Field, field_validator

from boardspace.spaces.klotski.texts import CLASS_NAMES
from boardspace.spec.space import SpaceConfig


class KlotskiConfig(SpaceConfig):
    """Classes to enumerate; id-addressed arrays are written where it is all of them."""

    classes: tuple[str, ...] = Field(
        (), description="classes such as 5-4-1, or patterns such as 5-*; none means all 203"
    )
    farthest_seconds: float = Field(
        0.0, ge=0, description="core seconds to spend on farthest steps: as many of the cheapest classes as fit"
    )
    distance_seconds: float = Field(
        0.0,
        ge=0,
        description="core seconds to spend on counting all pairs of layouts by distance: as many of the cheapest "
        "classes as fit, of those that have farthest steps, which these searches find too",
    )
    unit_distances: tuple[str, ...] = Field(
        (),
        description="classes, or patterns, whose pairs of layouts are counted by unit moves: 0.6 core seconds for "
        "5-4-1, an hour and a half for all",
    )
    counted_group: int = Field(
        200_000,
        ge=0,
        description="largest group, in layouts, whose solutions are all counted; n of them take 3e-11 n^2 s",
    )
    net: bool = Field(False, description="whether to publish the step graph: a minute and 300 MB for all layouts")
    trays: tuple[tuple[int, int], ...] = Field(
        (), description="other frames, [columns, rows] each: at least as high as wide, 25 cells at most"
    )
    tray_layouts: int = Field(
        5_000_000, ge=0, description="largest tray, in layouts, that is enumerated; larger ones are only counted"
    )
    ids_per_shard: int = Field(1 << 20, ge=1 << 12, description="layout ids that one shard of `main` takes")

    @field_validator("classes", "unit_distances")
    @classmethod
    def _names(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        for name in names:
            if not _matching(name):
                raise ValueError(
                    f"{name!r} is no class; write jiang-bing-style, such as 5-4-1, or a pattern such as 5-*"
                )
        return names

    @field_validator("trays")
    @classmethod
    def _frames(cls, frames: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int], ...]:
        for columns, rows in frames:
            if not 2 <= columns <= rows or columns * rows > 25 or rows < 3:
                raise ValueError(
                    f"[{columns}, {rows}] is no tray: at least 2 columns and 3 rows, at least as high as wide, 25 cells"
                )
        return frames

    @field_validator("ids_per_shard")
    @classmethod
    def _whole_chunks(cls, ids: int) -> int:
        if ids % (1 << 12):
            raise ValueError("a multiple of 4096, the ids of one chunk")
        return ids

    @property
    def chosen(self) -> tuple[str, ...]:
        """The names of the classes to enumerate, in order."""
        return _matching(*(self.classes or ["*"]))

    @property
    def in_unit_moves(self) -> tuple[str, ...]:
        """The names of the chosen classes whose pairs are counted by unit moves, in order."""
        counted = set(_matching(*self.unit_distances))
        return tuple(name for name in self.chosen if name in counted)

    @property
    def complete(self) -> bool:
        """True where all classes are enumerated."""
        return self.chosen == CLASS_NAMES


@lru_cache(maxsize=64)
def _matching(*patterns: str) -> tuple[str, ...]:
    return tuple(name for name in CLASS_NAMES if any(fnmatchcase(name, pattern) for pattern in patterns))
