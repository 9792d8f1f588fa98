"""COMPLETE, the file written last: what the dataset holds, with digests that do not depend on shards.

It follows from the records of the stages alone, so that anyone who has these can make it again and compare.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from boardspace.storage.digest import add
from boardspace.storage.receipts import Digest, FileRecord, StageRecord
from boardspace.storage.records import Record, read_record
from boardspace.storage.run_folder import SpaceFolder


class Content(Record):
    """One table or array: number of rows (0 of an array), and the digest of its rows or cells."""

    rows: int
    digest: Digest


class Complete(Record):
    """A whole dataset: the digest of the plan that made it, its tables (the claims among them) and arrays by name, and
    the digests of its stages' records."""

    plan: str
    tables: dict[str, Content]
    arrays: dict[str, Content]
    stages: dict[str, str]


def complete_of(
    space: str, plan: str, records: Mapping[str, StageRecord], digests: Mapping[str, str] | None = None
) -> Complete:
    """COMPLETE of a space's dataset whose stages, all finished, have these records; their ``digests``, if known."""
    receipts = [receipt for record in records.values() for receipt in record.receipts]
    published = [f for receipt in receipts for f in receipt.files if f.path.startswith(f"{space}/")]
    return Complete(
        plan=plan,
        tables=_contents([(f.table, f) for f in published if f.table]),
        arrays=_contents([(f.array, f) for f in published if f.array]),
        stages=dict(digests) if digests else {name: record.digest for name, record in records.items()},
    )


def read_complete(folder: SpaceFolder) -> Complete | None:
    """COMPLETE of a dataset; None where there is none or it is not whole."""
    return read_record(folder.complete, Complete)


def is_complete(folder: SpaceFolder, plan: str) -> bool:
    """True where the dataset was completed by this very plan."""
    complete = read_complete(folder)
    return complete is not None and complete.plan == plan


def _contents(files: Iterable[tuple[str, FileRecord]]) -> dict[str, Content]:
    contents = {}
    for name, group in groupby(sorted(files, key=lambda item: item[0]), key=lambda item: item[0]):
        records: Sequence[FileRecord] = [record for _, record in group]
        digest = add(record.digest for record in records if record.digest)
        contents[name] = Content(rows=sum(record.rows for record in records), digest=digest)
    return contents
