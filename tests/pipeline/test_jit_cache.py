"""numba's cache folder follows the kernels' sources and survives damage."""

import subprocess
import sys
from pathlib import Path

import pytest

from boardspace.pipeline import jit_cache
from tests.pipeline.conftest import environment

USE = """
import numpy as np
from boardspace.pipeline import jit_cache
jit_cache.fill(["toy"], print)
from boardspace.kernels.bits import popcount
assert popcount(np.uint64(255)) == 8
"""


def use(folder: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-c", USE],
        env=environment({"NUMBA_CACHE_DIR": str(folder)}),
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def test_the_folder_changes_with_any_source(tmp_path: Path) -> None:
    (tmp_path / "kernel.py").write_text("a = 1")
    before = jit_cache.source_digest(tmp_path)
    (tmp_path / "kernel.py").write_text("a = 2")
    assert jit_cache.source_digest(tmp_path) != before


def test_a_folder_is_filled_once(tmp_path: Path) -> None:
    assert use(tmp_path / "cache") == "toy\n"
    assert use(tmp_path / "cache") == ""


@pytest.mark.parametrize("suffix", ["nbi", "nbc"])
@pytest.mark.parametrize("length", [0, 30, -1])
def test_a_torn_cache_file_means_compiling_again(tmp_path: Path, suffix: str, length: int) -> None:
    use(tmp_path / "cache")
    for path in (tmp_path / "cache").rglob(f"*.{suffix}"):
        path.write_bytes(path.read_bytes()[:length])
    assert use(tmp_path / "cache") == "toy\n"
    assert use(tmp_path / "cache") == ""
