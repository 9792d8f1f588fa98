"""The card tells a reader what the files say, and its examples run as they stand."""

import csv
import tomllib
from pathlib import Path

import duckdb
import polars as pl
import pyarrow.parquet as pq
import pytest
import zarr

from boardspace.engine.config import validate
from boardspace.engine.plan import saved_plan, work_of
from boardspace.release.card import claims_section, toml_of
from boardspace.spec.space import CLAIMS, Json
from boardspace.storage.parquet import read_claims
from tests.pipeline.publish.reading import blocks, run_python, run_sql
from tests.toy import SUMS, WAYS


@pytest.fixture
def card(release: Path) -> Path:
    return release / "toy" / "README.md"


def test_the_examples_of_duckdb_polars_and_pandas_find_the_same_one_row(card: Path) -> None:
    polars, pandas, _ = run_python(card)
    [row] = run_sql(card)
    assert polars["rows"].to_dicts() == [row]
    assert pandas["rows"].to_dict("records") == [row]
    assert row in pq.read_table(card.parent / "sums").to_pylist()


def test_the_example_of_zarr_reads_a_cell(card: Path) -> None:
    *_, example = run_python(card)
    expected = zarr.open_array(card.parent / "arrays.zarr" / "ways", mode="r")
    assert example["array"].shape == expected.shape
    assert f"{expected[expected.shape[0] // 2]}" in example["printed"]


def test_the_example_of_r_asks_for_the_same_row(card: Path) -> None:
    [row] = run_sql(card)
    [block] = blocks(card, "r")
    assert block.endswith(f'open_dataset("sums") |>\n  filter(sum == {row["sum"]}) |>\n  collect()\n')


def test_every_table_opens_whole_in_duckdb_polars_and_pandas(card: Path) -> None:
    import pandas as pd

    pattern = str(card.parent / "sums/**/*.parquet")
    expected = pq.read_table(card.parent / "sums").num_rows
    assert duckdb.execute(f"SELECT count(*) FROM '{pattern}'").fetchall() == [(expected,)]
    assert pl.read_parquet(pattern).height == expected
    assert len(pd.read_parquet(card.parent / "sums")) == expected
    assert f"| `sums` | {expected:,} |" in card.read_text()


def test_the_card_and_the_dictionary_explain_every_column_and_array(card: Path) -> None:
    text = card.read_text()
    with (card.parent / "dictionary.csv").open(newline="") as stream:
        lines = {(line["name"], line["column"]): line for line in csv.DictReader(stream)}
    columns = [(table, column) for table in (SUMS, CLAIMS) for column in table.columns]
    assert len(lines) == len(columns) + 1
    for table, column in columns:
        line = lines[table.name, column.name]
        assert f"| `{column.name}` | `{column.type}` | {column.unit} | {column.doc} |" in text
        assert (line["type"], line["unit"], line["description"]) == (str(column.type), column.unit, column.doc)
        assert line["codes"] == "; ".join(f"{code} = {meaning}" for code, meaning in column.codes)
        assert all(f"| `{column.name}` | `{code}` | {meaning} |" in text for code, meaning in column.codes)
    assert (lines["sums", "sum"]["key"], lines["sums", "ways"]["key"]) == ("1", "")
    assert lines["ways", ""]["description"] == WAYS.doc
    assert WAYS.doc in text


def test_the_card_gives_every_claim_with_its_verdict(card: Path) -> None:
    text = card.read_text()
    claims = read_claims(card.parent)
    assert claims
    for claim in claims:
        [line] = [line for line in text.splitlines() if line.startswith(f"| `{claim['claim']}` |")]
        assert line.endswith(f"| {claim['verdict']} | {claim['basis']} |")
        assert claim["statement"][:100] in line
    assert "**refuted**: number of sums" in text


def test_the_config_on_the_card_is_the_plan_that_made_the_dataset(card: Path, run: Path) -> None:
    [block] = blocks(card, "toml")
    [work] = work_of(validate(tomllib.loads(block), "card", "card"))
    assert work.plan == saved_plan(run).spaces["toy"]
    assert work.plan.digest in card.read_text()


def test_a_card_is_short_however_much_is_claimed_and_what_fails_comes_first() -> None:
    names = ("statement", "stated", "measured", "basis", "evidence")
    row: dict[str, object] = {name: f"{name} " * 100 for name in names}
    row |= {"source": "text", "stated": "1", "measured": "2"}
    rows = [
        row | {"claim": f"claim-{at:03}", "position": at, "verdict": "confirmed" if at % 50 else "refuted"}
        for at in range(500)
    ]
    section = claims_section(rows[::-1], 20_000)
    assert 16_000 < len(section.encode()) < 20_600
    lines = [line.split("`")[1] for line in section.splitlines() if line.startswith("| `")]
    assert sorted(lines[:10]) == [f"claim-{at:03}" for at in range(0, 500, 50)]
    assert f"{500 - len(lines)} more are in `claims.parquet`" in section
    [every] = [line for line in section.splitlines() if line.startswith("- text: ")]
    stated = [f"`claim-{at:03}`" + ("" if at % 50 else " refuted") for at in range(500)]
    assert every == f"- text: {', '.join(stated)}"


@pytest.mark.parametrize(
    "value",
    [3, -1.5, True, 'a "quoted" \\ text, 五子连珠', [1, [2, 3]], [{"rows": 5, "name": "x"}], {"a b": {"c": []}}],
)
def test_config_values_of_every_kind_are_written_as_toml(value: Json) -> None:
    assert tomllib.loads(f"key = {toml_of(value)}") == {"key": value}


def test_the_card_keeps_the_licence_of_data_and_code_apart(card: Path) -> None:
    text = card.read_text()
    assert "CC0-1.0, https://creativecommons.org/publicdomain/zero/1.0/" in text
    assert "boardspace, is under the MIT licence" in text
