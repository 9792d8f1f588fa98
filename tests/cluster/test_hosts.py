"""A scheduler, three hosts of workers and a client, each in namespaces of its own, with TLS among them and one folder.

Links are cut, hosts die, disks fill up, versions and clocks differ: the run ends with the same bytes, or says who is
in the way.
"""

import json
import subprocess
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from boardspace_kernels import kernel_cache
from tests.cluster.conftest import SLEEPLESS, block, toy_config
from tests.cluster.host import needs_root, wait_until
from tests.cluster.network import Network, Poor
from tests.pipeline.conftest import dataset_bytes

pytestmark = [pytest.mark.cluster, pytest.mark.timeout(900)]
WORKERS = ("alpha", "beta", "gamma")
# A worker that lost its scheduler ends; this starts it again.
AGAIN = ("sh", "-c", 'while :; do "$@"; sleep 1; done', "sh")
TLS = ("--tls-ca-file", "ca.pem", "--tls-cert", "node.pem", "--tls-key", "node-key.pem")
# How long a connection may be silent before it counts as lost; Dask's default is 30 s.
SILENCE = {"DASK_DISTRIBUTED__COMM__TIMEOUTS__TCP": "12s"}


class Site:
    """A network with a scheduler on its host ``head``, a folder ``shared``, and the commands of the installation."""

    def __init__(self, network: Network, environment: Mapping[str, str]) -> None:
        self.network, self.environment = network, {**environment, **SILENCE}
        self.shared = network.folder / "shared"
        self.certificates = self.shared / "certificates"

    def __getitem__(self, name: str) -> str:
        """What a host's Dask said so far."""
        return (self.shared / f"{name}.log").read_text()

    def start_scheduler(self) -> None:
        """On the head, by the command of the page."""
        self._start("head", "dask", "scheduler", "--protocol", "tls", "--no-dashboard", *TLS)
        wait_until(lambda: "Scheduler at:" in self["head"], "a scheduler")

    def start_worker(self, name: str, *before: object, env: Mapping[str, str] | None = None) -> None:
        """One worker on a host; ``before`` are the first words of the command."""
        options = ("--nthreads", 1, "--no-dashboard", "--memory-limit", "1GiB", "--local-directory", f"../../{name}")
        self._start(name, *before, "dask", "worker", "tls://head:8786", *options, *TLS, env=env)

    def started(self, name: str) -> None:
        """Wait for the worker of a host."""
        wait_until(lambda: "Registered to:" in self[name], f"a worker on {name}")

    def run(self, *arguments: object) -> "subprocess.Popen[bytes]":
        """Start the run of toy.toml on the client's host; what it says goes to run.log."""
        command = ("boardspace", "run", "toy.toml", "--cluster", "cluster.toml", "--out", "out", *arguments)
        return self.network["client"].start(
            self.shared / "run.log", "env", "-C", self.shared, *command, env=self.environment
        )

    def computed(self) -> list[str]:
        """The shards begun so far, in order."""
        log = self.shared / "log"
        return log.read_text().split() if log.exists() else []

    def repeated(self) -> list[str]:
        """The shards that were begun more than once."""
        return [shard for shard, times in Counter(self.computed()).items() if times > 1]

    def ended_well(self, run: "subprocess.Popen[bytes]") -> str:
        """Wait for the run; it ended, with the bytes of a run in one process; what it said."""
        said = self.shared / "run.log"
        try:
            assert run.wait(300) == 0, said.read_text()
        except subprocess.TimeoutExpired:
            raise AssertionError(said.read_text()) from None
        log = self.shared / "log"
        counted = log.read_text()
        here = ("python", "-c", SLEEPLESS, "run", "toy.toml", "--workers", 0, "--out", "here")
        self.network["client"].run("env", "-C", self.shared, *here, env=self.environment)
        log.write_text(counted)
        assert dataset_bytes(self.shared / "out/toy") == dataset_bytes(self.shared / "here/toy")
        assert self._receipts("out") == self._receipts("here")
        return said.read_text()

    def _receipts(self, out: str) -> list[tuple[str, str]]:
        """Stage and shard of each receipt in the records of the stages: one for each shard, though two hosts did it."""
        files = (self.shared / out / ".run" / "toy" / "stages").glob("*.json")
        receipts = [receipt for file in files for receipt in json.loads(file.read_text())["record"]["receipts"]]
        return sorted((receipt["stage"], receipt["shard"]) for receipt in receipts)

    def _start(self, name: str, *command: object, env: Mapping[str, str] | None = None) -> None:
        environment = {**self.environment, **(env or {})}
        log = self.shared / f"{name}.log"
        self.network[name].start(log, "env", "-C", self.certificates, *command, env=environment)


@pytest.fixture
def site(plugged: Mapping[str, str], tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Site]:
    """Certificates, a scheduler, no worker yet. Certificates are a day old, so that clocks may be late.

    A parameter is the poor cable that the workers' hosts have.
    """
    needs_root()
    poor = dict.fromkeys(WORKERS, request.param) if hasattr(request, "param") else {}
    with Network(("head", *WORKERS, "client"), tmp_path, poor) as network:
        site = Site(network, plugged)
        site.shared.mkdir()
        (site.shared / "certificates.sh").write_text(block("TLS", "sh"))
        network["client"].run("env", "-C", site.shared, "faketime", "-f", "-1d", "sh", "-e", "certificates.sh")
        names = {"ca": "ca.pem", "cert": "client.pem", "key": "client-key.pem"}
        lines = ['scheduler = "tls://head:8786"', *(f'{key} = "certificates/{file}"' for key, file in names.items())]
        (site.shared / "cluster.toml").write_text("\n".join(lines))
        site.start_scheduler()
        yield site


