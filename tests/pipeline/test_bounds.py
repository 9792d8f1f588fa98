"""What could go on for ever, or end without a word, ends in a line that says what to do."""

import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from boardspace.cli.main import cli
from boardspace.engine.config import ConfigError, load_config
from boardspace.storage import bucket
from boardspace.storage.bucket import InBucket
from boardspace.storage.files import StorageError
from boardspace.storage.locations import BucketPath


class EndlessStore:
    """An object store whose listings never end."""

    class exceptions:  # noqa: N801, as the package names it
        GenericError = RuntimeError
        BaseError = RuntimeError

    def __init__(self, same: bool) -> None:
        self.same = same

    def list(self, *_: Any) -> Iterator[list[dict[str, Any]]]:
        page = 0
        while True:
            page += not self.same
            yield [{"path": f"prefix/{page}-{number}", "size": 1} for number in range(1000)]


@pytest.mark.parametrize("same", [False, True])
def test_a_listing_of_a_bucket_that_does_not_end_is_given_up(monkeypatch: pytest.MonkeyPatch, same: bool) -> None:
    store = EndlessStore(same)
    monkeypatch.setattr(bucket, "obstore_package", lambda: store)
    monkeypatch.setattr("boardspace.storage.objects.obstore_package", lambda: store)
    monkeypatch.setattr(bucket, "client", lambda name: None)
    monkeypatch.setattr(bucket, "MOST_LISTED", 20_000)
    monkeypatch.setattr(bucket, "LISTING_SECONDS", 0.5)
    with pytest.raises(StorageError, match="give the prefix of a run"):
        InBucket(BucketPath("s3://name/prefix")).names()


def test_all_faults_of_a_configuration_are_told_with_their_keys(tmp_path: Path) -> None:
    (tmp_path / "five.toml").write_text(
        '[board_division]\nvalues = "x"\nlines = 5000\nlarge_boards = [[3, 9, 1]]\nlarge_rectangles = [[0, 5]]\n'
        'nothing = 1\n[toy]\nroots = -1\n[solitaire]\nboards = "abc"\nlevels = 7\n'
    )
    with pytest.raises(ConfigError) as told:
        load_config(str(tmp_path / "five.toml"))
    for key in (
        "board_division.values",
        "board_division.lines",
        "board_division.large_boards",
        "board_division.large_rectangles",
        "board_division.nothing",
        "toy.roots",
        "solitaire.boards",
        "solitaire.levels",
    ):
        assert f"  {key}: " in str(told.value), key


def test_a_plan_for_a_million_workers_is_told_soon() -> None:
    start = time.process_time()
    result = CliRunner().invoke(cli, ["plan", "smoke", "--workers", "1000000"])
    assert result.exit_code == 0, result.output
    assert "1,000,000 workers: " in result.output
    assert time.process_time() - start < 20


def run_limited(limit: int, size: int, config: Path, env: dict[str, str]) -> "subprocess.CompletedProcess[str]":
    command = [
        sys.executable,
        "-m",
        "boardspace",
        "run",
        str(config),
        "--out",
        str(config.parent / "out"),
        "--workers",
        "2",
    ]
    return subprocess.run(
        command,
        env={**os.environ, **env},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
        preexec_fn=lambda: resource.setrlimit(limit, (size, size)) if size else None,
    )


@pytest.mark.parametrize(
    ("limit", "size", "letter"),
    [(resource.RLIMIT_AS, 1_000_000 << 10, "v"), (resource.RLIMIT_DATA, 200_000 << 10, "d")],
)
def test_limits_of_memory_that_workers_cannot_live_with_are_told(
    tmp_path: Path, limit: int, size: int, letter: str
) -> None:
    (tmp_path / "toy.toml").write_text("[toy]\nroots = 12\n")
    result = run_limited(limit, size, tmp_path / "toy.toml", {})
    assert result.returncode == 2
    assert f"ulimit -{letter}" in result.stderr
    assert len(result.stderr.splitlines()) <= 3  # what will be run, then this


def test_a_malformed_configuration_of_dask_is_told(tmp_path: Path) -> None:
    (tmp_path / "toy.toml").write_text("[toy]\nroots = 12\n")
    (tmp_path / "dask.yaml").write_text("a: [1\n b: {")
    result = run_limited(0, 0, tmp_path / "toy.toml", {"DASK_CONFIG": str(tmp_path / "dask.yaml")})
    assert result.returncode == 2
    assert "mend it, or unset DASK_CONFIG" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "answer"),
    [
        (["five", "plane", "-k", "18446744073709551616"], "k: a number of 65 bits is too large"),
        (["five", "X", "--", "3", "9" * 4300], "is too large"),
        (["five", "place", "--", "3", "9" * 4300], "is too large"),
        (["five", "cnf", "--", "3", "9" * 4300, "4"], "is too large"),
        (["five", "structure", "--", "3", "9" * 4300], "is too large"),
    ],
)
def test_numbers_without_measure_are_told_soon(arguments: list[str], answer: str) -> None:
    start = time.process_time()
    result = CliRunner().invoke(cli, arguments)
    assert result.exit_code == 2, result.output
    assert answer in result.output
    assert time.process_time() - start < 10
