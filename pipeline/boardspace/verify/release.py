"""Verification of a downloaded dataset: nothing but the dataset is needed, and nothing in it is trusted.

* ``hashes``: every file of ``SHA256SUMS`` is there with its SHA-256, and nothing else is: no other file, link, device
  or folder. Where the archive lies beside the dataset, it is the one that these files make, to the byte.
* ``structure``: every file is a document, or belongs to a table or an array of ``COMPLETE``; Parquet files decode with
  their page checksums, have the registered schema and strictly increasing keys, Zarr arrays decode with their
  checksums; statistics, page indexes and metadata of both agree with rows, plan and registry; the numbers of rows, and
  the digests of rows and of cells, are those of ``COMPLETE``, which names all tables and arrays that the config
  asks for (:mod:`boardspace.verify.contents`); schemas and the data dictionary are what the program makes of its
  tables, and the published plan has the digest that ``COMPLETE`` holds.
* ``logic``: the checks of the space (:mod:`boardspace.spec.check`), on what is published, and its claims judged
  anew. Checks that need what only the run has (its receipts, or tables that its stages exchange) cannot be made, nor
  can such claims be measured; both are named in notes.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from boardspace.spec.check import Draw
from boardspace.spec.registry import space_named
from boardspace.storage.release_folder import SUMS, SumsError
from boardspace.verify.executor import executor
from boardspace.verify.files import FileFaultError, memory_bounded
from boardspace.verify.plans import plan_notes
from boardspace.verify.release_files import archive_faults, datasets_in, has_sums, hash_faults, sums_in
from boardspace.verify.release_front import foreign_faults, front_faults
from boardspace.verify.release_inputs import published_in
from boardspace.verify.release_logic import rederived_from, what_needs_the_run
from boardspace.verify.release_structure import Counts, structure_faults
from boardspace.verify.result import Fault, Level, Rederived, Verification
from boardspace.verify.rewriting import note_of
from boardspace.verify.tree import tree_of

FIRST_DRAW = Draw()


def verify_release(
    root: Path, level: Level, names: Sequence[str], draw: Draw = FIRST_DRAW, processes: bool = False
) -> Verification:
    """Check the published datasets at or below a folder, or those named; ``draw`` chooses what the logic level tries,
    ``processes`` lets other processes of this program do it where there is much to check."""
    counts, notes = Counts(), list[str]()
    folders = [folder for folder in datasets_in(root) if not names or folder.resolve().name in names]
    faults = [fault for folder in folders for fault in _dataset_faults(folder, level, counts, notes)]
    notes += note_of(counts.others)
    if has_sums(root):
        notes.append("the folder of one dataset; what lies beside it, its archive apart, was not looked at")
    else:
        faults += [Fault("hashes", where, what) for where, what in foreign_faults(root)]
        faults += [Fault("hashes", where, what) for where, what in front_faults(root, faults, notes)]
    rederived: list[Rederived] = []
    unchecked: dict[str, Mapping[str, str]] = {}
    if level == "logic":
        faulty = {fault.where.split("/")[0] for fault in faults}
        sound = [folder for folder in folders if folder.resolve().name not in faulty]
        rederived, found = _rederived(sound, draw, processes)
        faults += found
        unchecked = {folder.resolve().name: dict(space_named(folder.resolve().name).unchecked) for folder in sound}
        notes += what_needs_the_run(rederived)
    cases = sum(one.cases for one in rederived)
    found_in = (counts.files, counts.bytes, counts.rows, cases)
    return Verification(level, *found_in, tuple(faults), tuple(notes), tuple(rederived), unchecked)


def _dataset_faults(folder: Path, level: Level, counts: Counts, notes: list[str]) -> list[Fault]:
    """Faults of one dataset and of its archive, but for those of its logic."""
    name = folder.resolve().name
    found = [Fault(at, f"{name}/{where}", what) for at, where, what in _faults(folder, level, counts)]
    if level != "hashes" and not found:
        notes += plan_notes(published_in(folder)[0])
    whole = all(fault.level != "hashes" for fault in found)
    return found + [Fault("hashes", where, what) for where, what in archive_faults(folder, name, whole, notes)]


def _rederived(folders: Sequence[Path], draw: Draw, processes: bool) -> tuple[list[Rederived], list[Fault]]:
    """The checks of datasets without other faults, and what they found."""
    rederived: list[Rederived] = []
    faults: list[Fault] = []
    with executor(sum(sum(tree_of(folder).files.values()) for folder in folders), processes) as workers:
        for folder in folders:
            made, found = rederived_from(workers, folder, draw)
            rederived += made
            faults += found
    return rederived, faults


def _faults(folder: Path, level: Level, counts: Counts) -> Iterator[tuple[Level, str, str]]:
    """Faults of one dataset: level, place and text. Where the hashes have any, the structure is not looked at."""
    tree = tree_of(folder)
    try:
        sums = sums_in(folder)
    except (FileFaultError, SumsError) as error:
        yield "hashes", SUMS, str(error)
        return
    found = list(hash_faults(folder, tree, sums))
    counts.files += len(sums)
    yield from (("hashes", where, what) for where, what in found)
    if found:
        return
    counts.bytes += sum(tree.files[name] for name in sums)
    if level != "hashes":
        with memory_bounded():
            yield from (("structure", where, what) for where, what in structure_faults(folder, sums, counts))
