"""Documents of a dataset: made, and those of a published one made again from it alone, and compared with what is there.

A card, say, may be altered together with ``SHA256SUMS``. Everything that is written about a dataset follows from its
tables, arrays and claims, and from what ``datapackage.json`` holds; what only whoever published it knows (the citation,
the seconds) is taken from there as it is.

Another version may word its documents otherwise, so that they cannot be made again here. What they say of the data in
fields that programs read has to be the same all the same: it is taken from both texts and compared.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from boardspace.release.atlas.site import site_compared
from boardspace.release.card import card
from boardspace.release.croissant import croissant
from boardspace.release.datapackage import datapackage, writer
from boardspace.release.dataset import Dataset, TableFiles, arrays_of, rows_of
from boardspace.spec.citation import Citation
from boardspace.spec.space import Space, Table
from boardspace.spec.stages import stages_of
from boardspace.spec.table import dictionary, json_text, table_schema
from boardspace.storage.arrays import ROOT as ARRAYS
from boardspace.storage.complete import Complete
from boardspace.storage.files import read_regular
from boardspace.storage.parquet import read_claims, read_tables
from boardspace.storage.receipts import FileRecord
from boardspace.storage.records import json_value
from boardspace.storage.release_folder import CITATION, PAGE, SUMS, read_sums, schema_path
from boardspace.storage.stored import stored
from boardspace.verify import Fault, Verification
from boardspace.verify.files import memory_bounded
from boardspace.verify.release_inputs import LONGEST_PACKAGE, PACKAGE, datasets_in, has_sums, published_in

Facts = Mapping[str, Any]
COUNTED = re.compile(r" \([0-9]+ stages\)$")
"""End of a text that names the first and the last of many stages."""


def stated_faults(there: Mapping[str, bytes], made: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Faults of documents, by name, that state other facts than those that were made here of the same data."""
    for name, facts_in in READERS.items():
        if name in made and name not in there:
            yield name, "missing"
        elif name in there and name in made:
            ours = facts_in(made[name].encode())
            try:
                theirs = facts_in(there[name])
            except Exception as error:  # forged documents make nearly anything be raised
                yield name, f"states nothing of the data that can be compared: {error!r}"
                continue
            yield from ((name, f"says other {what} than the data") for what in ours if ours[what] != theirs[what])


def lookup_faults(dataset: Dataset) -> Iterator[str]:
    """Faults of the rows that the card looks up, which ``datapackage.json`` keeps: the tables have them."""
    tables = {one.table.name: one for one in dataset.tables if one.table.lookup and one.rows}
    if dataset.looked_up.keys() != tables.keys():
        yield "keeps rows to look up of other tables than the dataset has"
        return
    for name, row in dataset.looked_up.items():
        table, paths = tables[name].table, [dataset.folder / file.path for file in tables[name].files]
        least = row[table.lookup[0]]
        if row not in read_tables(paths, table, table.lookup, (least, least + 1)).to_pylist():
            yield f"keeps a row to look up that {name} does not have"


def source_faults(dataset: Dataset) -> Iterator[str]:
    """Faults of what ``datapackage.json`` says of the work behind each table and array: stages of the config say it."""
    docs = [stage.doc for stage in stages_of(dataset.space, dataset.work.config).values()]
    known = {"...", *(part for doc in docs for part in doc.split("; "))}
    for name, text in dataset.sources.items():
        if not {*COUNTED.sub("", text).split("; ")} <= known:
            yield f"says of {name} that it was made by work that no stage of the config does"


def _package_facts(content: bytes) -> Facts:
    package = json_value(content)
    tables = [one for one in package["resources"] if one["type"] == "table"]
    arrays = [one for one in package["resources"] if one["type"] != "table"]
    return {
        "names": package["name"],
        "licences": [one["name"] for one in package["licenses"]],
        "versions": package["version"],
        "parts of the space": bool(package["partial"]),
        "tables": [(one["table"], one["path"], one["schema"]) for one in tables],
        "rows": [one["rows"] for one in tables],
        "sizes": [one["size"] for one in tables],
        "sums": [one["hash"] for one in tables],
        "arrays": [(one["array"], one["path"]) for one in arrays],
    }


def _croissant_facts(content: bytes) -> Facts:
    document = json_value(content)
    files = document["distribution"]
    return {
        "names": document["name"],
        "licences": document["license"],
        "versions": document["version"],
        "files": [(one["@id"], one.get("contentUrl"), one.get("includes")) for one in files],
        "sizes": [one.get("contentSize") for one in files],
        "sums": [one.get("sha256") for one in files],
        "columns": [
            (one["@id"], one["key"], [(field["name"], field["dataType"]) for field in one["field"]])
            for one in document["recordSet"]
        ],
    }


def _citation_facts(content: bytes) -> Facts:
    lines = content.decode().splitlines()
    return {
        what: [line for line in lines if line.startswith(field)]
        for what, field in (("licences", "license:"), ("versions", "version:"), ("dates", "date-released:"))
    }


READERS: Mapping[str, Callable[[bytes], Facts]] = {
    "datapackage.json": _package_facts,
    "croissant.json": _croissant_facts,
    CITATION: _citation_facts,
}

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
        try:
            site_faults, site_notes = site_compared(root)
        except Exception as error:  # so do forged sites
            site_faults, site_notes = [Fault("structure", PAGE, f"the site cannot be made again: {error!r}")], []
        faults, notes = [*faults, *site_faults], [*notes, *site_notes]
    return replace(result, faults=tuple(faults), notes=tuple(notes))


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


def documents(dataset: Dataset) -> dict[str, str]:
    """Documents of a dataset, by file name."""
    texts = {
        "README.md": card(dataset),
        "dictionary.csv": dictionary([table.table for table in dataset.tables], dataset.families),
        "datapackage.json": json_text(datapackage(dataset)),
        "croissant.json": json_text(croissant(dataset)),
        CITATION: dataset.cited.cff,
    }
    return texts | {schema_path(t.table.name): json_text(table_schema(t.table)) for t in dataset.tables}
