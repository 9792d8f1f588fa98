"""Is a run's own folder, ``.run``, as a run leaves it? Regular files, each with a place, that agree with the records.

The records of stages prove what is published (:mod:`.records`). Beside them lie the receipts of single shards, which
they repeat; files that stages exchange, which they name; and two notes: of the last verification, and of the last
publication. A receipt of another plan's shard may be left over from before, and proves nothing.
"""

from collections.abc import Iterator
from pathlib import Path

from boardspace.engine.plan import PLAN, Work
from boardspace.storage.receipts import Receipt
from boardspace.storage.records import read_record
from boardspace.storage.run_folder import SpaceFolder
from boardspace.verify.memo import NAMES, Released, Verified, memo_fault
from boardspace.verify.records import Records
from boardspace.verify.result import Fault
from boardspace.verify.tree import tree_of

PRIVATE = ".run"
OWN = {"jobs", "lock", "holder", "progress.json", "progress.json.new", "swept"}
"""What lies in ``.run`` beside the folders of datasets."""


def plan_faults(root: Path) -> Iterator[Fault]:
    """The plan is a file of the folder itself."""
    if (root / PLAN).is_symlink():
        yield Fault("hashes", PLAN, "a symbolic link, and a run holds its own plan")


def folder_faults(root: Path, datasets: set[str]) -> Iterator[Fault]:
    """Faults of paths in ``.run`` that belong neither to a dataset of the plan nor to the run as a whole."""
    folder = root / PRIVATE
    if folder.is_symlink():
        yield Fault("hashes", PRIVATE, "a symbolic link, and a run's records lie in its own folder")
        return
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        if path.name not in OWN | datasets:
            yield Fault("hashes", f"{PRIVATE}/{path.name}", "belongs to no dataset of the plan, nor to the run itself")
        elif path.is_symlink():
            yield Fault("hashes", f"{PRIVATE}/{path.name}", "a symbolic link, and a run holds its own files")


def private_faults(folder: SpaceFolder, work: Work, recorded: Records) -> Iterator[Fault]:
    """Faults of what a run keeps about one dataset, where the records of its stages have none."""
    root, inside = Path(str(folder.root)), f"{PRIVATE}/{folder.space}"
    tree = tree_of(root / inside)
    for name, what in sorted(tree.strangers.items()):
        yield Fault("hashes", f"{inside}/{name}", what)
    receipts = {folder.receipt_name(receipt.stage, receipt.shard): receipt for receipt in recorded.receipts}
    stages = {f"{inside}/stages/{stage}.json" for stage in recorded.stages}
    files = {file.path for receipt in recorded.receipts for file in receipt.files}
    memos = {f"{inside}/{NAMES[kind]}": kind for kind in (Verified, Released)}
    rows = sum(file.rows for file in recorded.files)
    there = {f"{inside}/{name}" for name in tree.files}
    for path in sorted(there - stages - files):
        if path in memos:
            what = memo_fault(folder, work, memos[path], len(recorded.files), rows)
        else:
            what = _receipt_fault(folder, root / path, path, receipts)
        if what:
            yield Fault("hashes", path, what)
    for path in sorted(receipts.keys() - there):
        yield Fault("hashes", path, "missing, and the record of its stage has this receipt")


def _receipt_fault(folder: SpaceFolder, path: Path, name: str, receipts: dict[str, Receipt]) -> str:
    """Fault of a file that should be a receipt (one of the stages' records, or one that another plan left), or ''."""
    found = read_record(path, Receipt) if "/receipts/" in name else None
    if name in receipts:
        if found is None:
            return "torn or altered, and the record of its stage has this receipt"
        same = found.model_copy(update={"seconds": receipts[name].seconds}) == receipts[name]
        return "" if same else "says something else than the record of its stage"
    if found is not None and name == folder.receipt_name(found.stage, found.shard):
        return ""
    return "no record of the run names this file"
