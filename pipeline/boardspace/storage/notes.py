"""The note beside a run's lock: what its shards said last, for who looks at the run from another terminal.

It is no part of any dataset, and nothing is lost with it: it is renamed into place but not synced, and where it cannot
be written the run goes on without. It says something only as long as the lock is held. A run in a bucket has none:
each would be a put that costs money.
"""

import contextlib
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from boardspace.storage.disk import OnDisk
from boardspace.storage.files import StorageError
from boardspace.storage.locations import Location
from boardspace.storage.records import Record, encoded, read_record

NAME = ".run/said.json"
EVERY_SECONDS = 2.0
MOST_SHARDS = 16
LONGEST = 1 << 20


class ShardNote(Record):
    """What a shard said last, and how many seconds it had run when this was written."""

    shard: str
    text: str
    seconds: float


class Note(Record):
    """The shards that have run longest, in this order, at most MOST_SHARDS."""

    shards: list[ShardNote]


Current = Callable[[], Sequence[ShardNote]]


class NoteWriter:
    """Writes the note when something changed, at most every few seconds, in a thread of its own."""

    def __init__(self, root: Path, current: Current) -> None:
        self._root, self._current = root, current
        self._changed, self._stop = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._write_changes, daemon=True, name="boardspace-note")

    def changed(self) -> None:
        """There is something new to write."""
        self._changed.set()

    def start(self) -> None:
        """Remove what a run that was killed left, and begin."""
        self._remove()
        self._thread.start()

    def close(self) -> None:
        """Write no more, and remove the note."""
        self._stop.set()
        self._changed.set()
        self._thread.join()
        self._remove()

    def _write_changes(self) -> None:
        while not self._stop.is_set():
            self._changed.wait()
            self._changed.clear()
            if not self._stop.is_set():
                _write(self._root / NAME, Note(shards=list(self._current())[:MOST_SHARDS]))
            self._stop.wait(EVERY_SECONDS)

    def _remove(self) -> None:
        for path in (self._root / NAME, _temporary(self._root / NAME)):
            with contextlib.suppress(OSError):
                path.unlink(missing_ok=True)


@contextmanager
def noted(root: Location, current: Current) -> Iterator[Callable[[], None]]:
    """Keep the note of a run whose lock is held: what is yielded says that there is something new in ``current``."""
    if not isinstance(root, Path):
        yield lambda: None
        return
    writer = NoteWriter(root, current)
    writer.start()
    try:
        yield writer.changed
    finally:
        writer.close()


def read_note(root: Location, tell: Callable[[str], None]) -> Sequence[ShardNote]:
    """What the shards of a run that goes on said last; nothing where none goes on. ``tell`` hears of a damaged note."""
    if not isinstance(root, Path) or not OnDisk(root / ".run" / "lock").is_held():
        return []
    path = root / NAME
    if not OnDisk(path).exists():
        return []
    note = None
    with contextlib.suppress(StorageError):
        note = read_record(path, Note, LONGEST)
    if note is None and OnDisk(path).exists():
        tell(f"{path}: damaged, so what running shards said last is not shown; the run is not affected")
    return note.shards if note else []


def _write(path: Path, note: Note) -> None:
    temporary = _temporary(path)
    with contextlib.suppress(OSError):
        temporary.unlink(missing_ok=True)
        with temporary.open("xb") as stream:
            stream.write(encoded(note.model_dump(mode="json")))
        temporary.replace(path)


def _temporary(path: Path) -> Path:
    """One name, as the lock has one owner: a run that is killed leaves no more than one."""
    return path.with_name(f"{path.name}.new")
