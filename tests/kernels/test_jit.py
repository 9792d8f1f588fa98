"""When a kernel is compiled, for which signatures and rules, and which functions are refused."""

import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from numba.core.errors import TypingError
from numpy.typing import NDArray

from boardspace_kernels.jit import Kernel, KernelError, borrowing, inlined, interpreted, kernel, shared
from tests.pipeline.conftest import python


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


@shared
def tripled(number: int) -> int:
    return 3 * number


@kernel
def squared(number: int) -> int:
    return number * number


@kernel
def tripled_and_squared(number: int) -> int:
    return tripled(number) + squared(number)


@kernel
def tripled_and_nine(number: int) -> int:
    return subtracted(number, 0) + subtracted(9, number)


@kernel
def subtracted(number: int, other: int) -> int:
    return 3 * number - other


@pytest.fixture
def nothing_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Code of kernels that were compiled before is not found."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))


@pytest.mark.usefixtures("nothing_kept")
def test_a_kernel_is_compiled_once_for_a_number_that_its_caller_names_and_for_any_other() -> None:
    assert tripled_and_nine(5) == 37
    assert isinstance(subtracted, Kernel)
    assert len(subtracted._inner.signatures) == 1


@pytest.mark.usefixtures("nothing_kept")
def test_what_kernels_call_is_compiled_for_python_where_python_calls_it_but_once_for_both_if_it_is_shared() -> None:
    assert tripled_and_squared(5) == 40
    assert (signatures(tripled), signatures(squared)) == (1, 0)
    assert (tripled(5), squared(5)) == (15, 25)
    assert (signatures(tripled), signatures(squared)) == (1, 1)


@borrowing
def first_raised(words: NDArray[np.int64]) -> int:
    words[0] += 1
    return int(words[0])


@borrowing
def length_of_new(size: int) -> int:
    return len(np.empty(size))


@pytest.mark.usefixtures("nothing_kept")
def test_a_kernel_that_borrows_its_arrays_counts_no_references_and_makes_no_array() -> None:
    words = np.array([3], np.int64)
    assert (first_raised(words), words[0]) == (4, 4)
    assert isinstance(first_raised, Kernel)
    assert not any("NRT_" in code for code in first_raised.inspect_llvm().values())
    with pytest.raises(TypingError, match="empty"):
        length_of_new(3)


def test_who_imports_kernels_does_not_wait_for_numba() -> None:
    rooms = "klotski.distances", "solitaire.search", "five_in_a_row.search", "board_division.covers"
    modules = ", ".join(f"boardspace_kernels.{room}" for room in rooms)
    code = f"import sys, {modules}; sys.exit('numba' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


BLAS = """
import sys, boardspace_kernels.machine_code, numba, numpy as np
from numba.np import arraymath
is_loaded = lambda: "scipy.linalg.cython_blas" in sys.modules
assert not is_loaded()
assert numba.njit(lambda some: some.sum())(np.ones(3)) == 3 and not is_loaded()
product = arraymath._get_inner_prod(numba.float64, numba.float64)  # of correlations, which take five seconds to compile
assert numba.njit(lambda some: product(some, some))(np.ones(3)) == 3 and is_loaded()
"""


def test_numba_loads_the_blas_of_scipy_for_those_alone_who_use_it() -> None:
    """Correlations, by products of vectors."""
    subprocess.run([sys.executable, "-c", BLAS], check=True)


MOVES = "int64(int64[::1], uint64, uint64[::1])"


@kernel(f"uint64(FunctionType({MOVES}), int64[::1], uint64, int64)")
def walked(moves: Any, size: Any, state: Any, steps: Any) -> Any:
    """The state after so many steps, each the last of the moves there are."""
    out = np.empty(4, np.uint64)
    for _ in range(steps):
        state = out[moves(size, state, out) - 1]
    return state


@kernel(MOVES)
def up(size: Any, state: Any, out: Any) -> Any:
    out[0] = state + np.uint64(size[0])
    return 1


@kernel
def doubling(size: Any, state: Any, out: Any) -> Any:
    out[0] = np.uint64(2) * state
    return 1


SIZE = np.array([3])


def test_one_compiled_kernel_takes_any_rule_of_its_signature() -> None:
    for _ in range(2):
        assert walked(up, SIZE, np.uint64(1), 4) == 13
        assert walked(doubling, SIZE, np.uint64(1), 4) == 16
    assert signatures(walked) == signatures(up) == signatures(doubling) == 1
    with interpreted(small=True):
        assert walked(up, SIZE, np.uint64(1), 4) == 13


def test_a_kernel_with_signatures_is_compiled_for_these_alone() -> None:
    @kernel("int64(int64)", "float64(float64)")
    def same(number: Any) -> Any:
        return number

    assert (same(3), same(2.5), signatures(same)) == (3, 2.5, 2)
    with pytest.raises(TypeError, match="No matching definition"):
        same("text")


def returns(value: Any) -> Any:
    def rule(size: Any, state: Any, out: Any) -> Any:
        return value

    return rule


