"""One shard made anew, on this machine, and compared with what is published: a check that anyone can make of any shard.

In the folder of a run, the shard reads the finished stages before it, as it did when it was made. A release holds no
stages, so those before the shard's are made anew first, in scratch; the same can be asked for in a run. Contents are
compared: rows and cells, and in a run also what later stages read. Bytes of files may differ between versions of the
libraries that write them.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from boardspace.engine import compilation
from boardspace.engine.plan import Work, cut, has_plan, plan_differences, recorded_work, work_by
from boardspace.engine.work import RunDataset, cut_stage, finish_stage, run_bundle
from boardspace.spec.errors import BoardspaceError
from boardspace.spec.registry import space_named
from boardspace.spec.space import Output, Stage, Table
from boardspace.spec.stages import stages_behind, stages_of
from boardspace.storage.arrays import open_array
from boardspace.storage.blobs import map_blob
from boardspace.storage.complete import read_complete
from boardspace.storage.locations import BucketPath, Location
from boardspace.storage.mirror import local_copy
from boardspace.storage.parquet import read_tables, with_folders
from boardspace.storage.receipts import StageRecord, no_receipts
from boardspace.storage.records import canonical_json
from boardspace.storage.release_folder import SUMS, read_sums
from boardspace.storage.run_folder import COMPLETE, FinishedStages, SpaceFolder
from boardspace.storage.scratch import scratch_folder
from boardspace.verify.files import FileFaultError
from boardspace.verify.release_files import datasets_in
from boardspace.verify.release_inputs import PublishedTables, published_work

Warn = Callable[[str], None]
MOST_NAMED = 5


@dataclass(frozen=True)
class ShardCheck:
    """Comparison of one shard.

    shard: its name, ``SPACE/STAGE/SHARD``.
    rows, cells: compared.
    stages: made anew before it.
    differences: between what was made and what is published, a line each.
    left_out: intermediates that could not be compared, since they are not kept.
    """

    shard: str
    rows: int
    cells: int
    stages: int
    differences: tuple[str, ...]
    left_out: tuple[str, ...]


@dataclass(frozen=True)
class _Target:
    """A shard as its name gives it."""

    space: str
    stage: str
    shard: str


def check_shard(root: Location, name: str, warn: Warn, from_scratch: bool = False) -> ShardCheck:
    """Make a shard of a run or of a release anew and compare; ``name`` is ``SPACE/STAGE/SHARD``.

    ``from_scratch`` has the stages before it made anew in a run, too. ``warn`` takes what a user should know: that the
    plan is of another version, or that much has to be made first.

    Raises BoardspaceError where there is no such shard, or what it reads is not kept.
    """
    parts = name.split("/", 2)
    if len(parts) < 3 or not all(parts):
        raise BoardspaceError(f"{name!r}: give a shard as SPACE/STAGE/SHARD, such as toy/squares/00000")
    target = _Target(*parts)
    if isinstance(root, BucketPath):
        with local_copy(root, [target.space]) as there:
            return check_shard(there, name, warn, from_scratch)
    published: _Published
    if has_plan(root):
        work = _recorded(root, target.space)
        published = _InRun(SpaceFolder(root, target.space), work)
    else:
        work, published = _released(root, target.space)
        from_scratch = True
    for difference in plan_differences(work.plan, work_by(work.space, work.plan).plan):
        warn(f"{target.space}: made by another plan than this installation would follow: {difference}")
    compilation.fill([target.space])
    if isinstance(published, _InRun) and not from_scratch:
        inputs = FinishedStages(published.folder, work.space)
        return _compared(target, work, _output(target, work, inputs), published, 0)
    with _made_anew(target, work, warn) as (output, stages):
        return _compared(target, work, output, published, stages)


def _recorded(root: Path, space: str) -> Work:
    work = {one.space.name: one for one in recorded_work(root)}
    if space not in work:
        raise BoardspaceError(f"{root}: no dataset {space!r} here; there are: {', '.join(work)}")
    return work[space]


def _released(root: Path, space: str) -> "tuple[Work, _InRelease]":
    folders = {folder.resolve().name: folder for folder in datasets_in(root)}
    if space not in folders:
        known = f"there are: {', '.join(folders)}" if folders else "give the folder of a run or of a release"
        raise BoardspaceError(f"{root}: no dataset {space!r} here; {known}")
    folder, found = folders[space], space_named(space)
    complete = read_complete(SpaceFolder(folder.resolve().parent, space))
    if complete is None:
        raise BoardspaceError(f"{folder / COMPLETE}: missing or damaged; `boardspace verify {root}` tells more")
    try:
        work = published_work(folder, found, complete)
        names = tuple(read_sums(folder / SUMS))
    except (FileFaultError, OSError, ValueError) as error:
        raise BoardspaceError(f"{folder}: {error}; `boardspace verify {root}` tells more") from error
    return work, _InRelease(PublishedTables(folder, found, names))


def _stage(target: _Target, stages: Mapping[str, Stage]) -> Stage:
    if target.stage not in stages:
        raise BoardspaceError(f"{target.space} has no stage {target.stage!r}; there are: {', '.join(stages)}")
    return stages[target.stage]


def _no_shard(target: _Target, names: Sequence[str]) -> BoardspaceError:
    few = ", ".join(names[:MOST_NAMED]) + (f" and {len(names) - MOST_NAMED:,} more" if len(names) > MOST_NAMED else "")
    return BoardspaceError(f"{target.space}/{target.stage} has no shard {target.shard!r}; there are: {few or 'none'}")


def _output(target: _Target, work: Work, inputs: FinishedStages) -> Output:
    """The output of a shard of a run, by the finished stages that lie there."""
    stage = _stage(target, stages_of(work.space, work.config))
    record, names = no_receipts(stage.name), list[str]()
    while True:
        now = inputs.with_record(record) if stage.repeats else inputs
        shards = {shard.name: shard for shard in cut(stage, work.config, now)}
        if target.shard in shards:
            return stage.compute(work.config, shards[target.shard].params, now)
        new = set(shards) - set(names)
        names += sorted(new)
        if not stage.repeats or not new:
            raise _no_shard(target, names)
        receipts = [receipt for receipt in inputs.record(stage.name).receipts if receipt.shard in names]
        record = StageRecord(stage=stage.name, receipts=receipts)


@contextmanager
def _made_anew(target: _Target, work: Work, warn: Warn) -> Iterator[tuple[Output, int]]:
    """The output of a shard and the number of stages made before it, all in scratch and by this installation."""
    with scratch_folder() as scratch:
        plan = work_by(work.space, work.plan).plan
        dataset = RunDataset(scratch / "run", target.space, plan.model_dump_json())
        stages = stages_of(work.space, work.config)
        behind = stages_behind(stages, _stage(target, stages).name)
        needed = [name for name in stages if name in behind]
        if needed:
            warn(f"computing first the stages that the shard reads: {', '.join(needed)}")
        finished: dict[str, str] = {}
        for name in needed:
            while _finish_round(dataset, stages[name], finished):
                pass
        while True:
            made = cut_stage(dataset, target.stage, finished)
            found = [todo for todo in made.todo if todo.shard.name == target.shard]
            if found:
                inputs = FinishedStages(dataset.folder, work.space, dict(made.inputs))
                yield stages[target.stage].compute(work.config, found[0].shard.params, inputs), len(needed)
                return
            if not stages[target.stage].repeats or not _finish_round(dataset, stages[target.stage], finished):
                raise _no_shard(target, [todo.shard.name for todo in made.todo])


def _finish_round(dataset: RunDataset, stage: Stage, finished: dict[str, str]) -> bool:
    """Make a stage, or the next round of one that repeats; return True where another round may follow."""
    made = cut_stage(dataset, stage.name, finished)
    receipts = run_bundle(dataset, stage.name, made.inputs, made.todo, 0.0)
    finished[stage.name] = finish_stage(dataset, made, finished, (), [receipts]).digest
    return stage.repeats and bool(made.todo)


class _Published:
    """Published contents of a dataset; None where they are not kept."""

    def rows(self, table: Table, target: _Target, made: pa.Table) -> pa.Table | None:
        """The rows that should be those ``made``, with the columns of folders."""
        raise NotImplementedError

    def array(self, path: str) -> Any:
        """An array, opened for reading."""
        raise NotImplementedError

    def blob(self, name: str, target: _Target) -> Any:
        """The array of a blob."""
        return None

    def facts(self, target: _Target) -> Mapping[str, Any] | None:
        """The facts that the shard's receipt holds."""
        return None


