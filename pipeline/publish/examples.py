"""How to read a dataset, as examples that run as they stand in the dataset's folder.

Each looks up one row of the largest table by its key, or one cell of an array: a real one, so that a reader sees data
come back. Where files lie in folders such as ``board=french``, the libraries are told to leave these names alone: the
column is in the files, with its type. The tests cut the examples out of the card and run them.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from pipeline.publish.dataset import ArrayFiles, Dataset, TableFiles


def examples(dataset: Dataset) -> str:
    """The card's section on loading, in Markdown."""
    largest = max(dataset.tables, key=lambda table: (table.rows, table.table.name != "claims"))
    parts = [
        "Each example runs as it stands in this folder.",
        *_table_examples(largest),
        *(_zarr_example(array) for array in dataset.arrays[:1]),
    ]
    return "\n\n".join(parts)


def _table_examples(table: TableFiles) -> list[str]:
    key = _some_key(table)
    return [_duckdb(table, key), _polars(table, key), _pandas(table, key), _r(table, key)]


def _some_key(table: TableFiles) -> dict[str, Any]:
    """The key of a row that is there: the first of the file in the middle."""
    files = [file for file in table.files if file.first]
    return dict(zip(table.table.key, files[len(files) // 2].first, strict=True)) if files else {}


def _duckdb(table: TableFiles, key: Mapping[str, Any]) -> str:
    where = " AND ".join(f'"{column}" = {_sql(value)}' for column, value in key.items())
    files = f"'{_pattern(table)}'"
    source = f"read_parquet({files}, hive_partitioning = false)" if _in_hive(table) else files
    return _block("DuckDB", "sql", [f"SELECT * FROM {source} WHERE {where};"])


def _polars(table: TableFiles, key: Mapping[str, Any]) -> str:
    conditions = ", ".join(f'pl.col("{column}") == {value!r}' for column, value in key.items())
    option = ", hive_partitioning=False" if _in_hive(table) else ""
    lines = [
        "import polars as pl",
        "",
        f'rows = pl.scan_parquet("{_pattern(table)}"{option}).filter({conditions}).collect()',
        "print(rows)",
    ]
    return _block("Polars", "python", lines)


def _pandas(table: TableFiles, key: Mapping[str, Any]) -> str:
    filters = ", ".join(f'("{column}", "==", {value!r})' for column, value in key.items())
    option = ", partitioning=None" if _in_hive(table) else ""
    lines = [
        "import pandas as pd",
        "",
        f'rows = pd.read_parquet("{_folder(table)}"{option}, filters=[{filters}])',
        "print(rows)",
    ]
    return _block("pandas", "python", lines)


def _r(table: TableFiles, key: Mapping[str, Any]) -> str:
    conditions = ", ".join(f"{column} == {_r_value(value)}" for column, value in key.items())
    option = ", hive_style = FALSE" if _in_hive(table) else ""
    lines = [
        "library(arrow)",
        "library(dplyr)",
        f'open_dataset("{_folder(table)}"{option}) |> filter({conditions}) |> collect()',
    ]
    return _block("R", "r", lines)


def _zarr_example(array: ArrayFiles) -> str:
    index = ", ".join(str(length // 2) for length in array.shape)
    lines = [
        "import zarr",
        "",
        f'array = zarr.open_array("{array.path}", mode="r")',
        "print(array.shape, array.dtype)",
        f"print(array[{index}])",
    ]
    return _block("zarr-python", "python", lines)


def _block(title: str, language: str, lines: Sequence[str]) -> str:
    return "\n".join([f"{title}:", "", f"```{language}", *lines, "```"])


def _folder(table: TableFiles) -> str:
    """What stands for the whole table where a library takes a folder."""
    return table.table.name if "/" in table.files[0].path else table.files[0].path


def _pattern(table: TableFiles) -> str:
    """What stands for the whole table where a library takes a glob."""
    return f"{table.table.name}/**/*.parquet" if "/" in table.files[0].path else table.files[0].path


def _in_hive(table: TableFiles) -> bool:
    return any("=" in file.path for file in table.files)


def _sql(value: Any) -> str:
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    return str(value).upper() if isinstance(value, bool) else repr(value)


def _r_value(value: Any) -> str:
    return str(value).upper() if isinstance(value, bool) else repr(value)
