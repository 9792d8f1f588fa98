"""Documents of a published dataset, made again from the dataset alone and compared with those that lie there.

A card, say, may be altered together with ``SHA256SUMS``. Everything that is written about a dataset follows from its
tables, arrays and claims, and from what ``datapackage.json`` holds; what only whoever published it knows (the citation,
the seconds) is taken from there as it is.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from boardspace.release.atlas.compared import site_compared
from boardspace.release.datapackage import writer
from boardspace.release.dataset import Dataset, TableFiles, arrays_of, rows_of
from boardspace.release.document_facts import lookup_faults, source_faults, stated_faults
from boardspace.release.documents import documents
from boardspace.spec.citation import Citation
from boardspace.spec.space import Space, Table
from boardspace.storage.arrays import ROOT as ARRAYS
from boardspace.storage.complete import Complete
from boardspace.storage.files import read_regular
from boardspace.storage.parquet import read_claims
from boardspace.storage.receipts import FileRecord
from boardspace.storage.records import json_value
from boardspace.storage.release_folder import PAGE, SUMS, read_sums
from boardspace.storage.stored import stored
from boardspace.verify import Fault, Verification
from boardspace.verify.files import memory_bounded
from boardspace.verify.release_files import datasets_in, has_sums
from boardspace.verify.release_inputs import LONGEST_PACKAGE, PACKAGE, published_in

OTHER_VERSION = "cards and manifests were written by another version, so they were not made again"


def documents_compared(result: Verification, root: Path) -> Verification:
    """The verification of a release, or of one dataset of it, with the faults of documents.

    They are compared where the structure has no fault: all that they say, where this program is the version that wrote
    them, else the facts in them that programs read. The verification of a run is returned as it is.
    """
    if result.level == "hashes" or result.faults:
        return result
    faults, notes = list(result.faults), list(result.notes)
    folders = datasets_in(root)
    for folder in folders:
        name = folder.resolve().name
        try:
            with memory_bounded():
                faults += [Fault("structure", f"{name}/{where}", what) for where, what in _faults(folder, notes)]
        except Exception as error:  # forged documents make nearly anything be raised
            faults.append(Fault("structure", f"{name}/{PACKAGE}", f"the documents cannot be made again: {error!r}"))
    if folders and not faults and not has_sums(root):
        site_faults, site_notes = _site_compared(root)
        faults, notes = [*faults, *site_faults], [*notes, *site_notes]
    return replace(result, faults=tuple(faults), notes=tuple(notes))


def _site_compared(root: Path) -> tuple[list[Fault], list[str]]:
    try:
        return site_compared(root)
    except Exception as error:  # so do forged sites
        return [Fault("structure", PAGE, f"the site cannot be made again: {error!r}")], []


def _faults(folder: Path, notes: list[str]) -> Iterator[tuple[str, str]]:
    dataset = published_dataset(folder)
    made = documents(dataset)
    there = {name: read_regular(folder / name, LONGEST_PACKAGE) for name in made if (folder / name).exists()}
    yield from ((PACKAGE, what) for what in lookup_faults(dataset))
    if json_value(there[PACKAGE]).get("writer") != writer(dataset.name):
        notes.append(
            f"{dataset.name}: {OTHER_VERSION}; files, rows, bytes, sums, columns, licences and versions in them were "
            "compared with the data, and nothing else that they say"
        )
        yield from stated_faults(there, made)
        return
    yield from ((PACKAGE, what) for what in source_faults(dataset))
    for name, text in made.items():
        if there.get(name) != text.encode():
            yield name, f"is not what the data and {PACKAGE} make it"


def published_dataset(folder: Path) -> Dataset:
    """Dataset from which the documents of a published dataset are made, read from its folder alone."""
    package = json_value(read_regular(folder / PACKAGE, LONGEST_PACKAGE))
    work, complete = published_in(folder)
    space = work.space
    work = replace(work, space=replace(space, version=work.plan.version))  # an earlier one calls itself so
    records = _records(folder, space, complete)
    tables = tuple(
        TableFiles(table.unfolded, found)
        for table in space.all_tables
        if (found := tuple(record for record in records.values() if record.table == table.name))
    )
    return Dataset(
        folder=folder,
        work=work,
        complete=complete,
        files=records,
        tables=tables,
        arrays=arrays_of(folder, space, records),
        claims=tuple(read_claims(folder)),
        printed={table.table.name: rows_of(folder, table) for table in tables if table.table.on_card},
        looked_up=package["lookups"],
        sources=_sources(package["resources"]),
        seconds=package.get("cpuSeconds", 0.0),
        citation=Citation.of(package["citation"]),
    )


def _records(folder: Path, space: Space, complete: Complete) -> dict[str, FileRecord]:
    """The data files by path, as receipts would have them."""
    unfolded = {table.name: table.unfolded for table in space.all_tables}
    found = {}
    for path, sha256 in read_sums(folder / SUMS).items():
        size = (folder / path).stat().st_size
        if path.endswith(".parquet"):
            table = path.split("/")[0].removesuffix(".parquet")
            rows, first = _rows(folder / path, unfolded[table])
            found[path] = FileRecord(path=path, bytes=size, sha256=sha256, table=table, rows=rows, first=first)
        elif array := next((name for name in complete.arrays if path.startswith(f"{ARRAYS}/{name}/")), ""):
            found[path] = FileRecord(path=path, bytes=size, sha256=sha256, array=array)
    return found


def _rows(file: Path, table: Table) -> tuple[int, tuple[Any, ...]]:
    """The number of rows of a file, and the key of the first, () without rows."""
    with pq.ParquetFile(stored(file).table_file()) as opened:
        if not opened.metadata.num_rows:
            return 0, ()
        row = next(opened.iter_batches(batch_size=1, columns=list(table.key))).to_pylist()[0]
        return opened.metadata.num_rows, tuple(row[name] for name in table.key)


def _sources(resources: list[dict[str, Any]]) -> dict[str, str]:
    """The sources of tables and of families of arrays, as the package has them."""
    tables = {one["table"]: one["source"] for one in resources if one["type"] == "table"}
    arrays = {one["array"].split("/", 1)[1]: one["source"] for one in resources if one["type"] != "table"}
    return {**arrays, **tables}
