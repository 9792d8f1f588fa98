"""Clusters that are already there: a scheduler and workers as processes of their own, plain and with TLS."""

import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
import trustme
from click.testing import CliRunner

from boardspace.cli.main import cli
from boardspace.engine.config import ClusterConfig, ConfigError, load_cluster
from tests.pipeline.conftest import BOARDSPACE, boardspace, dataset_bytes, environment, started
from tests.shared import wait_until

Config = Callable[..., Path]


SCHEDULER, WORKER = (f"distributed.cli.dask_{kind}" for kind in ("scheduler", "worker"))
OPTIONS = ("--nthreads", "1", "--no-dashboard")
ALONE = ("--no-nanny",)  # nobody starts it again, which is a process less

GROWING = """
import time
from distributed import LocalCluster
if __name__ == "__main__":
    cluster = LocalCluster(n_workers=0, threads_per_worker=1, host="127.0.0.1", dashboard_address=None)
    cluster.adapt(minimum=0, maximum=2, interval="100 ms", wait_count=5, target_duration="500 ms")
    print("Scheduler at:", cluster.scheduler_address, flush=True)
    seen = 0
    while True:
        time.sleep(0.05)
        if len(cluster.scheduler.workers) != seen:
            seen = len(cluster.scheduler.workers)
            print("workers:", seen, flush=True)
"""


@contextmanager
def process(
    folder: Path, name: str, program: str, *arguments: str, stopped_by: signal.Signals = signal.SIGTERM
) -> Iterator[Path]:
    """A program, started in another folder than this checkout, stopped at the end; yields its log."""
    log = folder / f"{name}.log"
    with log.open("w") as stream:
        running = started(program, *arguments, folder=folder, out=stream, err=stream)
        try:
            yield log
        finally:
            running.send_signal(stopped_by)
            running.wait(300)


def wait_for(log: Path, pattern: str) -> str:
    deadline = time.monotonic() + 300
    while time.monotonic() < deadline:
        found = log.exists() and re.search(pattern, log.read_text())
        if found:
            return found[1]
        time.sleep(0.1)
    raise AssertionError(f"{log}: no {pattern!r}:\n{log.read_text()}")


@contextmanager
def cluster(folder: Path, workers: int, *security: str, lifetime: Sequence[str] = ()) -> Iterator[str]:
    """A scheduler and workers; yields the scheduler's address. Worker n writes to workern.log."""
    protocol = "tls" if security else "tcp"
    listen = ("--host", f"{protocol}://127.0.0.1", "--port", "0", "--no-dashboard", "--no-show")
    with ExitStack() as stack:
        log = stack.enter_context(process(folder, "scheduler", SCHEDULER, *listen, *security))
        address = wait_for(log, rf"Scheduler at:\s+({protocol}://\S+)")
        for number in range(workers):
            options = (*OPTIONS, address, *security, *(lifetime or ALONE))
            stack.enter_context(process(folder, f"worker{number}", WORKER, *options))
        yield address


