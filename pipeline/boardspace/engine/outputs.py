"""Rules for the output of shards, held when it is written and when a stage is finished: what breaks them would be found
by ``verify`` alone, or by readers."""

from collections.abc import Iterable
from typing import Any

from boardspace.spec.errors import BoardspaceError
from boardspace.spec.space import Output, Space
from boardspace.storage.receipts import FileRecord, Receipt


class OutputError(BoardspaceError):
    """A shard yielded what its space does not declare, or what does not fit what other shards yielded."""


def refuse_undeclared(space: Space, shard: str, output: Output) -> None:
    """OutputError for a table or an array that the space does not declare, and for a shard whose name lacks the folders
    of its table."""
    tables = {table.name: table for table in space.all_tables}
    for name in output.tables:
        if name not in tables:
            raise OutputError(f"it yields a table {name!r}, and {space.name} declares none but {', '.join(tables)}")
        table = tables[name]
        if table.published and not table.one_file:
            try:
                table.folder_values(f"{shard}.parquet")
            except ValueError:
                folders = "/".join(f"{column.name}=..." for column in table.folders)
                raise OutputError(
                    f"its name is no place in the table {name!r}, which has folders: name it {folders}/..."
                ) from None
    for part in output.arrays:
        if space.array_at(part.path) is None:
            arrays = ", ".join(array.name for array in space.arrays) or "none at all"
            raise OutputError(f"it yields an array {part.path!r}, and {space.name} declares {arrays}")


def refuse_disorder(space: Space, receipts: Iterable[Receipt]) -> None:
    """OutputError where the keys of a published table do not ascend from file to file of a folder, in the order of
    their names, or two shards wrote one file of it."""
    published = {table.name for table in space.all_tables if table.published}
    files = [(file, receipt) for receipt in receipts for file in receipt.files if file.table in published]
    before: dict[str, tuple[FileRecord, Receipt]] = {}
    paths: dict[str, Receipt] = {}
    for file, receipt in sorted(files, key=lambda one: one[0].path):
        twin = paths.setdefault(file.path, receipt)
        if twin is not receipt:
            raise OutputError(f"{_name(space, twin)} and {_name(space, receipt)} write the same file: {file.path}")
        folder = f"{file.path.rpartition('/')[0]} {file.table}"
        last = before.get(folder)
        if file.rows and last is not None and not _ascend(last[0].last, file.first):
            raise OutputError(
                f"{space.name}: keys of the table {file.table!r} do not ascend from shard to shard: "
                f"{_name(space, receipt)} begins with {_key(file.first)}, and {_name(space, last[1])}, whose name "
                f"comes before, ends with {_key(last[0].last)}"
            )
        if file.rows:
            before[folder] = (file, receipt)


def _name(space: Space, receipt: Receipt) -> str:
    return f"{space.name}/{receipt.stage}/{receipt.shard}"


def _key(key: tuple[Any, ...]) -> str:
    return ", ".join(map(str, key))


def _ascend(one: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    try:
        return one < other
    except TypeError:  # receipts that were altered
        return False
