"""The claims table of a dataset, read."""

from typing import Any

from boardspace.spec.space import CLAIMS
from boardspace.storage.locations import Location
from boardspace.storage.parquet import read_tables

FILE = "claims.parquet"


def read_claims(dataset: Location) -> list[dict[str, Any]]:
    """The rows of a dataset's claims table, in the order of the text."""
    rows: list[dict[str, Any]] = read_tables([dataset / FILE], CLAIMS, None, None).to_pylist()
    return sorted(rows, key=lambda row: row["position"])
