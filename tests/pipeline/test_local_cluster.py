"""Worker processes on this machine: nobody else takes part, and memory that is short ends in a message."""

import http.client
import os
import socket
import ssl
import stat
import sys
import tempfile
import threading
import warnings
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import psutil
import pytest
from click.testing import CliRunner
from distributed import Client, LocalCluster

from boardspace.cli.main import cli
from boardspace.engine import dask_clusters
from boardspace.engine.config import load_config
from boardspace.engine.dask_clusters import check_memory
from boardspace.engine.dask_graph import DaskGraph
from boardspace.engine.events import Listener
from boardspace.engine.graph import Ended, Node
from boardspace.engine.plan import work_of
from boardspace.engine.run import short_of_memory
from boardspace.spec.errors import BoardspaceError
from tests.pipeline.conftest import boardspace, python
from tests.shared import wait_until

Config = Callable[..., Path]


def search_path() -> list[str]:
    return sys.path


def owner_and_mode(folder: Path) -> tuple[int, int]:
    status = folder.stat()
    return status.st_uid, stat.S_IMODE(status.st_mode)


def first_byte_without_a_certificate(host: str, port: int) -> bytes:
    """What a listener sends to somebody who speaks TLS but has no keys; b"" where it hangs up without a word."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with socket.create_connection((host, port), timeout=60) as plain, context.wrap_socket(plain) as encrypted:
        return encrypted.recv(1)  # TLS 1.3 tells of a missing certificate at the first read


PAGES = ("/sitemap.json", "/health", "/metrics", "/info/main/workers.html", "/json/index.html", "/statics/")


def listeners() -> set[tuple[int, int]]:
    """Processes, this one and those it started, and the ports that they listen on."""
    return {
        (process.pid, connection.laddr.port)
        for process in (psutil.Process(), *psutil.Process().children(recursive=True))
        for connection in connections_of(process)
        if connection.status == psutil.CONN_LISTEN
    }


def connections_of(process: psutil.Process) -> list[Any]:
    """None of one that another test started and that has ended by now."""
    with suppress(psutil.NoSuchProcess):
        return list(process.net_connections("inet"))
    return []


def page_status(port: int, page: str) -> int | None:
    """What a listener answers to a plain request over HTTP; None where it does not speak that."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        connection.request("GET", page)
        return connection.getresponse().status
    except (OSError, http.client.HTTPException):
        return None
    finally:
        connection.close()


def test_nobody_without_the_keys_of_the_run_can_talk_to_its_scheduler_and_no_port_is_in_the_clear() -> None:
    with dask_clusters.local(1, "auto", 0) as client:
        address = client.scheduler.address
        workers = list(client.scheduler_info()["workers"])
        assert all(place.startswith("tls://127.0.0.1:") for place in [address, *workers])
        with pytest.raises((OSError, TypeError)):
            Client(address, timeout=2)
        for place in [address, *workers]:
            host, port = place.removeprefix("tls://").split(":")
            with pytest.raises((ssl.SSLError, OSError)):
                first_byte_without_a_certificate(host, int(port))


def test_no_page_about_a_run_is_served_in_the_clear_and_a_taken_port_is_nothing_to_tell(
    recwarn: pytest.WarningsRecorder,
) -> None:
    with socket.socket() as taken:
        with suppress(OSError):  # taken already
            taken.bind(("127.0.0.1", 8787))
            taken.listen()
        before = listeners()  # servers of other tests
        with dask_clusters.local(1, "auto", 0) as client:
            found = listeners() - before
            assert {page_status(port, page) for _, port in found for page in PAGES} == {None}
            assert client.submit(os.getpid).result()
    assert len({process for process, _ in found}) == 2
    assert len(found) == 3  # scheduler, the process that looks after the worker, worker: TLS each
    assert not [str(w.message) for w in recwarn if "8787" in str(w.message)]


def test_a_stage_of_very_many_shards_is_sent_without_dask_s_advice() -> None:
    node = Node(("toy/many", 0), len, (b"x" * (11 << 20),), wanted=True)
    with (
        Client(processes=False, n_workers=1, threads_per_worker=1, dashboard_address=None) as client,
        closing(DaskGraph(client, Listener(), 0, 30.0, "here")) as graph,
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("error")
        graph.add([node], 0)
        assert graph.next_ended().result == 11 << 20


def test_a_result_lost_before_the_run_hears_of_it_is_made_again() -> None:
    """Its worker dies in the moment between."""
    node = Node(("toy/slow", 0), make, ())
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None) as cluster,
        Client(cluster) as client,
        closing(DaskGraph(client, Listener(), 0, 30.0, "here")) as graph,
    ):
        graph.add([node], 0)
        [(_, future)] = graph._pending.values()
        future.exception()
        client.run_on_scheduler(remove_holders)
        wait_until(lambda: future.status == "lost")
        LOST.set()
        assert graph.next_ended() == Ended(node.key)
        assert not graph._pending


