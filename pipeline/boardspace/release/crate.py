"""``ro-crate-metadata.json``: the dataset as an RO-Crate 1.2, which archives of research data read.

The crate names the documents and tables of the dataset, what made it and who is to be cited. A crate has to say when it
was published, so there is one where whoever publishes says a date.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from boardspace.release.dataset import Dataset
from boardspace.spec.space import Array
from boardspace.storage.arrays import ROOT as ARRAYS
from boardspace.storage.release_folder import CITATION, CRATE

CONTEXT = "https://w3id.org/ro/crate/1.2/context"
PROFILE = "https://w3id.org/ro/crate/1.2"
DOI = "https://registry.identifiers.org/registry/doi"
CC0 = "https://creativecommons.org/publicdomain/zero/1.0/"
TYPES = {
    "README.md": ("text/markdown", "The card: what the dataset holds, and how it was made and checked."),
    "dictionary.csv": ("text/csv", "Every column and array with type, unit and meaning."),
    "datapackage.json": ("application/json", "The dataset as a Frictionless Data Package."),
    "croissant.json": ("application/ld+json", "The dataset as Croissant."),
    CITATION: ("application/yaml", "How to cite the dataset, in the Citation File Format."),
}
"""Documents of a dataset, with their media types and contents."""


def crate(dataset: Dataset, texts: Mapping[str, str]) -> dict[str, Any]:
    """The document, as JSON-LD; its parts are the documents with these ``texts``, the files of tables, and a folder for
    each family of arrays."""
    parts = [*_documents(texts), *_tables(dataset), *(_family(family, dataset) for family in dataset.families)]
    return {
        "@context": CONTEXT,
        "@graph": [
            {
                "@id": CRATE,
                "@type": "CreativeWork",
                "about": {"@id": "./"},
                "conformsTo": {"@id": PROFILE},
            },
            _root(dataset, parts),
            {
                "@id": CC0,
                "@type": "CreativeWork",
                "name": "CC0 1.0 Universal",
                "description": "Dedicated to the public domain.",
            },
            *_makers(dataset),
            *parts,
        ],
    }


def _root(dataset: Dataset, parts: list[dict[str, Any]]) -> dict[str, Any]:
    cited, given = dataset.cited, dataset.citation
    authors = [{"@id": f"#author-{number}"} for number in range(len(cited.authors))]
    root = {
        "@id": "./",
        "@type": "Dataset",
        "name": cited.title,
        "description": cited.doc,
        "datePublished": given.date,
        "version": cited.version,
        "license": {"@id": CC0},
        "author": authors if len(authors) > 1 else authors[0],
        "publisher": authors[0],
        "creditText": cited.sentence,
        "hasPart": [{"@id": part["@id"]} for part in parts],
        "mentions": {"@id": "#run"},
    }
    found = {"identifier": {"@id": cited.place} if given.doi else None, "url": given.url}
    return root | {name: value for name, value in found.items() if value}


def _makers(dataset: Dataset) -> Iterator[dict[str, Any]]:
    """The authors, the DOI, the run that made the dataset, and the program, where its address is given."""
    for number, author in enumerate(dataset.cited.authors):
        yield {"@id": f"#author-{number}", "@type": "Organization", "name": author}
    given, plan = dataset.citation, dataset.work.plan
    if given.doi:
        yield {
            "@id": dataset.cited.place,
            "@type": "PropertyValue",
            "name": "DOI",
            "propertyID": DOI,
            "value": given.doi,
        }
    run = {
        "@id": "#run",
        "@type": "CreateAction",
        "name": f"boardspace run, plan {plan.digest}",
        "result": {"@id": "./"},
    }
    if given.repository:
        yield {
            "@id": given.repository,
            "@type": "SoftwareApplication",
            "name": "boardspace",
            "url": given.repository,
            "version": f"sources {plan.sources}",
            "description": "Enumerates the complete spaces of board problems.",
        }
        run["instrument"] = {"@id": given.repository}
    yield run


def _documents(texts: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    for name, (kind, doc) in TYPES.items():
        size = str(len(texts[name].encode()))
        yield {
            "@id": name,
            "@type": "File",
            "name": name,
            "description": doc,
            "encodingFormat": kind,
            "contentSize": size,
        }


def _tables(dataset: Dataset) -> Iterator[dict[str, Any]]:
    for table in dataset.tables:
        for file in table.files:
            yield {
                "@id": file.path,
                "@type": "File",
                "name": f"{table.table.name}: {file.rows} rows",
                "description": f"{table.table.doc} Extent of the table: {dataset.extent(table.table)}.",
                "encodingFormat": "application/vnd.apache.parquet",
                "contentSize": str(file.bytes),
                "sha256": file.sha256,
            }


def _family(family: Array, dataset: Dataset) -> dict[str, Any]:
    """A folder; of a family whose arrays lie in several the one above them."""
    return {
        "@id": f"{ARRAYS}/{family.name.split('{')[0].rstrip('/')}/",
        "@type": "Dataset",
        "name": family.name,
        "description": f"{family.doc} Extent: {dataset.extent(family)}.",
    }
