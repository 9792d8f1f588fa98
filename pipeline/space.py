"""The interface of a space: what it publishes, how its work is cut into shards, what a shard computes.

A space is one module (or package) in ``pipeline/spaces`` that defines ``SPACE``. Nothing else has to change for a
new one: the engine, the storage, the verification, the data dictionary and the command line work from what it says.

* ``config``: a frozen model of its section in the run's TOML file.
* ``tables``, ``arrays``: every column and array it publishes, named once, with type, unit and meaning.
* ``stages(config)``: its stages, each after those it comes after. A stage is cut into shards when these are finished,
  so that the cut may depend on what they found; a shard is a name and a few JSON values.
* A stage's ``compute`` turns one shard into an :class:`Output`. It is deterministic, reads nothing but the finished
  inputs it is given, and knows neither Dask nor the disk.
* ``claims``: what the source texts state, measured on the finished dataset.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, Protocol

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from pydantic import BaseModel, ConfigDict

Json = None | bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"]
Facts = Mapping[str, Any]


class SpaceConfig(BaseModel):
    """Base of every space's section of a run's TOML file: frozen, strictly typed, finite, no unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)

    @classmethod
    def with_files(cls, section: Mapping[str, Any], folder: Path) -> Mapping[str, Any]:
        """The section with the files it names read into it, so that a run needs none of them again.

        ``folder`` is that of the config file, from which paths count. BoardspaceError says what is wrong with a file.
        """
        return section


@dataclass(frozen=True)
class Column:
    """One column: its Arrow type, what a value means, and the unit it counts in. ``codes`` are values that stand for
    something else, with what they stand for."""

    name: str
    type: pa.DataType
    doc: str
    unit: str = ""
    nullable: bool = False
    codes: tuple[tuple[int | str, str], ...] = ()


@dataclass(frozen=True)
class Table:
    """One table. Rows are sorted by ``key`` and no two share it, inside a file and over a folder's files in name order.

    A table that is not ``published`` is an exchange between stages; it is not part of the dataset. ``folders`` are
    columns whose values stand in the names of folders instead of the files, as ``moves`` in ``moves=07/0003.parquet``.
    A table of ``one_file`` is written by a stage of one shard, as ``NAME.parquet`` beside the other tables' folders.
    The rows of a table ``on_card`` are printed on the dataset's card; it has to be small. ``lookup`` names ascending
    columns, the key first, by which single rows of a large table are looked up: releases cut it for that.
    """

    name: str
    doc: str
    columns: tuple[Column, ...]
    key: tuple[str, ...]
    published: bool = True
    folders: tuple[Column, ...] = ()
    one_file: bool = False
    on_card: bool = False
    lookup: tuple[str, ...] = ()

    @property
    def schema(self) -> pa.Schema:
        """The Arrow schema, without metadata."""
        return pa.schema([pa.field(c.name, c.type, nullable=c.nullable) for c in self.columns])

    @property
    def described_schema(self) -> pa.Schema:
        """The same with each column's meaning and unit as metadata of its field, as published files have it."""
        fields = zip(self.schema, self.columns, strict=True)
        return pa.schema([field.with_metadata({"description": c.doc, "unit": c.unit}) for field, c in fields])

    @property
    def unfolded(self) -> "Table":
        """The same table with the columns of its folders in its files, before the others, as releases have it."""
        if not self.folders:
            return self
        key = (*(column.name for column in self.folders), *self.key)
        return replace(self, columns=(*self.folders, *self.columns), key=key, folders=())

    def folder_values(self, path: str) -> dict[str, Any]:
        """The values of the columns in folders that a file's path holds, such as 7 for ``moves=07``.

        ValueError where its folders are not the registered ones.
        """
        registered = [column.name for column in self.folders]
        above = path.split("/")[:-1]
        found = dict(part.split("=", 1) for part in above[len(above) - len(registered) :] if "=" in part)
        if list(found) != registered:
            raise ValueError(f"{path}: its folders are not the registered ones of {self.name!r} {registered}")
        return {c.name: int(found[c.name]) if pa.types.is_integer(c.type) else found[c.name] for c in self.folders}

    def from_columns(self, **columns: Any) -> pa.Table:
        """An Arrow table of this schema from arrays or lists given by column name."""
        return pa.table({c.name: pa.array(columns[c.name], c.type) for c in self.columns}, schema=self.schema)

    def from_rows(self, rows: Sequence[Mapping[str, Any]]) -> pa.Table:
        """An Arrow table of this schema from one mapping a row; keys that are no columns are left out."""
        return self.from_columns(**{c.name: [row[c.name] for row in rows] for c in self.columns})


