"""The process that workers are forked from begins before the cluster does, and gives them what they need."""

import json
import subprocess
import sys

from tests.pipeline.conftest import environment

ASK_A_WORKER = """
import json, os, signal
from boardspace.engine import fork_server

def told():
    import pyarrow
    names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MALLOC_TRIM_THRESHOLD_")
    found = {name: os.environ.get(name) for name in names}
    ignored = signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    return found | {"pool": pyarrow.default_memory_pool().backend_name, "ignored": ignored, "parent": os.getppid(),
        "number": os.getpid()}

if __name__ == "__main__":
    before = dict(os.environ), signal.getsignal(signal.SIGINT)
    fork_server.begin()
    import multiprocessing.forkserver
    server = multiprocessing.forkserver._forkserver._forkserver_pid
    assert (dict(os.environ), signal.getsignal(signal.SIGINT)) == before
    from boardspace.engine import dask_clusters
    with dask_clusters.local(1, "auto", 0) as client:
        found = client.submit(told).result()
        client.submit(os.kill, found["number"], signal.SIGKILL).exception()
        again = client.submit(told, pure=False).result()
    assert again.pop("number") != found.pop("number")
    assert again == found
    begun = found.pop("parent") == server
    print(json.dumps({**found, "begun": begun}))
"""


def test_workers_come_from_the_process_that_began_early_with_its_environment_and_without_interrupts() -> None:
    """So does one that takes the place of one that died."""
    settings = environment({"OMP_NUM_THREADS": "2"})
    settings.pop("OPENBLAS_NUM_THREADS", None)
    done = subprocess.run(
        [sys.executable, "-c", ASK_A_WORKER], env=settings, capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout) == {
        "OMP_NUM_THREADS": "2",  # the user's
        "OPENBLAS_NUM_THREADS": "1",
        "MALLOC_TRIM_THRESHOLD_": None,
        "pool": "system",
        "ignored": True,
        "begun": True,
    }
