"""Files of one dataset: in a folder, in a bucket, or on a web server.

On a web server, which lists nothing, the files are those that a dataset's ``SHA256SUMS`` names.
"""

import hashlib
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from boardspace.release.web import blocks, document, explained, web
from boardspace.spec.check import Draw
from boardspace.spec.errors import BoardspaceError
from boardspace.storage.arrays import ROOT as ARRAYS
from boardspace.storage.arrays import open_array, open_checked
from boardspace.storage.files import read_regular
from boardspace.storage.locations import BucketPath
from boardspace.storage.objects import file_system
from boardspace.storage.release_folder import SUMS, SumsError, parse_sums
from boardspace.storage.stored import stored
from boardspace.verify import Fault, Level, Verification

if TYPE_CHECKING:
    import pyarrow.dataset as ds
    import zarr

MOST_RECORD = 1 << 26
"""Bytes of COMPLETE, or of a list of sums: of millions of files."""


class _Opened:
    """Files of one dataset, opened by Arrow."""

    def __init__(self, root: str, file_system: Any = None) -> None:
        self.root = root
        self.file_system = file_system
        """For Arrow; None is the machine's own."""

    def table(self, names: Sequence[str], folders: pa.Schema | None) -> "ds.Dataset":
        """The files of a table as one; ``folders`` are the columns that folders hold, if any."""
        import pyarrow.dataset as ds  # loads pandas where it is installed: half a second

        if any("\udc80" <= letter <= "\udcff" for letter in self.root):  # how Python writes bytes that are no UTF-8
            raise BoardspaceError(f"{self.root}: Arrow opens no folder whose name is not UTF-8; rename it, or copy it")
        return ds.dataset(
            [f"{self.root}/{name}" for name in names],
            format="parquet",
            partitioning=ds.partitioning(folders, flavor="hive") if folders else None,
            partition_base_dir=self.root,
            filesystem=self.file_system,
        )

    def explained(self, name: str) -> AbstractContextManager[None]:
        """Around whatever reads rows of a file: what goes wrong on the way to it becomes a BoardspaceError."""
        return nullcontext()


class LocalFiles(_Opened):
    """Of a folder."""

    def read(self, name: str) -> bytes:
        """Return the content of a small file; BoardspaceError where it cannot be read."""
        try:
            return read_regular(Path(self.root) / name, MOST_RECORD)
        except OSError as error:
            raise BoardspaceError(f"{self.root}/{name}: cannot be read ({error.strerror})") from error

    def names(self, start: str, end: str) -> list[str]:
        """Return the sorted paths of finished files below ``start`` whose names end with ``end``."""
        root = Path(self.root)
        found = (path.relative_to(root).as_posix() for path in (root / start).rglob(f"*{end}"))
        return sorted(name for name in found if "/.tmp-" not in name)

    def array(self, name: str) -> "zarr.Array[Any]":
        """Open an array of the folder's Zarr group for reading."""
        return open_checked(f"{self.root}/{ARRAYS}", name)

    def verify(self, name: str, level: Level, draw: Draw | None) -> Verification:
        """Verify the dataset in a run's folder or, where there are SHA256SUMS, in a release, documents included."""
        from boardspace.release.regenerate import documents_compared  # all of verification, which readers do without
        from boardspace.verify import verify

        root = Path(self.root)
        if not (root / SUMS).is_file():
            return verify(root.parent, level, draw, [name])
        return documents_compared(verify(root, level, draw, [name]), root)


class BucketFiles(_Opened):
    """Of a dataset in a bucket."""

    def __init__(self, root: BucketPath) -> None:
        super().__init__(f"{root.parts[1]}/{root.key}", file_system(root))
        self.place = root

    def read(self, name: str) -> bytes:
        """Return the content of a small object; StorageError where it is too long or cannot be fetched."""
        return stored(self.place / name).read(MOST_RECORD)

    def names(self, start: str, end: str) -> list[str]:
        return [f"{start}{name}" for name in stored(self.place / start).names() if name.endswith(end)]

    def array(self, name: str) -> "zarr.Array[Any]":
        return open_array(self.place, name)

    def verify(self, name: str, level: Level, draw: Draw | None) -> Verification:
        from boardspace.verify import verify  # as above

        return verify(self.place, level, draw, [name])


class WebFiles(_Opened):
    """Of a release's dataset on a web server that answers ranges; WebError where it fails."""

    def __init__(self, root: str) -> None:
        super().__init__(root, web())
        try:
            self.sums = parse_sums(self.read(SUMS))
        except SumsError as error:
            raise BoardspaceError(f"{root}/{SUMS}: {error}; this is no release of boardspace") from error

    def read(self, name: str) -> bytes:
        return document(f"{self.root}/{name}")

    def names(self, start: str, end: str) -> list[str]:
        return sorted(name for name in self.sums if name.startswith(start) and name.endswith(end))

    def table(self, names: Sequence[str], folders: pa.Schema | None) -> "ds.Dataset":
        with explained(self.root):
            return super().table(names, folders)

    def explained(self, name: str) -> AbstractContextManager[None]:
        return explained(f"{self.root}/{name}")

    def array(self, name: str) -> "zarr.Array[Any]":
        from zarr.storage import FsspecStore  # zarr takes half a second

        with explained(f"{self.root}/{ARRAYS}/{name}"):
            return open_checked(FsspecStore(web(True), True, f"{self.root}/{ARRAYS}"), name)

    def verify(self, name: str, level: Level, draw: Draw | None) -> Verification:
        """Download all files and compare their SHA-256; BoardspaceError for any level but "hashes"."""
        if level != "hashes":
            raise BoardspaceError(f"{self.root}: over HTTP only hashes are checked (level='hashes'); download it first")
        faults, size = [], 0
        for file, expected in self.sums.items():
            digest = hashlib.sha256()
            try:
                for block in blocks(f"{self.root}/{file}"):
                    digest.update(block)
                    size += len(block)
            except (OSError, BoardspaceError) as error:
                faults.append(Fault("hashes", f"{name}/{file}", f"cannot be fetched: {error}"))
                continue
            if digest.hexdigest() != expected:
                faults.append(Fault("hashes", f"{name}/{file}", "its SHA-256 is not that of SHA256SUMS"))
        return Verification("hashes", len(self.sums), size, 0, 0, tuple(faults))


Files = LocalFiles | BucketFiles | WebFiles
"""Access to the files of one dataset."""
