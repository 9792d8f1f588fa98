"""``boardspace check-shard``: one shard made again is what is published, or the first difference is named."""

import json
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zarr
from click.testing import CliRunner, Result

from boardspace.cli.main import cli
from boardspace.storage.records import encoded
from boardspace.storage.release_folder import SUMS

SUM = "toy/sums/0000000000"


def invoke(*arguments: object) -> Result:
    return CliRunner().invoke(cli, [str(argument) for argument in arguments])


@pytest.fixture
def run(tmp_path: Path, toy_config: Callable[..., Path]) -> Path:
    out = tmp_path / "out"
    assert invoke("run", toy_config(roots=40), "--workers", 0, "--out", out).exit_code == 0
    return out


@pytest.fixture
def release(run: Path, tmp_path: Path) -> Path:
    assert invoke("publish", run, "--out", tmp_path / "release", "--verified").exit_code == 0
    return tmp_path / "release"


def alter(path: Path) -> None:
    """Count one way more in the fourth row of a table of sums."""
    rows = pq.ParquetFile(path).read()
    ways = rows.column("ways").to_pylist()
    ways[3] += 1
    pq.write_table(rows.set_column(1, rows.schema.field(1), pa.array(ways, pa.uint32())), path)


def test_a_shard_of_a_run_is_what_the_run_holds(run: Path) -> None:
    for name, *options in ((SUM,), ("toy/squares/00010",), ("toy/claims/claims",), (SUM, "--from-scratch")):
        found = invoke("check-shard", run, name, *options)
        assert (found.exit_code, "are those published" in found.stdout) == (0, True), found.output
    found = json.loads(invoke("check-shard", run, SUM, "--from-scratch", "--json").stdout)
    assert (found["rows"] > 100, found["cells"], found["stages"], found["left_out"]) == (True, 384, 1, [])


def test_a_row_or_a_cell_that_was_altered_in_a_run_is_named(run: Path) -> None:
    alter(run / "toy" / "sums" / "0000000000.parquet")
    array = zarr.open_array(run / "toy" / "arrays.zarr", path="ways", mode="r+")
    array[25] = 7
    found = invoke("check-shard", run, SUM)
    assert found.exit_code == 1
    assert f"{SUM}: table sums: ways of row 3 of the shard is 2, and 3 is published" in found.stdout
    assert f"{SUM}: array ways: cell (25,) is another" in found.stdout
    assert found.stdout.endswith(f"{SUM}: made again, and it is not what is published\n")
    assert invoke("check-shard", run, "toy/sums/0000000384").exit_code == 0


def test_facts_that_were_altered_are_named(run: Path) -> None:
    record = run / ".run" / "toy" / "stages" / "sums.json"
    document = json.loads(record.read_text())["record"]
    document["receipts"][0]["facts"]["sums"] += 1
    record.write_bytes(encoded(document))
    assert f"{SUM}: facts: its receipt holds others" in invoke("check-shard", run, SUM).stdout


def test_what_cannot_be_read_is_not_told_as_if_it_were_not_kept(run: Path) -> None:
    (run / "toy" / "sums" / "0000000000.parquet").write_bytes(b"PAR1")
    found = invoke("check-shard", run, SUM)
    assert (found.exit_code, "0000000000.parquet: damaged" in found.stderr) == (2, True), found.output
    (run / ".run" / "toy" / "stages" / "sums.json").unlink()
    found = invoke("check-shard", run, SUM)
    assert (found.exit_code, "the stage 'sums' is not finished" in found.stderr) == (2, True), found.output


def test_a_shard_of_a_release_is_made_with_the_stages_before_it(release: Path) -> None:
    for folder in (release, release / "toy"):
        found = invoke("check-shard", folder, SUM)
        assert (found.exit_code, "are those published" in found.stdout) == (0, True), found.output
        assert "computing first the stages that the shard reads: squares" in found.stderr
    hidden = invoke("check-shard", release, "toy/squares/00010")
    assert hidden.stdout == "toy/squares/00010: made again, not compared, since not kept: table squares\n"


def test_a_row_that_was_altered_in_a_release_is_named(release: Path) -> None:
    names = [line.split("  ", 1)[1] for line in (release / "toy" / SUMS).read_text().splitlines()]
    alter(release / "toy" / min(name for name in names if name.startswith("sums") and name.endswith(".parquet")))
    found = invoke("check-shard", release, SUM)
    assert found.exit_code == 1
    assert "ways of row 3 of the shard is 2, and 3 is published" in found.stdout


def test_a_row_that_is_lost_from_a_run_is_told(run: Path) -> None:
    path = run / "toy" / "sums" / "0000000000.parquet"
    rows = pq.ParquetFile(path).read()
    pq.write_table(rows.slice(1), path)
    found = invoke("check-shard", run, SUM)
    lost = f"{rows.num_rows:,} rows were made, and {rows.num_rows - 1:,} of them are published"
    assert (found.exit_code, lost in found.stdout) == (1, True), found.output


def test_shards_of_any_round_of_a_stage_that_repeats(tmp_path: Path, growing: None) -> None:
    config = tmp_path / "growing.toml"
    config.write_text("[growing]\nbound = 20\n")
    assert invoke("run", config, "--workers", 0, "--out", tmp_path / "out").exit_code == 0
    for level in (0, 3):
        for options in ((), ("--from-scratch",)):
            found = invoke("check-shard", tmp_path / "out", f"growing/levels/level={level:03}/0", *options)
            assert (found.exit_code, "are those published" in found.stdout) == (0, True), found.output
    assert "has no shard 'level=099/0'" in invoke("check-shard", tmp_path / "out", "growing/levels/level=099/0").output


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("toy", "give a shard as SPACE/STAGE/SHARD"),
        ("toy/no/00000", "toy has no stage 'no'; there are: squares, sums, claims"),
        ("toy/squares/no", "toy/squares has no shard 'no'; there are: 00000, 00010, 00020, 00030"),
        ("klotski/main/0", "no dataset 'klotski' here; there are: toy"),
    ],
)
def test_what_is_not_there_is_said(run: Path, name: str, text: str) -> None:
    refused = invoke("check-shard", run, name)
    assert (refused.exit_code, text in refused.output) == (2, True), refused.output
