"""A complete dataset as its descriptions see it: tables and arrays with their files, claims, and what verified it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from boardspace.engine.plan import Work
from boardspace.spec.errors import BoardspaceError
from boardspace.spec.space import Array, Space, Table
from boardspace.spec.stages import stages_of
from boardspace.storage.arrays import ROOT as ARRAYS
from boardspace.storage.arrays import open_array
from boardspace.storage.claims_table import read_claims
from boardspace.storage.complete import Complete, read_complete
from boardspace.storage.parquet import read_tables
from boardspace.storage.receipts import FileRecord
from boardspace.storage.run_folder import SpaceFolder
from boardspace.verify import Verification


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
    """All that a dataset's card and manifests are made from. ``files`` are all data files, each once, by path;
    ``printed`` are the rows, by table, of those that stand on the card whole, ``looked_up`` a row of each for look-ups:
    the columns that it is found by."""

    folder: Path
    work: Work
    complete: Complete
    verification: Verification
    files: Mapping[str, FileRecord]
    tables: tuple[TableFiles, ...]
    arrays: tuple[ArrayFiles, ...]
    claims: tuple[dict[str, Any], ...]
    printed: Mapping[str, list[dict[str, Any]]]
    looked_up: Mapping[str, dict[str, Any]]

    def with_tables(self, tables: Sequence[TableFiles]) -> "Dataset":
        """The same with its tables in other files, as a release has them."""
        others = {path: file for path, file in self.files.items() if not file.table}
        files = others | {file.path: file for table in tables for file in table.files}
        return replace(self, tables=tuple(tables), files=dict(sorted(files.items())))

    @property
    def space(self) -> Space:
        """What the dataset is a dataset of."""
        return self.work.space

    @property
    def name(self) -> str:
        """The dataset's name and folder."""
        return self.space.name

    @property
    def families(self) -> list[Array]:
        """The registered arrays, or families of them, that the dataset holds."""
        held = {array.array for array in self.arrays}
        return [array for array in self.space.arrays if array in held]

    @property
    def version(self) -> str:
        """The dataset's version, as its files state it too."""
        return self.space.dataset_version


def load(root: Path, work: Work, verification: Verification) -> Dataset:
    """Describe the complete dataset of ``work`` in a run's folder; PublishError where it is not complete."""
    folder = SpaceFolder(root, work.space.name)
    complete = read_complete(folder)
    if complete is None or complete.plan != work.plan.digest:
        raise PublishError(
            f"{folder.dataset}: not complete, so not to be published; finish it with `boardspace run` "
            f"(`boardspace status {root}` shows what is left), or name the others with --space"
        )
    files = {file.path: file for file in _published(folder, work)}
    tables = tables_of(work.space, files)
    return Dataset(
        folder=root / folder.space,
        work=work,
        complete=complete,
        verification=verification,
        files=files,
        tables=tables,
        arrays=_arrays(folder, work.space, files),
        claims=tuple(read_claims(folder.dataset)),
        printed={table.table.name: _rows(root / folder.space, table) for table in tables if table.table.on_card},
        looked_up={
            table.table.name: _middle(root / folder.space, table)
            for table in tables
            if table.table.lookup and table.rows
        },
    )


def _rows(folder: Path, table: TableFiles) -> list[dict[str, Any]]:
    """All rows of a table without folders, in order."""
    paths = [folder / file.path for file in table.files]
    rows: list[dict[str, Any]] = read_tables(paths, table.table, None, None).to_pylist()
    return rows


def _middle(folder: Path, table: TableFiles) -> dict[str, Any]:
    """What the first row of the file in the middle is looked up by."""
    files = [file for file in table.files if file.rows]
    file = files[len(files) // 2]
    row = read_tables([folder / file.path], table.table, table.table.lookup, (file.first[0], file.first[0] + 1))
    found: dict[str, Any] = row.to_pylist()[0]
    return found


def _published(folder: SpaceFolder, work: Work) -> list[FileRecord]:
    """The files that receipts name inside the dataset, by path relative to it."""
    prefix = f"{folder.space}/"
    receipts = [receipt for stage in stages_of(work.space, work.config) for receipt in folder.finished(stage).receipts]
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


def _arrays(folder: SpaceFolder, space: Space, files: Mapping[str, FileRecord]) -> tuple[ArrayFiles, ...]:
    paths = sorted({file.array for file in files.values() if file.array})
    return tuple(_array(folder, space, path, files) for path in paths)


def _array(folder: SpaceFolder, space: Space, path: str, files: Mapping[str, FileRecord]) -> ArrayFiles:
    opened: Any = open_array(folder.dataset, path)
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
    for array in space.arrays:
        if array.covers(path):
            return array
    raise PublishError(f"{space.name}: the array {path!r} is none that the space registers")
