"""Publishing: from the complete datasets of a run's folder to a release that anyone can download, open and check."""

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

from boardspace.pipeline.plan import Work, recorded_work
from boardspace.pipeline.publish.card import card
from boardspace.pipeline.publish.croissant import croissant
from boardspace.pipeline.publish.datapackage import datapackage, schema_path, table_schema
from boardspace.pipeline.publish.dataset import Dataset, PublishError, load
from boardspace.pipeline.publish.dictionary import dictionary
from boardspace.pipeline.storage.archive import check_archive, fill_archive
from boardspace.pipeline.storage.arrays import METADATA, consolidated
from boardspace.pipeline.storage.arrays import ROOT as ARRAYS
from boardspace.pipeline.storage.files import Written, sha256_of
from boardspace.pipeline.storage.locations import Location
from boardspace.pipeline.storage.mirror import at_hand, release_at_hand
from boardspace.pipeline.storage.release_folder import SUMS, Content, Copied, ReleaseFolder, publishing, read_sums
from boardspace.pipeline.storage.run_folder import COMPLETE, SpaceFolder
from boardspace.pipeline.storage.stored import stored
from boardspace.pipeline.verify import Level, Verification
from boardspace.pipeline.verify.kept import kept
from boardspace.pipeline.verify.run import verify_datasets

Report = Callable[[str], None]
TOLD_SECONDS = 5.0


@dataclass(frozen=True)
class Published:
    """What was published of one dataset; ``new`` is false where exactly this was published before."""

    dataset: str
    files: int
    bytes: int
    archive: Written
    new: bool


def publish(
    root: Location, release: Location, names: Sequence[str], report: Report, processes: bool = False
) -> list[Published]:
    """Verify the datasets ``names`` of a run's folder (all where none is named) and publish them in ``release``.

    PublishError where one is not complete or fails a check: then none is published. Either may lie in a bucket.
    ``processes`` is as in :func:`boardspace.pipeline.verify.verify`.
    """
    with at_hand(root, names) as run, release_at_hand(release, report) as target:
        datasets = _verified(run, _chosen(run, names), processes, report)
        before = {dataset.name for dataset in datasets if stored(release / dataset.name / SUMS).exists()}
        with publishing(target):
            published = [_publish(run, target, dataset, report) for dataset in datasets]
    return [replace(one, new=one.new and one.dataset not in before) for one in published]


def documents(dataset: Dataset) -> dict[str, str]:
    """What is written about a dataset, by file name."""
    texts = {
        "README.md": card(dataset),
        "dictionary.csv": dictionary(dataset),
        "datapackage.json": _json(datapackage(dataset)),
        "croissant.json": _json(croissant(dataset)),
    }
    return texts | {schema_path(t.table): _json(table_schema(t.table)) for t in dataset.tables}


def _chosen(root: Path, names: Sequence[str]) -> list[Work]:
    recorded = {work.space.name: work for work in recorded_work(root)}
    missing = [name for name in names if name not in recorded]
    if missing:
        raise PublishError(f"{root}: no dataset {missing[0]!r} here; there are: {', '.join(recorded)}")
    return [work for name, work in recorded.items() if not names or name in names]


def _verified(root: Path, chosen: Sequence[Work], processes: bool, report: Report) -> list[Dataset]:
    """All of them verified, those that were before by their hashes alone; PublishError where one is not fit."""
    before = {work.space.name: kept(SpaceFolder(root, work.space.name), work) for work in chosen}
    found: dict[str, Verification] = {}
    for level, names in (
        ("hashes", [name for name, earlier in before.items() if earlier]),
        ("logic", [name for name, earlier in before.items() if not earlier]),
    ):
        if names:
            rest = ", the hashes alone: the rest was verified before" if level == "hashes" else ""
            report(f"{', '.join(names)}: verifying{rest}")
            found |= verify_datasets(root, cast(Level, level), 0, names, processes)
    for name, result in found.items():
        if result.faults:
            shown = "\n".join(f"  {fault.where}: {fault.what}" for fault in result.faults[:10])
            raise PublishError(f"{root / name}: {len(result.faults)} fault(s), so not to be published:\n{shown}")
    fit = {name: before[name] or result for name, result in found.items()}
    for name, result in fit.items():
        if not result.cases:
            raise PublishError(f"{root / name}: no case was re-derived by other means, so not to be published")
    return [load(root, work, fit[work.space.name]) for work in chosen]


def _publish(root: Path, release: Path, dataset: Dataset, report: Report) -> Published:
    folder = ReleaseFolder(release, dataset.name)
    content = _content(root, dataset)
    size = sum(file.bytes for file in dataset.files.values())
    new = not folder.holds(content)
    if new:
        report(f"{dataset.name}: copying {len(dataset.files):,} files, {size / 1e6:,.1f} MB")
        folder.put(content, _Progress(dataset.name, size, report))
    archive = folder.kept_archive()
    if archive is None:
        report(f"{dataset.name}: writing {folder.archive.name}")
        archive = _archive(folder)
    return Published(dataset.name, len(content) + 1, size, archive, new)


class _Progress:
    """Tells now and then how much of a dataset is copied."""

    def __init__(self, name: str, size: int, report: Report) -> None:
        self.name, self.size, self.report = name, size, report
        self.copied, self.told = 0, time.monotonic()

    def __call__(self, added: int) -> None:
        """Hear of so many bytes more."""
        self.copied += added
        if time.monotonic() - self.told >= TOLD_SECONDS:
            self.told = time.monotonic()
            self.report(f"{self.name}: {self.copied / 1e6:,.0f} of {self.size / 1e6:,.0f} MB")


def _content(root: Path, dataset: Dataset) -> Content:
    source = root / dataset.name
    data = {name: Copied(source / name, file.sha256) for name, file in dataset.files.items()}
    texts = {name: text.encode() for name, text in documents(dataset).items()}
    if dataset.arrays:
        texts[f"{ARRAYS}/{METADATA}"] = _consolidated(source, dataset)
    return {**data, **texts, COMPLETE: (source / COMPLETE).read_bytes()}


def _consolidated(source: Path, dataset: Dataset) -> bytes:
    """What the root of the arrays says in a release; in the run, where anyone may write any array, it says nothing."""
    names = [name for name in dataset.files if name.startswith(f"{ARRAYS}/") and name.endswith(f"/{METADATA}")]
    below = {name.removeprefix(f"{ARRAYS}/").removesuffix(f"/{METADATA}"): name for name in names}
    return consolidated(
        {path: (source / name).read_bytes() for path, name in below.items() if name != f"{ARRAYS}/{METADATA}"}
    )


def _archive(folder: ReleaseFolder) -> Written:
    listing = folder.folder / SUMS
    sums = {**read_sums(listing), SUMS: sha256_of(listing)}
    return folder.put_archive(
        lambda stream: fill_archive(folder.folder, sorted(sums), stream),
        lambda archive: check_archive(archive, folder.dataset, sums),
    )


def _json(value: Any) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False) + "\n"
