"""Receipts: the only proof that a shard is done."""

from typing import Annotated, Any

from pydantic import AfterValidator

from pipeline.space import Shard
from pipeline.storage.paths import inner_path
from pipeline.storage.records import Record, digest_of


class FileRecord(Record):
    """One file a shard wrote; ``path`` is relative to the run's folder, with forward slashes, and never leaves it.

    A Parquet file has its ``table``, number of ``rows`` and the ``first`` and ``last`` key; a file of a Zarr array has
    the ``array``. ``digest`` is that of :mod:`pipeline.storage.digest`.
    """

    path: Annotated[str, AfterValidator(inner_path)]
    bytes: int
    sha256: str
    table: str = ""
    array: str = ""
    rows: int = 0
    first: tuple[Any, ...] = ()
    last: tuple[Any, ...] = ()
    digest: str = ""


class Receipt(Record):
    """What a shard did: ``params`` is the digest of its stage, name and parameters."""

    stage: str
    shard: str
    params: str
    files: list[FileRecord]
    facts: dict[str, Any]
    seconds: float

    @property
    def rows(self) -> int:
        """Rows of all tables together."""
        return sum(file.rows for file in self.files)


class StageRecord(Record):
    """All receipts of a finished stage, in order of the shards' names."""

    stage: str
    receipts: list[Receipt]


def params_digest(stage: str, shard: Shard) -> str:
    """SHA-256 of what identifies a shard's work within a plan."""
    return digest_of([stage, shard.name, shard.params])
