"""Folder of a run: what lies where.

::

    outputs/laptop/
      plan.json                        what was asked for, by which code
      klotski/                         a dataset
        main/00000000.parquet          table / shard
        arrays.zarr/                   one Zarr group
        claims.parquet  COMPLETE
      .run/lock                        held while a run writes here
      .run/progress.json               last progress of its shards, as long as it goes on
      .run/klotski/receipts/STAGE/SHARD.0.jsonl   those of a bundle of shards, named after the first, by one attempt
      .run/klotski/stages/STAGE.json   all receipts of a finished stage
      .run/klotski/rounds/STAGE/0000.json   those of a round of a stage that repeats, until the stage is finished
      .run/klotski/intermediates/STAGE/TABLE/SHARD.parquet
      .run/klotski/intermediates/STAGE/BLOB/SHARD.npy
      .run/swept/                      files no receipt vouches for, moved out of the way
"""

import functools
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy.typing as npt
import pyarrow as pa

from boardspace.spec.space import Facts, Output, Space, Table
from boardspace.spec.stage import ShardGpu
from boardspace.storage.arrays import open_array, write_part
from boardspace.storage.blobs import map_blob, write_blob
from boardspace.storage.files import NotKeptError, Sizes, StorageError
from boardspace.storage.locations import Location
from boardspace.storage.parquet import read_tables, with_folders, write_table
from boardspace.storage.receipts import (
    NO_ROUNDS,
    SUFFIX,
    Attempt,
    FileRecord,
    Receipt,
    Round,
    StageRecord,
    next_round,
    read_receipts,
    record_of_rounds,
)
from boardspace.storage.records import collector_paused, encoded, read_record
from boardspace.storage.stored import put_bytes, stored, within

LICENCE = "CC0-1.0"
COMPLETE = "COMPLETE"
PLAN = "plan.json"
LOCK = ".run/lock"


def stamp_of(space: Space, plan: str) -> dict[str, str]:
    """Metadata on every file of a dataset: where it belongs; ``plan`` is the plan's digest."""
    return {"dataset": f"boardspace/{space.name}", "version": space.dataset_version, "plan": plan, "licence": LICENCE}


