"""Examples of reading a dataset, which run as they stand in the dataset's folder.

Each looks up one row of the largest table by its key, or one place of the largest array: a real one, so that a reader
sees data come back. The tests cut the examples out of the card and run them.
"""

import json
import math
from collections.abc import Iterator, Mapping
from typing import Any

from boardspace.release.dataset import Dataset, TableFiles

TEXTS = {
    "DuckDB": """```sql
SELECT *
FROM '{pattern}'
WHERE {sql};
```""",
    "Polars": """```python
import polars as pl

table = pl.scan_parquet("{pattern}")
rows = table.filter({arguments}).collect()
print(rows)
```""",
    "pandas": """```python
import pandas as pd

key = {{{items}}}
rows = pd.read_parquet("{folder}", filters=[(name, "==", value) for name, value in key.items()])
print(rows)
```""",
    "R": """```r
library(arrow)
library(dplyr)
open_dataset("{folder}") |>
  filter({r}) |>
  collect()
```""",
}
"""Look-ups in a table, by what they are written for."""
ZARR = """zarr-python:

```python
import zarr

array = zarr.open_array("{path}", mode="r")
print(array.shape, array.dtype)
print(array[{middle}])
```"""


def examples(dataset: Dataset) -> str:
    """The card's section on loading, in Markdown."""
    largest = max(dataset.tables, key=lambda table: (table.rows, table.table.name != "claims"))
    parts = ["Each example runs as it stands in this folder.", *_table_examples(largest)]
    rows = [(table, dataset.looked_up.get(table.table.name, {})) for table in dataset.tables]
    parts += [_by_code(table, row) for table, row in rows if "code" in row]
    if dataset.arrays:
        array = max(dataset.arrays, key=lambda array: math.prod(array.shape))
        parts.append(ZARR.format(path=array.path, middle=array.shape[0] // 2))
    return "\n\n".join(parts)


def _table_examples(table: TableFiles) -> Iterator[str]:
    """Look-ups of a row that is there by its key: the first of the file in the middle."""
    files = [file for file in table.files if file.rows]
    if files:
        key = dict(zip(table.table.key, files[len(files) // 2].first, strict=True))
        fields = {
            "pattern": table.pattern,
            "folder": table.table.name if "/" in table.files[0].path else table.files[0].path,
            "sql": " AND ".join(f'"{column}" = {_sql(value)}' for column, value in key.items()),
            "arguments": ", ".join(f"{column}={_python(value)}" for column, value in key.items()),
            "items": ", ".join(f'"{column}": {_python(value)}' for column, value in key.items()),
            "r": ", ".join(f"{column} == {_r_value(value)}" for column, value in key.items()),
        }
        yield from (f"{title}:\n\n{text.format_map(fields)}" for title, text in TEXTS.items())


def _by_code(table: TableFiles, row: Mapping[str, Any]) -> str:
    """A look-up by a code, which people write in hexadecimal digits."""
    return (
        "By its code: codes ascend with the key, so statistics lead to one row group of one file. DuckDB has no "
        "hexadecimal literal; cast the code and let the column be as it is, or all rows are read.\n\n"
        f"```sql\nSELECT *\nFROM '{table.pattern}'\nWHERE code = '0x{row['code']:09X}'::UBIGINT;\n```"
    )


def _sql(value: Any) -> str:
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    return str(value).upper() if isinstance(value, bool) else repr(value)


def _python(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)


def _r_value(value: Any) -> str:
    return str(value).upper() if isinstance(value, bool) else _python(value)
