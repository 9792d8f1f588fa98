"""``datapackage.json`` and ``schemas/``: the dataset as a Frictionless Data Package.

Every Parquet file is a resource of its own, because a resource of several files means their concatenation, which no
Parquet file survives; the files of a table share its schema in ``schemas/``. The documents are simple enough to be
written here; frictionless, which reads them in the tests, would bring thirty packages along.

A Parquet resource states its rows and hash but not its ``bytes``: frictionless counts none while it reads Parquet and
would report every file as too short. Sizes are in ``croissant.json`` and on the card.
"""

import re
from collections.abc import Iterator
from typing import Any

import pyarrow as pa

from boardspace.pipeline.publish.dataset import ArrayFiles, Dataset, TableFiles, folder_values
from boardspace.pipeline.space import Column, Table

PROFILE = "https://datapackage.org/profiles/2.0/datapackage.json"
SCHEMA_PROFILE = "https://datapackage.org/profiles/2.0/tableschema.json"
PARQUET = "application/vnd.apache.parquet"
CC0 = {
    "name": "CC0-1.0",
    "path": "https://creativecommons.org/publicdomain/zero/1.0/",
    "title": "CC0 1.0 Universal",
}


def datapackage(dataset: Dataset) -> dict[str, Any]:
    """The package: one resource per Parquet file and one per Zarr array."""
    return {
        "$schema": PROFILE,
        "name": f"boardspace-{dataset.name}",
        "title": dataset.space.title,
        "description": dataset.space.doc,
        "version": dataset.version,
        "licenses": [CC0],
        "resources": [
            *(resource for table in dataset.tables for resource in _table_resources(table)),
            *(_array_resource(array) for array in dataset.arrays),
        ],
    }


def schema_path(table: Table) -> str:
    """Where a table's schema lies in the dataset's folder."""
    return f"schemas/{table.name}.json"


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


def _table_resources(table: TableFiles) -> Iterator[dict[str, Any]]:
    for file in table.files:
        yield {
            "name": _slug(file.path.removesuffix(".parquet")),
            "title": table.table.doc,
            "type": "table",
            "path": file.path,
            "format": "parquet",
            "mediatype": PARQUET,
            "hash": f"sha256:{file.sha256}",
            "rows": file.rows,
            "schema": schema_path(table.table),
            **({"folders": folder_values(file.path)} if table.table.folders else {}),
        }


def _array_resource(array: ArrayFiles) -> dict[str, Any]:
    """A Zarr array is a folder; its resource is the metadata that describes the rest."""
    metadata = next(file for file in array.files if file.path == f"{array.path}/zarr.json")
    return {
        "name": _slug(array.path),
        "title": array.array.doc,
        "type": "json",
        "path": metadata.path,
        "format": "json",
        "mediatype": "application/json",
        "bytes": metadata.bytes,
        "hash": f"sha256:{metadata.sha256}",
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
