"""Delete intermediates after their last reader.

A stage may say that it ``drops`` its blobs, which only later stages read. When all their readers are finished, the
blobs are deleted. The stage's record still names them: it says what was made, and what later stages read. So a blob
that is missing is no fault where all its readers are finished and have all that they wrote, but for blobs deleted in
their turn. If a reader has lost anything, the blob counts as missing, and is made again.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from boardspace.spec.space import Stage
from boardspace.storage.receipts import FileRecord, StageRecord
from boardspace.storage.records import read_record
from boardspace.storage.run_folder import SpaceFolder


@dataclass(frozen=True)
class Retention:
    """Decides which blobs of a dataset's stages may be deleted, or may be missing.

    It is made anew whenever files may have changed.
    """

    folder: SpaceFolder
    stages: Mapping[str, Stage]
    _read: dict[str, bool] = field(default_factory=dict)

    def excused(self, stage: str, lacking: Sequence[FileRecord]) -> bool:
        """True where a stage need not have these files any more."""
        return self.stages[stage].drops and all(file.blob for file in lacking) and self._was_read(stage)

    def delete_after(self, finished: Mapping[str, str], last: str) -> None:
        """Delete the blobs that no stage reads any more now that ``last`` is finished, besides those ``finished``."""
        for name in (*self.stages[last].after, last):
            if self.stages[name].drops and all(n in finished or n == last for n in self.readers(name)):
                self.folder.delete_blobs(name)

    def delete_all(self) -> None:
        """Delete the blobs of all stages that drop theirs: all are finished."""
        for name, stage in self.stages.items():
            if stage.drops:
                self.folder.delete_blobs(name)

    def readers(self, name: str) -> list[str]:
        """The stages that may read the blobs of one."""
        return readers(self.stages, name)

    def _was_read(self, name: str) -> bool:
        """True where all readers are finished and have what they wrote."""
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
