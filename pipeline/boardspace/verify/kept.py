"""What is kept of a verification without faults, so that publishing need not repeat all of it.

The record names the very COMPLETE, whose digests cover the receipts of all stages and by them every file, and the
sources that verified. As long as the hashes are right, which is a matter of seconds, so are structure and logic.
"""

from pathlib import Path

from boardspace.engine.plan import Work, work_by
from boardspace.storage.complete import Complete, read_complete
from boardspace.storage.files import StorageError
from boardspace.storage.locations import Location
from boardspace.storage.records import Record, digest_of, read_record, write_record
from boardspace.storage.run_folder import SpaceFolder
from boardspace.verify.result import Verification
from boardspace_kernels.sources import source_digest


class Kept(Record):
    """A verification of one dataset up to the level ``logic`` that found no fault; ``of`` is what it was of."""

    of: str
    files: int
    bytes: int
    rows: int
    cases: int


def keep(folder: SpaceFolder, work: Work, found: Verification) -> None:
    """Keep a verification of a dataset, where its folder may be written to."""
    complete = read_complete(folder)
    if complete is None or found.level != "logic" or found.faults or not found.cases:
        return
    record = Kept(of=_what(work, complete), files=found.files, bytes=found.bytes, rows=found.rows, cases=found.cases)
    try:
        write_record(_path(folder), record, "verified")
    except StorageError:  # a run may be verified where it lies read-only
        return


def kept(folder: SpaceFolder, work: Work) -> Verification | None:
    """What was kept of a verification by this installation of what COMPLETE says; None where nothing was."""
    complete, record = read_complete(folder), read_record(_path(folder), Kept)
    if complete is None or record is None or record.of != _what(work, complete):
        return None
    return Verification("logic", record.files, record.bytes, record.rows, record.cases, ())


def _what(work: Work, complete: Complete) -> str:
    """Digest of what is verified and by what: the data, the sources of the space as installed, and these here."""
    installed = work_by(work.space, work.plan).plan
    return digest_of([complete.model_dump(), installed.model_dump(), source_digest(Path(__file__).parent)])


def _path(folder: SpaceFolder) -> Location:
    return folder.private / "verified.json"
