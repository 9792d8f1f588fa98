"""``datapackage.json`` and ``schemas/``: the dataset as a Frictionless Data Package.

Each file of a table is a resource, and says as ``table`` of which: a Parquet file is a whole, and a list of paths
means pieces of one file, so that libraries would read the first alone. A family of Zarr arrays is a resource, too:
the metadata of its arrays. The documents are simple enough to be written here; frictionless, which reads them in the
tests, would bring thirty packages along.

``plan`` is none of Frictionless's: the config, the digest of the sources and the versions that made the dataset,
whose digest COMPLETE has and every file is stamped with. ``boardspace verify`` needs the config to re-derive
anything. Other additions are ``partial`` and ``extent``, which say how much of its space the dataset holds,
``completeness``, ``labels`` (the columns that name a row), ``citation``, ``checks`` (by which ``boardspace verify``
derives again what is published), ``cpuSeconds``, and what else the card is made from: ``source``, ``lookups``,
``writer``.

A Parquet resource states its ``size`` and not its ``bytes``: frictionless counts none while it reads Parquet and would
report every file as too short.
"""

import functools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from boardspace import spec
from boardspace.engine.plan import space_sources
from boardspace.release.dataset import Dataset, TableFiles
from boardspace.spec.space import Array, Extent, Table
from boardspace.storage.arrays import METADATA
from boardspace.storage.arrays import ROOT as ARRAYS
from boardspace.storage.records import digest_of
from boardspace.storage.release_folder import schema_path
from boardspace_kernels.sources import source_digest

PROFILE = "https://datapackage.org/profiles/2.0/datapackage.json"
PARQUET = "application/vnd.apache.parquet"
CC0 = {"name": "CC0-1.0", "path": "https://creativecommons.org/publicdomain/zero/1.0/", "title": "CC0 1.0 Universal"}


def datapackage(dataset: Dataset) -> dict[str, Any]:
    """The package: a resource for each file of a table and each family of Zarr arrays."""
    return {
        "$schema": PROFILE,
        "name": package_name(dataset),
        **_identity(dataset),
        "title": dataset.title,
        "description": dataset.cited.doc,
        "version": dataset.version,
        "licenses": [CC0],
        "contributors": [{"title": author, "roles": ["author"]} for author in dataset.cited.authors],
        "partial": dataset.headline,
        "extent": [extent_document(extent) for extent in dataset.extents],
        "citation": dataset.citation.document(),
        "writer": writer(dataset.name),
        "lookups": dict(dataset.looked_up),
        "checks": {check.name: check.means for check in dataset.checks},
        # Without a date nothing published holds a time: equal runs are published as the same bytes.
        **({"cpuSeconds": dataset.seconds} if dataset.citation.date else {}),
        "plan": dataset.work.plan.model_dump(mode="json"),
        "resources": [
            *(resource for table in dataset.tables for resource in _table_resources(table, dataset)),
            *(_family_resource(family, dataset) for family in dataset.families),
        ],
    }


@functools.cache
def writer(space: str) -> str:
    """Digest of the sources that write the documents of a space's datasets: whoever has these can make them again."""
    here = sorted(Path(__file__).parent.glob("*.py"))
    return digest_of([source_digest(*here, Path(spec.__file__).parent), space_sources(space)])


def package_name(dataset: Dataset) -> str:
    """``boardspace-klotski``; of a dataset that is a part of its space ``boardspace-klotski-partial``."""
    return f"boardspace-{dataset.name}{'-partial' if dataset.headline else ''}"


def extent_document(extent: Extent) -> dict[str, Any]:
    """An extent for programs; ``text`` is for people."""
    return {
        "scope": extent.scope,
        "covered": extent.covered,
        "of": extent.of,
        "beyond": extent.beyond,
        "text": str(extent),
    }


def _identity(dataset: Dataset) -> dict[str, str]:
    """Fields that Frictionless calls id, homepage and created, where whoever publishes says them."""
    given = dataset.citation
    found = {
        "id": f"https://doi.org/{given.doi}" if given.doi else "",
        "homepage": given.url,
        "created": f"{given.date}T00:00:00Z" if given.date else "",
    }
    return {name: value for name, value in found.items() if value}


def _described(content: Table | Array, dataset: Dataset) -> dict[str, str]:
    return {
        "source": dataset.sources.get(content.name, ""),
        "extent": dataset.extent(content),
        "completeness": content.complete,
    }


def _table_resources(table: TableFiles, dataset: Dataset) -> Iterator[dict[str, Any]]:
    """A resource for each file; the one of a table in one file has the table's name."""
    name, digits = _slug(table.table.name), len(str(len(table.files) - 1))
    for number, file in enumerate(table.files):
        yield {
            "name": name if len(table.files) == 1 else f"{name}-{number:0{digits}}",
            "table": table.table.name,
            "title": table.table.doc,
            **_described(table.table, dataset),
            "labels": list(table.table.key),
            "type": "table",
            "path": file.path,
            "format": "parquet",
            "mediatype": PARQUET,
            "rows": file.rows,
            "size": file.bytes,
            "hash": f"sha256:{file.sha256}",
            "schema": schema_path(table.table.name),
        }


def _family_resource(family: Array, dataset: Dataset) -> dict[str, Any]:
    """Zarr arrays are folders; their resource is the metadata that describes the rest."""
    paths = [f"{array.path}/{METADATA}" for array in dataset.arrays if array.array == family]
    return {
        "name": _slug(f"{ARRAYS}/{family.name}"),
        "array": f"{ARRAYS}/{family.name}",
        "title": family.doc,
        **_described(family, dataset),
        "type": "json",
        "path": paths[0] if len(paths) == 1 else paths,
        "format": "json",
        "mediatype": "application/json",
    }


def _slug(path: str) -> str:
    """A resource name: lower case, with dashes for whatever else a path holds."""
    return re.sub(r"[^a-z0-9._-]", "-", path.lower())
