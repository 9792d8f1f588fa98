"""Choosing instances: a sample of candidates, spread over all difficulties, on two sides that share no group.

Every candidate has a random number that follows from the seed and its name, so the choice does not depend on the order
of the candidates. Candidates of one difficulty, and of one measure of it, are a stratum.

Groups are assigned first. Each stratum has a share that is wanted for testing and one that is wanted for training. A
group, in random order, goes to testing where this brings what both sides can have nearer to what is wanted: first
groups without which training still has all it wants, then any, until no group's change is an improvement; at last those
that have a difficulty which testing lacks, and without which training still has all it wants. Each side
then takes its number from its own groups: equally many of every stratum, where it has so many, and within a stratum one
of each group, a second of each, and so on, so that a large group does not crowd out the others. Fewer instances than
strata are spread evenly from the easiest to the hardest. What groups do not allow is said in sentences with the
numbers.
"""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import groupby

import numpy as np
import numpy.typing as npt

from boardspace.instances.source import Batch
from boardspace.spec.arguments import seed_of
from boardspace.spec.errors import BoardspaceError
from boardspace.spec.texts import counted

PASSES = 6
"""How often all groups are tried; in the first pass none may cost training anything."""
Stratum = tuple[str, int]
"""Measure of the difficulty, and the difficulty."""
Sizes = npt.NDArray[np.float64]
"""Numbers of instances."""


