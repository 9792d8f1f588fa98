"""Local copies of what lies in a bucket, in private scratch: the code that checks and publishes reads files.

Scratch is in the folder of ``TMPDIR``; it needs as much space as what is copied.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from boardspace.spec.errors import BoardspaceError
from boardspace.storage.bucket import InBucket
from boardspace.storage.files import StorageError
from boardspace.storage.locations import BucketPath, Location, inner_path
from boardspace.storage.objects import fetch
from boardspace.storage.release_folder import ARCHIVE, LONGEST_SUMS, SUMS, publishing
from boardspace.storage.run_folder import COMPLETE
from boardspace.storage.scratch import scratch_folder

AT_ONCE = 8
OWN = (".run/lock", ".run/swept/")


@contextmanager
def local_copy(location: Location, names: Sequence[str] = ()) -> Iterator[Path]:
    """Local copy of a location: a folder as it is, or a scratch folder with what lies in a bucket.

    ``names`` restricts the copy to these datasets. Errors inside name the place in the bucket.
    """
    if isinstance(location, Path):
        yield location
        return
    with _scratch_for(location) as folder:
        _fetch_all(location, folder, names)
        yield folder


def held(release: Location, warn: Callable[[str], None]) -> AbstractContextManager[None]:
    """Hold a release, so that no two commands write it at once."""
    return publishing(release) if isinstance(release, Path) else InBucket(release / ".publishing").held(warn, False)


@contextmanager
def staging_folder(release: Location) -> Iterator[Path]:
    """A folder to publish to: a release's own, or an empty one, whose datasets are put into the bucket at the end.

    A dataset's ``SHA256SUMS`` is put last of its files, and it alone says that the dataset is there, so it is there
    whole or not at all. What is there already is not changed: StorageError where it is something else.
    """
    if isinstance(release, Path):
        yield release
        return
    with _scratch_for(release) as folder:
        yield folder
        for listing in sorted(folder.glob(f"*/{SUMS}")):
            _put_dataset(listing.parent, release)


@contextmanager
def _scratch_for(location: BucketPath) -> Iterator[Path]:
    with scratch_folder() as scratch:
        folder = scratch / location.name
        try:
            yield folder
        except BoardspaceError as error:
            error.args = tuple(str(part).replace(str(folder), str(location)) for part in error.args)
            raise


def _fetch_all(location: BucketPath, folder: Path, names: Sequence[str]) -> None:
    """Copy objects into a folder; StorageError for a name that leads out of it."""
    wanted = [name for name in InBucket(location).names() if _is_wanted(name, names)]
    for name in wanted:
        try:
            inner_path(name)
        except ValueError as error:
            raise StorageError(f"{location}: {error}; delete that object") from error
    folder.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(lambda name: fetch(location / name, folder / name), wanted))


def _is_wanted(name: str, names: Sequence[str]) -> bool:
    if name.startswith(OWN):
        return False
    parts = name.removeprefix(".run/").split("/")
    return not names or len(parts) == 1 or parts[0] in names


def _put_dataset(folder: Path, release: BucketPath) -> None:
    """Put a published dataset and its archive into the bucket, unless just this is there already."""
    target, listing = release / folder.name, folder / SUMS
    there = InBucket(target / SUMS)
    if there.exists():
        if there.read(LONGEST_SUMS) != listing.read_bytes():
            raise StorageError(
                f"{target}: is something else than this dataset, and what is published is not changed; choose another "
                "place with --out, or delete it"
            )
    else:
        files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
        data = files - {COMPLETE, SUMS}
        for name in set(InBucket(target).names()) - data:
            InBucket(target / name).remove()  # of a publication that was given up
        with ThreadPoolExecutor(AT_ONCE) as pool:
            list(pool.map(lambda name: InBucket(target / name).put_file(folder / name), sorted(data)))
        for name in (COMPLETE, SUMS):
            InBucket(target / name).put_file(folder / name)
    for name in (f"{folder.name}{ARCHIVE}", f"{folder.name}{ARCHIVE}.sha256"):
        if not InBucket(release / name).exists():
            InBucket(release / name).put_file(folder.parent / name)
