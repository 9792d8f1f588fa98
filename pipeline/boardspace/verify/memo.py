"""Memos that a run keeps of its last verification and its last publication, so that these need not be repeated.

A memo names what it follows from: the very COMPLETE, the very records of all stages, which name every file with its
SHA-256, the space as installed, and the sources that did the work. With others it proves nothing. As long as the hashes
are right, which is a matter of seconds, so are structure and logic; and files joined from shards have no SHA-256 before
they are written, so that of a release's ``SHA256SUMS`` is kept.

It lies in the folder of the run, and whoever may write there could write one, of data that were never looked at. So it
is believed with this user's seal alone (:mod:`boardspace.storage.seal`), which that folder does not tell. The memo of
another user, or of another computer, proves nothing: the work is done again.
"""

import hashlib
from pathlib import Path
from typing import TypeVar

from boardspace.engine.plan import Work, work_by
from boardspace.engine.sources import loaded_digest
from boardspace.storage.complete import Complete, read_complete
from boardspace.storage.files import StorageError
from boardspace.storage.locations import Location
from boardspace.storage.records import LONGEST, Record, canonical_json, digest_of, read_record, write_record
from boardspace.storage.run_folder import SpaceFolder
from boardspace.storage.seal import is_sealed, sealed
from boardspace.storage.stored import stored
from boardspace.verify.result import Verification


class Verified(Record):
    """A verification of one dataset up to the level ``logic`` that found no fault.

    of: a digest of what it follows from.
    files, bytes, rows, cases: as :class:`.Verification` counts them.
    seal: of all of that; '' where who wrote it has no key.
    """

    of: str
    files: int
    bytes: int
    rows: int
    cases: int
    seal: str = ""


class Released(Record):
    """A release of one dataset.

    of: a digest of what it follows from.
    sums: the SHA-256 of its ``SHA256SUMS``.
    files, bytes: of its data.
    cited: digest of what its documents say of date, DOI and authors.
    seal: of all of that; '' where who wrote it has no key.
    """

    of: str
    sums: str
    files: int
    bytes: int
    cited: str = ""
    seal: str = ""


Memo = TypeVar("Memo", Verified, Released)
SOURCES: dict[type[Record], Path] = {Verified: Path(__file__).parent, Released: Path(__file__).parents[1]}
NAMES: dict[type[Record], str] = {Verified: "verified.json", Released: "published.json"}


def memo_path(folder: SpaceFolder, kind: type[Record]) -> Location:
    """Where a memo of this kind lies."""
    return folder.private / NAMES[kind]


def basis(folder: SpaceFolder, work: Work, complete: Complete, kind: type[Record]) -> str:
    """Digest of what a memo of this kind follows from: the data, the space as installed, the sources that did it."""
    installed = work_by(work.space, work.plan).plan
    records = [hashlib.sha256(stored(folder.stage(stage)).read(LONGEST)).hexdigest() for stage in complete.stages]
    return digest_of([complete.model_dump(), records, installed.model_dump(), loaded_digest(SOURCES[kind])])


def remember(folder: SpaceFolder, memo: Verified | Released) -> None:
    """Keep a memo, sealed, where the run may be written to; what was left there by writers of memos that were killed
    is deleted."""
    try:
        memo = memo.model_copy(update={"seal": sealed(_content(memo))})
        write_record(memo_path(folder, type(memo)), memo, NAMES[type(memo)].removesuffix(".json"))
        stored(folder.private).sweep(below=False)
    except StorageError:  # a run may be verified, or published, where it lies read-only
        return


def recall(folder: SpaceFolder, work: Work, kind: type[Memo]) -> Memo | None:
    """The memo of what COMPLETE says, by this installation and this user; None where there is none."""
    record = _of_these_data(folder, work, kind)
    return record if record is not None and is_sealed(_content(record), record.seal) else None


def _of_these_data(folder: SpaceFolder, work: Work, kind: type[Memo]) -> Memo | None:
    """The memo of what COMPLETE says, by whomever; None where there is none."""
    complete, record = read_complete(folder), read_record(memo_path(folder, kind), kind)
    if complete is None or record is None:
        return None
    try:
        return record if record.of == basis(folder, work, complete, kind) else None
    except OSError:  # a record that is not there: of that the verification tells
        return None


def _content(memo: Verified | Released) -> bytes:
    """Bytes that the seal of a memo is made of."""
    return canonical_json([NAMES[type(memo)], memo.model_dump(exclude={"seal"})]).encode()


def remember_verified(folder: SpaceFolder, work: Work, found: Verification) -> None:
    """Keep a verification up to ``logic`` that found no fault."""
    complete = read_complete(folder)
    if complete is None or found.level != "logic" or found.faults or not found.cases:
        return
    of = basis(folder, work, complete, Verified)
    remember(folder, Verified(of=of, files=found.files, bytes=found.bytes, rows=found.rows, cases=found.cases))


def verified_before(folder: SpaceFolder, work: Work) -> Verification | None:
    """The kept verification; None where nothing was kept of what COMPLETE says."""
    memo = recall(folder, work, Verified)
    return None if memo is None else Verification("logic", memo.files, memo.bytes, memo.rows, memo.cases, ())


def memo_fault(folder: SpaceFolder, work: Work, kind: type[Verified] | type[Released], files: int, rows: int) -> str:
    """Fault of a memo that lies there, of a dataset of so many files and rows, or ''."""
    if read_record(memo_path(folder, kind), kind) is None:
        return "torn or altered; delete it: `boardspace verify` and `boardspace publish` write it anew"
    memo = _of_these_data(folder, work, Verified) if kind is Verified else None
    if memo is not None and (memo.files, memo.rows, memo.cases > 0) != (files, rows, True):
        return f"says that {memo.files:,} files and {memo.rows:,} rows were verified, there are {files:,} and {rows:,}"
    return ""