@dataclass(frozen=True)
class SpaceFolder:
    """The part of a run's folder that belongs to one space."""

    root: Location
    space: str

    @property
    def dataset(self) -> Location:
        """Folder of the published files."""
        return self.root / self.space

    @property
    def private(self) -> Location:
        """Folder of receipts and intermediates."""
        return self.root / ".run" / self.space

    @property
    def complete(self) -> Location:
        """The file written last: its presence says that the dataset is whole."""
        return self.dataset / COMPLETE

    def receipts(self, stage: str) -> Location:
        """Folder of the receipts of a stage's shards."""
        return self.private / "receipts" / stage

    def attempt(self, stage: str, bundle: str) -> Attempt:
        """An attempt at a bundle of shards; ``bundle`` is the name of the first. ValueError for a name that leads out
        of the folder, StorageError for a link that does."""
        where = within(self.root, f".run/{self.space}/receipts/{stage}/{bundle}").parent
        name = bundle.rsplit("/", 1)[-1]
        return Attempt(lambda number: where / f"{name}.{number}{SUFFIX}")

    def stage(self, stage: str) -> Location:
        """Path of a finished stage's record."""
        return self.private / "stages" / f"{stage}.json"

    def rounds(self, stage: str) -> Location:
        """Folder of the records of a repeating stage's rounds until it is finished."""
        return self.private / "rounds" / stage

    def table(self, table: Table, stage: str, shard: str) -> str:
        """Path of a shard's rows of a table, relative to the run's folder."""
        if table.one_file:
            return f"{self.space}/{table.name}.parquet"
        if table.published:
            return f"{self.space}/{table.name}/{shard}.parquet"
        return f".run/{self.space}/intermediates/{stage}/{table.name}/{shard}.parquet"

    def blob(self, name: str, stage: str, shard: str) -> str:
        """Path of a shard's blob, relative to the run's folder."""
        return f".run/{self.space}/intermediates/{stage}/{name}/{shard}.npy"

    def write_output(self, space: Space, stage: str, shard: str, output: Output, plan: str) -> list[FileRecord]:
        """Write all a shard yielded; ``plan`` is the plan's digest, stamped on every file."""
        stamp = stamp_of(space, plan)
        records = []
        for name, rows in output.tables.items():
            table = space.table(name)
            path = self.table(table, stage, shard)
            records.append(write_table(self.root, path, table, rows, {**stamp, "shard": shard}))
        for part in output.arrays:
            records += write_part(self.root, self.space, part, stamp)
        for name, values in output.blobs.items():
            records.append(write_blob(self.root, self.blob(name, stage, shard), name, values))
        return records

    def finished_stages(self) -> list[str]:
        """The names of the stages that have a record."""
        return sorted(name.removesuffix(".json") for name in stored(self.private / "stages").names())

    def finished(self, stage: str) -> StageRecord:
        """The record of a stage that has to be finished."""
        record = read_record(self.stage(stage), StageRecord)
        if record is None:
            raise StorageError(f"{self.stage(stage)}: missing or torn: the stage {stage!r} is not finished")
        return record

    def lacking(self, receipt: Receipt, sizes: Sizes | None = None) -> list[FileRecord]:
        """The files of a receipt that are not there with their size (``verify`` compares the content)."""
        size = sizes or (lambda name: stored(self.root / name).size())
        return [file for file in receipt.files if size(file.path) != file.bytes]

    def sizes(self, stage: str) -> Sizes:
        """Sizes of what a stage's shards may have written, but for receipts, by names in the run's folder."""
        return stored(self.root).sizes([f".run/{self.space}/intermediates/{stage}", self.space])

    def single_receipts(self, stage: str) -> Iterator[Receipt]:
        """All whole receipts of a stage's shards, those of other plans, and of several attempts at one, among them."""
        for _, receipts in read_receipts(self.receipts(stage)):
            yield from filter(None, receipts)

    @collector_paused()
    def receipts_for(
        self, stage: str, works: Mapping[str, str], recorded: Sequence[Receipt], only_round: bool = False
    ) -> dict[str, Receipt]:
        """The receipts of a stage's shards for exactly this work, digests by the shards' names.

        Those ``recorded`` come first; files of receipts are read only where these lack some, and of a stage that
        repeats only those of bundles of the round that ``works`` are of: reading all in each round would take ever
        longer.
        """
        found = {receipt.shard: receipt for receipt in recorded if works.get(receipt.shard) == receipt.work}
        if len(found) < len(works):
            common = {name.rpartition("/")[0] for name in works} if only_round else set()
            below = common.pop() if len(common) == 1 else ""
            bundles = set(works) if only_round else None
            for _, receipts in read_receipts(self.receipts(stage), below, bundles):
                for receipt in filter(None, receipts):
                    if works.get(receipt.shard) == receipt.work:
                        found.setdefault(receipt.shard, receipt)
        return found

    def set_aside(self, names: Sequence[str]) -> None:
        """Move files, by their names in the run's folder, out of the way: their shards will be done again."""
        for name in names:
            within(self.root, name.rsplit("/", 1)[0])
            stored(self.root).move(name, f".run/swept/{name}")

    def delete_blobs(self, receipts: Sequence[Receipt], names: Collection[str] | None = None) -> None:
        """Delete the blobs that these receipts name: all, or those of these ``names``."""
        for receipt in receipts:
            for file in receipt.files:
                if file.blob and (names is None or file.blob in names):
                    stored(within(self.root, file.path)).remove()

    def reopen(self) -> None:
        """Take back that the dataset is complete: it is about to change. StorageError where a link leads elsewhere."""
        within(self.root, f".run/{self.space}")
        stored(within(self.root, self.space) / COMPLETE).remove()