def test_a_rule_that_returns_another_type_than_its_signature_is_refused_before_it_runs() -> None:
    """Numba would cast 2.5 to 2."""

    def half(size: Any, state: Any, out: Any) -> Any:
        return size[0] / 2

    for function, found in ((returns(2.5), "float64"), (half, "float64"), (returns(True), "bool")):
        for rule in (kernel(MOVES)(function), kernel(function)):
            with pytest.raises(KernelError, match=rf"(rule|half) cannot be used: it returns {found}, where int64\("):
                walked(rule, SIZE, np.uint64(1), 1)
    with pytest.raises(KernelError, match="returns float64"):
        kernel(MOVES)(returns(2.5))(SIZE, np.uint64(1), np.empty(1, np.uint64))


def test_ctrl_c_during_a_call_is_told_as_such() -> None:
    one: Any = kernel(lambda: 0)
    errors = [KeyboardInterrupt(), ValueError()]

    def returned() -> None:
        raise SystemError("a call returned a result with an exception set") from errors.pop(0)

    vars(one)["_dispatcher"] = returned  # as numba's do where a signal comes while they return
    with pytest.raises(KeyboardInterrupt):
        one()
    with pytest.raises(SystemError):
        one()


def test_what_is_no_rule_of_the_signature_is_refused_by_name() -> None:
    def other(size: Any, state: Any) -> Any:
        return 1

    with pytest.raises(KernelError, match=r"other cannot be used: it is compiled for .* not for int64"):
        walked(kernel("int64(int64[::1], uint64)")(other), SIZE, np.uint64(1), 1)
    with pytest.raises(KernelError, match="walked takes rules that are kernels: decorate other"):
        walked(other, SIZE, np.uint64(1), 1)


RULES = """
import sys
import numpy as np
from tests.kernels.test_jit import SIZE, doubling, up, walked
print(walked(up, SIZE, np.uint64(1), 4), walked(doubling, SIZE, np.uint64(1), 4))
if len(sys.argv) > 1:
    print([sum(k.stats.cache_hits.values()) for k in (walked, up, doubling)])
"""


def test_the_next_process_finds_kernel_and_rules_in_the_cache_and_without_the_compiler_all_works(
    tmp_path: Path,
) -> None:
    kept = {"NUMBA_CACHE_DIR": str(tmp_path)}
    assert python(RULES, env=kept).stdout == "13 16\n"
    assert python(RULES, "hits", env=kept).stdout == "13 16\n[1, 1, 1]\n"
    assert python(RULES, env={"NUMBA_DISABLE_JIT": "1"}).stdout == "13 16\n"


RECURSIVE = {
    "itself": """
@kernel
def f(n):
    return 0 if n == 0 else 1 + f(n - 1)
""",
    "itself, with signature": """
@kernel("int64(int64)")
def f(n):
    return 0 if n == 0 else 1 + f(n - 1)
""",
    "itself inlined": """
@inlined
def f(n):
    return 0 if n == 0 else 1 + f(n - 1)
""",
    "in a generator": """
@kernel
def f(n):
    return sum([f(i) for i in range(n)])
""",
    "three in a circle": """
@kernel
def f(n):
    return 0 if n == 0 else 1 + g(n)
@kernel
def g(n):
    return h(n)
@kernel
def h(n):
    return f(n - 1)
""",
    "inside a function": """
def outer():
    @kernel
    def f(n):
        return 0 if n == 0 else 1 + f(n - 1)
outer()
""",
    "two inside a function": """
def outer():
    @kernel
    def f(n):
        return 0 if n == 0 else 1 + g(n)
    @kernel
    def g(n):
        return f(n - 1)
outer()
""",
}
NO_RECURSION = """
@kernel
def size(a):
    return a.size
@kernel
def total(a):
    return size(a) + a.sum()
def outer():
    @kernel
    def total(a):
        return size(a)
    return total
@inlined
def sum(a):
    return total(a)
"""


def made(code: str, module: ModuleType | None = None) -> None:
    module = module or ModuleType("made")
    vars(module).update(kernel=kernel, inlined=inlined)
    exec(code, vars(module))


def test_a_kernel_that_comes_to_call_itself_is_refused_when_it_is_made() -> None:
    """In the next process, which takes its code from the cache, it would end the process."""
    for code in RECURSIVE.values():
        with pytest.raises(KernelError, match=r"made\.[fgh] calls itself( by way of [fg])?: .* loop"):
            made(code)


def test_two_modules_whose_kernels_call_each_other_are_refused() -> None:
    first, second = ModuleType("first"), ModuleType("second")
    for module in (first, second):
        vars(module).update(first=first, second=second)
    made("@kernel\ndef f(n):\n    return second.g(n)\n", first)
    with pytest.raises(KernelError, match=r"second\.g calls itself by way of f"):
        made("@kernel\ndef g(n):\n    return first.f(n)\n", second)


def test_a_kernel_with_the_name_of_an_attribute_is_none_that_calls_itself() -> None:
    made(NO_RECURSION)


def test_who_looks_for_marks_of_other_libraries_compiles_nothing() -> None:
    """pytest asks everything that a test module holds whether it is a mock or a fixture."""
    made = kernel(vars(doubled)["__wrapped__"])
    assert not hasattr(made, "_mock_name")
    assert not hasattr(made, "__marks__")
    assert "_dispatcher" not in vars(made)
    assert hasattr(made, "signatures")
    assert "_dispatcher" in vars(made)
