"""``croissant.json``: the dataset as Croissant 1.0, the vocabulary of dataset search engines and machine learning.

A table is a file set and a record set over it; a Zarr array, or a family of them, is a file set. So the size of the
document follows from the columns, whatever the number of files. mlcroissant checks the document and loads
records by it in the tests; writing it takes no library. ``datePublished``, which mlcroissant recommends, is left out:
nothing published holds a time.
"""

import re
from typing import Any

import pyarrow as pa

from boardspace.release.datapackage import CC0
from boardspace.release.dataset import Dataset, TableFiles
from boardspace.spec.space import Array, Column
from boardspace.storage.arrays import ROOT as ARRAYS

CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "fileProperty": "cr:fileProperty",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
PARQUET = "application/x-parquet"
ZARR = "application/vnd.zarr; version=3"
FIELD = re.compile(r"\{[^}]*\}")
"""A part of a family's name that differs from array to array."""


def croissant(dataset: Dataset) -> dict[str, Any]:
    """The document, as JSON-LD."""
    return {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": f"boardspace-{dataset.name}",
        "description": f"{dataset.space.title}. {dataset.space.doc}",
        "license": CC0["path"],
        "version": dataset.version,
        "citeAs": _citation(dataset),
        "isLiveDataset": False,
        "distribution": [
            *(_table_files(table) for table in dataset.tables),
            *(_family_files(family, dataset) for family in dataset.families),
        ],
        "recordSet": [_record_set(table) for table in dataset.tables],
    }


def _citation(dataset: Dataset) -> str:
    """BibTeX; the plan's digest names this very dataset."""
    name = f"boardspace/{dataset.name}"
    made = f"Dataset {name}, version {dataset.version}, plan {dataset.work.plan.digest}"
    return f"@misc{{{name}, title = {{{dataset.space.title}}}, note = {{{made}}}}}"


def _table_files(table: TableFiles) -> dict[str, Any]:
    return {
        "@type": "cr:FileSet",
        "@id": _files_id(table),
        "name": _files_id(table),
        "description": f"{table.rows} rows in {len(table.files)} files, {table.bytes} bytes.",
        "encodingFormat": PARQUET,
        "includes": [table.pattern],
    }


def _family_files(family: Array, dataset: Dataset) -> dict[str, Any]:
    """One file set for all arrays of a family, however many they are."""
    members = [array for array in dataset.arrays if array.array == family]
    size = sum(array.bytes for array in members)
    return {
        "@type": "cr:FileSet",
        "@id": f"{ARRAYS}/{family.name}",
        "name": f"{ARRAYS}/{family.name}",
        "description": f"{family.doc} {len(members)} array(s), {size} bytes.",
        "encodingFormat": ZARR,
        "includes": [f"{ARRAYS}/{FIELD.sub('*', family.name)}/*"],
    }


def _record_set(table: TableFiles) -> dict[str, Any]:
    name = table.table.name
    return {
        "@type": "cr:RecordSet",
        "@id": name,
        "name": name,
        "description": table.table.doc,
        "key": [{"@id": f"{name}/{column}"} for column in table.table.key],
        "field": [_field(table, column) for column in table.table.columns],
    }


def _field(table: TableFiles, column: Column) -> dict[str, Any]:
    repeated = pa.types.is_list(column.type) or pa.types.is_fixed_size_list(column.type)
    field = {
        "@type": "cr:Field",
        "@id": f"{table.table.name}/{column.name}",
        "name": column.name,
        "description": f"{column.doc} Unit: {column.unit}." if column.unit else column.doc,
        "dataType": data_type(column.type.value_type if repeated else column.type),
        "source": {"fileSet": {"@id": _files_id(table)}, "extract": {"column": column.name}},
    }
    return field | ({"repeated": True} if repeated else {})


def data_type(kind: pa.DataType) -> str:
    if pa.types.is_integer(kind):
        return f"cr:{'UInt' if pa.types.is_unsigned_integer(kind) else 'Int'}{kind.bit_width}"
    if pa.types.is_floating(kind):
        return f"cr:Float{kind.bit_width}"
    return "sc:Boolean" if pa.types.is_boolean(kind) else "sc:Text"


def _files_id(table: TableFiles) -> str:
    return f"{table.table.name}-files"
