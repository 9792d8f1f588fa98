"""Choosing instances: as many of every difficulty as there are, at random, and whole groups for training or testing.

Every candidate has a random number that follows from the seed and its name, so the choice does not depend on the order
of the candidates. Each difficulty is a stratum. Of each stratum one candidate of every group is taken, that with the
least random number, then a second of every group, and so on, so that a large group does not crowd out the others; where
a stratum has too few, the others take more.

A group goes whole to one side. Groups are tried for testing in a random order, and a group is taken where no stratum
then has more than its share, rounded up; so the test is stratified as the whole is, as far as groups allow. Where that
leaves less than half of the share, groups are tried again, and taken where the whole then has not more than its share.
Where two groups or more were drawn, neither side is empty.
"""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from boardspace.instances.source import Batch

TEST_SHARE = Fraction(1, 5)


@dataclass(frozen=True)
class Chosen:
    """A candidate that was chosen: its batch, emptied, its key there, difficulty, and group by name."""

    batch: Batch
    key: int
    difficulty: int
    group: str


def choose(batches: Iterable[Batch], number: int, seed: int) -> list[Chosen]:
    """At most ``number`` candidates, as many of each difficulty as can be, easy ones first."""
    strata: dict[int, list[tuple[int, int, Batch, int, int]]] = defaultdict(list)
    for batch in batches:
        words, emptied = random_words(batch.key, seed, batch.name), _emptied(batch)
        for difficulty in np.unique(batch.difficulty).tolist():
            rows = np.flatnonzero(batch.difficulty == difficulty)
            turn = turns(batch.group[rows], words[rows])
            first = np.lexsort((words[rows], turn))[:number]
            kept = strata[difficulty]
            kept += (
                (int(turn[place]), int(words[row]), emptied, int(batch.key[row]), int(batch.group[row]))
                for place, row in zip(first, rows[first], strict=True)
            )
            kept.sort(key=lambda one: (one[0], one[1], one[2].name, one[3]))
            del kept[number:]
    shares = fill({difficulty: len(kept) for difficulty, kept in strata.items()}, number)
    return [
        Chosen(batch, key, difficulty, f"{batch.family}/{group}")
        for difficulty in sorted(strata)
        for _, _, batch, key, group in strata[difficulty][: shares[difficulty]]
    ]


def _emptied(batch: Batch) -> Batch:
    """The batch without its candidates: those that were not chosen need not stay in memory."""
    return replace(
        batch, key=batch.key[:0].copy(), group=batch.group[:0].copy(), difficulty=batch.difficulty[:0].copy()
    )


def turns(groups: npt.NDArray[np.uint64], words: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
    """int64 (candidates): how many of its group have a lesser word.

    >>> turns(np.array([7, 7, 9], np.uint64), np.array([5, 3, 8], np.uint64)).tolist()
    [1, 0, 0]
    """
    order = np.lexsort((words, groups))
    _, start, size = np.unique(groups[order], return_index=True, return_counts=True)
    found = np.empty(len(groups), dtype=np.int64)
    found[order] = np.arange(len(groups)) - np.repeat(start, size)
    return found


def fill(available: Mapping[int, int], number: int) -> dict[int, int]:
    """How many to take of each stratum: the same of each but of those that have fewer, ``number`` in all; one more of
    the first strata where it does not come out even.

    >>> fill({1: 2, 2: 10, 3: 10}, 12)
    {1: 2, 2: 5, 3: 5}
    """
    taken = dict.fromkeys(available, 0)
    left = min(number, sum(available.values()))
    waiting = sorted(available, key=lambda stratum: (available[stratum], stratum))
    for place, stratum in enumerate(waiting):
        taken[stratum] = min(available[stratum], -(-left // (len(waiting) - place)))
        if taken[stratum] < available[stratum]:
            even, more = divmod(left, len(waiting) - place)
            rest = sorted(waiting[place:])
            return taken | {other: even + (i < more) for i, other in enumerate(rest)}
        left -= taken[stratum]
    return taken


def groups_for_test(chosen: Iterable[Chosen], seed: int) -> frozenset[str]:
    """The groups whose instances are for testing."""
    members: dict[str, Counter[int]] = defaultdict(Counter)
    for one in chosen:
        members[one.group][one.difficulty] += 1
    if len(members) < 2:
        return frozenset()
    whole = sum(members.values(), Counter[int]())
    within = {stratum: -(-count * TEST_SHARE.numerator // TEST_SHARE.denominator) for stratum, count in whole.items()}
    most = -(-sum(whole.values()) * TEST_SHARE.numerator // TEST_SHARE.denominator)
    taken: Counter[int] = Counter()
    found = set[str]()
    for allowed in (within, dict.fromkeys(whole, most)):
        if 2 * taken.total() >= most:
            break
        for group in sorted(members.keys() - found, key=lambda name: (_digest(seed, f"group {name}"), name)):
            grown = taken + members[group]
            if grown.total() <= most and all(grown[stratum] <= allowed[stratum] for stratum in members[group]):
                taken = grown
                found.add(group)
    smallest = min(members, key=lambda name: (members[name].total(), name))
    return frozenset(found or {smallest})


def random_words(keys: npt.NDArray[np.uint64], seed: int, name: str) -> npt.NDArray[np.uint64]:
    """uint64 (keys): a random word for each key of a name, a hash (splitmix64)."""
    words = keys ^ np.uint64(_digest(seed, name))
    words = (words ^ words >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ words >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return words ^ words >> np.uint64(31)


def _digest(seed: int, name: str) -> int:
    return int.from_bytes(hashlib.sha256(f"{seed} {name}".encode()).digest()[:8], "little")
