"""The card: a dataset's README.md, for a reader who has nothing but the folder."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from boardspace.release.dataset import Dataset, TableFiles
from boardspace.release.examples import examples
from boardspace.spec.check import Check
from boardspace.spec.extent import COMPLETENESS
from boardspace.spec.space import VERDICTS, Array, Json, Table
from boardspace.storage.deposits import front_matter, pattern_of

MOST_BYTES = 30_000
"""A card is read, not searched."""
RESERVE = 600
MOST_ARRAYS = 12
LONGEST = 80
LONGEST_TEXT = 200
CITING = "`CITATION.cff` tells programs the same."
LICENCE = (
    "The data are dedicated to the public domain: CC0-1.0, https://creativecommons.org/publicdomain/zero/1.0/. "
    "The program that made them, boardspace, is under the MIT licence."
)


def card(dataset: Dataset) -> str:
    """The card, in Markdown. It depends on the dataset only: no time, host or path outside the folder."""
    before = [
        f"{_matter(dataset)}# {dataset.title}\n\n{_head(dataset)}",
        *([f"## Codes, numbers and names\n\n{_notation(dataset)}"] if _notation(dataset) else []),
        f"## What is here\n\n{_contents(dataset)}",
        f"## Reading it\n\n{examples(dataset)}",
        *(_table(t, dataset) for t in dataset.tables),
        *([f"## Arrays\n\n{_families(dataset)}"] if dataset.arrays else []),
    ]
    after = [
        f"## How it was made\n\n{_origin(dataset)}",
        f"## Checking it\n\n{_checking(dataset)}",
        f"## How to cite\n\n{dataset.cited.sentence}\n\n```bibtex\n{dataset.cited.bibtex}\n```\n\n{CITING}",
        f"## Licence\n\n{LICENCE}",
    ]
    left = MOST_BYTES - RESERVE - len("\n\n".join([*before, *after]).encode())
    return "\n\n".join([*before, f"## Claims\n\n{claims_section(dataset.claims, left)}", *after]) + "\n"


def _matter(dataset: Dataset) -> str:
    """The front matter, by which ``datasets.load_dataset`` reads a table of the folder by its name."""
    tables = {table.table.name: pattern_of(table.files[0].path) for table in dataset.tables if table.files}
    return front_matter(dataset.title, [dataset.name], tables, default=next(iter(tables), ""))


def _notation(dataset: Dataset) -> str:
    """Notation of the source, and the dictionary of codes: values that stand for something else."""
    lines = {
        (column.name, code): [f"`{column.name}`", f"`{code}`", meaning]
        for table in dataset.tables
        for column in table.table.columns
        for code, meaning in column.codes
    }
    grid = _grid(["column", "code", "meaning"], list(lines.values()))
    return "\n\n".join(part for part in (dataset.space.notation.strip(), f"Dictionary of codes:\n\n{grid}") if part)


def _head(dataset: Dataset) -> str:
    """Description of the space, after a word on what of it is not here."""
    partial = f"**{dataset.headline}.** The text below describes the whole; this dataset holds only that part.\n\n"
    named = f"Dataset `boardspace/{dataset.name}`, version {dataset.version}, CC0-1.0."
    extents = "\n".join(f"- {extent}" for extent in dataset.extents if extent.of or extent.beyond)
    covers = f"\n\nIt holds\n\n{extents}" if extents else f"\n\nIt holds {dataset.extent(dataset.tables[0].table)}."
    return f"{partial if dataset.headline else ''}{dataset.space.doc}\n\n{named}{covers}"


def _table(files: TableFiles, dataset: Dataset) -> str:
    grades = _grades(files.table, dataset)
    return f"## Table `{files.table.name}`\n\n{_columns(files.table)}\n\n{grades}{_rows(dataset, files)}"


def _grades(content: Table | Array, dataset: Dataset) -> str:
    """Origin of a table or an array, what it is all of, why that is all, and what stands behind it."""
    lines = {
        "Source": dataset.sources.get(content.name, ""),
        "Extent": dataset.extent(content, names=False),
        "Completeness": COMPLETENESS[content.complete].split(":")[0],
        "Reliability": dataset.reliability(content),
    }
    return "\n".join(f"- {name}: {text}." for name, text in lines.items() if text)


def _contents(dataset: Dataset) -> str:
    tables = [_table_line(table) for table in dataset.tables]
    arrays = [_family_line(family, dataset) for family in dataset.families]
    described = (
        "Tables are Parquet files sorted by their key, in the order of the files' names. `dictionary.csv` lists every "
        "column and array, `schemas/` holds the tables' schemas; `datapackage.json` (Frictionless) and "
        "`croissant.json` tell programs the same."
    )
    parts = [_grid(["table", "rows", "files", "MB", "what"], tables)]
    if arrays:
        parts.append(_grid(["array", "type", "arrays", "files", "MB", "what"], arrays))
    return "\n\n".join([*parts, _kinds(dataset), described])


def _kinds(dataset: Dataset) -> str:
    kinds = dict.fromkeys(content.complete for content in dataset.contents)
    lines = [f"- {COMPLETENESS[kind]}." for kind in kinds]
    return "\n".join(
        ["Each table and array says where it comes from and what it is all of. Completeness is one of:", "", *lines]
    )


def _table_line(table: TableFiles) -> list[str]:
    size = f"{table.bytes / 1e6:,.2f}"
    return [f"`{table.table.name}`", f"{table.rows:,}", f"{len(table.files):,}", size, table.table.doc]


def _family_line(family: Array, dataset: Dataset) -> list[str]:
    members = [array for array in dataset.arrays if array.array == family]
    files = sum(len(array.files) for array in members)
    size = f"{sum(array.bytes for array in members) / 1e6:,.2f}"
    return [f"`{family.name}`", f"`{family.dtype}`", f"{len(members):,}", f"{files:,}", size, family.doc]


def _columns(table: Table) -> str:
    lines = [[f"`{c.name}`", f"`{c.type}`", c.unit, c.doc + " (may be null)" * c.nullable] for c in table.columns]
    return f"{table.doc} Sorted by {_list(table.key)}.\n\n{_grid(['column', 'type', 'unit', 'meaning'], lines)}"


def _rows(dataset: Dataset, table: TableFiles) -> str:
    if not table.table.on_card:
        return ""
    rows = [row.values() for row in dataset.printed[table.table.name]]
    lines = [[f"{value:,}" if type(value) is int else str(value) for value in row] for row in rows]
    return f"\n\nAll its rows:\n\n{_grid([column.name for column in table.table.columns], lines)}"


def _families(dataset: Dataset) -> str:
    introduction = (
        "Zarr v3 arrays in `arrays.zarr`, sharded: one file holds many chunks, and a reader fetches those it needs by "
        "ranges. Every chunk carries a CRC-32C."
    )
    return "\n\n".join([introduction, *(_family(family, dataset) for family in dataset.families)])


def _family(family: Array, dataset: Dataset) -> str:
    members = [array for array in dataset.arrays if array.array == family]
    unit = f" Unit: {family.unit}." if family.unit else ""
    head = f"### `{family.name}`\n\n{family.doc}{unit} Type `{family.dtype}`, dimensions {_list(family.dims)}."
    grid = _grid(
        ["path", "shape", "chunk"],
        [[f"`{one.path}`", _shape(one.shape), _shape(one.chunks)] for one in members[:MOST_ARRAYS]],
    )
    more = len(members) - MOST_ARRAYS
    return f"{head}\n\n{_grades(family, dataset)}\n\n{grid}" + (
        f"\n\n{more} more: `datapackage.json` names all." if more > 0 else ""
    )


def claims_section(rows: Sequence[Mapping[str, Any]], most: int) -> str:
    """Counts, all claims in the order of their texts, and as many as ``most`` bytes hold with what was found: first
    those that fail, with a word of evidence, then the others."""
    counts = {verdict: sum(row["verdict"] == verdict for row in rows) for verdict in VERDICTS}
    totals = "; ".join(f"{counts[v]} {v} ({meaning})" for v, meaning in VERDICTS.items() if counts[v])
    order = ("refuted", "corrected", "answered", "confirmed", "open", "not_covered")
    every = _in_order(rows)
    shown, used = [], len(every.encode())
    for row in sorted(rows, key=lambda row: order.index(row["verdict"])):
        line = _claim(row)
        used += len(_line(line).encode()) + 1
        if used > most:
            break
        shown.append(line)
    left = f" {len(rows) - len(shown)} more are" if len(shown) < len(rows) else " They are"
    rest = f"Long texts are cut here.{left} in `claims.parquet`, whole, with every claim's source and evidence."
    grid = _grid(["claim", "statement", "stated", "measured", "verdict", "measured on"], shown)
    return "\n\n".join([f"What the source texts state, and what the data say: {totals}.", every, grid, rest])


def _in_order(rows: Sequence[Mapping[str, Any]]) -> str:
    """The claims of each text, as it states them one after the other."""
    texts: dict[str, list[str]] = {}
    for row in sorted(rows, key=lambda row: row["position"]):
        verdict = "" if row["verdict"] == "confirmed" else f" {row['verdict']}"
        texts.setdefault(row["source"], []).append(f"`{row['claim']}`{verdict}")
    lines = [f"- {source}: {', '.join(claims)}" for source, claims in texts.items()]
    return "\n".join(["In the order of the texts; confirmed where nothing else is said:", "", *lines])


def _claim(row: Mapping[str, Any]) -> list[str]:
    failing = row["verdict"] in {"corrected", "refuted"}
    statement = _cut(row["statement"])
    evidence = f" **{row['verdict']}**: {_cut(row['evidence'])}" if failing else ""
    stated, measured = _value(row["stated"]), _value(row["measured"])
    return [f"`{row['claim']}`", f"{statement}{evidence}", stated, measured, row["verdict"], row["basis"]]


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_TEXT else f"{text[: LONGEST_TEXT - 1]}…"


def _origin(dataset: Dataset) -> str:
    plan = dataset.work.plan
    versions = ", ".join(f"{name} {version}" for name, version in sorted(plan.libraries.items()))
    return "\n".join(
        [
            "By `boardspace run CONFIG`, where the file CONFIG holds",
            "",
            "```toml",
            f"[{dataset.name}]",
            *(f"{key} = {toml_of(value)}" for key, value in plan.config.items() if value is not None),
            "```",
            "",
            "The same config, code and versions make the same bytes, with any number of workers in any order.",
            "",
            f"- plan: `{plan.digest}` (stamped on every file)",
            f"- sources: `{plan.sources}`",
            f"- versions: {versions}",
            *([f"- time: {dataset.seconds:,.0f} s on one core"] if dataset.citation.date else []),
        ]
    )


def _checking(dataset: Dataset) -> str:
    """Checks by plan, never the cases that a draw happened to try: equal runs have equal cards."""
    return "\n".join(
        [
            "```sh",
            "sha256sum --quiet --check SHA256SUMS",
            "```",
            "",
            "says nothing where every file is what was published. Before that, `boardspace verify` read every file of "
            "the run again, compared hashes, schemas, order and counts, and derived what is published anew by other "
            "code than had made it: all rows, or rows that a seed chose. Run here, it chooses others.",
            "",
            "The checks, by what each derives again:",
            "",
            *(line for check in dataset.checks for line in _check_lines(check)),
            "",
            "`COMPLETE` holds a digest of every table's rows and every array's cells that depends neither on order nor "
            "on how they were cut into files: a run of your own with another cut has the same.",
        ]
    )


def _check_lines(check: Check) -> Iterator[str]:
    """A check, and the equations of the columns that it tries: columns of a table with the same one share a line."""
    yield f"- `{check.name}`: {check.means}."
    columns: dict[tuple[str, str], list[str]] = {}
    for column, says in check.says.items():
        columns.setdefault((column.partition(".")[0], says), []).append(column)
    for (_, says), some in columns.items():
        yield f"    - {', '.join(f'`{column}`' for column in some)}: {says}."


def _grid(header: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    rows = [header, ["---"] * len(header), *lines]
    return "\n".join(map(_line, rows))


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(map(_cell, cells)) + " |"


def _cell(text: str) -> str:
    """One line, with no bar that would end the cell."""
    return re.sub(r"\s+", " ", text).replace("|", r"\|")


def _value(text: str) -> str:
    if not text:
        return ""
    return f"`{text}`" if len(text) <= LONGEST else f"`{text[:LONGEST]}`…"


def _list(names: Sequence[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _shape(lengths: Sequence[int]) -> str:
    return " × ".join(f"{length:,}" for length in lengths)


def toml_of(value: Json) -> str:
    """A JSON value as TOML; its scalars and lists are written alike in both."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{json.dumps(k)} = {toml_of(v)}" for k, v in value.items() if v is not None) + " }"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "[" + ", ".join(toml_of(item) for item in value) + "]"
    return json.dumps(value, ensure_ascii=False)
