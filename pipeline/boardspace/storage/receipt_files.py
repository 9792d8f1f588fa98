"""Files of receipts: a line for each receipt, and a file for each attempt at a bundle of shards.

After each shard, the file of an attempt is replaced by one that is a line longer. So a shard whose receipt was written
once is done, however its process ends, and a million shards that travel in bundles leave some ten thousand files. No
file has two writers: an attempt takes the first number that is free, by a means that two processes cannot both
succeed in, and reads what the attempts before it left. Where two attempts did the same shard, their receipts differ in
seconds only, and a stage's record holds one.

A bundle is named after its first shard: ``receipts/STAGE/SHARD.0.jsonl``.
"""

import errno
import itertools
from collections.abc import Callable, Container, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from boardspace.storage.files import StorageError
from boardspace.storage.locations import Location
from boardspace.storage.receipts import Receipt, receipts_in
from boardspace.storage.records import LONGEST, encoded
from boardspace.storage.stored import put_bytes, stored

SUFFIX = ".jsonl"
# An attempt at more shards than bundles have takes another number then: a file is written once for each line.
MOST = 64
# A folder in a network or a bucket answers many questions at once; a disk is not slower for it.
AT_ONCE = 32
# Files that are read before the first of them is looked at.
AHEAD = 1024


@dataclass
class Attempt:
    """One attempt at a bundle of shards: reads the receipts of other attempts, and writes its own.

    name: gives the place of the file of an attempt by its number.
    _number: of this attempt; None before its first receipt, and when its file has enough of them.
    _content: of its file.
    """

    name: Callable[[int], Location]
    _number: int | None = None
    _content: bytes = field(default=b"", repr=False)

    def find(self, shard: str, work: str) -> Receipt | None:
        """The receipt of a shard, for this very work, that another attempt wrote by now; None where none did."""
        return next((receipt for receipt in self._of_others() if (receipt.shard, receipt.work) == (shard, work)), None)

    def add(self, *receipts: Receipt) -> None:
        """Write receipts: from now on their shards are done."""
        if self._content.count(b"\n") >= MOST:
            self._number, self._content = None, b""
        self._content += b"".join(encoded(receipt.model_dump(mode="json")) for receipt in receipts)
        if self._number is None:
            numbers = itertools.count()
            self._number = next(n for n in numbers if stored(self.name(n)).create(self._content, "receipt"))
        else:
            put_bytes(self.name(self._number), self._content, "receipt")

    def _of_others(self) -> Iterator[Receipt]:
        for number in itertools.count():
            if number == self._number:
                continue
            try:
                content = stored(self.name(number)).read(LONGEST)
            except FileNotFoundError:
                return
            yield from filter(None, receipts_in(content))


def _bundle_of(name: str) -> str:
    """The bundle of a file of receipts: ``NAME.0.jsonl``."""
    return name.removesuffix(SUFFIX).rpartition(".")[0]


def read_receipts(
    folder: Location, below: str = "", bundles: Container[str] | None = None
) -> Iterator[tuple[str, list[Receipt | None]]]:
    """The files of receipts below a folder, by their names, in order: a receipt for each line, None for a torn one.

    ``below`` restricts to a folder of it, ``bundles`` to those of these names.
    """
    inside = f"{below}/" if below else ""
    there = (f"{inside}{name}" for name in stored(folder / below if below else folder).names())
    names = [name for name in there if name.endswith(SUFFIX) and (bundles is None or _bundle_of(name) in bundles)]

    def content(name: str) -> bytes:
        """The bytes of a file; none where it was deleted meanwhile."""
        try:
            return stored(folder / name).read(LONGEST)
        except FileNotFoundError:  # deleted meanwhile
            return b""
        except OSError as error:
            if error.errno == errno.EINVAL:  # it is no file: torn, so to say
                return b"\n"
            raise StorageError(f"{folder / name}: cannot be read ({error.strerror})") from error

    with ThreadPoolExecutor(AT_ONCE) as pool:
        for start in range(0, len(names), AHEAD):
            some = names[start : start + AHEAD]
            for name, found in zip(some, pool.map(content, some), strict=True):
                yield name, list(receipts_in(found))
