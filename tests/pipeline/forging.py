"""Records altered with right checksums, and COMPLETE made to agree: what only a bug or an adversary does."""

from pathlib import Path
from typing import Any

from boardspace.pipeline.complete import complete_of
from boardspace.pipeline.plan import Work, recorded_work
from boardspace.pipeline.stages import stages_of
from boardspace.pipeline.storage.files import StorageError
from boardspace.pipeline.storage.records import encoded, write_record
from boardspace.pipeline.storage.run_folder import SpaceFolder


def write_forged(path: Path, record: Any) -> None:
    """Write a record with a right checksum."""
    path.write_bytes(encoded(record))


def seal(root: Path) -> None:
    """Make COMPLETE of every dataset of a run anew from the records of its stages, where these are records at all."""
    for work in recorded_work(root):
        _seal(SpaceFolder(root, work.space.name), work)


def _seal(folder: SpaceFolder, work: Work) -> None:
    try:
        records = {stage: folder.finished(stage) for stage in stages_of(work.space, work.config)}
    except StorageError:
        return
    write_record(folder.complete, complete_of(folder.space, work.plan.digest, records), "complete")
