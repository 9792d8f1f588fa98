"""Small JSON files that know their own checksum: receipts, stages, plans, COMPLETE.

The file is ``{"check": SHA-256, "record": {...}}``, the hash being that of the record's canonical JSON. A torn file, or
one with a flipped bit, is not a record.
"""

import hashlib
import json
from collections.abc import Mapping
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from boardspace.storage.files import StorageError
from boardspace.storage.locations import Location
from boardspace.storage.stored import put_bytes, stored

# A stage of a million shards has a record of this size.
LONGEST = 1 << 30


class Record(BaseModel):
    """Base of what is stored as JSON: frozen, and nothing unknown is accepted."""

    model_config = ConfigDict(frozen=True, extra="forbid")


AnyRecord = TypeVar("AnyRecord", bound=Record)


def canonical_json(value: object) -> str:
    """The one JSON text of a value: sorted keys, no spaces."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=_plain)


def digest_of(value: object) -> str:
    """SHA-256 of a value's canonical JSON."""
    return hashlib.sha256(canonical_json(value).encode()).hexdigest()


def write_record(path: Location, record: Record, kind: str) -> None:
    """Write a record, whole or not at all; ``kind`` names the failpoints."""
    put_bytes(path, encoded(record.model_dump(mode="json")), kind)


def read_record(path: Location, kind: type[AnyRecord], most: int = LONGEST) -> AnyRecord | None:
    """The record at ``path``; None where there is none, or it is torn or altered: then it proves nothing.

    StorageError where it cannot be read, or has more than ``most`` bytes.
    """
    try:
        content = stored(path).read(most)
        record = json.loads(content)["record"]
        return kind.model_validate(record) if content == encoded(record) else None
    except (FileNotFoundError, ValueError, TypeError, KeyError, RecursionError, ValidationError):
        return None
    except OSError as error:
        raise StorageError(f"{path}: cannot be read ({error.strerror})") from error


def encoded(record: object) -> bytes:
    """The only bytes that stand for a record, given as JSON values."""
    text = canonical_json(record)
    return f'{{"check":"{hashlib.sha256(text.encode()).hexdigest()}","record":{text}}}\n'.encode()


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{value!r} is not JSON")