@dataclass(frozen=True)
class _InRun(_Published):
    """A dataset of a run."""

    folder: SpaceFolder
    work: Work

    def rows(self, table: Table, target: _Target, made: pa.Table) -> pa.Table | None:
        """See :class:`_Published`."""
        path = self.folder.table(table, target.stage, target.shard)
        if not (Path(str(self.folder.root)) / path).exists():
            return None
        return with_folders(read_tables([self.folder.root / path], table, None, None), table, path)

    def array(self, path: str) -> Any:
        """See :class:`_Published`."""
        return open_array(self.folder.dataset, path)

    def blob(self, name: str, target: _Target) -> Any:
        """See :class:`_Published`."""
        path = self.folder.root / self.folder.blob(name, target.stage, target.shard)
        return map_blob(path, "") if Path(str(path)).exists() else None

    def facts(self, target: _Target) -> Mapping[str, Any] | None:
        """See :class:`_Published`."""
        for receipt in self.folder.finished(target.stage).receipts:
            if receipt.shard == target.shard:
                return receipt.facts
        return None


@dataclass(frozen=True)
class _InRelease(_Published):
    """A dataset of a release, whose files are not those of shards."""

    tables: PublishedTables

    def rows(self, table: Table, target: _Target, made: pa.Table) -> pa.Table | None:
        """See :class:`_Published`."""
        if not table.published:
            return None
        first = made.column(table.unfolded.key[0])
        between = None
        if made.num_rows and pa.types.is_integer(first.type) and not table.folders:
            between = (first[0].as_py(), first[-1].as_py() + 1)
        return _with_keys(self.tables.table(table.name, between=between), table.unfolded.key, made)

    def array(self, path: str) -> Any:
        """See :class:`_Published`."""
        return self.tables.array(path)


