"""A complete dataset as its descriptions see it: tables and arrays with their files, claims, and what verified it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from boardspace.engine.plan import Work
from boardspace.release.file_layout import in_order
from boardspace.spec.check import Check
from boardspace.spec.citation import UNCITED, Citation, Cited
from boardspace.spec.errors import BoardspaceError
from boardspace.spec.extent import Extent
from boardspace.spec.space import CLAIMS, Array, Space, Table
from boardspace.spec.stage import Stage
from boardspace.spec.stages import stages_of
from boardspace.storage.arrays import ROOT as ARRAYS
from boardspace.storage.arrays import open_array
from boardspace.storage.complete import Complete, read_complete
from boardspace.storage.parquet import read_claims, read_tables, with_folders
from boardspace.storage.receipts import FileRecord, Receipt
from boardspace.storage.run_folder import SpaceFolder
from boardspace.verify.equations import all_checks

MOST_STAGES = 3
"""Stages that wrote one table, that a card names one by one."""
LONGEST_CONFIG = 300
"""Signs of a config that is written out where a space does not say what it covers."""


class PublishError(BoardspaceError):
    """A dataset that is not fit to be published, and why."""


@dataclass(frozen=True)
class TableFiles:
    """A table of the dataset and its files in name order; their paths are relative to the dataset's folder."""

    table: Table
    files: tuple[FileRecord, ...]

    @property
    def rows(self) -> int:
        """Rows of all files."""
        return sum(file.rows for file in self.files)

    @property
    def bytes(self) -> int:
        """Size of all files."""
        return sum(file.bytes for file in self.files)

    @property
    def pattern(self) -> str:
        """The glob that names exactly this table's files in a release."""
        return f"{self.table.name}/*.parquet" if "/" in self.files[0].path else self.files[0].path


@dataclass(frozen=True)
class ArrayFiles:
    """A Zarr array of the dataset: what it belongs to, where it lies in the dataset's folder, and its layout."""

    array: Array
    path: str
    shape: tuple[int, ...]
    chunks: tuple[int, ...]
    files: tuple[FileRecord, ...]

    @property
    def bytes(self) -> int:
        """Size of all files."""
        return sum(file.bytes for file in self.files)


@dataclass(frozen=True)
class Dataset:
    """Dataset of a release: everything that its card and manifests are made from.

    folder: of the run's dataset.
    files: all data files, each once, by path.
    printed: rows, by table, of the tables that stand on the card whole.
    looked_up: a row of each table for look-ups: the columns that it is found by.
    sources: what the stages did that wrote a table, or the arrays of a family, by its name.
    seconds: that the shards took on one core.
    citation: what whoever publishes says of it.
    """

    folder: Path
    work: Work
    complete: Complete
    files: Mapping[str, FileRecord]
    tables: tuple[TableFiles, ...]
    arrays: tuple[ArrayFiles, ...]
    claims: tuple[dict[str, Any], ...]
    printed: Mapping[str, list[dict[str, Any]]]
    looked_up: Mapping[str, dict[str, Any]]
    sources: Mapping[str, str]
    seconds: float = 0.0
    citation: Citation = UNCITED

    def with_tables(self, tables: Sequence[TableFiles]) -> "Dataset":
        """Return the dataset with its tables in other files, as a release has them."""
        others = {path: file for path, file in self.files.items() if not file.table}
        files = others | {file.path: file for table in tables for file in table.files}
        return replace(self, tables=tuple(tables), files=dict(sorted(files.items())))

    @property
    def space(self) -> Space:
        """The space that it is a dataset of."""
        return self.work.space

    @property
    def name(self) -> str:
        """The dataset's name and folder."""
        return self.space.name

    @property
    def title(self) -> str:
        """Its title; that of a part of the space says so."""
        return self.space.title_of(self.work.config)

    @property
    def headline(self) -> str:
        """``PARTIAL: 4 of 203 classes``; '' where it is whole."""
        return self.space.headline(self.work.config)

    @property
    def extents(self) -> tuple[Extent, ...]:
        """Share of each scope of the space that it holds."""
        return self.space.extents(self.work.config)

    def extent(self, content: Table | Array, names: bool = True) -> str:
        """Extent of a table or an array in words, with names where they are few; where the space does not say, the
        config that made it."""
        if content.name == CLAIMS.name:
            return f"all {len(self.claims)} statements that were taken from the source texts"
        found = self.space.extent_of(content, self.work.config)
        if found is None:
            return f"what the config of the run covers{self._config_text}"
        return str(found) if names else found.counted

    @property
    def contents(self) -> tuple[Table | Array, ...]:
        """The tables, and the arrays or families of them, that it holds."""
        return (*(table.table for table in self.tables), *self.families)

    @property
    def checks(self) -> list[Check]:
        """The checks that derive again some of what the dataset holds, or compare sums of it."""
        held = {content.name for content in self.contents}
        return [check for check in all_checks(self.space) if not check.columns or held & set(check.columns)]

    def reliability(self, content: Table | Array) -> str:
        """The checks that derive a table or an array again, by name, and what of it none does."""
        checks = ", ".join(f"`{check.name}`" for check in self.checks if content.name in check.columns)
        names = {content.name, *(f"{content.name}.{column.name}" for column in getattr(content, "columns", ()))}
        rest = [
            f"`{name}` is not derived again: {reason}" for name, reason in self.space.unchecked.items() if name in names
        ]
        return "; ".join([*([f"derived again by the checks {checks}"] if checks else []), *rest])

    @property
    def _config_text(self) -> str:
        pairs = [f"{key} = {json.dumps(value)}" for key, value in self.work.plan.config.items()]
        text = ", ".join(pairs)
        return f": {text}" if text and len(text) <= LONGEST_CONFIG else ""

    @property
    def cited(self) -> Cited:
        """The dataset as citations name it."""
        authors = self.citation.authors or self.space.authors or (f"The maintainers of {self.name}",)
        doc = ". ".join(filter(None, (self.headline, self.space.doc)))
        return Cited(self.name, self.title, self.version, doc, self.work.plan.digest, authors, self.citation)

    @property
    def families(self) -> list[Array]:
        """The registered arrays, or families of them, that the dataset holds."""
        held = {array.array for array in self.arrays}
        return [array for array in self.space.arrays if array in held]

    @property
    def version(self) -> str:
        """The dataset's version, as its files state it too."""
        return self.space.dataset_version


