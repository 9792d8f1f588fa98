"""What verify names, ``run --repair`` makes again, to the same bytes, and nothing else."""

import json
import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result

from boardspace.cli.main import cli
from boardspace.spec import registry
from boardspace.verify import Level, verify
from tests.pipeline.conftest import boardspace, dataset_bytes
from tests.pipeline.test_verify import flip
from tests.toy import SPACE


def truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


DAMAGES: dict[Callable[[Path], None], Level] = {truncate: "structure", flip: "structure", Path.unlink: "logic"}
"""Each with the level at which the mended run is verified."""


def run(folder: Path, *flags: str) -> Result:
    return CliRunner().invoke(cli, ["run", str(folder / "toy.toml"), "--out", str(folder), "--workers", "0", *flags])


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("finished")
    config = tmp_path_factory.mktemp("config") / "toy.toml"
    config.write_text(f"[toy]\nshards = 3\nlog = {json.dumps(str(folder / 'log'))}\n")
    done = CliRunner().invoke(cli, ["run", str(config), "--out", str(folder), "--workers", "0"])
    shutil.copy(config, folder)
    assert done.exit_code == 0, done.output
    return folder


@pytest.fixture
def folder(finished: Path, tmp_path: Path) -> Path:
    """A copy of a finished run; its shards still leave their lines in the log of the first."""
    (finished / "log").write_text("")
    shutil.copytree(finished, tmp_path, dirs_exist_ok=True)
    return tmp_path


def repaired(folder: Path, finished: Path, level: Level = "logic") -> list[str]:
    """Repair a damaged run, compare it with the undamaged one and verify it; the shards that were computed."""
    assert verify(folder, "structure").faults
    done = run(folder, "--repair")
    assert done.exit_code == 0, done.output
    computed = (finished / "log").read_text().split()  # verify makes shards, too
    assert verify(folder, level).faults == ()
    assert dataset_bytes(folder / "toy") == dataset_bytes(finished / "toy")
    return computed


@pytest.mark.parametrize(
    ("pattern", "again"),
    [
        ("toy/sums/*", ["sums"]),
        ("toy/arrays.zarr/ways/c/1", ["sums"]),
        ("toy/arrays.zarr/ways/zarr.json", ["sums"]),
        ("toy/arrays.zarr/zarr.json", ["sums"]),
        (".run/toy/intermediates/*/*/*", ["squares"]),
        ("toy/claims.parquet", []),
        ("toy/COMPLETE", []),
        (".run/toy/stages/sums.json", []),
        (".run/toy/stages/squares.json", []),
        (".run/toy/stages/claims.json", []),
    ],
)
def test_a_damaged_or_missing_file_costs_one_shard(
    folder: Path, finished: Path, pattern: str, again: list[str]
) -> None:
    """Its rows are those of before, so what follows from them is looked at once."""
    for damage, level in DAMAGES.items():
        (finished / "log").write_text("")
        damage(sorted(folder.glob(pattern))[-1])
        assert [shard.split("/")[0] for shard in repaired(folder, finished, level)] == again


def test_claims_that_are_gone_are_no_dead_end(folder: Path, finished: Path) -> None:
    (folder / "toy" / "claims.parquet").unlink()
    assert run(folder).exit_code == 0
    assert verify(folder, "logic").faults == ()


def test_damage_below_a_torn_record_is_mended_too(folder: Path, finished: Path) -> None:
    flip(sorted(folder.glob("toy/sums/*"))[0])
    truncate(folder / ".run" / "toy" / "stages" / "sums.json")
    assert len(repaired(folder, finished)) == 1


def test_two_records_swapped_are_put_right(folder: Path, finished: Path) -> None:
    first, second = (folder / ".run" / "toy" / "stages" / f"{name}.json" for name in ("squares", "sums"))
    content = first.read_bytes()
    first.write_bytes(second.read_bytes())
    second.write_bytes(content)
    assert repaired(folder, finished) == []


@pytest.mark.parametrize("name", ["toy/link", "toy/sums/pipe", "toy/notes.txt", ".run/toy/notes.txt"])
def test_what_no_run_wrote_is_named_and_stays(folder: Path, name: str) -> None:
    foreign = folder / name
    if name.endswith("link"):
        foreign.symlink_to("/dev/zero")
    elif name.endswith("pipe"):
        os.mkfifo(foreign)
    else:
        foreign.write_text("mine")
    refused = run(folder, "--repair")
    assert (refused.exit_code, foreign.exists()) == (2, True)
    assert name in refused.output


@pytest.mark.parametrize(("flag", "again"), [("--keep", 0), ("--fresh", 6)])
def test_a_torn_plan_is_made_anew(folder: Path, finished: Path, flag: str, again: int) -> None:
    truncate(folder / "plan.json")
    refused = run(folder)
    assert refused.exit_code == 2
    assert "--keep" in refused.output
    assert run(folder, flag).exit_code == 0
    assert len((finished / "log").read_text().split()) == again
    assert verify(folder, "logic").faults == ()


@pytest.mark.parametrize("flags", [("--keep",), ("--keep", "--repair")])
def test_claims_that_state_something_else_are_judged_again_where_shards_are_kept(
    folder: Path, finished: Path, flags: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    stated = folder / "other_claims.toml"
    text = SPACE.claims_file.read_text()
    stated.write_text(text.replace('statement = "', 'statement = "In other words: ', 1))
    known = dict(registry.spaces()) | {"toy": replace(SPACE, claims_file=stated)}
    monkeypatch.setattr(registry, "spaces", lambda: known)
    if "--repair" in flags:
        truncate(sorted((folder / ".run" / "toy" / "receipts" / "squares").rglob("*.jsonl"))[0])
    done = run(folder, *flags)
    assert done.exit_code == 0, done.output
    judged = pq.read_table(folder / "toy" / "claims.parquet").column("statement").to_pylist()
    assert any(statement.startswith("In other words") for statement in judged)
    assert verify(folder, "logic").faults == ()


@pytest.mark.thorough
def test_a_compiler_that_cannot_be_used_is_no_damage_of_any_file(folder: Path) -> None:
    """What needs no kernel is verified and left as it is; what needs one says what is missing."""
    before = dataset_bytes(folder / "toy")
    without = {"NUMBA_NUM_THREADS": "0"}
    for command in (("verify", folder), ("run", folder / "toy.toml", "--out", folder, "--workers", 0, "--repair")):
        done = boardspace(*command, env=without)
        assert done.returncode == 0, done.stderr
    asked = boardspace("klotski", "show", "1A9BF0C", env=without)
    assert asked.returncode == 2
    assert "numba, which compiles the kernels, cannot be used here" in asked.stderr
    assert "see the variables NUMBA_*" in asked.stderr
    assert dataset_bytes(folder / "toy") == before
