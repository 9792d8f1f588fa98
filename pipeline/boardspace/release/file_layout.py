"""Layout of files: the tables of a run are cut into the files of a release.

A run has a file for each shard, so that shards are done and repaired alone: hundreds of a few kilobytes where stages
are small. Whoever fetches a dataset wants few files. So a release joins the shards of a table, in their order, until a
file is large enough; where all are large already, they are copied as they are. Folders such as ``moves=07`` become
columns, so that shards of many folders join, too, and readers need to know of no custom: where the names of folders
ruled files out, the statistics of columns rule row groups out.

A table for look-ups (:attr:`.Table.lookup`) is cut the other way, into files and row groups so small that a row costs
two small requests, the footer and one row group, with readers that know of no page index, too. Small files of tables
with one column as their key have such row groups as well.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from boardspace.spec.space import Table
from boardspace.spec.stage import filling, fitting
from boardspace.storage.parquet import LOOKUP_ROWS, in_pages
from boardspace.storage.receipts import FileRecord

JOINED_BYTES = 16 << 20


@dataclass(frozen=True)
class Join:
    """Shards of a table, in order, whose rows one after the other make files of a release, ``sizes`` rows in each.

    ``copied``: the one shard's file is the release's as it is. Paths are relative to the dataset.
    """

    shards: tuple[FileRecord, ...]
    paths: tuple[str, ...]
    sizes: tuple[int, ...]
    copied: bool = False


def joins_of(table: Table, files: Sequence[FileRecord]) -> list[Join]:
    """Files of a release that the files of a table of a run become."""
    ordered = in_order(table, files)
    shards = [file for file in ordered if file.rows] or ordered[:1]
    by_rows = filling(shards, lambda shard: shard.rows, LOOKUP_ROWS)
    groups = list(by_rows if table.lookup else fitting(shards, lambda shard: shard.bytes, JOINED_BYTES))
    sizes = [_sizes(group) if table.lookup else (sum(shard.rows for shard in group),) for group in groups]
    # A shard's file says of which shard it is, and has its name; joined files are numbered, and no copy is among them.
    copied = all(len(group) == 1 and not table.folders and not in_pages(table, group[0].rows) for group in groups)
    names = [shard.path for shard in shards]
    if not copied:
        count = sum(map(len, sizes))
        names = [f"{table.name}/{number:0{max(4, len(str(count - 1)))}}.parquet" for number in range(count)]
    found = []
    for group, cut in zip(groups, sizes, strict=True):
        paths, names = names[: len(cut)], names[len(cut) :]
        found.append(Join(tuple(group), tuple(paths), cut, copied))
    return found


def in_order(table: Table, files: Sequence[FileRecord]) -> list[FileRecord]:
    """The files of a table of a run in the order in which a release has their rows."""
    return sorted(files, key=lambda file: (*table.folder_values(file.path).values(), file.path))


def _sizes(group: Sequence[FileRecord]) -> tuple[int, ...]:
    """The rows of a group as files of nearly the same size, none too large."""
    rows = sum(shard.rows for shard in group)
    count = max(1, -(-rows // LOOKUP_ROWS))
    return tuple(rows * (at + 1) // count - rows * at // count for at in range(count))
