"""Output of shards: the rules that it obeys, and when intermediates are deleted.

The rules are held when it is written and when a stage is finished: what breaks them would be found by ``verify`` alone,
or by readers. Intermediates are deleted after their last reader. A stage may say that it ``drops`` its blobs, which
only later stages read. When all their readers are finished, the blobs are deleted. A stage that repeats may name blobs
that only its ``next_round_only`` reads: they are deleted as soon as that round is finished. The stage's record still
names them all: it says what was made, and what was read. So a blob that is missing is no fault where all its readers
are finished and have all that they wrote, but for blobs deleted in their turn. If a reader has lost anything, the blob
counts as missing, and is made again.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from boardspace.spec.errors import BoardspaceError
from boardspace.spec.space import Output, Space, Stage
from boardspace.storage.receipts import FileRecord, Receipt, Round, StageRecord
from boardspace.storage.records import read_record
from boardspace.storage.run_folder import SpaceFolder


@dataclass(frozen=True)
class Retention:
    """Decides which blobs of a dataset's stages may be deleted, or may be missing.

    It is made again whenever files may have changed.
    """

    folder: SpaceFolder
    stages: Mapping[str, Stage]
    _read: dict[str, bool] = field(default_factory=dict)

    def deleted_on_purpose(self, stage: str, lacking: Sequence[FileRecord], passed: Collection[str] = ()) -> bool:
        """True where a stage need not have these files any more; blobs named in ``passed`` were read by the next
        round."""
        left = [file for file in lacking if file.blob not in passed]
        return not left or (self.stages[stage].drops and all(file.blob for file in left) and self._was_read(stage))

    def rounds_to_keep(self, stage: str, rounds: Sequence[Round]) -> frozenset[int]:
        """The rounds, of those that a stage had so far, whose ``next_round_only`` blobs will be read.

        They are those of the last, if the stage is not finished, and those before a round that has lost something.
        """
        kept = set[int]()
        passing = self.stages[stage].next_round_only
        if passing and rounds and read_record(self.folder.stage(stage), StageRecord) is None:
            kept.add(len(rounds) - 1)
        sizes = self.folder.sizes(stage) if passing else None
        for one in reversed(rounds if passing else ()):
            passed = () if one.number in kept else passing
            lacking = [file for receipt in one.receipts for file in self.folder.lacking(receipt, sizes)]
            if not self.deleted_on_purpose(stage, lacking, passed):
                kept.add(one.number - 1)
        return frozenset(kept)

    def delete_passed(self, stage: str, receipts: Sequence[Receipt]) -> None:
        """Delete the blobs of rounds, whose receipts these are, that the rounds after them alone have read."""
        if self.stages[stage].next_round_only:
            self.folder.delete_blobs(receipts, self.stages[stage].next_round_only)

    def delete_after(self, finished: Mapping[str, str], last: str) -> None:
        """Delete the blobs that no stage reads any more now that ``last`` is finished, besides those ``finished``."""
        done = {*finished, last}
        for name in dict.fromkeys((*self.stages[last].after, last)):
            if self.stages[name].drops and done.issuperset(readers(self.stages, name)):
                self.folder.delete_blobs(self.folder.finished(name).receipts)
            elif name == last:
                self.delete_passed(name, self.folder.finished(name).receipts)

    def delete_all(self) -> None:
        """Delete the blobs that stages drop: all are finished."""
        for name, stage in self.stages.items():
            if stage.drops or stage.next_round_only:
                self.folder.delete_blobs(
                    self.folder.finished(name).receipts, None if stage.drops else stage.next_round_only
                )

    def _was_read(self, name: str) -> bool:
        """True where all readers of a stage's blobs are finished and have what they wrote; one that repeats is among
        them, and need not have these blobs."""
        if name not in self._read:
            others = [reader for reader in readers(self.stages, name) if reader != name]
            self._read[name] = self._has_all_but_blobs(name) and all(self._is_whole(reader) for reader in others)
        return self._read[name]

    def _is_whole(self, name: str) -> bool:
        lacking = self._lacking(name)
        return lacking is not None and self.deleted_on_purpose(name, lacking, self.stages[name].next_round_only)

    def _has_all_but_blobs(self, name: str) -> bool:
        """True where a stage is finished and has what it wrote apart from blobs: no round of it is made again."""
        if not self.stages[name].repeats:
            return True
        lacking = self._lacking(name)
        return lacking is not None and all(file.blob for file in lacking)

    def _lacking(self, name: str) -> list[FileRecord] | None:
        """The files that a finished stage lacks; None where it is not finished."""
        record = read_record(self.folder.stage(name), StageRecord)
        if record is None:
            return None
        sizes = self.folder.sizes(name)
        return [file for receipt in record.receipts for file in self.folder.lacking(receipt, sizes)]


def readers(stages: Mapping[str, Stage], name: str) -> list[str]:
    """The stages that may read the blobs of one."""
    return [s.name for s in stages.values() if name in s.after and name not in s.facts_only]


def most_bytes(stages: Mapping[str, Stage]) -> int:
    """Estimate how many bytes lie on the disk at once where stages run one after the other."""
    left = {name: set(readers(stages, name)) for name, stage in stages.items() if stage.drops}
    held = most = 0
    for done in stages.values():
        held += done.bytes
        most = max(most, held)
        for waiting in left.values():
            waiting.discard(done.name)
        for name in [name for name in (*done.after, done.name) if name in left and not left[name]]:
            held -= stages[name].bytes
            del left[name]
    return most


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