def load(root: Path, work: Work, citation: Citation) -> Dataset:
    """Describe the complete dataset of ``work`` in a run's folder; PublishError where it is not complete."""
    folder = SpaceFolder(root, work.space.name)
    complete = read_complete(folder)
    if complete is None or complete.plan != work.plan.digest:
        raise PublishError(
            f"{folder.dataset}: not complete, so not to be published; finish it with `boardspace run` "
            f"(`boardspace status {root}` shows what is left), or name the others with --space"
        )
    stages = list(stages_of(work.space, work.config).values())
    receipts = [receipt for stage in stages for receipt in folder.finished(stage.name).receipts]
    files = {file.path: file for file in _published(folder, receipts)}
    tables = tables_of(work.space, files)
    return Dataset(
        folder=root / folder.space,
        work=work,
        complete=complete,
        files=files,
        tables=tables,
        arrays=arrays_of(root / folder.space, work.space, files),
        claims=tuple(read_claims(folder.dataset)),
        printed={table.table.name: rows_of(root / folder.space, table) for table in tables if table.table.on_card},
        looked_up={
            table.table.name: _middle(root / folder.space, table)
            for table in tables
            if table.table.lookup and table.rows
        },
        sources=_sources(work.space, stages, receipts),
        seconds=round(sum(receipt.seconds for receipt in receipts), 1),
        citation=citation,
    )


def _sources(space: Space, stages: Sequence[Stage], receipts: Sequence[Receipt]) -> dict[str, str]:
    """Work of the stages that wrote each table, and each family of arrays: of many stages, the first and the last."""
    docs = {stage.name: stage.doc for stage in stages}
    written: dict[str, dict[str, None]] = {}
    for receipt in receipts:
        for file in receipt.files:
            if file.path.startswith(f"{space.name}/") and (file.table or file.array):
                name = file.table or _family(space, file.array).name
                written.setdefault(name, {})[docs[receipt.stage]] = None
    return {name: _in_short(list(texts)) for name, texts in written.items()}


def _in_short(docs: Sequence[str]) -> str:
    return f"{docs[0]}; ...; {docs[-1]} ({len(docs)} stages)" if len(docs) > MOST_STAGES else "; ".join(docs)


def rows_of(folder: Path, table: TableFiles) -> list[dict[str, Any]]:
    """All rows of a table in the order of a release, with the columns of its folders."""
    rows: list[dict[str, Any]] = []
    for file in in_order(table.table, table.files):
        read = read_tables([folder / file.path], table.table, None, None)
        rows += with_folders(read, table.table, file.path).to_pylist()
    return rows


def _middle(folder: Path, table: TableFiles) -> dict[str, Any]:
    """Values by which the first row of the file in the middle is looked up."""
    files = [file for file in table.files if file.rows]
    file = files[len(files) // 2]
    row = read_tables([folder / file.path], table.table, table.table.lookup, (file.first[0], file.first[0] + 1))
    found: dict[str, Any] = row.to_pylist()[0]
    return found


def _published(folder: SpaceFolder, receipts: Sequence[Receipt]) -> list[FileRecord]:
    """The files that receipts name inside the dataset, by path relative to it."""
    prefix = f"{folder.space}/"
    records = [file for receipt in receipts for file in receipt.files if file.path.startswith(prefix)]
    inside = [record.model_copy(update={"path": record.path.removeprefix(prefix)}) for record in records]
    return sorted(inside, key=lambda record: record.path)


def tables_of(space: Space, files: Mapping[str, FileRecord]) -> tuple[TableFiles, ...]:
    """The tables that have files; PublishError where a file's folders are not those of its table."""
    found = [TableFiles(t, tuple(f for f in files.values() if f.table == t.name)) for t in space.all_tables]
    tables = tuple(table for table in found if table.files)
    for table in tables:
        for file in table.files:
            try:
                table.table.folder_values(file.path)
            except ValueError as error:
                raise PublishError(str(error)) from error
    return tables


def arrays_of(folder: Path, space: Space, files: Mapping[str, FileRecord]) -> tuple[ArrayFiles, ...]:
    """The arrays that have files, in order of their paths; ``folder`` is the dataset's."""
    paths = sorted({file.array for file in files.values() if file.array})
    return tuple(_array(folder, space, path, files) for path in paths)


def _array(folder: Path, space: Space, path: str, files: Mapping[str, FileRecord]) -> ArrayFiles:
    opened: Any = open_array(folder, path)
    inside = f"{ARRAYS}/{path}"
    return ArrayFiles(
        array=_family(space, path),
        path=inside,
        shape=tuple(opened.shape),
        chunks=tuple(opened.chunks),
        files=tuple(file for name, file in files.items() if name.startswith(f"{inside}/")),
    )


def _family(space: Space, path: str) -> Array:
    """The registered array that ``path`` is, or is one of."""
    array = space.array_at(path)
    if array is None:
        raise PublishError(f"{space.name}: the array {path!r} is none that the space registers")
    return array
