"""Receipts: the only proof that a shard is done."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, ValidationError

from pipeline.space import Shard
from pipeline.storage.files import StorageError, write_bytes
from pipeline.storage.paths import inner_path


class Record(BaseModel):
    """Base of what is stored as JSON: frozen, and nothing unknown is accepted."""

    model_config = ConfigDict(frozen=True, extra="forbid")


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
    first: list[Any] = []
    last: list[Any] = []
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
    return hashlib.sha256(canonical_json([stage, shard.name, shard.params]).encode()).hexdigest()


def canonical_json(value: object) -> str:
    """The one JSON text of a value: sorted keys, no spaces."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=_plain)


def write_record(path: Path, record: Record, kind: str) -> None:
    """Write a record as JSON, whole or not at all."""
    write_bytes(path, record.model_dump_json(indent=1).encode(), kind)


def read_receipt(path: Path) -> Receipt | None:
    """The receipt at ``path``; None where there is none or it is not whole, which means the shard is to be done."""
    try:
        return Receipt.model_validate_json(path.read_bytes())
    except (FileNotFoundError, ValidationError):
        return None


def read_stage(path: Path) -> StageRecord | None:
    """The record of a finished stage; None where there is none or it is not whole."""
    try:
        return StageRecord.model_validate_json(path.read_bytes())
    except (FileNotFoundError, ValidationError):
        return None
    except OSError as error:
        raise StorageError(f"{path}: cannot be read ({error.strerror})") from error


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, BaseModel):
        return value.model_dump()
    raise TypeError(f"{value!r} is not JSON")
