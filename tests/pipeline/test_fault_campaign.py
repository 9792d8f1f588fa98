"""The long campaign: kills at random times, every bit of a sample of files, a disk that really is full."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from boardspace.verify import verify
from tests.pipeline.campaign import LONG, drawing
from tests.pipeline.conftest import boardspace, dataset_bytes, environment
from tests.pipeline.test_faults import go_on

Config = Callable[..., Path]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(25))
def test_a_run_killed_again_and_again_at_random_times_ends_with_the_same_bytes(
    toy_config: Config, tmp_path: Path, seed: int
) -> None:
    chance = drawing(f"kills {seed}")
    config, out = toy_config(shards=8, pause=0.05), tmp_path / "out"
    for _ in range(4):
        command = [
            sys.executable,
            "-m",
            "boardspace",
            "run",
            str(config),
            "--out",
            str(out),
            "--workers",
            "2",
        ]
        process = subprocess.Popen(command, env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(chance.uniform(0.5, 6))
        family = [psutil.Process(process.pid), *psutil.Process(process.pid).children(recursive=True)]
        victims = family if chance.random() < 0.5 else chance.sample(family, 1)
        for victim in victims:
            victim.kill()
        if process.pid not in {victim.pid for victim in victims}:
            process.wait(60)
        process.wait()
    go_on(config, out)
    go_on(config, tmp_path / "reference")
    assert dataset_bytes(out / "toy") == dataset_bytes(tmp_path / "reference" / "toy")
    assert verify(out, "logic").faults == ()


@LONG
@pytest.mark.slow
def test_every_single_bit_flip_of_every_file_of_a_dataset_is_found(toy_config: Config, tmp_path: Path) -> None:
    config, out = toy_config(roots=12, shards=2), tmp_path / "out"
    go_on(config, out)
    flips = 0
    for path in sorted(p for p in (out / "toy").rglob("*") if p.is_file() and p.parent != out / "toy"):
        good = path.read_bytes()
        for bit in range(8 * len(good)):
            content = bytearray(good)
            content[bit // 8] ^= 1 << (bit % 8)
            path.write_bytes(content)
            faults = verify(out, "hashes").faults
            assert [fault.where for fault in faults] == [path.relative_to(out).as_posix()]
            flips += 1
        path.write_bytes(good)
    assert flips > 10_000


@pytest.mark.slow
@pytest.mark.skipif(os.geteuid() != 0, reason="mounting a small file system takes root")
def test_a_file_system_that_fills_up_is_said_and_the_run_goes_on_with_more_room(
    toy_config: Config, tmp_path: Path
) -> None:
    small = tmp_path / "small"
    small.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(small)], capture_output=True, text=True, check=False
    )
    assert mounted.returncode == 0, mounted.stderr
    try:
        full = boardspace("run", toy_config(roots=2000), "--out", small / "out", "--workers", 2)
        assert full.returncode == 2
        assert "no space left" in full.stderr
        subprocess.run(["mount", "-o", "remount,size=64m", str(small)], check=True)
        go_on(tmp_path / "toy.toml", small / "out")
        go_on(tmp_path / "toy.toml", tmp_path / "reference")
        assert dataset_bytes(small / "out" / "toy") == dataset_bytes(tmp_path / "reference" / "toy")
    finally:
        subprocess.run(["umount", str(small)], check=True)


@pytest.mark.slow
@pytest.mark.parametrize("victim", ["scheduler", "all workers"])
def test_a_scheduler_or_all_workers_of_a_cluster_lost_is_an_error_or_a_pause(
    toy_config: Config, tmp_path: Path, victim: str
) -> None:
    from tests.pipeline.test_cluster import cluster

    config, out = toy_config(shards=8, pause=0.3), tmp_path / "out"
    with cluster(tmp_path, 2) as address:
        command = [
            sys.executable,
            "-m",
            "boardspace",
            "run",
            str(config),
            "--out",
            str(out),
            "--scheduler",
            address,
        ]
        process = subprocess.Popen(
            command, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        while not list((out / ".run").rglob("[!.]*.json")):
            time.sleep(0.05)
        word = "dask_scheduler" if victim == "scheduler" else "dask_worker"
        for candidate in psutil.Process(os.getpid()).children(recursive=True):
            if candidate.status() == psutil.STATUS_ZOMBIE:  # of a test before
                continue
            if any(word in argument for argument in candidate.cmdline()):
                candidate.send_signal(signal.SIGKILL)
        if victim == "scheduler":
            _, said = process.communicate(timeout=60)
            assert process.returncode == 2, said
            assert f"{address}: the scheduler is lost; run the same command again to go on" in said.splitlines()[-1]
        else:
            with pytest.raises(subprocess.TimeoutExpired):
                process.wait(10)
            process.send_signal(signal.SIGINT)  # it waits for workers to come back, which none will
            process.communicate(timeout=60)
    go_on(config, out)
    go_on(config, tmp_path / "reference")
    assert dataset_bytes(out / "toy") == dataset_bytes(tmp_path / "reference" / "toy")