@dataclass(frozen=True)
class FinishedStages:
    """Finished stages of a space, as :class:`.Inputs` of shards, cuts and claims.

    A finished stage does not change, so its record is read once.

    folder: of the space in the run.
    space: that the stages are of.
    digests: of the stages' records, by stage, where they are known: a worker may see an older state of a shared folder.
    _records: those read so far, by stage.
    _rounds: rounds read so far, by stage that repeats.
    _on_report: takes the texts that a shard reports.
    gpu: for a shard; None where there is none, or none is to be used.
    """

    folder: SpaceFolder
    space: Space
    digests: Mapping[str, str] = field(default_factory=dict)
    _records: dict[str, StageRecord] = field(default_factory=dict)
    _rounds: dict[str, Sequence[Round]] = field(default_factory=dict)
    _on_report: Callable[[str], None] = lambda _: None
    gpu: ShardGpu = None

    def of_shard(self, on_report: Callable[[str], None], gpu: ShardGpu = None) -> "FinishedStages":
        """Inputs of one shard, with a GPU or none: ``on_report`` takes the texts that it reports."""
        return FinishedStages(self.folder, self.space, self.digests, self._records, self._rounds, on_report, gpu)

    def with_rounds(self, stage: str, rounds: Sequence[Round]) -> "FinishedStages":
        """Inputs in which a stage that repeats had these rounds so far, whatever is on the disk."""
        records = {name: record for name, record in self._records.items() if name != stage}
        digests = {**self.digests, stage: rounds[-1].digest if rounds else NO_ROUNDS}
        return FinishedStages(self.folder, self.space, digests, records, {**self._rounds, stage: rounds})

    def rounds(self, stage: str) -> int:
        return len(self._rounds_of(stage))

    def facts(self, stage: str, *, of_round: int | None = None) -> list[Facts]:
        return [receipt.facts for receipt in self._receipts(stage, of_round)]

    def named_facts(self, stage: str, *, of_round: int | None = None) -> dict[str, Facts]:
        return {receipt.shard: receipt.facts for receipt in self._receipts(stage, of_round)}

    def rows(self, stage: str, table: str) -> int:
        return sum(file.rows for file in self._files(stage, table))

    def read(
        self,
        stage: str,
        table: str,
        *,
        shards: Sequence[str] | None = None,
        columns: Sequence[str] | None = None,
        between: tuple[Any, Any] | None = None,
    ) -> pa.Table:
        paths = [self.folder.root / file.path for file in self._files(stage, table, shards, between)]
        return read_tables(paths, self.space.table(table), columns, between)

    def table(
        self, name: str, *, columns: Sequence[str] | None = None, between: tuple[Any, Any] | None = None
    ) -> pa.Table:
        table = self.space.table(name)
        wanted = [column.name for column in table.unfolded.columns] if columns is None else list(columns)
        inside = [column.name for column in table.columns if column.name in wanted]
        stages = sorted({*self.folder.finished_stages(), *self.digests})
        files = [file for stage in stages for file in self._files(stage, name, between=between)]
        found = []
        for file in sorted(files, key=lambda file: (*table.folder_values(file.path).values(), file.path)):
            rows = read_tables([self.folder.root / file.path], table, inside, between)
            found.append(with_folders(rows, table, file.path).select(wanted))
        return pa.concat_tables(found) if found else table.unfolded.schema.empty_table().select(wanted)

    def array(self, path: str) -> Any:
        return open_array(self.folder.dataset, path)

    def blob(self, stage: str, name: str, shard: str) -> npt.NDArray[Any]:
        """See :meth:`.Inputs.blob`; NotKeptError where the shard left none."""
        receipts = self._named(stage, [shard])
        found = [file for receipt in receipts for file in receipt.files if file.blob == name]
        if not found:
            raise NotKeptError(f"stage {stage!r}: shard {shard!r} left no blob {name!r}")
        return map_blob(self.folder.root / found[0].path, found[0].sha256)

    def report(self, text: str) -> None:
        self._on_report(text)

    @collector_paused()
    def record(self, stage: str) -> StageRecord:
        """The record of a finished stage, or of one that repeats as far as it is; StorageError where it is another than
        ``digests`` says."""
        if stage not in self._records:
            self._records[stage] = self._read(stage)
        return self._records[stage]

    def _read(self, stage: str) -> StageRecord:
        if stage in self._rounds or _is_of_rounds(self.digests.get(stage, "")):
            return record_of_rounds(stage, self._rounds_of(stage))
        record = self.folder.finished(stage)
        if stage in self.digests and self.digests[stage] != record.digest:
            raise StorageError(f"{self.folder.stage(stage)}: is not the record that this run wrote")
        return record

    def _rounds_of(self, stage: str) -> Sequence[Round]:
        """The rounds so far of a stage that repeats; one that does not has a single one."""
        if stage not in self._rounds:
            digest = self.digests.get(stage, "")
            if _is_of_rounds(digest):
                found: Sequence[Round] = rounds_until(self.folder, stage, digest)
            else:
                record = self.record(stage)
                found = record.by_round() if record.rounds else [next_round(stage, (), record.receipts)]
            self._rounds[stage] = found
        return self._rounds[stage]

    def _receipts(self, stage: str, of_round: int | None = None) -> Sequence[Receipt]:
        if of_round is None:
            return self.record(stage).receipts
        rounds = self._rounds_of(stage)
        return rounds[of_round].receipts if rounds else ()

    def _named(self, stage: str, shards: Iterable[str]) -> list[Receipt]:
        """The receipts of these shards, in order of their names; the rounds are looked through from the last on."""
        newest_first = [one.by_shard for one in reversed(self._rounds_of(stage))]
        found = (next((one[shard] for one in newest_first if shard in one), None) for shard in sorted(set(shards)))
        return [receipt for receipt in found if receipt is not None]

    def _files(
        self, stage: str, table: str, shards: Sequence[str] | None = None, between: tuple[Any, Any] | None = None
    ) -> list[FileRecord]:
        receipts = self._receipts(stage) if shards is None else self._named(stage, shards)
        files = [file for receipt in receipts for file in receipt.files if file.table == table]
        if between is None:
            return files
        return [f for f in files if f.rows and f.first[0] < between[1] and f.last[0] >= between[0]]


