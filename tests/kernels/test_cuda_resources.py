"""Kernels for GPUs compile for an H100 with the types that they are launched with; no GPU is needed."""

import subprocess
import sys
from importlib.util import find_spec

import pytest

BLOCKS = {"place_sources": 32, "search_layer": 32, "note_farthest": 16, "search_classes": 3}
"""Blocks that a multiprocessor runs at a time; the first three are as many as any kernel with such blocks has."""


@pytest.mark.skipif(find_spec("numba_cuda") is None, reason="numba-cuda is not here; pip install 'boardspace[cuda]'")
def test_so_many_blocks_run_at_a_time_and_registers_suffice() -> None:
    """In a process of its own, as numba's simulator takes the place of the compiler for a whole process."""
    command = [sys.executable, "-m", "tests.kernels.cuda_resources"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    blocks, kept_elsewhere = {}, {}
    for line in done.stdout.splitlines():
        name, *numbers = line.split()
        threads, registers, shared, kept_elsewhere[name] = map(int, numbers)
        taken = -(-registers // 8) * 8 * threads  # of 65,536; of 2,048 threads, 32 blocks and 228 KiB, 1 KiB a block
        blocks[name] = min(65_536 // taken, 2_048 // threads, 32, (228 << 10) // (shared + 1024))
    assert blocks == BLOCKS
    assert not any(kept_elsewhere.values()), kept_elsewhere