@dataclass(frozen=True)
class Array:
    """One Zarr array, or one family of them where ``name`` holds ``{fields}``: dtype, dimension names, meaning."""

    name: str
    dtype: str
    dims: tuple[str, ...]
    doc: str
    unit: str = ""


@dataclass(frozen=True)
class ArrayPart:
    """A block of one array, at ``start``. It covers whole Zarr shards of the array, so it is written alone.

    ``path`` is the array's name with its fields filled in; ``chunks`` is what a reader fetches at least, ``shards``
    (a multiple of ``chunks``) what one file holds.
    """

    array: Array
    path: str
    shape: tuple[int, ...]
    chunks: tuple[int, ...]
    shards: tuple[int, ...]
    start: tuple[int, ...]
    values: npt.NDArray[Any]


@dataclass(frozen=True)
class Output:
    """What a shard yields: at most one Arrow table for each table name, parts of arrays, facts, and blobs.

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
    ``cost`` is the expected seconds; a stage's dearest shards start first.
    """

    name: str
    params: Mapping[str, Json] = field(default_factory=dict)
    cost: float = 1.0


class Inputs(Protocol):
    """The finished stages of this space, as a shard, a cut or a claim may read them."""

    def facts(self, stage: str) -> list[Facts]:
        """The facts of a stage's shards, in order of the shards' names."""

    def named_facts(self, stage: str) -> dict[str, Facts]:
        """The facts of a stage's shards, by the shards' names."""

    def rows(self, stage: str, table: str) -> int:
        """How many rows a stage wrote to a table."""

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

    def array(self, path: str) -> Any:
        """A published Zarr array, opened for reading."""

    def blob(self, stage: str, name: str, shard: str) -> npt.NDArray[Any]:
        """The array of that name that a shard of a stage left for later stages, mapped into memory, read-only."""

    def report(self, text: str) -> None:
        """Say in a short line how far the shard is, for those who wait for it: ``row 9 of 17``.

        It may be called as often as one likes: few of the texts are shown, and none of a shard that takes seconds. What
        a shard says is part of nothing that it yields. Of cuts and claims nobody hears it.
        """


class Compute(Protocol):
    """A module-level function (or a ``functools.partial`` of one)."""

    def __call__(self, config: Any, params: Mapping[str, Any], inputs: Inputs, /) -> Output:
        """The output of the shard with these parameters."""


class Split(Protocol):
    """Cuts a stage into shards; a pure function of the config and of the finished stages."""

    def __call__(self, config: Any, inputs: Inputs, /) -> Sequence[Shard]:
        """The shards of the stage."""


@dataclass(frozen=True)
class Stage:
    """A set of shards that may run at the same time, once the stages ``after`` are finished.

    A stage that comes after itself is repeated: each round is cut by what the rounds before it wrote, which reads as
    the stage's own so far (nothing, in the first), until a cut has no shards. So goes a search by levels of which
    nobody knows beforehand how many there are. Names of shards are unique over all rounds.

    ``bytes`` is a rough size of what it writes, for ``boardspace plan``, and ``seconds`` what it takes where its shards
    are not known before it is cut; ``memory`` is what a worker may take for one of its shards, in bytes and all told,
    where that is gigabytes (a run tells of it where workers may take less); ``omits`` tells in a line what it leaves
    out because of the config. A stage that ``drops`` has its blobs removed once all stages that come after it are
    finished, but for those that say that they read its facts and tables alone (``facts_only``).
    """

    name: str
    doc: str
    compute: Compute
    split: Split
    after: tuple[str, ...] = ()
    bytes: int = 0
    omits: str = ""
    seconds: float = 0.0
    memory: int = 0
    drops: bool = False
    facts_only: tuple[str, ...] = ()

    @property
    def repeats(self) -> bool:
        """Whether it comes after itself."""
        return self.name in self.after


Verdict = Literal["confirmed", "corrected", "refuted", "answered", "open"]
Basis = Literal["all cases", "sample", "proof", "reading"]
VERDICTS: Mapping[Verdict, str] = {
    "confirmed": "the measured value is the stated one",
    "corrected": "the statement holds once a slip in it is mended",
    "refuted": "the statement fails",
    "answered": "the text asks, the measured value is the answer",
    "open": "this run did not cover it, or data cannot judge it",
}
BASES: Mapping[Basis, str] = {
    "all cases": "all the cases that the statement speaks of",
    "sample": "a sample of them; the evidence says how many",
    "proof": "a proof; the evidence says where",
    "reading": "a reading of the text, which no data can decide",
}


