"""A campaign against ``verify``: every column and array of a finished run altered, and all that follows made to agree.

A *forgery* alters values in the Parquet or Zarr files of a run, then makes digests, numbers of rows, keys, receipts,
stages' records and COMPLETE anew, so that hashes and structure hold: nothing but a re-derivation can tell. Kinds:

* ``all values``: every value of a column (cell of an array) is another one;
* ``far off``: every value is one that a careless comparison takes for it: numbers differ in their highest bit alone,
  texts by a blank at their end, lists by a value more, and floats are NaN, or -0.0 for 0;
* ``nulls put in``, ``nulls filled``: every value of a column that may be null is null, or every null is a value;
* ``one value``: that of one row;
* ``two rows``: two rows of a file change places, but for their keys;
* ``row left out``, ``row more``: one row fewer in a file, or one more than there is;
* ``no rows``: all rows of a table are left out.

What finds it is told: ``hashes`` or ``structure``, or the name of a check. The claims do not count, since a forger
would judge them again. Tables that stages exchange are no data: their SHA-256 and shards made again cover them.
What a check's draw may miss is no gap as long as its chance is told; whole tables that are
published have none. Of what no check can find the chance is told that its shards are not drawn to be made again.

    python -m tests.pipeline.forge RUN_FOLDER [SPACE ...]
"""

import random
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from boardspace.engine.plan import Work, recorded_work
from boardspace.spec.space import CLAIMS, Check, Draw, Outcome, Table
from boardspace.storage.arrays import ROOT as ARRAYS
from boardspace.storage.digest import add, rows_digest
from boardspace.storage.receipts import FileRecord, Receipt, StageRecord
from boardspace.storage.run_folder import FinishedStages, SpaceFolder
from boardspace.verify.arrays import shard_digest
from boardspace.verify.equations import all_checks
from boardspace.verify.executor import Executor
from boardspace.verify.recompute import FinishedShard, drawable_shards, fault_made_again, finished_shards, is_small
from boardspace.verify.records import records_of
from boardspace.verify.run import DatasetToCheck, structure_faults
from tests.pipeline.alterations import (
    ALL,
    FAR,
    FILLED,
    LEFT_OUT,
    MORE,
    NO_ROWS,
    NULLED,
    ONE,
    SWAPPED,
    all_others,
    alter_cells,
    left_out,
    of_family,
    one_more,
    one_value,
    otherwise,
    swapped,
)
from tests.pipeline.campaign import drawing
from tests.pipeline.forging import of_file, seal, write_forged, write_rows

WHOLE = {ALL, FAR, NULLED, FILLED, NO_ROWS}
"""Kinds that alter all files of a table or an array, where others alter one."""
DRAW, DRAWS = Draw(), 1000

Change = Callable[[pa.Table], pa.Table | None]
"""Alters the rows of a file; None where there is nothing to alter in it."""


@dataclass(frozen=True)
class Forgery:
    """One forgery: of which table or array, of which column ('' where whole rows are), and of what kind."""

    name: str
    column: str
    kind: str

    def __str__(self) -> str:
        return f"{self.name}.{self.column}" if self.column else self.name


@dataclass(frozen=True)
class Found:
    """What came of a forgery.

    forgery: what was forged.
    by: the level or the check that found it; '' where it passed.
    missed: the chance that the draws of the checks that name it miss it; 1 where they can only miss it.
    unmade: the chance that no shard is made again that shows it.
    possible: whether there was anything to forge.
    """

    forgery: Forgery
    by: str
    missed: float = 1.0
    unmade: float = 1.0
    possible: bool = True

    @property
    def gap(self) -> bool:
        """Whether it passed, though no draw of a check says so."""
        return self.possible and not self.by and self.missed == 1


