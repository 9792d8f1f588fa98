"""Receipts: the only proof that a shard is done. Their files have a line for each receipt, and belong to one attempt at
a bundle of shards.

After each shard, the file of an attempt is replaced by one that is a line longer. So a shard whose receipt was written
once is done, however its process ends, and a million shards that travel in bundles leave some ten thousand files. No
file has two writers: an attempt takes the first number that is free, by a means that two processes cannot both
succeed in, and reads what the attempts before it left. Where two attempts did the same shard, their receipts differ in
seconds only, and a stage's record holds one.

A bundle is named after its first shard: ``receipts/STAGE/SHARD.0.jsonl``.
"""

import errno
import hashlib
import itertools
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field
from pydantic_core import to_jsonable_python

from boardspace.spec.space import Shard, Stage
from boardspace.storage.files import StorageError
from boardspace.storage.locations import Location, inner_path
from boardspace.storage.records import LONGEST, Record, canonical_json, decoded, digest_of, encoded, line_of
from boardspace.storage.stored import put_bytes, stored

PART = 1000
"""Receipts whose JSON is made at once."""
Sha256 = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
Digest = Annotated[str, Field(pattern="^[0-9a-f]{32}$")]
"""That of :mod:`boardspace.storage.digest`."""


class FileRecord(Record):
    """One file that a shard wrote, of a table, of a Zarr array, or a blob.

    path: relative to the run's folder, with forward slashes; it never leaves the folder.
    bytes: size.
    sha256: of the content, in hexadecimal.
    table: name of the table, of a Parquet file.
    array: path of the array, of a file of a Zarr array.
    blob: name of the blob.
    rows: number of rows, of a Parquet file.
    first, last: keys of its first and last row; () without rows.
    digest: of its rows, or of a block of cells (:mod:`boardspace.storage.digest`).
    """

    path: Annotated[str, AfterValidator(inner_path)]
    bytes: int
    sha256: Sha256
    table: str = ""
    array: str = ""
    blob: str = ""
    rows: int = 0
    first: tuple[Any, ...] = ()
    last: tuple[Any, ...] = ()
    digest: Digest | Literal[""] = ""


class Receipt(Record):
    """Receipt of a shard.

    stage, shard: their names.
    work: digest of what the shard was asked for (:func:`work_digest`).
    files: that it wrote.
    facts: for later stages.
    seconds: that it took, by a clock on the wall.
    cpu: CPU seconds that its process took meanwhile, which other processes on the machine disturb less.
    gpu: name of the GPU that computed a part of it; "" where none did.
    """

    stage: str
    shard: str
    work: str
    files: list[FileRecord]
    facts: dict[str, Any]
    seconds: float
    cpu: float = 0.0
    gpu: str = ""

    @property
    def rows(self) -> int:
        """Rows of all tables together."""
        return sum(file.rows for file in self.files)


class StageRecord(Record):
    """All receipts of a finished stage, in order of the shards' names.

    rounds: numbers of the rounds that the shards are of, in the same order; () where the stage does not repeat.
    """

    stage: str
    receipts: list[Receipt]
    rounds: tuple[int, ...] = ()

    @property
    def digest(self) -> str:
        """SHA-256 of what its shards were asked for and what came of it, as later stages can read it."""
        digest = hashlib.sha256()
        for text in _list_in_parts([_result(receipt) for receipt in some] for some in self._parts()):
            digest.update(text.encode())
        return digest.hexdigest()

    def line(self) -> bytes:
        """The line of the record."""
        receipts = "".join(_list_in_parts(map(to_jsonable_python, self._parts())))
        rounds, stage = canonical_json(list(self.rounds)), canonical_json(self.stage)
        return line_of(f'{{"receipts":{receipts},"rounds":{rounds},"stage":{stage}}}'.encode())

    def by_round(self) -> "list[Round]":
        """The rounds of a stage that repeats, in order; ValueError where the numbers of rounds cannot be."""
        groups: dict[int, list[Receipt]] = {}
        for receipt, number in zip(self.receipts, self.rounds, strict=True):
            groups.setdefault(number, []).append(receipt)
        if sorted(groups) != list(range(len(groups))):
            raise ValueError(f"stage {self.stage!r}: its rounds are not numbered from 0")
        found: list[Round] = []
        for number in range(len(groups)):
            found.append(next_round(self.stage, found, groups[number]))
        return found

    def _parts(self) -> Iterator[list[Receipt]]:
        return (self.receipts[begin : begin + PART] for begin in range(0, len(self.receipts), PART))


class Round(Record):
    """All receipts of one round of a stage that repeats, in order of the shards' names.

    number: of the round, from 0.
    before: digest of the round before, :data:`NO_ROUNDS` of the first.
    """

    stage: str
    number: int
    before: str
    receipts: list[Receipt]

    @cached_property
    def digest(self) -> str:
        """Number of rounds up to this one, and SHA-256 of what all their shards were asked for and what came of it.

        So whoever is given it knows which record to read, and which came before that one.
        """
        here = StageRecord(stage=self.stage, receipts=self.receipts).digest
        return f"{self.number + 1}-{digest_of([self.before, here])}"

    @cached_property
    def by_shard(self) -> dict[str, Receipt]:
        """The receipts by the shards' names."""
        return {receipt.shard: receipt for receipt in self.receipts}


NO_ROUNDS = "0"
"""Digest of a stage that repeats before its first round."""


def next_round(stage: str, rounds: Sequence[Round], receipts: Iterable[Receipt]) -> Round:
    """The round of a stage that follows on ``rounds``, with these receipts."""
    in_order = sorted(receipts, key=lambda receipt: receipt.shard)
    before = rounds[-1].digest if rounds else NO_ROUNDS
    return Round(stage=stage, number=len(rounds), before=before, receipts=in_order)


def stage_record(stage: str, receipts: Mapping[str, Receipt]) -> StageRecord:
    """The record of a stage with these receipts, by the shards' names."""
    return StageRecord(stage=stage, receipts=[receipts[name] for name in sorted(receipts)])


def record_of_rounds(stage: str, rounds: Sequence[Round]) -> StageRecord:
    """The record of a stage that repeats, which had these rounds."""
    every = sorted(((receipt, one.number) for one in rounds for receipt in one.receipts), key=lambda one: one[0].shard)
    return StageRecord(
        stage=stage, receipts=[receipt for receipt, _ in every], rounds=tuple(number for _, number in every)
    )


def _result(receipt: Receipt) -> list[Any]:
    """Work, facts and files of a shard, as later stages can read them."""
    result = {"facts": to_jsonable_python(receipt.facts), "work": receipt.work}
    return [result, [file.sha256 for file in receipt.files]]


def _list_in_parts(parts: Iterable[list[Any]]) -> Iterator[str]:
    """The canonical JSON of a list that comes in parts: all values of a million receipts would take gigabytes."""
    begin = "["
    for values in parts:
        yield begin + canonical_json(values)[1:-1]
        begin = ","
    yield "]" if begin == "," else "[]"


def receipts_in(content: bytes) -> Iterator[Receipt | None]:
    """The receipts of a file with a line for each, in order; None for a line that is torn or altered."""
    for line in content.splitlines(keepends=True):
        yield decoded(line, Receipt)


def work_digest(stage: Stage, shard: Shard, inputs: Mapping[str, str]) -> str:
    """SHA-256 of what identifies a shard's work within a plan: its stage, name and parameters, and the digests of the
    finished stages, by name, that it may read."""
    return digest_of([stage.name, shard.name, shard.params, [inputs[name] for name in stage.after]])


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
