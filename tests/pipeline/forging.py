"""Records altered with right checksums, and all that follows from them made to agree: what only an adversary does."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from boardspace.engine.plan import Work, cut, recorded_work
from boardspace.spec.errors import BoardspaceError
from boardspace.spec.space import Stage, Table
from boardspace.spec.stages import stages_of
from boardspace.storage.complete import complete_of
from boardspace.storage.parquet import INTERMEDIATE_ROW_GROUP, ROW_GROUP, row_group_writer
from boardspace.storage.receipts import Receipt, Round, StageRecord, next_round, work_digest
from boardspace.storage.records import encoded
from boardspace.storage.run_folder import FinishedStages, SpaceFolder


def write_forged(path: Path, record: Any) -> None:
    """Write a record with a right checksum."""
    path.write_bytes(encoded(record))


def receipts_of(path: Path) -> list[dict[str, Any]]:
    """The receipts of a file that has a line for each."""
    return [json.loads(line)["record"] for line in path.read_bytes().splitlines()]


def write_receipts(path: Path, receipts: Iterable[Any]) -> None:
    """Write receipts with right checksums."""
    path.write_bytes(b"".join(map(encoded, receipts)))


def receipt_lines(dataset: Path) -> set[str]:
    """All receipts below the folder that a run keeps about a dataset; a shard that is done again has another."""
    files = (dataset / "receipts").rglob("[!.]*.jsonl")
    return {line for path in files for line in path.read_text().splitlines()}


def file_of_receipt(root: Path, space: str, stage: str, shard: str) -> Path:
    """The file that has the receipt of a shard."""
    files = sorted((root / ".run" / space / "receipts" / stage).rglob("[!.]*.jsonl"))
    return next(path for path in files if any(receipt["shard"] == shard for receipt in receipts_of(path)))


def drop_receipt(root: Path, space: str, stage: str, shard: str) -> None:
    """Take the receipt of a shard out of its file."""
    path = file_of_receipt(root, space, stage, shard)
    write_receipts(path, [receipt for receipt in receipts_of(path) if receipt["shard"] != shard])


def of_file(path: Path) -> dict[str, Any]:
    """What a receipt says of a file as it is."""
    content = path.read_bytes()
    return {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}


def write_rows(path: Path, table: Table, rows: pa.Table, metadata: Mapping[Any, Any] | None = None) -> None:
    """Write rows as this program writes those of a table, with these metadata or their own."""
    size = ROW_GROUP if table.published else INTERMEDIATE_ROW_GROUP
    with (
        path.open("wb") as stream,
        row_group_writer(stream, table, rows.schema.metadata if metadata is None else metadata) as write,
    ):
        for start in range(0, max(1, rows.num_rows), size):
            write(rows.slice(start, size))


def reseal(root: Path, path: Path, **update: Any) -> None:
    """Make the receipts that name a file say what it is now, with ``update`` in them, and all that follows."""
    name = path.relative_to(root).as_posix()
    for stage in root.glob(".run/*/stages/*.json"):
        record = json.loads(stage.read_bytes())["record"]
        for file in (file for receipt in record["receipts"] for file in receipt["files"] if file["path"] == name):
            file |= {**of_file(path), **update}
        write_forged(stage, record)
    seal(root)


def seal(root: Path, names: Sequence[str] = ()) -> None:
    """Make work digests, single receipts and COMPLETE follow from the records, where these are records at all; of the
    datasets ``names``, or of all."""
    for work in (work for work in recorded_work(root) if not names or work.space.name in names):
        try:
            _seal(SpaceFolder(root, work.space.name), work)
        except BoardspaceError:
            continue


def _seal(folder: SpaceFolder, work: Work) -> None:
    records: dict[str, StageRecord] = {}
    for stage in stages_of(work.space, work.config).values():
        found = folder.finished(stage.name)
        receipts = _resealed(stage, work, FinishedStages(folder, work.space), found, records)
        records[stage.name] = found.model_copy(update={"receipts": receipts})
        write_forged(Path(str(folder.stage(stage.name))), records[stage.name].model_dump(mode="json"))
        resealed = {receipt.shard: receipt.model_dump(mode="json") for receipt in receipts}
        for path in Path(str(folder.receipts(stage.name))).rglob("[!.]*.jsonl"):
            names = [receipt["shard"] for receipt in receipts_of(path)]
            write_receipts(path, [resealed[name] for name in names if name in resealed])
    complete = complete_of(folder.space, work.plan.digest, records)
    write_forged(Path(str(folder.complete)), complete.model_dump(mode="json"))


def _resealed(
    stage: Stage, work: Work, inputs: FinishedStages, found: StageRecord, records: dict[str, StageRecord]
) -> list[Receipt]:
    """The receipts of a stage for the work that they would be of; of one that repeats, round by round."""
    digests = {before: records[before].digest for before in stage.after if before != stage.name}
    theirs, made = {receipt.shard: receipt for receipt in found.receipts}, dict[str, Receipt]()
    rounds: list[Round] = []
    while True:
        now = inputs.with_rounds(stage.name, list(rounds)) if stage.repeats else inputs
        new = [shard for shard in cut(stage, work.config, now) if shard.name in theirs and shard.name not in made]
        due = {shard.name: work_digest(stage, shard, {**digests, **now.digests}) for shard in new}
        made |= {name: theirs[name].model_copy(update={"work": work}) for name, work in due.items()}
        if not new or not stage.repeats:
            return [made[name] for name in sorted(made)]
        rounds.append(next_round(stage.name, rounds, [made[name] for name in due]))