@dataclass(frozen=True)
class Sample:
    """Number of candidates that are wanted, and which.

    number: at most so many.
    seed: of the random numbers.
    test: share that is for testing, from 0 to 1.
    easiest, hardest: difficulties that are wanted, both included; None for no bound. Puzzles without an answer are
        wanted whatever theirs is.
    bins: of each measure, so many ranges of difficulty of equal width have equally many; 0 for every difficulty.
    """

    number: int
    seed: int = 1
    test: Fraction = Fraction(1, 5)
    easiest: int | None = None
    hardest: int | None = None
    bins: int = 0

    def __post_init__(self) -> None:
        if self.number < 1:
            raise BoardspaceError(f"--number {self.number}: at least 1 instance is drawn")
        seed_of(self.seed)
        if not 0 <= self.test <= 1:
            raise BoardspaceError(f"--test-fraction {float(self.test):g}: a share from 0 to 1")
        if self.bins < 0:
            raise BoardspaceError(f"--bins {self.bins}: at least 1")

    def wanted(self, difficulty: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
        """bool (candidates): true of those whose difficulty is wanted."""
        low = np.iinfo(np.int64).min if self.easiest is None else self.easiest
        high = np.iinfo(np.int64).max if self.hardest is None else self.hardest
        return (low <= difficulty) & (difficulty <= high)


@dataclass(frozen=True)
class Chosen:
    """A candidate that was chosen: its batch, emptied, its key there, difficulty, group by name, and its side."""

    batch: Batch
    key: int
    difficulty: int
    group: str
    for_test: bool = False


@dataclass(frozen=True)
class Kept:
    """Candidates that a side can take, of each stratum in the order in which they are taken."""

    strata: Mapping[Stratum, Sequence[Chosen]]

    def of_groups(self, wanted: Callable[[str], bool]) -> "Kept":
        """The candidates whose group is wanted."""
        found = {stratum: [one for one in kept if wanted(one.group)] for stratum, kept in self.strata.items()}
        return Kept({stratum: kept for stratum, kept in found.items() if kept})

    @cached_property
    def counts(self) -> dict[Stratum, int]:
        """Number of candidates of each stratum."""
        return {stratum: len(kept) for stratum, kept in self.strata.items()}

    @cached_property
    def groups(self) -> dict[str, Counter[Stratum]]:
        """Number of candidates of each group and stratum."""
        found: dict[str, Counter[Stratum]] = defaultdict(Counter)
        for stratum, kept in self.strata.items():
            for one in kept:
                found[one.group][stratum] += 1
        return found

    def taken(self, number: int, bins: int) -> list[Chosen]:
        """So many, spread over the strata, easy ones first."""
        shares = spread(self.counts, number, bins)
        return [one for stratum in sorted(shares) for one in self.strata[stratum][: shares[stratum]]]


@dataclass(frozen=True)
class Choice:
    """Candidates that were chosen, easy ones first.

    warnings: sentences on what groups did not allow.
    there: how many candidates there are, where they are fewer than the sample wants; else at least as many as it does.
    """

    chosen: Sequence[Chosen]
    warnings: Sequence[str]
    there: int


def choose(batches: Iterable[Batch], sample: Sample) -> Choice:
    """The candidates of a sample."""
    kept = Kept(_kept(batches, sample))
    there = sum(kept.counts.values())
    number = min(sample.number, there)
    for_test = groups_for_test(kept, sample)
    sides = [kept.of_groups(lambda group: group not in for_test), kept.of_groups(lambda group: group in for_test)]
    tested = sides[1].taken(_rounded(sample.test * number), sample.bins)
    trained = sides[0].taken(number - len(tested), sample.bins)
    chosen = [*trained, *(replace(one, for_test=True) for one in tested)]
    chosen.sort(key=lambda one: (one.difficulty, one.batch.measure, one.for_test, one.batch.name))
    return Choice(chosen, list(_warnings(sides, trained, tested, sample, number)), there)


def _kept(batches: Iterable[Batch], sample: Sample) -> dict[Stratum, list[Chosen]]:
    """Of each stratum as many candidates as are wanted in all, those of least turn and random number first."""
    strata: dict[Stratum, list[tuple[int, int, str, int, Chosen]]] = defaultdict(list)
    for batch in batches:
        words, emptied = random_words(batch.key, sample.seed, batch.name), _emptied(batch)
        kept_here = sample.wanted(batch.difficulty) | (not batch.solvable)
        for difficulty in np.unique(batch.difficulty[kept_here]).tolist():
            rows = np.flatnonzero(batch.difficulty == difficulty)
            turn = turns(batch.group[rows], words[rows])
            first = np.lexsort((words[rows], turn))[: sample.number]
            kept = strata[batch.measure, difficulty]
            for place, row in zip(first.tolist(), rows[first].tolist(), strict=True):
                one = Chosen(emptied, int(batch.key[row]), difficulty, f"{batch.family}/{batch.group[row]}")
                kept.append((int(turn[place]), int(words[row]), batch.name, one.key, one))
            kept.sort(key=lambda entry: entry[:4])
            del kept[sample.number :]
    return {stratum: [entry[4] for entry in kept] for stratum, kept in strata.items()}


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


def spread(available: Mapping[Stratum, int], number: int, bins: int) -> dict[Stratum, int]:
    """Numbers to take of each stratum: of every measure the same, within it of every bin, and within that of every
    difficulty; without bins of every difficulty.

    >>> spread({("", 1): 9, ("", 2): 9, ("", 9): 9}, 4, bins=2)
    {('', 1): 1, ('', 2): 1, ('', 9): 2}
    """
    measures: dict[Stratum, dict[Stratum, int]] = defaultdict(dict)
    ranges: dict[Stratum, dict[Stratum, int]] = defaultdict(dict)
    for stratum, place in ranges_of(available, bins).items():
        ranges[place][stratum] = available[stratum]
        measures[stratum[0], 0][place] = measures[stratum[0], 0].get(place, 0) + available[stratum]
    found: dict[Stratum, int] = {}
    totals = {measure: sum(own.values()) for measure, own in measures.items()}
    for measure, share in fill(totals, number).items():
        for place, count in fill(measures[measure], share).items():
            found |= fill(ranges[place], count)
    return found


def ranges_of(strata: Iterable[Stratum], bins: int) -> dict[Stratum, Stratum]:
    """The measure and the bin of each stratum; without bins each is one of its own."""
    found: dict[Stratum, Stratum] = {}
    for measure, strata_of_it in groupby(sorted(strata), key=lambda stratum: stratum[0]):
        own = [difficulty for _, difficulty in strata_of_it]
        width = own[-1] - own[0] + 1
        found |= {(measure, one): (measure, (one - own[0]) * bins // width if bins else one) for one in own}
    return found


def fill(available: Mapping[Stratum, int], number: int) -> dict[Stratum, int]:
    """Numbers to take of each stratum: the same of each but of those that have fewer, ``number`` in all. Where it does
    not come out even, strata at equal distances from the first to the last have one more.

    >>> fill({("", 1): 2, ("", 2): 10, ("", 3): 10}, 12)
    {('', 1): 2, ('', 2): 5, ('', 3): 5}
    >>> fill({("", 1): 9, ("", 2): 9, ("", 3): 9, ("", 4): 9}, 2)
    {('', 1): 1, ('', 2): 0, ('', 3): 0, ('', 4): 1}
    """
    taken = dict.fromkeys(sorted(available), 0)
    left = min(number, sum(available.values()))
    waiting = sorted(available, key=lambda stratum: (available[stratum], stratum))
    for place, stratum in enumerate(waiting):
        even, more = divmod(left, len(waiting) - place)
        if available[stratum] > even:
            rest = sorted(waiting[place:])
            places = set(_even_places(len(rest), more))
            return taken | {other: even + (i in places) for i, other in enumerate(rest)}
        taken[stratum] = available[stratum]
        left -= taken[stratum]
    return taken


def _even_places(count: int, number: int) -> Iterator[int]:
    """So many of the places 0 to count - 1, at equal distances, the first and the last among them."""
    return (i * (count - 1) // (number - 1) if number > 1 else count // 2 for i in range(number))


def groups_for_test(kept: Kept, sample: Sample) -> frozenset[str]:
    """The groups whose instances are for testing; where there are two or more, neither side is without any."""
    groups = kept.groups
    if len(groups) < 2 or not sample.test:
        return frozenset()
    if sample.test == 1:
        return frozenset(groups)
    shares = spread(kept.counts, sample.number, sample.bins)
    place = ranges_of(shares, sample.bins) if sample.bins else _tenths(shares)
    number = {one: row for row, one in enumerate(dict.fromkeys(place.values()))}
    share, whole = np.zeros(len(number)), np.zeros(len(number))
    for stratum, count in shares.items():
        share[number[place[stratum]]] += count
        whole[number[place[stratum]]] += kept.counts[stratum]
    wanted = share * float(sample.test)
    most = whole - (share - wanted)  # what training can do without
    rows, sizes = dict[str, npt.NDArray[np.int64]](), dict[str, Sizes]()
    for name, own in groups.items():
        members = Counter[int]()
        for stratum, count in own.items():
            members[number[place[stratum]]] += count
        rows[name], sizes[name] = np.array([*members]), np.array([*members.values()], dtype=np.float64)
    order = sorted(groups, key=lambda name: (_digest(sample.seed, f"group {name}"), name))
    found, have = _taken_by_turns({name: (rows[name], sizes[name]) for name in order}, wanted, most)
    tested = sum((groups[name] for name in found), Counter[Stratum]())
    for name in order:  # a difficulty that testing lacks yet, by a group that training can do without
        own, here = groups[name], rows[name]
        spared = all(
            kept.counts[one] - tested[one] - count >= shares[one] * (1 - sample.test) for one, count in own.items()
        )
        lacking = any(shares[one] and not tested[one] for one in own)
        if name not in found and lacking and spared and np.all(have[here] + sizes[name] <= most[here]):
            have[here] += sizes[name]
            found.add(name)
            tested += own
    return frozenset(found or {min(groups, key=lambda name: (groups[name].total(), name))})


def _taken_by_turns(
    groups: Mapping[str, tuple[npt.NDArray[np.int64], Sizes]], wanted: Sizes, most: Sizes
) -> tuple[set[str], Sizes]:
    """The groups of testing, and how many instances they have of each place: group by group, turn by turn, one is taken
    or given back where that comes nearer to what is wanted. At first none is taken that training cannot do without.

    groups: of each the places where it has instances, and how many.
    wanted, most: of each place.
    """
    found, have = set[str](), np.zeros(len(wanted))
    for turn in range(PASSES):
        before = set(found)
        for name, (here, sizes) in groups.items():
            old, new = have[here], have[here] + (-sizes if name in found else sizes)
            lack, surplus = (
                np.maximum(0, wanted[here] - new).sum() - np.maximum(0, wanted[here] - old).sum(),
                np.maximum(0, new - most[here]).sum() - np.maximum(0, old - most[here]).sum(),
            )
            if lack + surplus < -1e-9 and (turn or surplus <= 1e-9):
                have[here] = new
                found ^= {name}
        if turn and found == before:
            break
    return found, have


def _tenths(shares: Mapping[Stratum, int]) -> dict[Stratum, Stratum]:
    """The measure of each stratum, and the tenth of that measure's instances, easy ones first, that it begins in."""
    found: dict[Stratum, Stratum] = {}
    for measure, strata in groupby(sorted(shares), key=lambda stratum: stratum[0]):
        own = list(strata)
        before, whole = 0, sum(shares[stratum] for stratum in own) or 1
        for stratum in own:
            found[stratum] = (measure, 10 * before // whole)
            before += shares[stratum]
    return found


def _warnings(
    sides: Sequence[Kept], train: Sequence[Chosen], test: Sequence[Chosen], sample: Sample, number: int
) -> Iterator[str]:
    """Sentences on what the groups of the two sides (training, testing) did not allow."""
    wanted = _rounded(sample.test * number)
    groups = sides[0].groups.keys() | sides[1].groups.keys()
    if len(groups) == 1 and wanted:
        yield f"all {len(train):,} instances are of one group, {min(groups)}, so none are for testing"
        return
    if len(test) < wanted:
        yield f"testing has {counted(len(test), 'instance')} of {wanted:,} wanted: its groups have no more"
    if wanted and train:
        of_testing = _missing(sides[1], sides[0], train, sample.test)
        of_training = _missing(sides[0], sides[1], test, 1 - sample.test)
        yield from (f"testing has {rest}" for rest in of_testing)
        yield from (f"training has {rest}" for rest in of_training)


def _missing(own: Kept, other: Kept, drawn: Sequence[Chosen], share: Fraction) -> Iterator[str]:
    """Ranges of difficulty that a side has no candidates of, in words, where it should have two instances or more, or
    where they are at an end: ``drawn`` are the instances of the other side."""
    for measure in sorted({measure for measure, _ in other.strata}):
        strata = sorted(one for one in own.strata.keys() | other.strata.keys() if one[0] == measure)
        for present, run in groupby(strata, key=lambda one: one in own.strata):
            missed = list(run)
            low, high = missed[0][1], missed[-1][1]
            count = sum(one.batch.measure == measure and low <= one.difficulty <= high for one in drawn)
            at_end = strata[0] in missed or strata[-1] in missed
            if not present and (count * share >= 2 or (at_end and count > 1)):
                groups = sum(any(one in found for one in missed) for found in other.groups.values())
                numbers = f"{low} to {high}" if low < high else str(low)
                yield (
                    f"no instance of {measure} {numbers}, where the other side has {count:,}: "
                    f"all candidates are of {groups:,} group{'s' * (groups > 1)}"
                )


def _rounded(number: Fraction) -> int:
    return int(number + Fraction(1, 2))


def random_words(keys: npt.NDArray[np.uint64], seed: int, name: str) -> npt.NDArray[np.uint64]:
    """uint64 (keys): a random word for each key of a name, a hash (splitmix64)."""
    words = keys ^ np.uint64(_digest(seed, name))
    words = (words ^ words >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ words >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return words ^ words >> np.uint64(31)


def _digest(seed: int, name: str) -> int:
    return int.from_bytes(hashlib.sha256(f"{seed} {name}".encode()).digest()[:8], "little")
