"""Blobs of which nothing more is read are dropped.

A stage may say that it ``drops`` what it left for later stages. When all that read it are finished, its blobs are
removed. Its record still names them, and that is right: it says what was made, and what later stages read.
So blobs that are not there are no fault where all their readers are finished and have all that they wrote, but for what
they dropped in their turn. If a reader has lost anything, they count as lacking, and are made again.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from boardspace.spec.space import Stage
from boardspace.storage.receipts import FileRecord, StageRecord
from boardspace.storage.records import read_record
from boardspace.storage.run_folder import SpaceFolder


@dataclass(frozen=True)
class Drops:
    """What the stages of a dataset, by name, may drop and have dropped. Made anew whenever files may have changed."""

    folder: SpaceFolder
    stages: Mapping[str, Stage]
    _read: dict[str, bool] = field(default_factory=dict)

    def excused(self, stage: str, lacking: Sequence[FileRecord]) -> bool:
        """Whether a stage need not have these files any more."""
        return self.stages[stage].drops and all(file.blob for file in lacking) and self._was_read(stage)

    def after(self, finished: Mapping[str, str], last: str) -> None:
        """Drop what nothing reads any more now that ``last`` is finished, besides the stages ``finished``."""
        for name in (*self.stages[last].after, last):
            if self.stages[name].drops and all(n in finished or n == last for n in self.readers(name)):
                self.folder.drop(name)

    def everything(self) -> None:
        """Drop what any stage may drop: all are finished."""
        for name, stage in self.stages.items():
            if stage.drops:
                self.folder.drop(name)

    def readers(self, name: str) -> list[str]:
        """The stages that may read the blobs of one."""
        return readers(self.stages, name)

    def _was_read(self, name: str) -> bool:
        """Whether all readers are finished and have what they wrote."""
        if name not in self._read:
            self._read[name] = all(self._is_whole(reader) for reader in self.readers(name))
        return self._read[name]

    def _is_whole(self, name: str) -> bool:
        record = read_record(self.folder.stage(name), StageRecord)
        if record is None:
            return False
        sizes = self.folder.sizes(name)
        lacking = [file for receipt in record.receipts for file in self.folder.lacking(receipt, sizes)]
        return not lacking or self.excused(name, lacking)


def readers(stages: Mapping[str, Stage], name: str) -> list[str]:
    """The stages that may read the blobs of one."""
    return [s.name for s in stages.values() if name in s.after and name not in s.facts_only]


def most_bytes(stages: Mapping[str, Stage]) -> int:
    """About how many bytes lie on the disk at once, where stages are run one after the other."""
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
