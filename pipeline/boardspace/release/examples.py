"""Examples of reading a dataset, which run as they stand in the dataset's folder.

Each looks up one row of the largest table by its key, or one place of the largest array: a real one, so that a reader
sees data come back. The tests cut the examples out of the card and run them.
"""

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from boardspace.release.dataset import ArrayFiles, Dataset, TableFiles


def examples(dataset: Dataset) -> str:
    """The card's section on loading, in Markdown."""
    largest = max(dataset.tables, key=lambda table: (table.rows, table.table.name != "claims"))
    parts = ["Each example runs as it stands in this folder.", *_table_examples(largest)]
    rows = [(table, dataset.looked_up.get(table.table.name, {})) for table in dataset.tables]
    parts += [_by_code(table, row) for table, row in rows if "code" in row]
    if dataset.arrays:
        parts.append(_zarr(max(dataset.arrays, key=lambda array: math.prod(array.shape))))
    return "\n\n".join(parts)


def _table_examples(table: TableFiles) -> list[str]:
    key = _some_key(table)
    if not key:
        return []
    return [_duckdb(table, key), _polars(table, key), _pandas(table, key), _r(table, key)]


def _some_key(table: TableFiles) -> dict[str, Any]:
    """The key of a row that is there: the first of the file in the middle."""
    files = [file for file in table.files if file.rows]
    return dict(zip(table.table.key, files[len(files) // 2].first, strict=True)) if files else {}


def _duckdb(table: TableFiles, key: Mapping[str, Any]) -> str:
    where = " AND ".join(f'"{column}" = {_sql(value)}' for column, value in key.items())
    return _block("DuckDB", "sql", ["SELECT *", f"FROM '{table.pattern}'", f"WHERE {where};"])


def _by_code(table: TableFiles, row: Mapping[str, Any]) -> str:
    """A look-up by a code, which people write in hexadecimal digits."""
    where = f"WHERE code = '0x{row['code']:09X}'::UBIGINT;"
    query = _block("", "sql", ["SELECT *", f"FROM '{table.pattern}'", where])
    return (
        "By its code: codes ascend with the key, so statistics lead to one row group of one file. DuckDB has no "
        f"hexadecimal literal; cast the code and let the column be as it is, or all rows are read.{query[1:]}"
    )


def _polars(table: TableFiles, key: Mapping[str, Any]) -> str:
    conditions = ", ".join(f"{column}={_python(value)}" for column, value in key.items())
    lines = [
        "import polars as pl",
        "",
        f'table = pl.scan_parquet("{table.pattern}")',
        f"rows = table.filter({conditions}).collect()",
        "print(rows)",
    ]
    return _block("Polars", "python", lines)


def _pandas(table: TableFiles, key: Mapping[str, Any]) -> str:
    items = ", ".join(f'"{column}": {_python(value)}' for column, value in key.items())
    lines = [
        "import pandas as pd",
        "",
        f"key = {{{items}}}",
        f'rows = pd.read_parquet("{_folder(table)}", filters=[(name, "==", value) for name, value in key.items()])',
        "print(rows)",
    ]
    return _block("pandas", "python", lines)


def _r(table: TableFiles, key: Mapping[str, Any]) -> str:
    conditions = ", ".join(f"{column} == {_r_value(value)}" for column, value in key.items())
    lines = [
        "library(arrow)",
        "library(dplyr)",
        f'open_dataset("{_folder(table)}") |>',
        f"  filter({conditions}) |>",
        "  collect()",
    ]
    return _block("R", "r", lines)


def _zarr(array: ArrayFiles) -> str:
    lines = [
        "import zarr",
        "",
        f'array = zarr.open_array("{array.path}", mode="r")',
        "print(array.shape, array.dtype)",
        f"print(array[{array.shape[0] // 2}])",
    ]
    return _block("zarr-python", "python", lines)


def _block(title: str, language: str, lines: Sequence[str]) -> str:
    return "\n".join([f"{title}:", "", f"```{language}", *lines, "```"])


def _folder(table: TableFiles) -> str:
    """Path of the whole table for a library that takes a folder."""
    return table.table.name if "/" in table.files[0].path else table.files[0].path


def _sql(value: Any) -> str:
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    return str(value).upper() if isinstance(value, bool) else repr(value)


def _python(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)


def _r_value(value: Any) -> str:
    return str(value).upper() if isinstance(value, bool) else _python(value)