def _with_keys(rows: pa.Table, key: Sequence[str], made: pa.Table) -> pa.Table:
    """The rows whose key is one of those ``made``."""
    for name in key:
        rows = rows.filter(pc.is_in(rows.column(name), value_set=made.column(name).combine_chunks()))
    if len(key) > 1:
        keys = set(zip(*(made.column(name).to_pylist() for name in key), strict=True))
        found = zip(*(rows.column(name).to_pylist() for name in key), strict=True)
        rows = rows.filter(pa.array([one in keys for one in found], pa.bool_()))
    return rows


def _compared(target: _Target, work: Work, output: Output, published: _Published, stages: int) -> ShardCheck:
    rows = cells = 0
    differences: list[str] = []
    left_out: list[str] = []
    for name, found in output.tables.items():
        table = work.space.table(name)
        made = with_folders(found.select(table.schema.names).cast(table.schema), table, f"{target.shard}.parquet")
        there = published.rows(table, target, made)
        if there is None:
            left_out.append(f"table {name}")
            continue
        rows += made.num_rows
        differences += _row_differences(name, table.unfolded, made, there)
    for part in output.arrays:
        cells += part.values.size
        differences += _cell_differences(part.path, part.start, part.values, published)
    for name, values in output.blobs.items():
        blob = published.blob(name, target)
        if blob is None:
            left_out.append(f"blob {name}")
        elif not np.array_equal(blob, values):
            differences.append(f"blob {name}: another array was kept")
    facts = published.facts(target)
    if facts is not None and canonical_json(facts) != canonical_json(dict(output.facts)):
        differences.append("facts: its receipt holds others")
    shard = f"{target.space}/{target.stage}/{target.shard}"
    return ShardCheck(shard, rows, cells, stages, tuple(differences), tuple(left_out))


def _row_differences(name: str, table: Table, made: pa.Table, there: pa.Table) -> Iterator[str]:
    made, there = made.select(table.schema.names).cast(table.schema), there.select(table.schema.names)
    if made.num_rows != there.num_rows:
        yield f"table {name}: {made.num_rows:,} rows were made, and {there.num_rows:,} of them are published"
        return
    for column in table.schema.names:
        one, other = made.column(column).combine_chunks(), there.column(column).cast(made.column(column).type)
        if not one.equals(other.combine_chunks()):
            rows = zip(one.to_pylist(), other.to_pylist(), strict=True)
            number, (new, old) = next((i, pair) for i, pair in enumerate(rows) if pair[0] != pair[1])
            yield f"table {name}: {column} of row {number:,} of the shard is {new!r}, and {old!r} is published"


def _cell_differences(path: str, start: Sequence[int], values: Any, published: _Published) -> Iterator[str]:
    there = published.array(path)[tuple(slice(low, low + size) for low, size in zip(start, values.shape, strict=True))]
    if there.shape != values.shape:
        yield f"array {path}: {values.shape} cells from {tuple(start)} on were made, and {there.shape} are published"
    elif not np.array_equal(there, values):
        cell = tuple(int(low + at) for low, at in zip(start, np.argwhere(there != values)[0], strict=True))
        yield f"array {path}: cell {cell} is another"