@dataclass(frozen=True)
class Measurement:
    """What the data say of one claim. ``value`` is compared with the claim's stated value.

    A ``verdict`` is given only where equality is not the question (say, a statement that holds in part); ``evidence``
    tells how it was measured and, where the claim fails, shows the counterexample. ``basis`` is what the value rests
    on: all the cases that the statement speaks of, a sample of them (``evidence`` says how many), a proof (it says
    where), or a reading of the text, which no data can decide.
    """

    value: Json
    evidence: str
    verdict: Verdict | None = None
    basis: Basis = "all cases"


@dataclass(frozen=True)
class Check:
    """One logical check of ``boardspace verify``: what was checked, how many cases, and the fault or ''."""

    name: str
    cases: int
    fault: str = ""


CLAIMS = Table(
    name="claims",
    doc="Every statement of the source that was checked, with the measured value and the verdict.",
    columns=(
        Column("claim", pa.string(), "Short name of the statement."),
        Column("position", pa.uint16(), "Its place among the statements, in the order of the text."),
        Column("source", pa.string(), "Where it is stated."),
        Column("statement", pa.string(), "What is stated, in our words."),
        Column("stated", pa.string(), "The stated value, as JSON."),
        Column("measured", pa.string(), "The measured value, as JSON; empty where the run did not cover it."),
        Column("verdict", pa.string(), "What the data say of it.", codes=tuple(VERDICTS.items())),
        Column("basis", pa.string(), "What the verdict rests on; empty where it is open.", codes=tuple(BASES.items())),
        Column("evidence", pa.string(), "How it was measured and, where it fails, the counterexample."),
    ),
    key=("claim",),
    one_file=True,
)


def _no_libraries(config: SpaceConfig) -> Mapping[str, str]:
    return {}


@dataclass(frozen=True)
class Space:
    """All that the pipeline knows of a space. ``claims_file`` is TOML, see :mod:`boardspace.pipeline.claims`.

    ``stages(config)`` lists each stage after those it comes after; :mod:`boardspace.pipeline.stages` adds the claims'.
    ``claims(config, inputs)`` returns measurements by claim id and leaves out what this run did not cover; it takes
    about ``claims_seconds``.
    ``checks(config, inputs, seed)`` re-derives a sample by other means than the writers'. ``warm_up`` compiles the
    kernels. ``libraries(config)`` are the distributions that this config needs beside those of every run, with the
    command that installs each; their versions are part of the plan. ``results(config, inputs)`` are a few lines that
    tell what a run found; they are printed after it. Commands that join the command line are named beside the space, in
    its module's ``COMMANDS``.
    """

    name: str
    version: int
    title: str
    doc: str
    config: type[SpaceConfig]
    tables: tuple[Table, ...]
    arrays: tuple[Array, ...]
    stages: Callable[[Any], Sequence[Stage]]
    claims_file: Path
    claims: Callable[[Any, Inputs], Mapping[str, Measurement]]
    checks: Callable[[Any, Inputs, int], Sequence[Check]]
    warm_up: Callable[[], None]
    results: Callable[[Any, Inputs], Sequence[str]] | None = None
    claims_seconds: float = 0.2
    libraries: Callable[[Any], Mapping[str, str]] = _no_libraries

    @property
    def notation(self) -> str:
        """The source text, and the codes, numbers and names that the data use, in Markdown: ``notation.md`` beside the
        claims; '' where there is none."""
        file = self.claims_file.with_name("notation.md")
        return file.read_text(encoding="utf-8") if file.exists() else ""

    def table(self, name: str) -> Table:
        """The table of that name, the claims included; KeyError where the dataset has none."""
        return {table.name: table for table in self.all_tables}[name]

    @property
    def dataset_version(self) -> str:
        """The version of its datasets in three parts, as files and manifests state it."""
        return f"{self.version}.0.0"

    @property
    def all_tables(self) -> tuple[Table, ...]:
        """The space's own tables, then that of its claims."""
        return (*self.tables, CLAIMS)


def cut_range(start: int, stop: int, size: int) -> list[tuple[int, int]]:
    """[start, stop) as consecutive ranges of ``size`` (the last may be shorter)."""
    return [(low, min(low + size, stop)) for low in np.arange(start, stop, size).tolist()]