@dataclass
class Campaign:
    """Forgeries of one dataset of a finished run; its folder is as it was after each."""

    root: Path
    work: Work
    chance: random.Random = field(default_factory=lambda: drawing("forgeries"))

    @property
    def published(self) -> set[str]:
        """The tables that are published."""
        return {table.name for table in self.work.space.all_tables if table.published}

    @property
    def folder(self) -> SpaceFolder:
        """The dataset's place."""
        return SpaceFolder(self.root, self.work.space.name)

    def forgeries(self) -> list[Forgery]:
        """All that there are."""
        found = []
        for table in (table for table in self.work.space.all_tables if table.published):
            for column in table.unfolded.columns:
                kinds = [ALL, FAR, ONE, *((NULLED, FILLED) if column.nullable else ())]
                found += [Forgery(table.name, column.name, kind) for kind in kinds]
            found += [Forgery(table.name, "", kind) for kind in (SWAPPED, LEFT_OUT, MORE, NO_ROWS)]
        for array in self.work.space.arrays:
            found += [Forgery(array.name, "", kind) for kind in (ALL, FAR, ONE, SWAPPED)]
        return found

    def run(self, forgeries: list[Forgery]) -> Iterator[Found]:
        """Try them one after the other."""
        for forgery in forgeries:
            with self._restored() as kept:
                if self._forge(forgery, kept):
                    yield self._found(forgery, {path.relative_to(self.root).as_posix() for path in kept})
                else:
                    yield Found(forgery, "", possible=False)

    @contextmanager
    def forged(self, forgery: Forgery) -> Iterator[None]:
        """The run with a forgery in it."""
        with self._restored() as kept:
            assert self._forge(forgery, kept)
            yield

    def _found(self, forgery: Forgery, changed: set[str]) -> Found:
        level = self.level(changed)
        if level:
            return Found(forgery, level)
        inputs = FinishedStages(self.folder, self.work.space)
        names = [check for check in all_checks(self.work.space) if _names(check, forgery)]
        others = [check for check in all_checks(self.work.space) if check not in names and check.name != CLAIMS.name]
        tried: list[Outcome] = []
        for check in [*names, *others]:
            outcome = _outcome(check, self.work, inputs)
            if outcome.fault:
                return Found(forgery, check.name)
            tried += [outcome] if check in names else []
        drawn = [outcome.cases / outcome.of for outcome in tried if outcome.cases < outcome.of]
        may_be_missed = {ONE, SWAPPED} if forgery.name in self.published else {ONE, SWAPPED, LEFT_OUT, MORE}
        by_draw = forgery.kind in may_be_missed and len(drawn) == len(tried) > 0
        missed = float(np.prod([1 - part for part in drawn])) if by_draw else 1.0
        return Found(forgery, "", missed, self.unmade(changed))

    def unmade(self, changed: set[str]) -> float:
        """The chance that none of the shards is drawn to be made again that wrote these files, if that shows it."""
        wrote = {
            (stage, receipt.shard)
            for stage, record in self._stages().items()
            for receipt in record.receipts
            if any(file.path in changed for file in receipt.files)
        }

        inputs = FinishedStages(self.folder, self.work.space)

        def shows(one: FinishedShard) -> bool:
            return _key(one) in wrote and bool(fault_made_again(self.work, inputs, one))

        shards = list(finished_shards(self.work, inputs))
        if is_small(shards):
            return float(not any(map(shows, shards)))
        drawable = drawable_shards(self.work, inputs, shards)
        showing = {_key(one) for one in (*drawable.claimed, *drawable.others) if shows(one)}
        draws = [drawable.chosen(Draw(seed)) for seed in range(DRAWS)]
        return sum(showing.isdisjoint(map(_key, some)) for some in draws) / DRAWS

    def level(self, changed: set[str]) -> str:
        """The level at which ``verify`` finds a fault without a re-derivation, or ''. Of the files those are looked at
        that were ``changed``, with their neighbours of a table, and with all others of an array."""
        recorded = records_of(self.folder, self.work)
        if recorded.faults:
            return recorded.faults[0].level
        arrays = {file.array for file in recorded.files if file.path in changed and file.array}
        rows = sorted((file for file in recorded.files if file.table), key=lambda file: file.path)
        near = {n + step for n, file in enumerate(rows) if file.path in changed for step in (-1, 0, 1)}
        looked_at = [file for n, file in enumerate(rows) if n in near]
        looked_at += [file for file in recorded.files if file.array in arrays]
        dataset = DatasetToCheck(self.root, self.work, recorded, "structure", DRAW)
        found = next(structure_faults(Executor(), dataset, looked_at, []), None)
        return found.level if found else ""

    def _stages(self) -> dict[str, StageRecord]:
        return {stage: self.folder.finished(stage) for stage in self.folder.finished_stages()}

    def _forge(self, forgery: Forgery, kept: dict[Path, bytes]) -> bool:
        records = self._stages()
        tables = {table.name: table for table in self.work.space.all_tables}
        if forgery.name in tables:
            changed = self._forge_table(forgery, tables[forgery.name], records, kept)
        else:
            changed = self._forge_array(forgery, records, kept)
        if changed:
            for path in self.root.glob(f".run/{self.folder.space}/stages/*.json"):
                kept.setdefault(path, path.read_bytes())
            for record in records.values():
                write_forged(Path(str(self.folder.stage(record.stage))), record.model_dump(mode="json"))
            complete = Path(str(self.folder.complete))
            kept.setdefault(complete, complete.read_bytes())
            for path in self.root.glob(f".run/{self.folder.space}/receipts/**/*.jsonl"):
                kept.setdefault(path, path.read_bytes())
            seal(self.root, [self.folder.space])
        return changed

    def _files(self, records: Mapping[str, StageRecord], wanted: Callable[[FileRecord], bool]) -> list[FileRecord]:
        found = [f for record in records.values() for r in record.receipts for f in r.files if wanted(f)]
        return list({file.path: file for file in found}.values())

    def _forge_table(
        self, forgery: Forgery, table: Table, records: dict[str, StageRecord], kept: dict[Path, bytes]
    ) -> bool:
        files = [file for file in self._files(records, lambda file: file.table == table.name) if file.rows]
        self.chance.shuffle(files)
        if forgery.column in {column.name for column in table.folders}:
            return self._forge_folders(forgery, table, files, records, kept)
        change = _change(forgery, table, self.chance)
        changed = False
        for file in files:
            rows = pq.read_table(self.root / file.path, partitioning=None)
            altered = change(rows)
            if altered is not None:
                _replace(records, self._write_rows(file, table, altered, rows.schema, kept))
                changed = True
                if forgery.kind not in WHOLE:
                    break
        return changed

    def _forge_folders(
        self,
        forgery: Forgery,
        table: Table,
        files: list[FileRecord],
        records: dict[str, StageRecord],
        kept: dict[Path, bytes],
    ) -> bool:
        """The rows of each file go to the next folder's; or those of two files change places."""
        by_value = {table.folder_values(file.path)[forgery.column]: file for file in files}
        if len(by_value) < 2 or forgery.kind == FAR:
            return False
        chosen = list(by_value.values()) if forgery.kind == ALL else list(by_value.values())[:2]
        contents = [pq.read_table(self.root / file.path, partitioning=None) for file in chosen]
        for file, rows in zip(chosen, contents[1:] + contents[:1], strict=True):
            _replace(records, self._write_rows(file, table, rows, rows.schema, kept))
        return True

    def _write_rows(
        self, file: FileRecord, table: Table, rows: pa.Table, schema: pa.Schema, kept: dict[Path, bytes]
    ) -> FileRecord:
        path = self.root / file.path
        kept.setdefault(path, path.read_bytes())
        rows = rows.cast(schema)
        write_rows(path, table, rows)
        keys = rows.select(list(table.key)).to_pylist()
        folders = table.folder_values(file.path) if table.folders else {}
        update = {
            **of_file(path),
            "rows": rows.num_rows,
            "first": tuple(keys[0].values()) if keys else (),
            "last": tuple(keys[-1].values()) if keys else (),
            "digest": rows_digest(rows, folders) if file.digest else "",
        }
        return file.model_copy(update=update)

    def _forge_array(self, forgery: Forgery, records: dict[str, StageRecord], kept: dict[Path, bytes]) -> bool:
        files = self._files(records, lambda file: of_family(file.array, forgery.name))
        paths = sorted({file.array for file in files})
        self.chance.shuffle(paths)
        group = self.root / self.folder.space / ARRAYS
        changed = set()
        for path in paths:
            for file in files:
                if file.array == path:
                    kept.setdefault(self.root / file.path, (self.root / file.path).read_bytes())
            if alter_cells(str(group), path, forgery.kind, self.chance):
                changed.add(path)
                if forgery.kind not in WHOLE:
                    break
        for record in records.values():
            for number, receipt in enumerate(record.receipts):
                if any(file.array in changed for file in receipt.files):
                    record.receipts[number] = self._of_cells(receipt, changed)
        return bool(changed)

    def _of_cells(self, receipt: Receipt, changed: set[str]) -> Receipt:
        """The receipt of a shard for the cells as they are now."""
        group = f"{self.folder.space}/{ARRAYS}"
        files = list(receipt.files)
        for array in changed:
            mine = [number for number, file in enumerate(files) if file.array == array]
            names = [files[number].path.removeprefix(f"{group}/{array}/") for number in mine]
            digest = add(shard_digest(self.root / group, array, name) for name in names)
            for number in mine:
                update: dict[str, Any] = of_file(self.root / files[number].path)
                update["digest"] = digest if files[number].digest else ""
                files[number] = files[number].model_copy(update=update)
        return receipt.model_copy(update={"files": files})

    @contextmanager
    def _restored(self) -> Iterator[dict[Path, bytes]]:
        kept: dict[Path, bytes] = {}
        try:
            yield kept
        finally:
            for path, content in kept.items():
                path.write_bytes(content)


