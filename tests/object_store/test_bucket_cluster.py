"""A Dask cluster whose processes share nothing but the network: each has a folder and scratch of its own, and what they
make lies in a bucket."""

import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.object_store.conftest import Bucket
from tests.object_store.test_bucket_run import invoke
from tests.pipeline.conftest import dataset_bytes, environment, toy_config
from tests.pipeline.test_cluster import OPTIONS, SCHEDULER, WORKER, wait_for

__all__ = ["toy_config"]
Config = Callable[..., Path]


@contextmanager
def process(home: Path, bucket: Bucket, *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    """Python with these arguments, in the folder ``home``, with scratch below it; what it says goes to home.log."""
    (home / "scratch").mkdir(parents=True)
    env = environment({**bucket.env, "TMPDIR": str(home / "scratch")})
    with log_of(home).open("wb") as log:
        started = subprocess.Popen([sys.executable, *arguments], cwd=home, env=env, stdout=log, stderr=log)
    try:
        yield started
    finally:
        started.kill()
        started.wait()


def log_of(home: Path) -> Path:
    """What the process of a folder says."""
    return home.with_name(f"{home.name}.log")


def computed(log: Path) -> list[str]:
    """The shards that were begun, in order."""
    return log.read_text().split() if log.exists() else []


@pytest.mark.slow
def test_a_cluster_without_a_shared_folder_runs_into_a_bucket_although_a_worker_is_killed(
    bucket: Bucket, toy_config: Config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "log"  # counts for the test; nobody reads it
    head, one, two, client = (tmp_path / name for name in ("head", "one", "two", "client"))
    listen = ("--host", "tcp://127.0.0.1", "--port", "0", "--no-dashboard", "--no-show")
    config = toy_config(pause=3.0, log=str(log))
    command = ("-m", "boardspace", "run", str(config), "--out", bucket.place)
    with process(head, bucket, "-m", SCHEDULER, *listen):
        address = wait_for(log_of(head), r"Scheduler at:\s+(tcp://\S+)")
        worker = ("-m", WORKER, *OPTIONS, "--no-nanny", "--local-directory", "scratch", address)
        with process(one, bucket, *worker) as victim, process(two, bucket, *worker):
            for home in (one, two):
                wait_for(log_of(home), r"(Registered to)")
            with process(client, bucket, *command, "--scheduler", address) as run:
                deadline = time.monotonic() + 60
                while len(computed(log)) < 2:  # each worker is in the middle of a shard
                    assert time.monotonic() < deadline, log_of(client).read_text()
                    time.sleep(0.05)
                victim.send_signal(signal.SIGKILL)
                assert run.wait(100) == 0, log_of(client).read_text()
    assert "a worker process died" in log_of(client).read_text()
    assert len(computed(log)) == len(set(computed(log))) + 1
    assert [path for home in (one, two, client) for path in home.iterdir() if path.name != "scratch"] == []
    with monkeypatch.context() as patch:
        patch.setattr(time, "sleep", lambda _: None)
        invoke("run", config, "--out", tmp_path / "here", "--workers", 0)
    assert bucket.objects("toy") == dataset_bytes(tmp_path / "here" / "toy")
