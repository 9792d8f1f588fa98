"""Does a downloaded dataset hold what it says? Nothing but the dataset is needed.

* ``hashes``: every file of ``SHA256SUMS`` is there with its SHA-256, and no other.
* ``structure``: Parquet files decode with their page checksums, have the registered schema and strictly increasing
  keys; ``COMPLETE`` has the number of each table's rows and their digest; Zarr arrays decode with their checksums.

What the rows mean is checked on the run itself, before it is published.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from boardspace.pipeline.complete import Complete
from boardspace.pipeline.registry import space_named
from boardspace.pipeline.space import Space, Table
from boardspace.pipeline.storage.digest import add, rows_digest
from boardspace.pipeline.storage.records import read_record
from boardspace.pipeline.storage.release_folder import SUMS, read_sums
from boardspace.pipeline.storage.run_folder import COMPLETE
from boardspace.pipeline.verify.files import FileFaultError, check_array, check_hash, check_table, side_by_side
from boardspace.pipeline.verify.result import Fault, Level, Verification


def datasets_in(folder: Path) -> list[Path]:
    """The published datasets at or directly below a folder, by name."""
    return sorted(path.parent for path in [*folder.glob(SUMS), *folder.glob(f"*/{SUMS}")])


def verify_release(root: Path, level: Level, names: Sequence[str]) -> Verification:
    """Check the published datasets at or below a folder, or those named, up to ``structure``."""
    reached: Level = "hashes" if level == "hashes" else "structure"
    faults: list[Fault] = []
    files = size = rows = 0
    for folder in datasets_in(root):
        name = folder.resolve().name
        if names and name not in names:
            continue
        try:
            sums = read_sums(folder / SUMS)
        except (OSError, ValueError) as error:
            faults.append(Fault("hashes", f"{name}/{SUMS}", str(error)))
            continue
        found = [Fault("hashes", f"{name}/{where}", what) for where, what in _hash_faults(folder, sums)]
        files += len(sums)
        if not found:
            size += sum((folder / file).stat().st_size for file in sums)
            if reached == "structure":
                structure, counted = _structure(folder, space_named(name), sums)
                rows += counted
                found += [Fault("structure", f"{name}/{where}", what) for where, what in structure]
        faults += found
    return Verification(reached, files, size, rows, 0, tuple(faults))


def _hash_faults(folder: Path, sums: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for name, found in side_by_side(lambda name: check_hash(folder / name, sums[name]), list(sums)):
        if isinstance(found, FileFaultError):
            yield name, str(found)
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and name not in sums and name != SUMS:
            yield name, f"{SUMS} does not name this file"


def _structure(folder: Path, space: Space, sums: Mapping[str, str]) -> tuple[list[tuple[str, str]], int]:
    """Faults by place, and the rows read."""
    complete = read_record(folder / COMPLETE, Complete)
    if complete is None:
        return [(COMPLETE, "torn or altered")], 0
    faults: list[tuple[str, str]] = []
    counted = 0
    for table, content in complete.tables.items():
        digests, rows = [], 0
        names = sorted(name for name in sums if name.startswith(f"{table}/") or name == f"{table}.parquet")
        for name, read in side_by_side(partial(_read, folder, space.table(table)), names):
            if isinstance(read, FileFaultError):
                faults.append((name, str(read)))
                continue
            rows += read[0]
            digests.append(read[1])
        counted += rows
        if (rows, add(digests)) != (content.rows, content.digest):
            faults.append((table, f"{rows} rows with other content than {COMPLETE} says of its {content.rows} rows"))
    group = folder / "arrays.zarr"
    for array, fault in side_by_side(lambda a: check_array(group, a, complete.arrays[a].files), list(complete.arrays)):
        if fault is not None:
            faults.append((f"arrays.zarr/{array}", str(fault)))
    return faults, counted


def _read(folder: Path, table: Table, name: str) -> tuple[int, str]:
    """How many rows a file of a table has, and their digest."""
    rows = check_table(folder / name, table)
    return rows.num_rows, rows_digest(rows)
