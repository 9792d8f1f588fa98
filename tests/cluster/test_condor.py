"""An HTCondor of one node, with six cores by its own word: job arrays by the script of docs/clusters.md as it is."""

import subprocess
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tests.cluster.condor import Condor, needs_condor
from tests.cluster.conftest import SLEEPLESS, block, toy_config
from tests.cluster.host import wait_until
from tests.pipeline.conftest import dataset_bytes
from tests.wheel.conftest import Installation

pytestmark = [pytest.mark.cluster, pytest.mark.timeout(1800)]


@pytest.fixture
def condor(plugged: Mapping[str, str], installed: Installation, tmp_path: Path) -> Iterator[Condor]:
    """The pool, and in the folder that its jobs share the scripts of the page."""
    needs_condor()
    shared = tmp_path / "shared"
    shared.mkdir()
    for number, name in ((0, "arrays.sh"), (4, "condor.sh")):
        (shared / name).write_text(block("Job arrays", "sh", number))
        (shared / name).chmod(0o755)
    with Condor(tmp_path / "condor", shared, plugged, installed.folder) as pool:
        yield pool


def compare(condor: Condor, config: str, *options: object) -> None:
    """What is in outputs/ has the bytes of a run by ``boardspace run`` with these options, COMPLETE among them."""
    condor.call("python", "-c", SLEEPLESS, "run", config, *options, "--out", "here")
    made = condor.shared / "outputs" / Path(config).stem
    names = [path.parent.name for path in (condor.shared / "here").glob("*/COMPLETE")]
    assert names
    for name in names:
        assert dataset_bytes(made / name) == dataset_bytes(condor.shared / "here" / name)


def start(condor: Condor, config: str, most: int) -> subprocess.Popen[bytes]:
    """Start the loop of job arrays; what it says is in loop.log."""
    return condor.start_as_user(condor.shared / "loop.log", "./arrays.sh", config, "./condor.sh", most)


def said(condor: Condor) -> str:
    """What the loop said."""
    return (condor.shared / "loop.log").read_text()


def computed(condor: Condor) -> Counter[str]:
    """How often each shard was computed."""
    log = condor.shared / "log"
    return Counter(log.read_text().split()) if log.exists() else Counter()


def running(condor: Condor) -> list[str]:
    """The jobs that run, as cluster.process."""
    return condor.call("condor_q", "-run", "-af:j", "JobStatus").stdout.split()[::2]


def test_smoke_by_job_arrays_has_the_bytes_of_a_run_by_dask(condor: Condor) -> None:
    assert start(condor, "smoke", 6).wait(1500) == 0, said(condor)
    compare(condor, "smoke", "--workers", 2)


def test_each_shard_is_computed_once(condor: Condor) -> None:
    toy_config(condor.shared, shards=40, seconds=0.2)
    condor.call("./arrays.sh", "toy.toml", "./condor.sh", 6)
    assert set(computed(condor).values()) == {1}
    compare(condor, "toy.toml", "--workers", 0)


def test_a_job_that_is_put_out_of_its_node_runs_again_and_does_only_what_it_lacks(condor: Condor) -> None:
    toy_config(condor.shared, shards=40, seconds=1.0)
    loop = start(condor, "toy.toml", 4)
    wait_until(lambda: len(computed(condor)) > 4, "some shards")
    condor.call("condor_vacate_job", "-fast", running(condor)[0])
    assert loop.wait(300) == 0, said(condor)
    evicted = condor.call("condor_history", "-constraint", "NumJobStarts > 1", "-af", "ClusterId").stdout
    assert evicted.split()
    assert sum(computed(condor).values()) <= len(computed(condor)) + 1
    compare(condor, "toy.toml", "--workers", 0)


def test_a_removed_job_stops_the_loop_and_the_next_call_computes_what_it_lacks(condor: Condor) -> None:
    toy_config(condor.shared, shards=40, seconds=1.0)
    loop = start(condor, "toy.toml", 4)
    wait_until(lambda: len(computed(condor)) > 4, "some shards")
    condor.call("condor_rm", running(condor)[0])
    assert loop.wait(300) != 0, said(condor)
    before = computed(condor)
    assert len(before) < 40
    condor.call("./arrays.sh", "toy.toml", "./condor.sh", 4)
    assert sum(computed(condor).values()) <= len(computed(condor)) + 1
    compare(condor, "toy.toml", "--workers", 0)