def same_as_here(config: Path, folder: Path) -> bool:
    """Whether the run in ``out`` left what a run in this process leaves."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(time, "sleep", lambda _: None)  # the pauses of the toy's shards
        here = CliRunner().invoke(cli, ["run", str(config), "--out", str(folder / "here"), "--workers", "0"])
    assert here.exit_code == 0, here.output
    return dataset_bytes(folder / "out" / "toy") == dataset_bytes(folder / "here" / "toy")


@pytest.fixture
def certificates(tmp_path: Path) -> Path:
    folder = tmp_path / "certificates"
    folder.mkdir()
    authority = trustme.CA()
    issued = authority.issue_cert("127.0.0.1", "localhost")
    authority.cert_pem.write_to_path(folder / "ca.pem")
    issued.private_key_pem.write_to_path(folder / "key.pem")
    issued.cert_chain_pems[0].write_to_path(folder / "cert.pem")
    return folder


@pytest.mark.thorough
def test_a_cluster_behind_tls_is_used_with_certificates_only(
    toy_config: Config, tmp_path: Path, certificates: Path
) -> None:
    security = ("--tls-ca-file", "ca.pem", "--tls-cert", "cert.pem", "--tls-key", "key.pem")
    with cluster(certificates, 1, *security) as address:
        path = tmp_path / "cluster.toml"
        path.write_text(
            f'scheduler = "{address}"\nca = "certificates/ca.pem"\n'
            'cert = "certificates/cert.pem"\nkey = "certificates/key.pem"\n'
        )
        done = boardspace("run", toy_config(), "--out", tmp_path / "out", "--cluster", path)
        plain = boardspace("run", toy_config(), "--out", tmp_path / "plain", "--scheduler", address)
    assert done.returncode == 0, done.stderr
    assert "warning" not in done.stderr
    assert (tmp_path / "out" / "toy" / "COMPLETE").exists()
    assert plain.returncode == 2
    assert "no Dask scheduler answers" in plain.stderr


@pytest.mark.slow
@pytest.mark.parametrize("options", [ALONE, ("--nanny",)])
def test_a_worker_that_gets_sigterm_finishes_its_shard_and_others_do_the_rest(
    toy_config: Config, tmp_path: Path, options: tuple[str, ...]
) -> None:
    log = tmp_path / "log"
    config = toy_config(shards=4, pause=2.0, log=str(log))
    with cluster(tmp_path, 1) as address, ThreadPoolExecutor() as pool:
        with process(tmp_path, "leaving", WORKER, *OPTIONS, *options, address) as leaving:
            wait_for(leaving, "(Starting established connection)")
            run = pool.submit(boardspace, "run", config, "--out", tmp_path / "out", "--scheduler", address)
            wait_until(lambda: log.exists() and len(log.read_text().split()) == 2)
        done = run.result()
    assert done.returncode == 0, done.stderr
    assert "died" not in done.stderr
    assert sorted(log.read_text().split()) == sorted(set(log.read_text().split()))


@pytest.mark.slow
def test_workers_that_reach_the_end_of_their_lifetime_are_replaced(toy_config: Config, tmp_path: Path) -> None:
    config = toy_config(shards=8, pause=0.5)
    with cluster(tmp_path, 1, lifetime=("--lifetime", "5s", "--lifetime-restart")) as address:
        done = boardspace("run", config, "--out", tmp_path / "out", "--scheduler", address)
    assert done.returncode == 0, done.stderr
    starts = (tmp_path / "worker0.log").read_text().count("Start worker at")
    assert starts > 1
    assert same_as_here(config, tmp_path)


@pytest.mark.slow
def test_a_cluster_that_adapts_grows_from_nothing_and_shrinks_again(toy_config: Config, tmp_path: Path) -> None:
    config = toy_config(shards=12, pause=0.5)
    log, command = tmp_path / "log", [sys.executable, "-c", GROWING]
    with log.open("wb") as stream, subprocess.Popen(command, env=environment(), stdout=stream) as growing:
        address = wait_for(log, r"Scheduler at: (\S+)")
        done = boardspace("run", config, "--out", tmp_path / "out", "--scheduler", address)
        assert done.returncode == 0, done.stderr
        wait_for(log, r"(?s)workers: 2.*(workers: 0)")
        growing.terminate()


@pytest.mark.thorough
def test_a_worker_that_joins_while_a_run_goes_on_gets_work_and_the_bytes_are_those_of_this_process(
    toy_config: Config, tmp_path: Path
) -> None:
    """All the work: the first worker does not end its first shard until it is killed."""
    token = tmp_path / "token"
    config = toy_config(trouble=f"hang@{token}", trouble_shard="squares/00000")
    with cluster(tmp_path, 0) as address, ExitStack() as late:
        with process(tmp_path, "first", WORKER, *OPTIONS, *ALONE, address, stopped_by=signal.SIGKILL):
            run = started(BOARDSPACE, "run", config, "--out", tmp_path / "out", "--scheduler", address)
            wait_until(token.exists)
            joined = process(tmp_path, "late", WORKER, *OPTIONS, *ALONE, address)
            wait_for(late.enter_context(joined), "(Registered to)")
            assert not (tmp_path / "out" / "toy" / "COMPLETE").exists()
        assert run.wait(300) == 0
    assert same_as_here(config, tmp_path)


def test_a_scheduler_without_workers_is_told_after_the_time_to_wait(toy_config: Config, tmp_path: Path) -> None:
    with cluster(tmp_path, 0) as address:
        path = tmp_path / "cluster.toml"
        path.write_text(f'scheduler = "{address}"\nworker_seconds = 1.0\n')
        done = boardspace("run", toy_config(), "--out", tmp_path / "out", "--cluster", path)
    assert done.returncode == 2
    assert "no worker joined within 1 s" in done.stderr


@pytest.mark.parametrize(
    ("scheduler", "exposed"),
    [
        ("tcp://10.0.0.1:8786", True),
        ("tcp://node:8786", True),
        ("tcp://127.0.0.1:8786", False),
        ("tcp://[::1]:8786", False),
        ("localhost:8786", False),
    ],
)
def test_a_plain_address_that_is_not_loopback_is_warned_of(scheduler: str, exposed: bool) -> None:
    assert ClusterConfig(scheduler=scheduler).exposed is exposed


def test_a_shipped_cluster_is_found_by_its_name_and_its_files_in_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert load_cluster("local").scheduler == "tcp://127.0.0.1:8786"
    with pytest.raises(ConfigError, match="ca: no file"):
        load_cluster("tls")
    (tmp_path / "certificates").mkdir()
    for name in ("ca.pem", "client.pem", "client-key.pem"):
        (tmp_path / "certificates" / name).touch()
    assert load_cluster("tls").ca == str(tmp_path / "certificates" / "ca.pem")
    with pytest.raises(
        ConfigError, match=r"configs/cluster/tls\.toml: no such cluster file.*there are: kubernetes, local"
    ):
        load_cluster("configs/cluster/tls.toml")


def test_a_cluster_file_says_all_that_is_wrong_with_it(tmp_path: Path) -> None:
    path = tmp_path / "cluster.toml"
    path.write_text('scheduler = "tls://x:1"\nca = "a"\ncert = "b"\nkey = "c"\n')
    with pytest.raises(ConfigError, match=r"3 faults") as caught:
        load_cluster(path)
    assert f"ca: no file {tmp_path / 'a'}" in str(caught.value)
    path.write_text('scheduler = "tls://x:1"\nca = "a"\n')
    with pytest.raises(ConfigError, match="belong together"):
        load_cluster(path)
    path.write_text("port = 1\n")
    with pytest.raises(ConfigError, match="port: unknown key"):
        load_cluster(path)
