"""The number of CPUs is Dask's, and Dask is not asked."""

import subprocess
import sys
from pathlib import Path

import pytest
from dask.system import CPU_COUNT

from boardspace.engine import machine
from tests.pipeline.conftest import environment


def test_as_many_cpus_are_counted_as_dask_counts_without_loading_it() -> None:
    assert machine.cpus() == CPU_COUNT
    code = "import sys; from boardspace.engine.machine import cpus; cpus(); assert 'dask' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], env=environment(), check=True)


@pytest.mark.parametrize(
    ("file", "content", "expected"),
    [
        ("cpu.max", "150000 100000", 2),
        ("cpu.max", "max 100000", 64),
        ("cpu.max", "torn", 64),
        ("own.slice/cpu.max", "250000 100000", 3),
        ("cpu,cpuacct/cpu.cfs_quota_us", "50000", 1),
        ("cpu,cpuacct/cpu.cfs_quota_us", "-1", 64),
    ],
)
def test_limits_of_control_groups_are_rounded_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str, content: str, expected: int
) -> None:
    path = tmp_path / file
    path.parent.mkdir(exist_ok=True)
    path.write_text(content)
    path.with_name("cpu.cfs_period_us").write_text("100000")
    (tmp_path / "own").write_text("0::/own.slice\n")
    monkeypatch.setattr(machine, "GROUPS", tmp_path)
    monkeypatch.setattr(machine, "OWN_GROUP", tmp_path / "own")
    monkeypatch.setattr("os.sched_getaffinity", lambda process: range(64))
    assert machine.cpus() == expected