LOST = threading.Event()
MADE: list[bool] = []


def make() -> None:
    """End at once; the second time, when the test has seen that the first result is lost."""
    MADE.append(True)
    assert len(MADE) == 1 or LOST.wait(300)


async def remove_holders(dask_scheduler: Any) -> None:
    """Have a scheduler take for dead the workers that hold results."""
    for task in list(dask_scheduler.tasks.values()):
        for worker in list(task.who_has or ()):
            await dask_scheduler.remove_worker(worker.address, stimulus_id="test")


def test_no_folder_that_modules_are_imported_from_belongs_to_anybody_else(tmp_path: Path) -> None:
    """Another user may have made Dask's scratch folder in the shared temporary directory, with a zarr.py in it."""
    before = set(sys.path)  # workers of other tests, in this very process, leave their folders there
    with dask_clusters.local(1, "auto", 0) as client:
        [found] = client.run(search_path).values()
        temporary = tempfile.gettempdir()
        added = {path for path in {*found, *sys.path} - before if "dask" in path or "boardspace-" in path}
        assert added
        for folder in added:
            top = Path(temporary) / Path(folder).relative_to(temporary).parts[0]
            assert top.name.startswith("boardspace-")
            assert owner_and_mode(top) == (os.getuid(), 0o700)
    assert not top.exists()


@pytest.mark.parametrize("text", ["2", "", "abc", "-1GiB", "100MiB", "nan", "1e400", "inf"])
def test_a_limit_that_no_worker_can_start_with_is_refused(text: str) -> None:
    with pytest.raises(BoardspaceError, match="give auto, or at least 256"):
        check_memory(text)


@pytest.mark.parametrize("text", ["auto", "256MiB", "4GiB", "3e9"])
def test_other_limits_are_taken(text: str) -> None:
    check_memory(text)


def test_a_shard_that_outgrows_its_worker_is_named_with_what_it_used(toy_config: Config, tmp_path: Path) -> None:
    config = toy_config(trouble="eat", trouble_shard="squares/00050")
    config.write_text(config.read_text() + "[run]\nretries = 1\n")
    done = boardspace("run", config, "--out", tmp_path / "out", "--workers", 1, "--memory-limit", "400MiB")
    assert done.returncode == 2
    assert "shard toy/squares/00050 failed 2 times: its worker process died" in done.stderr
    assert "of 400.00 MiB when last heard of" in done.stderr
    assert "--memory-limit" in done.stderr


@pytest.mark.thorough
def test_a_worker_that_does_not_answer_is_told_of(toy_config: Config, tmp_path: Path) -> None:
    config = toy_config(trouble="stop", trouble_shard="squares/00050")
    done = python(STOPPED, config, tmp_path / "out")
    assert "has not been heard of for" in done.stderr, done.stderr


# Looks often, and continues the stopped worker once it was told of.
STOPPED = """
import os, signal, sys
from pathlib import Path
import psutil
from boardspace.engine import dask_graph
from boardspace.engine.config import load_config
from boardspace.engine.events import Listener
from boardspace.engine.run import Workers, run

class Waking(Listener):
    def warned(self, text):
        print(text, file=sys.stderr, flush=True)
        if "not been heard of" in text:
            for process in psutil.Process().children(recursive=True):
                process.send_signal(signal.SIGCONT)

if __name__ == "__main__":
    dask_graph.LOOK_SECONDS, dask_graph.SILENT_SECONDS = 0.5, 2.0
    run(load_config(sys.argv[1]), Path(sys.argv[2]), Workers(count=2), listener=Waking())
"""


def test_shards_that_may_take_more_memory_than_a_worker_has_are_told_before_the_run(
    toy_config: Config, tmp_path: Path
) -> None:
    config = toy_config(memory=5_000_000_000)
    short = boardspace("run", config, "--out", tmp_path / "out", "--workers", 1, "--memory-limit", "1GB")
    assert short.returncode == 0
    assert "toy: a shard of squares may take 5.0 GB of memory, and a worker here 1.0 GB" in short.stderr
    assert list(short_of_memory(work_of(load_config(str(config))), 6_000_000_000)) == []
    planned = CliRunner().invoke(cli, ["plan", str(config)])
    assert "a worker may take 5.0 GB of memory" in planned.stdout
