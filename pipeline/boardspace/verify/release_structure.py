"""The structure of a downloaded dataset: its tables, arrays and documents, against the registry and COMPLETE."""

import csv
import functools
import io
import json
import re
import threading
import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from boardspace.engine.plan import Work
from boardspace.spec.errors import BoardspaceError
from boardspace.spec.registry import error_text, space_named
from boardspace.spec.space import CLAIMS, Array, Space, Table
from boardspace.spec.stages import stages_of
from boardspace.spec.table import dictionary, json_text, table_schema
from boardspace.storage.arrays import METADATA, groups_above
from boardspace.storage.arrays import ROOT as ARRAYS
from boardspace.storage.complete import Complete, Content
from boardspace.storage.digest import add
from boardspace.storage.records import NOT_AS_WRITTEN, is_as_written, read_record
from boardspace.storage.release_folder import DOCUMENTS, schema_path
from boardspace.storage.run_folder import COMPLETE
from boardspace.verify.arrays import check_group, check_metadata, check_root, layout_of, shard_digest
from boardspace.verify.files import FileFaultError, Rows, check_table, opened, side_by_side, stamp_by
from boardspace.verify.records import is_of_these_sources, plan_fault
from boardspace.verify.release_inputs import PACKAGE, Faults, published_work

CONTENTS = Path(__file__).with_name("contents.toml")


def contents_faults(work: Work, complete: Complete) -> Iterator[str]:
    """A fault for each table or array that is lacking, and one where the stages are not those of the config."""
    if work.plan.version != work.space.version:
        return
    try:
        stages = stages_of(work.space, work.config).keys()
    except Exception as error:  # so do configs that no run would have begun with
        yield f"the config of the dataset has no stages: {error_text(error)}"
        return
    if is_of_these_sources(work) and complete.stages.keys() != stages:
        yield "names other stages than the config of the dataset has"
    held = {*complete.tables, *(array.name for path in complete.arrays if (array := work.space.array_at(path)))}
    contents: tuple[Table | Array, ...] = (*work.space.tables, *work.space.arrays)
    for content in contents:
        if content.name not in held and _is_asked_for(content, work, stages):
            yield f"names no {content.name}, and the config of the dataset asks for it"


def _is_asked_for(content: Table | Array, work: Work, stages: Collection[str]) -> bool:
    rule = rules().get(work.space.name, {}).get(content.name)
    if rule is None:
        return False
    names, whole = (rule, "") if isinstance(rule, str) else (rule["stages"], rule["whole"])
    if not any(re.fullmatch(names, stage) for stage in stages):
        return False
    extents = {extent.scope: extent for extent in work.space.extents(work.config)}
    if whole and extents[whole].partial:
        return False
    extent = work.space.extent_of(content, work.config)
    return extent is None or extent.covered + extent.beyond > 0


@functools.cache
def rules() -> Mapping[str, Mapping[str, Any]]:
    """The rules of ``contents.toml``, by space and by name of a table or a family of arrays."""
    return tomllib.loads(CONTENTS.read_text(encoding="utf-8"))


LONGEST_DESCRIPTION = 1 << 22
"""Bytes of a schema or a dictionary that are read: more than any has."""
TOO_MANY = f"its rows and those of other files are more than {COMPLETE} says"


@dataclass
class Counts:
    """Counts of what was looked at; ``others`` of the files of tables that another version wrote."""

    files: int = 0
    bytes: int = 0
    rows: int = 0
    others: int = 0


def structure_faults(folder: Path, sums: Mapping[str, str], counts: Counts) -> Faults:
    """Faults of a dataset's tables, arrays and documents, whose hashes are right; rows are counted in ``counts``."""
    try:
        space = space_named(folder.resolve().name)
    except BoardspaceError as error:
        yield ".", f"its structure cannot be checked: {error}"
        return
    complete = read_record(folder / COMPLETE, Complete)
    if complete is None:
        yield COMPLETE, "torn or altered"
        return
    if not is_as_written(folder / COMPLETE, complete):
        yield COMPLETE, NOT_AS_WRITTEN
    try:
        work = published_work(folder, space, complete)
        if fault := plan_fault(work):
            raise FileFaultError(fault)
    except FileFaultError as error:
        yield PACKAGE, str(error)
        return
    space = work.space
    tables = {table.name: table for table in space.all_tables}
    stamp = stamp_by(space, work.plan)
    worded = is_of_these_sources(work)
    owned: set[str] = set()
    if CLAIMS.name not in complete.tables:
        yield COMPLETE, f"names no {CLAIMS.name}, and every dataset has them"
    for table, content in complete.tables.items():
        files = sorted(name for name in sums if name.startswith(f"{table}/") or name == f"{table}.parquet")
        owned.update(files)
        if table not in tables:
            yield COMPLETE, f"names a table {table!r}, and {space.name} has none of that name"
        else:
            yield from _table_faults(folder, tables[table].unfolded, files, content, stamp, counts, worded)
    yield from _array_faults(folder, space, sums, complete.arrays, stamp, owned, worded)
    yield from ((COMPLETE, what) for what in contents_faults(work, complete))
    yield from _document_faults(folder, space, complete, worded)
    owned.update((COMPLETE, *DOCUMENTS, *map(schema_path, complete.tables)))
    for name in sums:
        if name not in owned:
            yield name, f"is no document of a dataset, and belongs to no table and no array that {COMPLETE} names"


