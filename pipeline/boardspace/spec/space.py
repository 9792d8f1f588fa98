"""The interface of a space: what it publishes, how its work is cut into shards, what a shard computes.

A space is one package (or module) in ``boardspace/spaces`` that defines ``SPACE``. Nothing else has to change for a new
one: the engine, the storage, the verification, the data dictionary and the command line work from what it says.

* ``config``: a frozen model of its section in the run's TOML file.
* ``parts``: each has its tables and arrays (:mod:`.table`), its stages (:mod:`.stage`), its claims (:mod:`.claim`) and
  its checks (:mod:`.check`); the space joins them.
* A stage's ``compute`` turns one shard into an :class:`Output`. It is deterministic, reads nothing but the finished
  inputs it is given, and knows neither Dask nor the disk.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from boardspace.spec.check import Check as Check
from boardspace.spec.check import Draw as Draw
from boardspace.spec.check import Outcome as Outcome
from boardspace.spec.check import outcome as outcome
from boardspace.spec.claim import BASES as BASES
from boardspace.spec.claim import CLAIMS as CLAIMS
from boardspace.spec.claim import VERDICTS as VERDICTS
from boardspace.spec.claim import Basis as Basis
from boardspace.spec.claim import Measurement as Measurement
from boardspace.spec.claim import Verdict as Verdict
from boardspace.spec.claim import by_proof as by_proof
from boardspace.spec.claim import by_sample as by_sample
from boardspace.spec.claim import measured_together as measured_together
from boardspace.spec.equations import Balance
from boardspace.spec.extent import COMPLETENESS, headline
from boardspace.spec.extent import Extent as Extent
from boardspace.spec.extent import Scope as Scope
from boardspace.spec.question import Question
from boardspace.spec.stage import Compute as Compute
from boardspace.spec.stage import Facts as Facts
from boardspace.spec.stage import Inputs as Inputs
from boardspace.spec.stage import Json as Json
from boardspace.spec.stage import Output as Output
from boardspace.spec.stage import Shard as Shard
from boardspace.spec.stage import Split as Split
from boardspace.spec.stage import Stage as Stage
from boardspace.spec.stage import cut_range as cut_range
from boardspace.spec.stage import one_shard as one_shard
from boardspace.spec.table import Array as Array
from boardspace.spec.table import ArrayPart as ArrayPart
from boardspace.spec.table import Column as Column
from boardspace.spec.table import Table as Table
from boardspace.spec.texts import decoded


@dataclass(frozen=True)
class Part:
    """One part of a space. A part imports no kernel: what computes is named by :mod:`boardspace.spec.deferred`.

    name: of the folder that the part lies in, below the space's ``parts``.
    tables, arrays: every column and array, intermediates included.
    stages: from the space's config, its stages in order, each after those it comes after; they may come after stages of
        the parts before it.
    claims: measurements by claim id, from the config and the finished stages; claims that this run did not cover are
        left out.
    checks: what ``boardspace verify`` re-derives by other means than the writers', see :mod:`boardspace.spec.check`.
    balances: totals over rows of its tables that are equal.
    unchecked: columns (``table.column``) and arrays that cannot be re-derived, each with the reason.
    results: a few lines that tell what a run found, from the config and the finished stages; printed after a run.
    scope: name of the scope of the space (:mod:`boardspace.spec.extent`) that its tables and arrays are all of, unless
        one names another; '' where the space has none.
    """

    name: str
    stages: Callable[[Any], Sequence[Stage]] = lambda config: ()
    tables: tuple[Table, ...] = ()
    arrays: tuple[Array, ...] = ()
    claims: Callable[[Any, Inputs], Mapping[str, Measurement]] | None = None
    checks: tuple[Check, ...] = ()
    balances: tuple[Balance, ...] = ()
    unchecked: Mapping[str, str] = field(default_factory=dict)
    results: Callable[[Any, Inputs], Iterable[str]] | None = None
    scope: str = ""


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
class Space:
    """Space: everything that the pipeline knows of it.

    name: of its section in a config, its dataset and its folder; small letters, digits and ``_``.
    version: of its datasets; raised when their content changes.
    title, doc: for cards and manifests.
    config: the model of its section.
    parts: in the order in which their stages run; later ones may come after stages of earlier ones.
    claims_file: the statements of the source, TOML, see :mod:`boardspace.spec.claims`.
    warm_up: compiles its kernels by calling each once; or several functions that do so together, which processes call
        side by side, those that take longest first.
    more_warm_up, needed_warm_up: others by their names, which only some configs need; and from a config the names.
    readings: of statements that no data can decide, by claim id: what was read, and how.
    claims_seconds: about how long its claims take to be measured.
    libraries: from a config, the distributions that it needs beside those of every run, with the command that installs
        each; their versions are part of the plan.
    scopes: kinds of things that it enumerates, the most telling first: from them follows how much of the space a config
        covers. Without any, a dataset is described by its config alone.
    authors: to be cited for its datasets.
    statements: its claims (:class:`boardspace.spec.claims.Claim`), where the file of claims is the Python file that
        states them, and no TOML.
    questions: that are answered at once, without a run, also by the server of ``boardspace serve --api``.
    instances: a module whose ``source(space)`` makes its problem instances, where no module beside it has a SOURCE.
    games: from the folder of a published dataset, games that the atlas plays, as JSON values.

    Commands that join the command line are named beside the space, in its module's ``COMMANDS``.
    """

    name: str
    version: int
    title: str
    doc: str
    config: type[SpaceConfig]
    parts: tuple[Part, ...]
    claims_file: Path
    warm_up: Callable[[], None] | tuple[Callable[[], None], ...]
    readings: Mapping[str, Measurement] = field(default_factory=dict)
    claims_seconds: float = 0.2
    libraries: Callable[[Any], Mapping[str, str]] = lambda config: {}
    scopes: tuple[Scope, ...] = ()
    authors: tuple[str, ...] = ()
    statements: tuple[Any, ...] = ()
    instances: str = ""
    games: Callable[[Path], Iterable[Mapping[str, Any]]] | None = None
    more_warm_up: Mapping[str, Callable[[], None]] = field(default_factory=dict)
    needed_warm_up: Callable[[Any], Collection[str]] = lambda config: ()
    questions: tuple[Question, ...] = ()

    @property
    def warm_up_steps(self) -> Mapping[str, Callable[[], None]]:
        """The functions of ``warm_up``, by their numbers, and the others by their names."""
        steps = self.warm_up if isinstance(self.warm_up, tuple) else (self.warm_up,)
        return {**{str(number): step for number, step in enumerate(steps)}, **self.more_warm_up}

    @property
    def tables(self) -> tuple[Table, ...]:
        """The tables of all parts."""
        return tuple(table for part in self.parts for table in part.tables)

    @property
    def arrays(self) -> tuple[Array, ...]:
        """The arrays of all parts."""
        return tuple(array for part in self.parts for array in part.arrays)

    def array_at(self, path: str) -> Array | None:
        """The array at a path, or the family that it is one of: of several, the one with the most letters of its own.

        So ``classes/{board}/{goal}_moves`` goes before ``classes/{board}/{set}``. None where there is no such array.
        """
        held = [array for array in self.arrays if array.covers(path)]
        return max(held, key=lambda array: len(re.sub(r"\{[^}]*\}", "", array.name)), default=None)

    def stages(self, config: SpaceConfig) -> Sequence[Stage]:
        """The stages of all parts; :mod:`boardspace.spec.stages` adds that of the claims."""
        return [stage for part in self.parts for stage in part.stages(config)]

    def claims(self, config: SpaceConfig, inputs: Inputs) -> Mapping[str, Measurement]:
        """The readings, and the measurements of all parts by claim id; ValueError where two have the same claim."""
        measured = dict(self.readings)
        for part in self.parts:
            found = part.claims(config, inputs) if part.claims is not None else {}
            if measured.keys() & found.keys():
                raise ValueError(f"{self.name}: two parts measure the claim {min(measured.keys() & found.keys())!r}")
            measured.update(found)
        return measured

    @property
    def checks(self) -> tuple[Check, ...]:
        """The checks of all parts; :mod:`boardspace.spec.claims` adds that of the claims."""
        return tuple(check for part in self.parts for check in part.checks)

    @property
    def unchecked(self) -> Mapping[str, str]:
        """Columns and arrays that cannot be re-derived, each with the reason, of all parts."""
        return {name: reason for part in self.parts for name, reason in part.unchecked.items()}

    def results(self, config: SpaceConfig, inputs: Inputs) -> Sequence[str]:
        """The lines of all parts on what a run found."""
        return [line for part in self.parts if part.results is not None for line in part.results(config, inputs)]

    def extents(self, config: SpaceConfig) -> tuple[Extent, ...]:
        """Share of each scope that a config covers; none where the space has no scopes."""
        return tuple(scope.extent(config) for scope in self.scopes)

    def headline(self, config: SpaceConfig) -> str:
        """``PARTIAL: 4 of 203 classes`` where a config covers a part of the space; else ''."""
        return headline(self.extents(config))

    def title_of(self, config: SpaceConfig) -> str:
        """The title of a dataset; that of a part says so: ``Klotski (Huarong Dao), PARTIAL: 4 of 203 classes``."""
        return ", ".join(filter(None, (self.title, headline(self.extents(config), short=True))))

    def extent_of(self, content: Table | Array, config: SpaceConfig) -> Extent | None:
        """Share of its scope that a table or an array holds; None where it has none."""
        name = content.scope
        for part in self.parts:
            held: Sequence[Table | Array] = part.tables if isinstance(content, Table) else part.arrays
            if not name and any(one.name == content.name for one in held):
                name = part.scope
        return next((scope.extent(config) for scope in self.scopes if scope.name == name), None)

    def why(self, content: Table | Array, config: SpaceConfig) -> str:
        """A table or an array in a sentence: how much of its scope it is all of, and why that is all."""
        extent = self.extent_of(content, config)
        of = f"{content.name}, {extent}" if extent is not None else content.name
        return f"{of}; {COMPLETENESS[content.complete]}"

    def of_version(self, version: int) -> "Space":
        """This space with the tables and columns that an earlier version of its data had."""
        if version >= self.version:
            return self

        def then(table: Table) -> Table:
            return replace(table, columns=tuple(column for column in table.columns if column.since <= version))

        tables = ([then(table) for table in part.tables if table.since <= version] for part in self.parts)
        parts = (replace(part, tables=tuple(some)) for part, some in zip(self.parts, tables, strict=True))
        return replace(self, parts=tuple(parts))

    @property
    def notation(self) -> str:
        """The source text, and the codes, numbers and names that the data use, in Markdown: ``notation.md`` beside the
        claims; '' where there is none."""
        file = self.claims_file.with_name("notation.md")
        return decoded(file.read_bytes(), file) if file.exists() else ""

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

    @property
    def contents(self) -> tuple[Table | Array, ...]:
        """The tables of all parts, that of the claims, and the arrays."""
        return (*self.all_tables, *self.arrays)
