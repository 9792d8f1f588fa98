"""Facts that documents of a published dataset state and that follow from its data: files, rows, bytes, sums, columns.

Another version may word its documents otherwise, so that they cannot be made again here. What they say of the data in
fields that programs read has to be the same all the same: it is taken from both texts and compared.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from boardspace.storage.records import json_value
from boardspace.storage.release_folder import CITATION, CRATE

Facts = Mapping[str, Any]


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


def _crate_facts(content: bytes) -> Facts:
    graph = {one["@id"]: one for one in json_value(content)["@graph"]}
    summed = [one for one in graph.values() if "sha256" in one]
    root = graph["./"]
    return {
        "licences": root["license"],
        "versions": root["version"],
        "dates": root["datePublished"],
        "files": [one["@id"] for one in summed],
        "sizes": [one["contentSize"] for one in summed],
        "sums": [one["sha256"] for one in summed],
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
    CRATE: _crate_facts,
}
