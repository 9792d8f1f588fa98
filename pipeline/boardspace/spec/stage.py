"""Stages and shards: how the work of a part is cut, and what a shard is given and yields."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from boardspace.spec.table import ArrayPart

Item = TypeVar("Item")

Json = None | bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"]
Facts = Mapping[str, Any]
ShardGpu = AbstractContextManager[None] | None
"""The GPU of a shard, see :attr:`Inputs.gpu`."""


@dataclass(frozen=True)
class Output:
    """Output of a shard: at most one Arrow table for each table name, parts of arrays, facts, and blobs.

    Blobs are NumPy arrays by name that only later stages read, from the disk as they lie there; they are not published.

    Facts are a few JSON values that go into the shard's receipt: counts, quantiles of keys, a proof's verdict. Later
    stages are cut by them and claims are measured from them.
    """

    tables: Mapping[str, pa.Table] = field(default_factory=dict)
    arrays: Sequence[ArrayPart] = ()
    facts: Facts = field(default_factory=dict)
    blobs: Mapping[str, npt.NDArray[Any]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Shard:
    """A unit of work: its name is the path of its files inside their table, without ending; unique in its stage.

    ``name`` may hold hive folders for few-valued keys (``board=french/moves=07/0003``), the ``folders`` of its tables.
    ``cost`` is the expected seconds; a stage's most expensive shards start first.
    """

    name: str
    params: Mapping[str, Json] = field(default_factory=dict)
    cost: float = 1.0


class Inputs(Protocol):
    """The finished stages of this space, as a shard, a cut or a claim may read them."""

    def rounds(self, stage: str) -> int:
        """Number of rounds that a stage that repeats has had so far."""

    def facts(self, stage: str, *, of_round: int | None = None) -> list[Facts]:
        """The facts of a stage's shards, in order of the shards' names.

        ``of_round`` restricts to those of one round: 0 is the first, -1 the last so far, and before the first round
        there are no facts. A search by levels that asks for the last round alone reads as much in each of its rounds.
        """

    def named_facts(self, stage: str, *, of_round: int | None = None) -> dict[str, Facts]:
        """The facts of a stage's shards, by the shards' names; ``of_round`` is as in :meth:`facts`."""

    def rows(self, stage: str, table: str) -> int:
        """Number of rows that a stage wrote to a table."""

    def read(
        self,
        stage: str,
        table: str,
        *,
        shards: Sequence[str] | None = None,
        columns: Sequence[str] | None = None,
        between: tuple[Any, Any] | None = None,
    ) -> pa.Table:
        """Rows that a stage wrote to a table, shards in name order.

        ``shards`` restricts to these, ``columns`` to these, ``between`` = (low, high) to rows whose first key column
        is in [low, high); only the row groups that overlap it are read.
        """

    def table(
        self, name: str, *, columns: Sequence[str] | None = None, between: tuple[Any, Any] | None = None
    ) -> pa.Table:
        """Rows of a published table, whichever stages wrote them, in the order of its key.

        The columns of its folders, such as ``moves`` of ``moves=07/0003``, come first; ``columns`` and ``between`` are
        as in :meth:`read`, and ``between`` is of the first key column that is no folder.
        """

    def array(self, path: str) -> Any:
        """A published Zarr array, opened for reading."""

    def blob(self, stage: str, name: str, shard: str) -> npt.NDArray[Any]:
        """The array of that name that a shard of a stage left for later stages, mapped into memory, read-only."""

    @property
    def gpu(self) -> ShardGpu:
        """The GPU for a shard of a stage that uses one, to be entered around each call that computes there.

        While it is entered no other process of the user has it. None where this process has none, or is to use none.
        """

    def report(self, text: str) -> None:
        """Say in a short line how far the shard is, for those who wait for it: ``row 9 of 17``.

        It may be called as often as one likes: few of the texts are shown, and none of a shard that takes seconds. What
        a shard says is part of nothing that it yields. Of cuts and claims nobody hears it.
        """


Compute = Callable[[Any, Mapping[str, Any], Inputs], Output]
"""From the config, the parameters of a shard and the finished stages its output: a module-level function, or a
``functools.partial`` of one."""
Split = Callable[[Any, Inputs], Sequence[Shard]]
"""Cuts a stage into shards; a pure function of the config and of the finished stages."""


@dataclass(frozen=True)
class Stage:
    """A set of shards that may run at the same time, once the stages ``after`` are finished.

    A stage that comes after itself is repeated: each round is cut by what the rounds before it wrote, which reads as
    the stage's own so far (nothing, in the first), until a cut has no shards. So goes a search by levels of which
    nobody knows beforehand how many there are. Names of shards are unique over all rounds.

    name: unique in its space.
    doc: what it does, in a line.
    compute: function of one shard.
    split: cuts it into shards.
    after: stages that are finished before it.
    bytes: rough size of what it writes, for ``boardspace plan``.
    omits: what it leaves out because of the config, in a line.
    seconds: rough time of it, where its shards are not known before it is cut.
    longest: rough time of its longest shard then, or where it repeats, of the longest ones of all its rounds together;
        0 where it is a single shard.
    memory: bytes that a worker may take for one of its shards, in all, where that is gigabytes; a run warns where
        workers may take less.
    drops: its blobs are deleted once all stages that read them are finished: those after it, but for stages that name
        it in ``facts_only``.
    facts_only: stages of ``after`` of which it reads facts and tables and no blob.
    next_round_only: names of its blobs that nothing but its next round reads; they are deleted when that is finished.
    gpu: its shards use a GPU where there is one (:attr:`Inputs.gpu`), and yield the same with it and without.
    """

    name: str
    doc: str
    compute: Compute
    split: Split
    after: tuple[str, ...] = ()
    bytes: int = 0
    omits: str = ""
    seconds: float = 0.0
    longest: float = 0.0
    memory: int = 0
    drops: bool = False
    facts_only: tuple[str, ...] = ()
    next_round_only: tuple[str, ...] = ()
    gpu: bool = False

    @property
    def repeats(self) -> bool:
        """True where it comes after itself."""
        return self.name in self.after


def one_shard(name: str, params: Mapping[str, Json] | None = None, cost: float = 1.0) -> Split:
    """A split that makes a single shard, whatever the stages before found."""
    return lambda config, inputs: [Shard(name, params or {}, cost)]


MOST_SHARDS = 1 << 20
"""No stage has more: a number that comes to more is none that a stage recorded."""


def refuse_more_shards(number: float) -> None:
    """ValueError for more shards than a stage can have."""
    if not number <= MOST_SHARDS:
        raise ValueError(f"{number:.0f} shards are more than the {MOST_SHARDS:,} that a stage may have")


def cut_range(start: int, stop: int, size: int) -> list[tuple[int, int]]:
    """[start, stop) as consecutive ranges of ``size`` (the last may be shorter); ValueError for too many."""
    refuse_more_shards((stop - start) / size)
    return [(low, min(low + size, stop)) for low in np.arange(start, stop, size).tolist()]


def fitting(items: Iterable[Item], cost: Callable[[Item], float], most: float) -> Iterator[list[Item]]:
    """Items in groups of neighbours that cost no more than ``most`` together; one that costs more is alone."""
    group, total = list[Item](), 0.0
    for item in items:
        each = cost(item)
        if group and total + each > most:
            yield group
            group, total = [], 0.0
        group.append(item)
        total += each
    if group:
        yield group


def filling(items: Iterable[Item], cost: Callable[[Item], float], least: float) -> Iterator[list[Item]]:
    """Items in groups of neighbours, each of which, but for the last, costs ``least`` or more as soon as it can."""
    group, total = list[Item](), 0.0
    for item in items:
        group.append(item)
        total += cost(item)
        if total >= least:
            yield group
            group, total = [], 0.0
    if group:
        yield group
