"""A SLURM of four logical nodes: the scripts of docs/clusters.md as they stand there, with the wheel installed."""

import subprocess
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from tests.cluster.conftest import SLEEPLESS, block, toy_config
from tests.cluster.host import wait_until
from tests.cluster.slurm import Slurm, needs_slurm
from tests.pipeline.conftest import dataset_bytes
from tests.wheel.conftest import ROOT, Installation

pytestmark = [pytest.mark.cluster, pytest.mark.timeout(1800)]
SPACES = ("klotski", "solitaire", "five_in_a_row", "board_division")


@pytest.fixture
def slurm(
    plugged: Mapping[str, str], installed: Installation, add: Callable[..., None], tmp_path: Path
) -> Iterator[Slurm]:
    """The cluster, and in the folder that its nodes share what docs/clusters.md says has to be there."""
    needs_slurm()
    shared = tmp_path / "shared"
    shared.mkdir()
    add(installed.python, "dask-jobqueue")
    (shared / "certificates.sh").write_text(block("TLS", "sh"))
    (shared / "slurm.toml").write_text(block("SLURM", "toml"))
    (shared / "boardspace.sh").write_text(block("SLURM", "sh"))
    (shared / "come_and_go.py").write_text(block("SLURM", "python"))
    for number, name in ((0, "arrays.sh"), (1, "slurm-array.sh")):
        (shared / name).write_text(block("Job arrays", "sh", number))
        (shared / name).chmod(0o755)
    with Slurm(tmp_path / "slurm", shared, plugged) as cluster:
        cluster.call("sh", "-e", "certificates.sh")
        yield cluster


def compare(slurm: Slurm, config: str) -> None:
    """What is in outputs/ has the bytes of a run in one process, COMPLETE and its digests among them."""
    slurm.call("python", "-c", SLEEPLESS, "run", config, "--workers", 0, "--out", "here")
    made = slurm.shared / "outputs" / Path(config).stem
    names = [path.parent.name for path in (slurm.shared / "here").glob("*/COMPLETE")]
    assert names
    for name in names:
        assert dataset_bytes(made / name) == dataset_bytes(slurm.shared / "here" / name)


def computed(slurm: Slurm) -> Counter[str]:
    """How often each shard was computed."""
    log = slurm.shared / "log"
    return Counter(log.read_text().split()) if log.exists() else Counter()


def test_the_configuration_of_the_page_is_the_shipped_one() -> None:
    assert block("SLURM", "toml") == (ROOT / "configs/cluster/slurm.toml").read_text()


def test_the_batch_script_ends_with_the_bytes_of_a_local_run(slurm: Slurm) -> None:
    job = slurm.submit("--ntasks=3", "--mem-per-cpu=2G", "boardspace.sh", "smoke")
    slurm.wait_for_state(job, "COMPLETED", seconds=900)
    compare(slurm, "smoke")


def test_a_job_at_its_time_limit_is_followed_by_one_that_goes_on(slurm: Slurm) -> None:
    """Its follower is submitted beforehand, by the lines of the page, but for a limit of a minute, and four tasks."""
    toy_config(slurm.shared, shards=250, seconds=1.5)
    lines = block("SLURM", "sh", 1).replace(" full", " toy.toml")
    small = {"SBATCH_TIMELIMIT": "1", "SBATCH_MEM_PER_CPU": "1G"}
    (slurm.shared / "boardspace.sh").write_text(block("SLURM", "sh").replace("--ntasks=64", "--ntasks=4"))
    slurm.environment |= small
    first = int(slurm.call("bash", "-e", "-c", f"{lines}\necho $job").stdout.split()[-1])
    slurm.environment = {key: value for key, value in slurm.environment.items() if key not in small}
    slurm.call("scontrol", "update", f"jobid={first + 1}", "timelimit=30")
    slurm.wait_for_state(first, "TIMEOUT")
    before = computed(slurm)
    assert before
    slurm.wait_for_state(first + 1, "COMPLETED")
    assert not {name for name, times in computed(slurm).items() if times > 1 and before[name] == 0}
    assert sum(computed(slurm).values()) <= len(computed(slurm)) + 4  # what four workers were doing at the limit
    compare(slurm, "toy.toml")


def test_a_job_whose_node_goes_down_is_queued_again_and_goes_on(slurm: Slurm) -> None:
    toy_config(slurm.shared, shards=60, seconds=1.0)
    job = slurm.submit("--nodes=3", "--ntasks=6", "--mem-per-cpu=1G", "boardspace.sh", "toy.toml")
    wait_until(lambda: len(computed(slurm)) > 12, "some shards")
    slurm.call("scontrol", "update", "nodename=n3", "state=down", "reason=test")
    slurm.wait_for_state(job, "PENDING", "COMPLETING", "REQUEUED")
    slurm.wait_for_state(job, "COMPLETED")
    assert slurm.job(job, "Restarts") == "1"
    assert "n3" not in slurm.job(job, "NodeList")
    assert sum(computed(slurm).values()) <= len(computed(slurm)) + 6
    compare(slurm, "toy.toml")


def test_half_of_the_workers_cancelled_are_replaced(slurm: Slurm) -> None:
    """Workers of dask-jobqueue, each a job."""
    toy_config(slurm.shared, shards=100, seconds=1.0)
    run = slurm.start(
        slurm.shared / "come_and_go.log",
        *("env", "-C", slurm.shared, "python", "come_and_go.py", "toy.toml"),
        env=slurm.environment,
    )
    wait_until(lambda: len(computed(slurm)) > 12, "some shards")
    jobs = slurm.call("squeue", "-h", "-t", "running", "-o", "%i").stdout.split()
    assert len(jobs) > 1
    cancelled = jobs[: len(jobs) // 2]
    slurm.call("scancel", *cancelled)
    try:
        assert run.wait(300) == 0
    except (AssertionError, subprocess.TimeoutExpired):
        raise AssertionError((slurm.shared / "come_and_go.log").read_text()) from None
    assert sum(computed(slurm).values()) <= len(computed(slurm)) + len(cancelled)
    wait_until(lambda: not slurm.call("squeue", "-h").stdout, "an empty queue")
    compare(slurm, "toy.toml")


def test_arrays_of_jobs_without_dask_end_with_the_bytes_of_a_local_run(slurm: Slurm) -> None:
    toy_config(slurm.shared, shards=40, seconds=0.2)
    slurm.call("./arrays.sh", "toy.toml", "./slurm-array.sh", 6)
    assert set(computed(slurm).values()) == {1}
    compare(slurm, "toy.toml")


def test_a_cancelled_element_of_an_array_stops_the_loop_and_the_next_call_computes_what_it_lacks(
    slurm: Slurm,
) -> None:
    toy_config(slurm.shared, shards=40, seconds=1.0)
    log = slurm.shared / "loop.log"
    command = ("env", "-C", slurm.shared, "./arrays.sh", "toy.toml", "./slurm-array.sh", 4)
    loop = slurm.start(log, *command, env=slurm.environment)
    wait_until(lambda: len(computed(slurm)) > 4, "some shards")
    array = slurm.call("squeue", "-h", "-r", "-t", "running", "-o", "%F").stdout.split()[0]
    slurm.call("scancel", f"{array}_1")
    assert loop.wait(300) != 0
    before = computed(slurm)
    assert len(before) < 40
    slurm.call("./arrays.sh", "toy.toml", "./slurm-array.sh", 4)
    assert sum(computed(slurm).values()) <= len(computed(slurm)) + 1
    compare(slurm, "toy.toml")
