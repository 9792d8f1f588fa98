"""Extent: how much of a space a config covers.

A space lists its scopes. Each counts by name what a config enumerates (classes, boards, trays) and knows what the
whole has. From these follow the line ``PARTIAL: 4 of 203 classes`` at the top of all that is written about a dataset,
and what each of its tables is all of. Where a puzzle has no end of boards, the whole is what the space's version is
published with; a config may go beyond that.
"""

from collections.abc import Callable, Collection, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

Completeness = Literal["enumeration", "theorem", "example", "sample"]
"""Why the rows of a table are all that its extent speaks of; or what they are, if not all."""
COMPLETENESS: dict[Completeness, str] = {
    "enumeration": "complete by enumeration: every case was made or counted",
    "theorem": "complete by theorem: the values are proved for all cases, most of which were not made one by one",
    "example": "one example for each case: there may be others",
    "sample": "a sample: some values are estimated from random cases",
}
MOST_NAMES = 8


@dataclass(frozen=True)
class Extent:
    """Share of one scope that a config covers.

    scope: its name, in the plural.
    covered: how many of the whole the config covers.
    of: how many the whole has.
    beyond: how many the config covers that the whole does not have.
    names: of all that it covers, in order, where they are few; else ().
    extra: a dataset is whole without it.
    """

    scope: str
    covered: int
    of: int
    beyond: int = 0
    names: tuple[str, ...] = ()
    extra: bool = False

    @property
    def partial(self) -> bool:
        """True where the whole has something that the config does not cover."""
        return self.covered < self.of

    @property
    def share(self) -> str:
        """``4 of 203 classes``, or ``all 203 classes``."""
        whole = not self.partial and self.of > 1
        return f"all {self.of:,} {self.scope}" if whole else f"{self.covered:,} of {self.of:,} {self.scope}"

    @property
    def counted(self) -> str:
        """``4 of 203 classes``, ``all 3 trays and 1 more``."""
        more = f" and {self.beyond:,} more" if self.beyond else ""
        return f"{self.share}{more}" if self.of else f"{self.beyond:,} {self.scope}"

    def __str__(self) -> str:
        """The count, with the names of those covered, where they are few."""
        return f"{self.counted}: {', '.join(self.names)}" if self.names else self.counted


@dataclass(frozen=True)
class Scope:
    """One kind of things that a space enumerates.

    name: of the things, in the plural, such as ``classes``.
    covers: from the space's config, the names of those that it enumerates, each once, in order.
    whole: the names of all there are, or of all that the space's version is published with.
    extra: a dataset is whole without these; only the tables that hold them say how many they are.
    """

    name: str
    covers: Callable[[Any], Collection[Hashable]]
    whole: Callable[[], Collection[Hashable]]
    extra: bool = False

    @classmethod
    def of(
        cls, name: str, covers: Callable[[Any], Collection[Hashable]], published: Callable[[], Any], extra: bool = False
    ) -> "Scope":
        """A scope whose whole is what the config covers that the space's version is published with."""
        return cls(name, covers, lambda: covers(published()), extra)

    def extent(self, config: Any) -> Extent:
        """Share of it that a config covers."""
        covered, whole = list(self.covers(config)), set(self.whole())
        names = tuple(map(str, covered)) if len(covered) <= MOST_NAMES else ()
        inside = sum(name in whole for name in covered)
        return Extent(self.name, inside, len(whole), len(covered) - inside, names, self.extra)


def headline(extents: Sequence[Extent], short: bool = False) -> str:
    """``PARTIAL: 4 of 203 classes``; '' where the dataset is whole. The ``short`` one names the first scope alone."""
    partial = [extent.share for extent in extents if extent.partial and not extent.extra]
    return f"PARTIAL: {', '.join(partial[:1] if short else partial)}" if partial else ""
