"""``datapackage.json`` and ``schemas/``: the dataset as a Frictionless Data Package.

A table is a resource: its ``path`` is a file, or the list of its files, which ``parts`` tells of one by one. A library
that takes such a list for pieces of one file, as the specification has it of texts, reads the first alone (frictionless
does), so ``rows`` and ``hash`` stand beside a single file only. A family of Zarr arrays is a resource, too: the
metadata of its arrays. The documents are simple enough to be written here; frictionless, which reads them in the tests,
would bring thirty packages along.

``plan`` is none of Frictionless's: the config, the digest of the sources and the versions that made the dataset, whose
digest COMPLETE has and every file is stamped with. ``boardspace verify`` needs the config to re-derive anything.

A Parquet resource does not state its ``bytes``: frictionless counts none while it reads Parquet and would report every
file as too short.
"""

import re
from typing import Any

from boardspace.release.dataset import Dataset, TableFiles
from boardspace.spec.space import Array
from boardspace.storage.arrays import METADATA
from boardspace.storage.arrays import ROOT as ARRAYS
from boardspace.storage.release_folder import schema_path

PROFILE = "https://datapackage.org/profiles/2.0/datapackage.json"
PARQUET = "application/vnd.apache.parquet"
CC0 = {
    "name": "CC0-1.0",
    "path": "https://creativecommons.org/publicdomain/zero/1.0/",
    "title": "CC0 1.0 Universal",
}


def datapackage(dataset: Dataset) -> dict[str, Any]:
    """The package: a resource for each table and each family of Zarr arrays."""
    return {
        "$schema": PROFILE,
        "name": f"boardspace-{dataset.name}",
        "title": dataset.space.title,
        "description": dataset.space.doc,
        "version": dataset.version,
        "licenses": [CC0],
        "plan": dataset.work.plan.model_dump(mode="json"),
        "resources": [
            *(_table_resource(table) for table in dataset.tables),
            *(_family_resource(family, dataset) for family in dataset.families),
        ],
    }


def _table_resource(table: TableFiles) -> dict[str, Any]:
    files = table.files
    whole = {"hash": f"sha256:{files[0].sha256}", "rows": files[0].rows} if len(files) == 1 else {}
    return {
        "name": _slug(table.table.name),
        "title": table.table.doc,
        "type": "table",
        "path": files[0].path if len(files) == 1 else [file.path for file in files],
        "format": "parquet",
        "mediatype": PARQUET,
        **whole,
        "schema": schema_path(table.table.name),
        "parts": [{"rows": file.rows, "size": file.bytes, "hash": f"sha256:{file.sha256}"} for file in files],
    }


def _family_resource(family: Array, dataset: Dataset) -> dict[str, Any]:
    """Zarr arrays are folders; their resource is the metadata that describes the rest."""
    paths = [f"{array.path}/{METADATA}" for array in dataset.arrays if array.array == family]
    return {
        "name": _slug(f"{ARRAYS}/{family.name}"),
        "array": f"{ARRAYS}/{family.name}",
        "title": family.doc,
        "type": "json",
        "path": paths[0] if len(paths) == 1 else paths,
        "format": "json",
        "mediatype": "application/json",
    }


def _slug(path: str) -> str:
    """A resource name: lower case, with dashes for whatever else a path holds."""
    return re.sub(r"[^a-z0-9._-]", "-", path.lower())
