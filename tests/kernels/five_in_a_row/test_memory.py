"""What a part takes before it says that it outgrows its memory, measured in a process of its own."""

from pathlib import Path

import pytest

from tests.pipeline.conftest import python

STATUS = Path("/proc/self/status")
MEGABYTES = 100
MEASURED = f"""
from boardspace_kernels.five_in_a_row.board import Board, PartTooLargeError
from boardspace_kernels.five_in_a_row.minimum import solve, solve_part
from boardspace_kernels.five_in_a_row.search import Part, prepare

def taken():
    # the most of this process since it began; what `resource` tells is kept from the process that started it
    lines = open("{STATUS}").read().splitlines()
    return int(next(line.split()[1] for line in lines if line.startswith("VmHWM"))) * 1024

solve(Board((11, 11), 9))
before, memory = taken(), {MEGABYTES} * 1_000_000
try:
    solve_part(prepare(Board((13, 13), 9), 0, memory=memory), Part(0, 2, 26), 19, memory)
except PartTooLargeError:
    print(taken() - before)
"""


@pytest.mark.skipif(not STATUS.exists(), reason="the most memory of a process is read from /proc")
def test_a_part_says_that_it_outgrows_its_memory_before_it_takes_more() -> None:
    taken = int(python(MEASURED).stdout)
    assert MEGABYTES * 200_000 < taken < MEGABYTES * 1_000_000
