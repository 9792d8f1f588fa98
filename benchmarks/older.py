"""``python -m benchmarks.older COMMIT WORD...``: benchmarks beside their own older form, in one run.

Every benchmark whose full name holds every word is run by two processes in turn: one has the code as it is, the other
the code of COMMIT, both the benchmark as it is now. Of each the least CPU seconds count, which other processes on the
machine disturb least, and the last figure says how many times as fast it has become. A benchmark that the older code
cannot run is named, and the others go on.
"""

import importlib
import os
import subprocess
import sys
import tarfile
import tempfile
import time
from io import BytesIO
from pathlib import Path

from benchmarks.harness import REGISTRY, Benchmark, registered

ROOT = Path(__file__).parent.parent
PACKAGES = ("kernels", "pipeline")


def answer(module: str, name: str) -> None:
    """Run a benchmark once for each line of standard input, and print the CPU seconds; the first run is not timed."""
    importlib.import_module(module)
    (job,) = (one.prepare() for one in REGISTRY if (one.module, one.name) == (module, name))
    job()
    print("ready", flush=True)
    for _ in sys.stdin:
        before = time.process_time()
        job()
        print(time.process_time() - before, flush=True)


def started(benchmark: Benchmark, packages: Path) -> "subprocess.Popen[str]":
    """A process that answers, with the packages of a folder."""
    paths = [ROOT, *(packages / name for name in PACKAGES)]
    return subprocess.Popen(
        [sys.executable, "-m", "benchmarks.older", "--answer", benchmark.module, benchmark.name],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, paths))},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def asked(process: "subprocess.Popen[str]", text: str = "\n") -> str:
    """Answer of a process; nothing where it has ended."""
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write(text)
        process.stdin.flush()
    except BrokenPipeError:
        return ""
    return process.stdout.readline()


def row(benchmark: Benchmark, older: Path) -> str:
    """A line of the table."""
    processes = [started(benchmark, packages) for packages in (ROOT, older)]
    try:
        if not all(asked(process, "") for process in processes):
            return "could not be run by both"
        turns = [[float(asked(process)) for process in processes] for _ in range(benchmark.runs)]
    finally:
        for process in processes:
            process.communicate()
    now, before = (min(column) for column in zip(*turns, strict=True))
    return f"{now:.4g} s, before {before:.4g} s: {before / now:.2f} times as fast"


def main(commit: str, words: list[str]) -> int:
    """Print the table; 1 where nothing matches."""
    chosen = registered(words)
    with tempfile.TemporaryDirectory() as folder:
        archive = subprocess.run(
            ["git", "archive", commit, *PACKAGES, "configs"], cwd=ROOT, check=True, capture_output=True
        )
        with tarfile.open(fileobj=BytesIO(archive.stdout)) as packed:
            packed.extractall(folder, filter="data")
        for one in chosen:
            print(f"{one.full_name}: {row(one, Path(folder))}", flush=True)
    return 0 if chosen else 1


if __name__ == "__main__":
    if sys.argv[1:2] == ["--answer"]:
        answer(*sys.argv[2:])
    elif len(sys.argv) < 3:
        sys.exit(f"write {(__doc__ or '').splitlines()[0].partition(':')[0].strip('`')}")
    else:
        sys.exit(main(sys.argv[1], sys.argv[2:]))
