"""When a kernel is compiled: on its first call, and not where its question is small."""

import subprocess
import sys

from boardspace_kernels.jit import Kernel, interpreted, kernel


@kernel
def doubled(number: int) -> int:
    return 2 * number


@kernel
def doubled_twice(number: int) -> int:
    return doubled(doubled(number))


def signatures(function: object) -> int:
    assert isinstance(function, Kernel)
    return len(function.signatures)


def test_a_kernel_and_those_it_calls_are_interpreted_where_the_question_is_small() -> None:
    with interpreted(small=True), interpreted(small=False):
        assert doubled_twice(3) == 12
    assert signatures(doubled_twice) == signatures(doubled) == 0
    with interpreted(small=False):
        assert doubled_twice(3) == 12
    assert signatures(doubled_twice) == 1
    assert doubled_twice.__name__ == "doubled_twice"


def test_who_imports_kernels_does_not_wait_for_numba() -> None:
    rooms = "klotski.search", "solitaire.search", "five_in_a_row.search", "board_division.tromino.cover"
    modules = ", ".join(f"boardspace_kernels.{room}" for room in rooms)
    code = f"import sys, {modules}; sys.exit('numba' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