def start_all(site: Site, *before: object) -> None:
    """A worker on each of the three hosts."""
    for name in WORKERS:
        site.start_worker(name, *before)
    for name in WORKERS:
        site.started(name)


def begun_on(site: Site, name: str, shards: int) -> None:
    """Wait until so many shards were begun, so that every host is in the middle of one."""
    wait_until(lambda: len(site.computed()) >= shards, f"{shards} shards, one of them on {name}")


def test_a_link_that_is_cut_in_the_middle_of_a_shard_and_joined_again_costs_that_shard(site: Site) -> None:
    """The scheduler gives the host up and has the shard done by another, which is idle; both write it."""
    toy_config(site.shared, shards=1, seconds=40.0)
    site.start_worker("alpha", *AGAIN)
    site.started("alpha")
    run = site.run()
    wait_until(site.computed, "a shard on alpha")
    site.start_worker("beta")
    site.started("beta")
    site.network.cut("alpha")
    wait_until(lambda: len(site.computed()) > 1, "the shard on beta")
    site.network.join("alpha")
    wait_until(lambda: site["alpha"].count("Registered to:") > 1, "alpha to join again")
    assert "a worker process died" in site.ended_well(run)
    assert site.repeated() == ["squares/00000"]


def test_a_link_that_is_cut_for_a_moment_costs_nothing(site: Site) -> None:
    toy_config(site.shared, shards=6, seconds=5.0)
    start_all(site)
    run = site.run()
    begun_on(site, "beta", 3)
    site.network.cut("beta")
    site.network["client"].run("sleep", 2)
    site.network.join("beta")
    site.ended_well(run)
    assert site.repeated() == []


CONNECT = """
import socket, time
start = time.monotonic()
socket.create_connection(("head", 8786), 30).close()
print(time.monotonic() - start)
"""


@pytest.mark.parametrize("site", [Poor(delay=0.1, loss=0.03)], indirect=True)
def test_links_that_are_slow_and_lose_what_is_sent_cost_nothing(site: Site) -> None:
    toy_config(site.shared, shards=9, seconds=2.0)
    assert float(site.network["beta"].run("python3", "-c", CONNECT).stdout) >= 0.2
    start_all(site)
    site.ended_well(site.run())
    assert site.repeated() == []
    assert all(site.network.lost(name) for name in WORKERS)


def test_a_host_that_dies_costs_what_it_was_doing(site: Site) -> None:
    """There are as many shards as hosts, so that each is in the middle of its own."""
    toy_config(site.shared, shards=3, seconds=15.0)
    start_all(site)
    run = site.run()
    begun_on(site, "beta", 3)
    site.network["beta"].kill()
    assert "a worker process died" in site.ended_well(run)
    assert len(site.repeated()) == 1


def test_a_host_with_other_code_is_refused_by_its_name(site: Site) -> None:
    """One file of the package differs there."""
    toy_config(site.shared, shards=9, seconds=0.5)
    find = ("python", "-c", "from boardspace.spec import space; print(space.__file__)")
    file = Path(site.network["gamma"].run(*find, env=site.environment).stdout.strip())
    other = site.shared / "space.py"
    other.write_text(file.read_text() + "\n# another version\n")
    site.network["gamma"].run("mount", "--bind", other, file)
    start_all(site)
    run = site.run()
    assert run.wait(300) == 2
    said = " ".join((site.shared / "run.log").read_text().split())
    assert "host gamma has another toy than the command" in said
    assert "sources: the code has changed" in said


def test_clocks_that_are_hours_apart_change_nothing(site: Site) -> None:
    """Certificates have to be valid by all of them."""
    toy_config(site.shared, shards=9, seconds=1.0)
    site.start_worker("alpha")
    site.start_worker("beta", "faketime", "-f", "+5h")
    site.start_worker("gamma", "faketime", "-f", "-7h")
    for name in WORKERS:
        site.started(name)
    assert "not been heard of" not in site.ended_well(site.run())
    assert site.repeated() == []


def test_a_host_whose_disk_is_full_is_named(site: Site) -> None:
    """It cannot keep its compiled kernels."""
    toy_config(site.shared, shards=9, seconds=0.5)
    scratch = site.network["gamma"].folder / "scratch"
    scratch.mkdir()
    site.network["gamma"].run("mount", "-t", "tmpfs", "-o", "size=64k", "none", scratch)
    site.network["gamma"].run("dd", "if=/dev/zero", f"of={scratch}/full", "bs=1k", check=False)
    for name in ("alpha", "beta"):
        site.start_worker(name)
    site.start_worker("gamma", env={kernel_cache.VARIABLE: str(scratch)})
    for name in WORKERS:
        site.started(name)
    run = site.run()
    assert run.wait(300) == 2
    said = " ".join((site.shared / "run.log").read_text().split())
    assert "host gamma:" in said
    assert "No space left" in said