def campaigns(root: Path, names: list[str]) -> list[Campaign]:
    """Campaigns against the datasets of a run, or those named."""
    return [Campaign(root, work) for work in recorded_work(root) if not names or work.space.name in names]


def told(found: Found) -> str:
    """A line of the campaign's table."""
    if not found.possible:
        return f"{found.forgery!s:45} {found.forgery.kind:13} nothing to forge"
    passed = "PASSED"
    if found.missed < 1:
        passed = f"missed by the draw with a chance of {found.missed:.3f}"
    elif found.unmade < 1:
        passed = f"no check, but shards made again; missed with a chance of {found.unmade:.3f}"
    return f"{found.forgery!s:45} {found.forgery.kind:13} {found.by or passed}"


def _names(check: Check, forgery: Forgery) -> bool:
    """True where a check says that it re-derives what is forged."""
    columns = check.columns.get(forgery.name)
    return columns is not None and (not forgery.column or forgery.column in columns)


def _key(one: FinishedShard) -> tuple[str, str]:
    return one.stage.name, one.shard.name


def _outcome(check: Check, work: Work, inputs: FinishedStages) -> Outcome:
    try:
        return check.run(work.config, inputs, DRAW)
    except Exception as error:  # what is forged makes checks raise nearly anything, and verify tells of it
        return Outcome(0, 0, repr(error))


