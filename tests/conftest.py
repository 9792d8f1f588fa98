"""The toy space is plugged in for every test; the variable is inherited by the commands and workers tests start."""

import atexit
import gc
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import psutil
import pytest
from hypothesis import HealthCheck, settings

os.environ["BOARDSPACE_SPACES"] = "tests.toy"

from boardspace.engine import gpu
from boardspace.engine.machine import cpus
from tests.draws import begin_draws
from tests.shared import compile_kernels

# A shell starts what it puts into the background with Ctrl-C ignored, and the commands under test would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Files of half a minute and more on a busy machine, those of the thorough tests and of columns first.
LONGEST = (
    "test_pages",
    "test_every_page",
    "test_altered_columns",
    "test_jit_cache",
    "test_faults",
    "test_bucket_run",
    "test_solitaire_classes",
    "test_hostile_servers",
    "test_instances",
    "test_bad_places",
    "test_solitaire",
    "test_bucket_faults",
    "test_rush_hour",
    "test_local_cluster",
    "test_five_in_a_row",
    "test_new_space",
    "test_sparse",
    "test_progress_file",
    "test_board_division",
    "test_hostile_rows",
    "test_retention_killed",
    "test_release",
    "test_class_moves",
    "test_registry",
    "test_hostile_input",
    "test_arguments",
)

# Folders whose every test has the marker of that name.
WHOLE_FOLDERS = ("browser", "cluster")

# Files of tests lie here, if there is room: a third of the time was spent waiting until a disk has them, and no
# test can tell (what is killed is processes, never the machine).
MEMORY = Path("/dev/shm")
MEMORY_FOR_FILES = 4 << 30

# Kernels compile at their first call, and machines are busy: a test is right or wrong, not slow. Its cases are the same
# each time, so a fault comes from the change at hand; pytest --hypothesis-profile campaign tries others.
unhurried = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("boardspace", unhurried, derandomize=True)
settings.register_profile("campaign", unhurried, max_examples=2000)
settings.load_profile("boardspace")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Hosts in network namespaces have a memory of their own, so their tests stay on the disk. Nothing is garbage while
    tests are collected: looking for it took a sixth of the time."""
    gc.disable()
    if hasattr(config, "workerinput"):  # a process that shares the tests would take seconds to clear what it holds
        atexit.register(os._exit, 0)
    if config.option.markexpr != "cluster" and _has_room(MEMORY):
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))
        if not config.option.markexpr.startswith("wheel"):  # which has images of containers made there
            os.environ.setdefault("TMPDIR", str(MEMORY))


def _has_room(folder: Path) -> bool:
    if not folder.is_dir() or os.statvfs(folder).f_flag & os.ST_NOEXEC:
        return False
    return min(shutil.disk_usage(folder).free, psutil.virtual_memory().available // 2) > MEMORY_FOR_FILES


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One more than there are cores, for the time spent waiting for other processes; each collects all tests anew."""
    return cpus() + 1


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Folders whose tests are all left out are not imported."""
    left_out = (Path(__file__).parent / name for name in WHOLE_FOLDERS if f"not {name}" in config.option.markexpr)
    return True if collection_path in left_out else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files that take longest begin first, so that processes that share the tests end together."""
    items.sort(key=lambda item: LONGEST.index(item.path.stem) if item.path.stem in LONGEST else len(LONGEST))


def pytest_collection_finish(session: pytest.Session) -> None:
    """What was collected stays as long as pytest runs, and is not looked through again. What tests leave is looked
    through whole a tenth as often as Python would: that took a fortieth of the time, and most garbage is young."""
    gc.freeze()
    young, middle, old = gc.get_threshold()
    gc.set_threshold(young, middle, 10 * old)
    gc.enable()
    atexit.register(gc.unfreeze)  # duckdb complains of what Python does not clear at its end


# Each process of pytest would rewrite the assertions of all tests, where no bytecode of them lies there.
COLLECT = "import pytest; pytest.main(['--collect-only', '-qq', 'tests'])"


def pytest_sessionstart(session: pytest.Session) -> None:
    """Processes that share the tests would each compile kernels and tests: have it done before they start."""
    if getattr(session.config.option, "numprocesses", None):
        tests = Path(__file__).parent
        code = [] if any(tests.rglob("*-pytest-*.pyc")) else [COLLECT]
        with ExitStack() as started:
            for one in code:
                process = subprocess.Popen([sys.executable, "-c", one], cwd=tests.parent, stdout=subprocess.DEVNULL)
                started.enter_context(process)
            compile_kernels()


@pytest.fixture(autouse=True)
def draws() -> None:
    """Each test begins with the same draw."""
    begin_draws()


@pytest.fixture
def simulated_gpu() -> Iterator[None]:
    """GPUs are numba's simulator."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NUMBA_ENABLE_CUDASIM", "1")
        patch.setattr("numba.config.ENABLE_CUDASIM", 1)  # read when numba was imported
        from tests.simulator import Block  # and with it numba's simulator

        patch.setattr("numba.cuda.simulator.kernel.BlockManager", Block)
        gpu.found.cache_clear()
        yield
        gpu.found.cache_clear()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """What everyone runs says what it leaves out."""
    if config.option.markexpr in config.getini("addopts"):
        terminalreporter.line("left out: pytest -m slow, -m thorough, -m gpu; make columns, browser, wheel and cluster")
