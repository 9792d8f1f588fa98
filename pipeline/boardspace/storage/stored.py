"""Files and folders at a location, on a file system or in a bucket, behind one :mod:`.interface`."""

from pathlib import Path

from boardspace.storage.disk import OnDisk
from boardspace.storage.files import Written, inside, write_bytes
from boardspace.storage.interface import Stored
from boardspace.storage.locations import BucketPath, Location, inner_path


def stored(location: Location) -> Stored:
    """File or folder at a location."""
    if isinstance(location, BucketPath):
        from boardspace.storage.bucket import InBucket  # the client of the store is an extra

        return InBucket(location)
    return OnDisk(location)


def within(root: Location, name: str) -> Location:
    """The location ``root / name``, to be written or deleted; StorageError where a link below ``root`` leads there.

    ValueError where the name itself leads out of ``root``. A bucket has no links.
    """
    return inside(root, name) if isinstance(root, Path) else root / inner_path(name)


def put_bytes(location: Location, content: bytes, kind: str) -> Written:
    """Write ``content`` so that it is there whole or not at all."""
    if isinstance(location, Path):
        return write_bytes(location, content, kind)
    return stored(location).write(lambda stream: stream.write(content), lambda _: None, kind)