def _is_of_rounds(digest: str) -> bool:
    """True for the digest of rounds of a stage that is not finished; that of a finished stage's record is a SHA-256."""
    return digest == NO_ROUNDS or "-" in digest


def rounds_until(folder: SpaceFolder, stage: str, digest: str) -> list[Round]:
    """The rounds of a stage up to the one with this digest, in order.

    They lie in records of their own, or, where an earlier run finished the stage, in its record. StorageError where
    they are nowhere.
    """
    found: list[Round] = []
    while digest != NO_ROUNDS:
        try:
            one = _round(folder, stage, digest)
        except StorageError:
            earlier = {one.digest: one for one in recorded_rounds(folder, stage)}
            if digest not in earlier:
                raise
            return [*list(earlier.values())[: earlier[digest].number + 1], *reversed(found)]
        found.append(one)
        digest = one.before
    return found[::-1]


def recorded_rounds(folder: SpaceFolder, stage: str) -> list[Round]:
    """The rounds that the record of a finished stage has; none where there is no such record."""
    record = read_record(folder.stage(stage), StageRecord)
    return record.by_round() if record else []


def rounds_after(folder: SpaceFolder, stage: str, rounds: Sequence[Round]) -> list[Round]:
    """These rounds, and those that an earlier run recorded behind them, in records of their own or in the stage's."""
    found = list(rounds)
    finished = recorded_rounds(folder, stage)
    own = set(stored(folder.rounds(stage)).names())
    while True:
        number, before = len(found), found[-1].digest if found else NO_ROUNDS
        one = read_round(folder, stage, number) if _round_name(number) in own else None
        candidates = [*filter(None, [one]), *finished[number : number + 1]]
        follows = [candidate for candidate in candidates if candidate.before == before]
        if not follows:
            return found
        found.append(follows[0])


def _round_name(number: int) -> str:
    return f"{number:04}.json"


@functools.lru_cache(maxsize=4096)
def _round(folder: SpaceFolder, stage: str, digest: str) -> Round:
    """The round with this digest; it is read once in a process, as the digest says all that it holds."""
    found = read_round(folder, stage, int(digest.partition("-")[0]) - 1)
    if found is None or found.digest != digest:
        raise StorageError(f"{folder.rounds(stage)}: lacks the record of a round that this run wrote")
    return found


def read_round(folder: SpaceFolder, stage: str, number: int) -> Round | None:
    """The round of this number that lies in a record of its own; None where there is none, or it is torn."""
    return read_record(folder.rounds(stage) / _round_name(number), Round)


@contextmanager
def locked(root: Location, warn: Callable[[str], None] = lambda _: None, break_lock: bool = False) -> Iterator[None]:
    """Hold the run's lock; another holder is an error that names it. See :meth:`.OnDisk.held`."""
    with stored(within(root, LOCK)).held(warn, break_lock):
        yield


def goes_on(root: Location) -> bool:
    """True where a run holds the lock of a folder."""
    return stored(root / LOCK).is_held()


@collector_paused()
def write_stage(folder: SpaceFolder, record: StageRecord) -> None:
    """Write a finished stage's record, unless it is there already."""
    _write_once(folder, f"stages/{record.stage}.json", record.line(), "stage")


def write_round(folder: SpaceFolder, record: Round) -> None:
    """Write the record of a round, unless it is there already."""
    line = encoded(record.model_dump(mode="json"))
    _write_once(folder, f"rounds/{record.stage}/{_round_name(record.number)}", line, "round")


def _write_once(folder: SpaceFolder, name: str, content: bytes, kind: str) -> None:
    try:
        there = stored(folder.private / name).read(len(content))
    except (OSError, StorageError):  # it is missing, or longer
        there = b""
    if there != content:
        put_bytes(within(folder.root, f".run/{folder.space}/{name}"), content, kind)