def _document_faults(folder: Path, space: Space, complete: Complete, worded: bool) -> Faults:
    """Faults of schemas and dictionary, which the program makes again from its registry; ``worded``: word for word."""
    tables = [table.unfolded for table in space.all_tables if table.name in complete.tables]
    held = {space.array_at(path) for path in complete.arrays}
    arrays = [array for array in space.arrays if array in held]
    texts = {schema_path(table.name): json_text(table_schema(table)) for table in tables}
    for name, text in {**texts, "dictionary.csv": dictionary(tables, arrays)}.items():
        try:
            with opened(folder / name) as stream:
                found = stream.read(LONGEST_DESCRIPTION)
            if found != text.encode() and (worded or _unworded(name, found) != _unworded(name, text.encode())):
                yield name, f"is not what {space.name} says of its tables and arrays"
        except FileFaultError as error:
            yield name, str(error)


def _unworded(name: str, content: bytes) -> Any:
    """Content of a schema or the dictionary without its descriptions, which another version may word otherwise."""
    try:
        text = content.decode()
        if name.endswith(".csv"):
            return [line[:-2] for line in csv.reader(io.StringIO(text))]
        return json.loads(text, object_pairs_hook=lambda pairs: [one for one in pairs if one[0] != "description"])
    except (ValueError, RecursionError, csv.Error) as error:
        raise FileFaultError(f"does not decode: {error!r}") from error


def _table_faults(
    folder: Path,
    table: Table,
    files: Sequence[str],
    content: Content,
    stamp: Mapping[str, str],
    counts: Counts,
    worded: bool,
) -> Faults:
    """Each file is opened once, and its rows are decoded unless there would be more of them than there should."""
    number, digests, bad = _Number(content.rows), list[str](), False
    before: tuple[Any, ...] = ()

    def check(name: str) -> Rows:
        return check_table(folder / name, table, stamp, number.wrong, worded)

    for name, read in side_by_side(check, files):
        if isinstance(read, Rows):
            counts.rows += read.num_rows
            counts.others += not read.rewritten
            digests.append(read.digest)
            if before and read.first and not before < read.first:
                yield name, f"starts at {read.first}, not above the end {before} of the file before it"
            before = read.last or before
        elif str(read) != TOO_MANY:
            bad = True
            yield name, str(read)
    if bad:
        return
    if number.counted != content.rows:
        yield table.name, f"{number.counted} rows in {len(files)} files, {COMPLETE} says {content.rows}"
    elif add(digests) != content.digest:
        yield table.name, f"{content.rows} rows with other content than {COMPLETE} says of its {content.rows} rows"


class _Number:
    """Number of the rows of a table's files, counted as these are opened, by several threads."""

    def __init__(self, most: int) -> None:
        self.most, self.counted = most, 0
        self._lock = threading.Lock()

    def wrong(self, rows: int) -> str:
        """Count the rows of one more file; what is wrong where they are too many with those before, or ''."""
        with self._lock:
            self.counted += rows
            return TOO_MANY if self.counted > self.most else ""


def _array_faults(
    folder: Path,
    space: Space,
    sums: Mapping[str, str],
    arrays: Mapping[str, Content],
    stamp: Mapping[str, str],
    owned: set[str],
    worded: bool,
) -> Faults:
    group = folder / ARRAYS
    for path, content in arrays.items():
        try:
            check_metadata(group, path, space, stamp, worded)
            files = _files_of_array(group, path, sums)
            above = [f"{ARRAYS}/{folders}{METADATA}" for folders in groups_above(path)]
            owned.update(above, (f"{ARRAYS}/{name}" for name in files))
            shards = [name.removeprefix(f"{path}/") for name in files if name != f"{path}/{METADATA}"]
            digests = []
            for _, digest in side_by_side(partial(shard_digest, group, path), shards):
                if isinstance(digest, FileFaultError):
                    raise digest
                digests.append(digest)
            if add(digests) != content.digest:
                raise FileFaultError(f"other cells than {COMPLETE} says")
            for name in above[1:]:
                check_group(folder / name)
        except FileFaultError as error:
            yield f"{ARRAYS}/{path}", str(error)
    if arrays:
        paths = [name.removeprefix(f"{ARRAYS}/") for name in sums if name.startswith(f"{ARRAYS}/")]
        try:
            check_root(group, [name.removesuffix(f"/{METADATA}") for name in paths if name.endswith(f"/{METADATA}")])
        except FileFaultError as error:
            yield f"{ARRAYS}/{METADATA}", str(error)


def _files_of_array(group: Path, path: str, sums: Mapping[str, str]) -> list[str]:
    """An array's files, by names inside the group; FileFaultError where they are others than its metadata says."""
    prefix = f"{ARRAYS}/{path}/"
    there = sorted(name.removeprefix(prefix) for name in sums if name.startswith(prefix))
    if METADATA not in there:
        raise FileFaultError("it has no metadata")
    layout = layout_of(group / path / METADATA)
    if layout.files != len(there) - 1:
        raise FileFaultError(f"its metadata names {layout.files} files, there are {len(there) - 1}")
    if sorted([*layout.names(), METADATA]) != there:
        raise FileFaultError("its files are others than its metadata names")
    return [f"{path}/{name}" for name in there]
