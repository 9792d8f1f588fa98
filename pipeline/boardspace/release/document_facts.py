"""Facts that documents of a published dataset state and that follow from its data: files, rows, bytes, sums, columns.

Another version may word its documents otherwise, so that they cannot be made again here. What they say of the data in
fields that programs read has to be the same all the same: it is taken from both texts and compared.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from boardspace.release.dataset import Dataset
from boardspace.spec.stages import stages_of
from boardspace.storage.parquet import read_tables
from boardspace.storage.records import json_value
from boardspace.storage.release_folder import CITATION

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
