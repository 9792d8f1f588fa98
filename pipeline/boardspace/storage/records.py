"""JSON texts that know their own checksum: receipts, stages, plans, COMPLETE.

A record is a line, ``{"check":SHA-256,"record":{...}}``, the hash being that of the text of the inner object. A torn
line, or one with a flipped bit, is not a record.
"""

import gc
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from boardspace.storage.files import StorageError
from boardspace.storage.locations import Location
from boardspace.storage.stored import put_bytes, stored

# A stage of a million shards has a record of this size.
LONGEST = 1 << 30
BEFORE, BETWEEN, AFTER = b'{"check":"', b'","record":', b"}\n"
HEAD = len(BEFORE) + 64 + len(BETWEEN)
NOT_AS_WRITTEN = "is not the text that boardspace writes of what it says"
"""Fault of a record that says the right things otherwise: see :func:`is_as_written`."""
_canonical = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=lambda value: _plain(value)
)


class Record(BaseModel):
    """Base of what is stored as JSON: frozen, and nothing unknown is accepted."""

    model_config = ConfigDict(frozen=True, extra="forbid")


AnyRecord = TypeVar("AnyRecord", bound=Record)


def canonical_json(value: object) -> str:
    """The one JSON text of a value: sorted keys, no spaces."""
    return _canonical.encode(value)


def digest_of(value: object) -> str:
    """SHA-256 of a value's canonical JSON."""
    return hashlib.sha256(canonical_json(value).encode()).hexdigest()


@contextmanager
def collector_paused() -> Iterator[None]:
    """Pause the search for unreachable objects, or decorate a function that handles very many records with this.

    A million receipts are millions of objects that stay; the search goes through all of them again and again, a third
    of the time of a run that goes on, and none of them has a reference cycle.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def write_record(path: Location, record: Record, kind: str) -> None:
    """Write a record, whole or not at all; ``kind`` names the failpoints."""
    put_bytes(path, encoded(record.model_dump(mode="json")), kind)


def read_record(path: Location, kind: type[AnyRecord], most: int = LONGEST) -> AnyRecord | None:
    """The record at ``path``; None where there is none, or it is torn or altered: then it proves nothing.

    StorageError where it cannot be read, or has more than ``most`` bytes.
    """
    try:
        return decoded(stored(path).read(most), kind)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise StorageError(f"{path}: cannot be read ({error.strerror})") from error


def encoded(record: object) -> bytes:
    """The line of a record that is given as JSON values."""
    return line_of(canonical_json(record).encode())


def line_of(text: bytes) -> bytes:
    """The line of a record that is given as JSON text."""
    return b"".join((BEFORE, hashlib.sha256(text).hexdigest().encode(), BETWEEN, text, AFTER))


def decoded(line: bytes, kind: type[AnyRecord]) -> AnyRecord | None:
    """The record of a line; None where it is torn or altered."""
    text = line[HEAD : -len(AFTER)]
    head = b"".join((BEFORE, hashlib.sha256(text).hexdigest().encode(), BETWEEN))
    if not (line.startswith(head) and line.endswith(AFTER)):
        return None
    try:
        return kind.model_validate_json(text)
    except ValidationError:
        return None


def is_as_written(path: Location, record: Record) -> bool:
    """True where a file holds this record as :func:`write_record` writes it, to the byte.

    A record that says a key twice has a right checksum, and readers may take the one or the other.
    """
    return stored(path).read(LONGEST) == encoded(record.model_dump(mode="json"))


def json_value(content: bytes) -> Any:
    """The value of a text of JSON; ValueError where it is none, or says a key twice, of which readers take either."""
    return json.loads(content.decode(), object_pairs_hook=_each_once)


def _each_once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"says {next(name for name in names if names.count(name) > 1)!r} twice")
    return found


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{value!r} is not JSON")
