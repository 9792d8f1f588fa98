"""``datapackage.json`` and ``schemas/``: the dataset as a Frictionless Data Package.

A table is a resource: its ``path`` is a file, or the list of its files, which ``parts`` tells of one by one. A library
that takes such a list for pieces of one file, as the specification has it of texts, reads the first alone (frictionless
does), so ``rows`` and ``hash`` stand beside a single file only. A family of Zarr arrays is a resource, too: the
metadata of its arrays. The documents are simple enough to be written here; frictionless, which reads them in the tests,
would bring thirty packages along.

A Parquet resource does not state its ``bytes``: frictionless counts none while it reads Parquet and would report every
file as too short.
"""

import re
from typing import Any

import pyarrow as pa

from boardspace.release.dataset import Dataset, TableFiles
from boardspace.spec.space import Array, Column, Table
from boardspace.storage.arrays import METADATA
from boardspace.storage.arrays import ROOT as ARRAYS
from boardspace.storage.release_folder import schema_path

PROFILE = "https://datapackage.org/profiles/2.0/datapackage.json"
SCHEMA_PROFILE = "https://datapackage.org/profiles/2.0/tableschema.json"
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
        "resources": [
            *(_table_resource(table) for table in dataset.tables),
            *(_family_resource(family, dataset) for family in dataset.families),
        ],
    }


def table_schema(table: Table) -> dict[str, Any]:
    """A table as Table Schema, with the unit and the Arrow type of every column besides.

    No text stands for a missing value: Parquet has nulls, and an empty text is a text.
    """
    return {
        "$schema": SCHEMA_PROFILE,
        "description": table.doc,
        "fields": [_field(column) for column in table.columns],
        "primaryKey": list(table.key),
        "missingValues": [],
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


def _field(column: Column) -> dict[str, Any]:
    field = {
        "name": column.name,
        "type": field_type(column.type, column.nullable),
        "description": column.doc,
        "arrowType": str(column.type),
        "constraints": {"required": not column.nullable},
    }
    return field | ({"unit": column.unit} if column.unit else {})


def field_type(kind: pa.DataType, nullable: bool = False) -> str:
    """The Table Schema type of an Arrow type.

    Lists and numbers that may be null are ``any``: frictionless reads Parquet by way of pandas, where they are NumPy
    arrays and NaN, which it calls neither arrays nor missing. ``arrowType`` tells what they are.
    """
    if pa.types.is_string(kind):
        return "string"
    if nullable:
        return "any"
    if pa.types.is_integer(kind):
        return "integer"
    if pa.types.is_floating(kind):
        return "number"
    return "boolean" if pa.types.is_boolean(kind) else "any"


def _slug(path: str) -> str:
    """A resource name: lower case, with dashes for whatever else a path holds."""
    return re.sub(r"[^a-z0-9._-]", "-", path.lower())
