"""``croissant.json``: the dataset as Croissant 1.0, the vocabulary of dataset search engines and machine learning.

A table is a file with its SHA-256, or a file set, and a record set over it; a Zarr array, or a family of them, is a
file set. So the size of the document follows from the columns, whatever the number of files; the hashes of a file set
are those of ``SHA256SUMS``. mlcroissant checks the document and loads records by it in the tests; writing it takes no
library. ``datePublished``, which mlcroissant recommends, is there where whoever publishes says a date.
"""

import re
from typing import Any

import pyarrow as pa

from boardspace.release.datapackage import CC0, package_name
from boardspace.release.dataset import Dataset, TableFiles
from boardspace.spec.space import Array, Column
from boardspace.spec.texts import counted
from boardspace.storage.arrays import ROOT as ARRAYS

TERMS = (
    *("citeAs", "column", "equivalentProperty", "extract", "field", "fileObject", "fileProperty", "fileSet", "format"),
    *("includes", "isLiveDataset", "jsonPath", "key", "md5", "parentField", "path", "recordSet", "references", "regex"),
    *("repeated", "replace", "samplingRate", "separator", "source", "subField", "transform"),
)
"""Terms that Croissant adds to schema.org."""
CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "rai": "http://mlcommons.org/croissant/RAI/",
    "sc": "https://schema.org/",
    **{term: f"cr:{term}" for term in TERMS},
}
PARQUET = "application/x-parquet"
ZARR = "application/vnd.zarr; version=3"
FIELD = re.compile(r"\{[^}]*\}")
"""A part of a family's name that differs from array to array."""


def croissant(dataset: Dataset) -> dict[str, Any]:
    """The document, as JSON-LD."""
    return {
        "@context": dict(sorted(CONTEXT.items())),
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": package_name(dataset),
        "alternateName": dataset.title,
        "description": f"{dataset.space.title}. {dataset.cited.doc}",
        "license": CC0["path"],
        "version": dataset.version,
        "creator": [{"@type": "sc:Organization", "name": author} for author in dataset.cited.authors],
        **_published(dataset),
        "citeAs": dataset.cited.bibtex,
        "isLiveDataset": False,
        "distribution": [
            *(_table_files(table) for table in dataset.tables),
            *(_family_files(family, dataset) for family in dataset.families),
        ],
        "recordSet": [_record_set(table, dataset) for table in dataset.tables],
    }


def _published(dataset: Dataset) -> dict[str, str]:
    """When and where, as far as whoever publishes says it."""
    given = dataset.citation
    found = {
        "datePublished": given.date,
        "url": given.url,
        "identifier": f"https://doi.org/{given.doi}" if given.doi else "",
    }
    return {name: value for name, value in found.items() if value}


def _table_files(table: TableFiles) -> dict[str, Any]:
    """A file set; of a table in one file that file, with its SHA-256."""
    if len(table.files) == 1:
        [file] = table.files
        return {
            "@type": "cr:FileObject",
            "@id": _files_id(table),
            "name": _files_id(table),
            "description": f"{table.rows} rows.",
            "contentUrl": file.path,
            "contentSize": f"{file.bytes} B",
            "encodingFormat": PARQUET,
            "sha256": file.sha256,
        }
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
        "description": f"{family.doc} {counted(len(members), 'array')}, {size} bytes.",
        "encodingFormat": ZARR,
        "includes": [f"{ARRAYS}/{FIELD.sub('*', family.name)}/*"],
    }


def _record_set(table: TableFiles, dataset: Dataset) -> dict[str, Any]:
    name = table.table.name
    return {
        "@type": "cr:RecordSet",
        "@id": name,
        "name": name,
        "description": f"{table.table.doc} Extent: {dataset.extent(table.table)}.",
        "key": [{"@id": f"{name}/{column}"} for column in table.table.key],
        "field": [_field(table, column) for column in table.table.columns],
    }


def _field(table: TableFiles, column: Column) -> dict[str, Any]:
    kind = "fileObject" if len(table.files) == 1 else "fileSet"
    repeated = pa.types.is_list(column.type) or pa.types.is_fixed_size_list(column.type)
    field = {
        "@type": "cr:Field",
        "@id": f"{table.table.name}/{column.name}",
        "name": column.name,
        "description": f"{column.doc} Unit: {column.unit}." if column.unit else column.doc,
        "dataType": data_type(column.type.value_type if repeated else column.type),
        "source": {kind: {"@id": _files_id(table)}, "extract": {"column": column.name}},
    }
    return field | ({"repeated": True} if repeated else {})


def data_type(kind: pa.DataType) -> str:
    """The data type of Croissant for an Arrow type, such as ``cr:UInt8``; all that is no number is a text."""
    if pa.types.is_integer(kind):
        return f"cr:{'UInt' if pa.types.is_unsigned_integer(kind) else 'Int'}{kind.bit_width}"
    if pa.types.is_floating(kind):
        return f"cr:Float{kind.bit_width}"
    return "sc:Boolean" if pa.types.is_boolean(kind) else "sc:Text"


def _files_id(table: TableFiles) -> str:
    return f"{table.table.name}-files"
