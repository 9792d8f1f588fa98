"""Has a run make again what ``verify`` names, and nothing else.

Damaged files are moved out of the way, into ``.run/swept``: what has no whole files is not done, so the run does it
again, and by its promise to the same bytes. Records that are torn are written anew from the receipts of their shards,
and receipts that are torn, altered or gone from the records of their stages.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

from boardspace.engine.plan import Work
from boardspace.spec.check import Draw
from boardspace.spec.stages import stages_of
from boardspace.storage.locations import Location
from boardspace.storage.mirror import local_copy
from boardspace.storage.receipts import FileRecord
from boardspace.storage.run_folder import SpaceFolder
from boardspace.storage.stored import stored
from boardspace.verify.files import FileFaultError, check_hash, side_by_side
from boardspace.verify.private_folder import SingleReceipts, private_faults
from boardspace.verify.records import Records, records_of
from boardspace.verify.run import verify_run


def set_damaged_aside(root: Location, work: list[Work], tell: Callable[[str], None]) -> None:
    """Move every damaged file of these datasets aside; ``tell`` hears of all that verify finds."""
    with local_copy(root, [one.space.name for one in work]) as there:
        for one in work:
            if (there / ".run" / one.space.name).exists():
                names = _damaged(there, one, tell)
                folder, copy = SpaceFolder(root, one.space.name), SpaceFolder(there, one.space.name)
                folder.set_aside(names)
                # Of sound stages, what is not there, or not as their records have it.
                for receipts in SingleReceipts.of(copy, records_of(copy, one)).missing.values():
                    folder.attempt(receipts[0].stage, receipts[0].shard).add(*receipts)


def _damaged(root: Path, work: Work, tell: Callable[[str], None]) -> list[str]:
    """The names of the files that are not as they should be."""
    folder = SpaceFolder(root, work.space.name)
    faults = verify_run(root, "structure", Draw(), [folder.space]).faults
    for fault in faults:
        tell(f"{fault.where}: {fault.what}")
    recorded = records_of(folder, work)
    of_receipts = [file for stage in stages_of(work.space, work.config) for file in _files(folder, stage, recorded)]
    found = side_by_side(lambda file: check_hash(root / file.path, file.sha256, file.bytes), of_receipts)
    damaged = {file.path for file, fault in found if isinstance(fault, FileFaultError)}
    named = [fault.where for fault in faults]
    damaged |= {f.path for f in recorded.files for where in named if f.path == where or f.path.startswith(f"{where}/")}
    private = {fault.where for fault in private_faults(folder, recorded)} if not recorded.faults else set()
    private |= set(SingleReceipts.of(folder, recorded).faults)
    damaged |= {name for name in private if (root / name).is_symlink() or (root / name).is_file()}
    return sorted(name for name in damaged if stored(root / name).exists())


def _files(folder: SpaceFolder, stage: str, recorded: Records) -> Iterator[FileRecord]:
    """The files of a stage without a whole record, by the receipts of its shards; the run will go by these."""
    if stage not in recorded.stages:
        for receipt in folder.single_receipts(stage):
            yield from receipt.files
