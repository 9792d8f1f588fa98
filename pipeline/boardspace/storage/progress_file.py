"""Progress of a run beside its lock, for whoever looks at the run from another terminal.

The file is no part of any dataset, and nothing is lost with it: it is renamed into place but not synced, and where it
cannot be written the run goes on without. It counts only as long as the lock is held. A run in a bucket has none: each
would be a put that costs money.
"""

import contextlib
from collections.abc import Callable, Sequence
from pathlib import Path

from boardspace.storage.files import StorageError
from boardspace.storage.locations import Location
from boardspace.storage.records import Record, encoded, read_record
from boardspace.storage.run_folder import goes_on
from boardspace.storage.stored import OnDisk

NAME = ".run/progress.json"
MOST_SHARDS = 16
LONGEST = 1 << 20


class ProgressEvent(Record):
    """Text that a shard reported when it had run for so many seconds; without text, that it has ended."""

    shard: str
    text: str
    seconds: float


class Progress(Record):
    """Events of the shards that have run longest, in this order, at most MOST_SHARDS."""

    shards: list[ProgressEvent]


def write_progress(root: Location, running: Sequence[ProgressEvent]) -> None:
    """Write the file of a run that holds the lock of ``root``."""
    if isinstance(root, Path):
        # One temporary name, as the lock has one owner: a run that is killed leaves no more than one.
        path, temporary = _paths(root)
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
            with temporary.open("xb") as stream:
                stream.write(encoded(Progress(shards=list(running)[:MOST_SHARDS]).model_dump(mode="json")))
            temporary.replace(path)


def remove_progress(root: Location) -> None:
    """Remove the file, also where a run that was killed left it."""
    if isinstance(root, Path):
        for path in _paths(root):
            with contextlib.suppress(OSError):
                path.unlink(missing_ok=True)


def read_progress(root: Location, warn: Callable[[str], None]) -> Sequence[ProgressEvent]:
    """Return the events of a run that goes on; none where none does. ``warn`` is told of a damaged file."""
    if not isinstance(root, Path) or not goes_on(root):
        return []
    path, _ = _paths(root)
    if not OnDisk(path).exists():
        return []
    found = None
    with contextlib.suppress(StorageError):
        found = read_record(path, Progress, LONGEST)
    if found is None and OnDisk(path).exists():
        warn(f"{path}: damaged, so the progress of running shards is not shown; the run is not affected")
    return found.shards if found else []


def _paths(root: Path) -> tuple[Path, Path]:
    return root / NAME, root / f"{NAME}.new"
