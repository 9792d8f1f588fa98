"""``ro-crate-metadata.json``: the dataset as an RO-Crate 1.2, which archives of research data read.

The crate names the documents and tables of the dataset, what made it and who is to be cited. A crate has to say when it
was published, so there is one where whoever publishes says a date.
"""

from collections.abc import Iterator
from typing import Any

from boardspace.release.dataset import Dataset
from boardspace.spec.space import Array
from boardspace.storage.arrays import ROOT as ARRAYS
from boardspace.storage.release_folder import CITATION, CRATE

CONTEXT = "https://w3id.org/ro/crate/1.2/context"
PROFILE = "https://w3id.org/ro/crate/1.2"
CC0 = "https://creativecommons.org/publicdomain/zero/1.0/"
TYPES = {
    "README.md": ("text/markdown", "The card"),
    "dictionary.csv": ("text/csv", "Every column and array"),
    "datapackage.json": ("application/json", "Frictionless Data Package"),
    "croissant.json": ("application/ld+json", "Croissant"),
    CITATION: ("application/yaml", "Citation File Format"),
}
"""Documents of a dataset, with their media types and names."""


def crate(dataset: Dataset) -> dict[str, Any]:
    """The document, as JSON-LD; its parts are the documents, the files of tables, and a folder for each family of
    arrays."""
    parts = [*_documents(), *_tables(dataset), *(_family(family, dataset) for family in dataset.families)]
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
    cited, said = dataset.cited, dataset.citation
    root = {
        "@id": "./",
        "@type": "Dataset",
        "name": cited.title,
        "description": cited.doc,
        "datePublished": said.date,
        "version": cited.version,
        "license": {"@id": CC0},
        "author": [{"@id": f"#author-{number}"} for number in range(len(cited.authors))],
        "creditText": cited.sentence,
        "hasPart": [{"@id": part["@id"]} for part in parts],
        "mentions": {"@id": "#run"},
    }
    found = {"identifier": cited.place if said.doi else "", "url": said.url}
    return root | {name: value for name, value in found.items() if value}


def _makers(dataset: Dataset) -> Iterator[dict[str, Any]]:
    """The authors, the program, and the run that made the dataset."""
    for number, author in enumerate(dataset.cited.authors):
        yield {"@id": f"#author-{number}", "@type": "Organization", "name": author}
    program = dataset.citation.repository or "#boardspace"
    plan = dataset.work.plan
    yield {
        "@id": program,
        "@type": "SoftwareApplication",
        "name": "boardspace",
        "softwareVersion": f"sources {plan.sources}",
        "description": "Enumerates the complete spaces of board problems.",
    }
    yield {
        "@id": "#run",
        "@type": "CreateAction",
        "name": f"boardspace run, plan {plan.digest}",
        "instrument": {"@id": program},
        "result": {"@id": "./"},
    }


def _documents() -> Iterator[dict[str, Any]]:
    for name, (kind, title) in TYPES.items():
        yield {"@id": name, "@type": "File", "name": title, "encodingFormat": kind}


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
