"""Checks of a run's own folder, ``.run``: regular files, each with a place, that agree with the records.

The records of stages prove what is published (:mod:`.records`). Beside them lie the receipts of single shards, which
they repeat, in files of some; and intermediates, which they name. A receipt for other work, as of another plan, may be
left over from before, and proves nothing. Nor do notes of version 1, which nothing reads any more.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from boardspace.engine.plan import Plan
from boardspace.storage.complete import read_complete
from boardspace.storage.receipts import Receipt, read_receipts
from boardspace.storage.records import NOT_AS_WRITTEN, is_as_written, read_record
from boardspace.storage.run_folder import COMPLETE, PLAN, SpaceFolder
from boardspace.verify.records import Records
from boardspace.verify.result import Fault
from boardspace.verify.tree import tree_of

PRIVATE = ".run"
UNKNOWN = "no record of the run names this file"
LINKED = "a symbolic link, and a run holds its own files"
OWN = {"jobs", "lock", "holder", "progress.json", "progress.json.new", "swept"}
"""Names that lie in ``.run`` beside the folders of datasets."""
NOTES = {"verified.json", "published.json"}
"""Notes that version 1 kept of its last verification and publication of a dataset."""
COMPARED_FIELDS = sorted(Receipt.model_fields.keys() - {"seconds", "cpu"})
"""Fields that two attempts at a shard say alike."""


def plan_faults(root: Path) -> Iterator[Fault]:
    """The plan is a file of the folder itself, and says everything once."""
    plan = None
    if (root / PLAN).is_symlink():
        yield Fault("hashes", PLAN, "a symbolic link, and a run holds its own plan")
    else:
        plan = read_record(root / PLAN, Plan)
    if plan is not None and not is_as_written(root / PLAN, plan):
        yield Fault("hashes", PLAN, NOT_AS_WRITTEN)


def folder_faults(root: Path, datasets: set[str]) -> Iterator[Fault]:
    """Faults of folders of a run: of paths in ``.run`` that belong neither to a dataset of the plan nor to the run as a
    whole, and of links."""
    for name in sorted(datasets):
        if (root / name).is_symlink():
            yield Fault("hashes", name, LINKED)
    folder = root / PRIVATE
    if folder.is_symlink():
        yield Fault("hashes", PRIVATE, "a symbolic link, and a run's records lie in its own folder")
        return
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        if path.name not in OWN | datasets:
            yield Fault("hashes", f"{PRIVATE}/{path.name}", "belongs to no dataset of the plan, nor to the run itself")
        elif path.is_symlink():
            yield Fault("hashes", f"{PRIVATE}/{path.name}", LINKED)


def private_faults(folder: SpaceFolder, recorded: Records) -> Iterator[Fault]:
    """Faults of what a run keeps about one dataset, and of its COMPLETE, where the records of its stages have none."""
    root, inside = Path(str(folder.root)), f"{PRIVATE}/{folder.space}"
    tree, complete = tree_of(root / inside), read_complete(folder)
    if complete is not None and not is_as_written(folder.complete, complete):
        yield Fault("hashes", f"{folder.space}/{COMPLETE}", NOT_AS_WRITTEN)
    for name, what in sorted(tree.unexpected.items()):
        yield Fault("hashes", f"{inside}/{name}", what)
    stages = {f"{inside}/stages/{stage}.json" for stage in recorded.stages}
    files = {file.path for receipt in recorded.receipts for file in receipt.files}
    there = {f"{inside}/{name}" for name in tree.files.keys() - NOTES} - stages - files
    single = SingleReceipts.of(folder, recorded)
    for path in sorted(there - single.files):
        yield Fault("hashes", path, UNKNOWN)
    for path, what in single.faults.items():
        if path.removeprefix(f"{inside}/") not in tree.unexpected:
            yield Fault("hashes", path, what)
    for stage, receipts in single.missing.items():
        what = f"no file here has the receipt of shard {receipts[0].shard}, which the record of the stage has"
        more = f", nor those of {len(receipts) - 1} more" if len(receipts) > 1 else ""
        yield Fault("hashes", f"{inside}/receipts/{stage}", what + more)


@dataclass(frozen=True)
class SingleReceipts:
    """The files with the receipts of single shards, compared with the records of the stages.

    files: their names in the run's folder.
    faults: what is wrong with some of them.
    missing: receipts of the records, by stage, that no file without a fault has.
    """

    files: set[str]
    faults: dict[str, str]
    missing: dict[str, list[Receipt]]

    @classmethod
    def of(cls, folder: SpaceFolder, recorded: Records) -> "SingleReceipts":
        """Read all of them, stage by stage, where the records of the stages are sound."""
        found = cls(set(), {}, {})
        for stage in recorded.sound:
            record = recorded.stages[stage]
            known = {receipt.shard: receipt for receipt in record.receipts}
            missing = dict(known)
            for name, receipts in read_receipts(folder.receipts(stage)):
                path = f"{PRIVATE}/{folder.space}/receipts/{stage}/{name}"
                found.files.add(path)
                what, confirmed = _compared(stage, receipts, known)
                if what:
                    found.faults[path] = what
                    continue
                for shard in confirmed:
                    missing.pop(shard, None)
            if missing:
                found.missing[stage] = list(missing.values())
        return found


def _compared(stage: str, receipts: list[Receipt | None], known: dict[str, Receipt]) -> tuple[str, list[str]]:
    """Fault of a file of receipts, or ''; and the shards of which it says what the record of the stage does.

    An empty file is left by an attempt that died as it began.
    """
    confirmed = []
    for receipt in receipts:
        if receipt is None:
            return "torn or altered: a line of it is no receipt", []
        if receipt.stage != stage:
            return f"has a receipt of stage {receipt.stage!r}", []
        recorded = known.get(receipt.shard)
        if recorded is None or receipt.work != recorded.work:
            continue
        if any(getattr(receipt, name) != getattr(recorded, name) for name in COMPARED_FIELDS):
            return "says something else than the record of its stage", []
        confirmed.append(receipt.shard)
    return "", confirmed