def _replace(records: dict[str, StageRecord], new: FileRecord) -> None:
    for record in records.values():
        for number, receipt in enumerate(record.receipts):
            files = [new if file.path == new.path else file for file in receipt.files]
            record.receipts[number] = receipt.model_copy(update={"files": files})


def _change(forgery: Forgery, table: Table, chance: random.Random) -> Change:
    if forgery.kind == ALL:
        return lambda rows: all_others(rows, forgery.column, forgery.column in table.key)
    if forgery.kind in (FAR, NULLED, FILLED):
        kept = forgery.kind == FAR and forgery.column in table.key
        return lambda rows: None if kept else otherwise(rows, forgery.column, forgery.kind)
    if forgery.kind == NO_ROWS:
        return lambda rows: rows.slice(0, 0)
    if forgery.kind == ONE:
        return lambda rows: one_value(rows, table, forgery.column, chance)
    if forgery.kind == SWAPPED:
        return lambda rows: swapped(rows, table, chance)
    if forgery.kind == LEFT_OUT:
        return lambda rows: left_out(rows, chance)
    return lambda rows: one_more(rows, table)


if __name__ == "__main__":
    for campaign in campaigns(Path(sys.argv[1]), sys.argv[2:]):
        for one in campaign.run(campaign.forgeries()):
            sys.stdout.write(f"{campaign.work.space.name:15} {told(one)}\n")
            sys.stdout.flush()
