"""The kernels are right as plain Python, too: what only compiled code gets away with would show.

A pass of the quick tests of small boards (Klotski has none: its classes are large) with numba's compiler off; among the
slow tests, all kernel tests with bounds checked. Both in a process of their own, where numba reads its settings once.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SMALL = (
    "tests/kernels/solitaire/test_board.py",
    "tests/kernels/solitaire/test_play.py",
    "tests/kernels/five_in_a_row/test_board.py",
    "tests/kernels/board_division/test_line.py",
    "tests/kernels/board_division/test_tromino_rule.py",
    "tests/kernels/board_division/test_replay.py",
    "tests/kernels/sliding_blocks/test_tray.py::test_words_shapes_moves_and_corners_are_those_of_their_definitions",
    "tests/kernels/sliding_blocks/test_survey.py::test_groups_are_those_of_unit_moves[2-4]",
)


def passes(tests: tuple[str, ...], setting: str, tmp_path: Path) -> None:
    environment = {**os.environ, setting: "1", "NUMBA_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", *tests]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-4000:]
    assert " passed" in done.stdout


@pytest.mark.thorough
def test_small_boards_without_the_compiler(tmp_path: Path) -> None:
    passes(SMALL, "NUMBA_DISABLE_JIT", tmp_path)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(
    "room", ["solitaire", "klotski", "five_in_a_row", "board_division", "sliding_blocks", "rush_hour"]
)
def test_every_kernel_with_bounds_checked(room: str, tmp_path: Path) -> None:
    passes((f"tests/kernels/{room}",), "NUMBA_BOUNDSCHECK", tmp_path)
