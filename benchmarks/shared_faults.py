"""Would an error be found that writer and equation share? It is put into the kernels *and* the second rules of a space.

    python -m benchmarks.shared_faults --count 10 --seed 1 --folder /tmp/shared

``verify`` cannot see such an error: what a table says follows from the rules as it should. So the slow oracles of
``tests/naive`` share nothing with either. Faults are drawn from :data:`FAULTS` and put, one at a time, into a copy of
this checkout, where the tests that compare kernels with oracles are run; they have to pass without a fault. With
``--verify`` a small run is made and verified in the copy as well, to see whether its equations hold.
"""

import argparse
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
KERNELS, SPACES = "kernels/boardspace_kernels", "pipeline/boardspace/spaces"


@dataclass(frozen=True)
class Fault:
    """The same error in a kernel and in the second rules.

    name: what is wrong.
    space: whose.
    edits: by file, texts that are each there once, with what they become.
    tests: of ``tests/kernels/SPACE``, those that compare with oracles.
    compiled: the tests need kernels as machine code.
    """

    name: str
    space: str
    edits: Mapping[str, Mapping[str, str]]
    tests: str
    compiled: bool = False


def _exit(cell: int) -> Fault:
    edits = {
        f"{KERNELS}/klotski/board.py": {"\nEXIT = 13\n": f"\nEXIT = {cell}\n"},
        f"{SPACES}/klotski/texts.py": {"\nEXIT = 13\n": f"\nEXIT = {cell}\n"},
        f"{SPACES}/klotski/rules.py": {
            "sum(1 << columns * (rows - 2) + column for column in {(columns - 2) // 2, (columns - 1) // 2})": str(
                1 << cell
            )
        },
    }
    return Fault(f"the exit of Klotski is at cell {cell}", "klotski", edits, "test_solutions.py", compiled=True)


def _empties(number: int) -> Fault:
    edits = {
        f"{KERNELS}/klotski/board.py": {"\nEMPTIES_WANTED = 2\n": f"\nEMPTIES_WANTED = {number}\n"},
        f"{SPACES}/klotski/rules.py": {"\nEMPTIES = 2\n": f"\nEMPTIES = {number}\n"},
        f"{SPACES}/klotski/filling.py": {"\nEMPTIES = 2\n": f"\nEMPTIES = {number}\n"},
    }
    return Fault(f"a layout needs {number} empty cells", "klotski", edits, "test_trays.py", compiled=True)


def _lines(missing: int) -> Fault:
    kernel = {"starts = (self.after >= self.k - 1).T": f"starts = (self.after >= self.k - 1 + {missing}).T"}
    rule = {
        "range(side - k + 1) if step > 0 else range(k - 1, side)": f"range(side - k + 1 - {missing}) if step > 0 "
        f"else range(k - 1 + {missing}, side)"
    }
    edits = {f"{KERNELS}/five_in_a_row/board.py": kernel, f"{SPACES}/five_in_a_row/rules.py": rule}
    return Fault(f"lines end {missing} cells before the edge", "five_in_a_row", edits, "test_board.py")


def _headings(steps: str) -> Fault:
    edits = {
        f"{KERNELS}/five_in_a_row/board.py": {"itertools.product((0, 1, -1), ": f"itertools.product({steps}, "},
        f"{SPACES}/five_in_a_row/rules.py": {"in product((0, 1, -1), ": f"in product({steps}, "},
    }
    return Fault(f"lines go by steps of {steps}", "five_in_a_row", edits, "test_board.py")


def _fewest(kernel: Mapping[str, str], rule: Mapping[str, str]) -> Fault:
    edits = {f"{KERNELS}/board_division/fewest_pegs.py": kernel, f"{SPACES}/board_division/rules.py": rule}
    name = f"the fewest pegs of a rectangle are {next(iter(rule.values()))}"
    return Fault(name, "board_division", edits, "test_rectangle_value.py")


def _trominoes(kernel: Mapping[str, str], rule: Mapping[str, str]) -> Fault:
    edits = {f"{KERNELS}/board_division/cover_strips.py": kernel, f"{SPACES}/board_division/rules.py": rule}
    return Fault(f"trominoes of a strip are {next(iter(rule.values()))}", "board_division", edits, "test_strips.py")


def _directions(grid: str, kernel: Mapping[str, str], rule: Mapping[str, str]) -> Fault:
    edits = {f"{KERNELS}/solitaire/board.py": kernel, f"{SPACES}/solitaire/rules.py": rule}
    return Fault(f"a direction of the {grid} grid is another", "solitaire", edits, "test_board.py test_moves.py")


def _symmetries(number: int) -> Fault:
    edits = {
        f"{KERNELS}/sliding_blocks/tray.py": {
            "[bits, bits.transpose(0, 2, 1)] if rows == columns else [bits]": "[bits]"
        },
        f"{SPACES}/sliding_blocks/rules.py": {"range(8 if tray.rows == tray.columns else 4)": f"range({number})"},
    }
    return Fault(f"a square tray has {number} symmetries", "sliding_blocks", edits, "test_tray.py")


FAULTS = (
    *map(_exit, (9, 12, 14)),
    *map(_empties, (1, 3)),
    *map(_lines, (1, 2)),
    *map(_headings, ("(0, 1)", "(0, 1, -2)")),
    _fewest(
        {
            "return (max(m, n) + 1) // 2": "return max(m, n) // 2 + 1",
            "(np.maximum(m, n) + 1) // 2": "np.maximum(m, n) // 2 + 1",
        },
        {"return (max(m, n) + 1) // 2": "return max(m, n) // 2 + 1"},
    ),
    _fewest(
        {
            "return 2 if m % 3 == 0 or n % 3 == 0 else 1": "return 2 if m % 4 == 0 or n % 4 == 0 else 1",
            "(m % 3 == 0) | (n % 3 == 0)": "(m % 4 == 0) | (n % 4 == 0)",
        },
        {"return 2 if 0 in (m % 3, n % 3) else 1": "return 2 if 0 in (m % 4, n % 4) else 1"},
    ),
    _trominoes(
        {"[(two, here), (two, below), (here, two)]": "[(two, here), (two, below)]"},
        {"1 | 2 | beside << 1, 1 | beside | beside << 1]": "1 | 2 | beside << 1]"},
    ),
    _trominoes(
        {"shapes += [(here, here | here >> 1)] if here > 1 else []": "shapes += []"},
        {"pieces += [1 | beside | beside >> 1] if cell else []": "pieces += []"},
    ),
    _directions(
        "triangular",
        {"(0, 1), (1, 1), (1, 0), (0, -1), (-1, -1), (-1, 0)": "(0, 1), (1, -1), (1, 0), (0, -1), (-1, 1), (-1, 0)"},
        {"[(1, 1)] * (text.grid": "[(1, -1)] * (text.grid"},
    ),
    _directions(
        "square",
        {"((0, 1), (1, 0), (0, -1), (-1, 0)),": "((0, 1), (1, 0), (0, -1)),"},
        {"for a, b in axes for s in (1, -1)}\n": "for a, b in axes for s in (1, -1)} - {(-1, 0)}\n"},
    ),
    _symmetries(4),
)
SMALL = {
    "klotski": '[klotski]\nclasses = ["7-0-3"]\n',
    "five_in_a_row": "[five_in_a_row]\nsquares = [[3, 5]]\n",
    "board_division": "[board_division]\nspecial_boards = 2\ncover_counts = 4\nvalues = 20\nsequences = 4\n",
    "solitaire": '[solitaire]\nlevels = ["triangle15/corner"]\n',
    "sliding_blocks": "[sliding_blocks]\ntrays = [[3, 3]]\n",
}
"""Configurations of small runs."""


class Copy:
    """A copy of this checkout, with one fault at a time."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "copy"
        for name in ("kernels", "pipeline", "tests", "configs", "benchmarks"):
            ignored = shutil.ignore_patterns("__pycache__", "bundle")
            shutil.copytree(ROOT / name, self.folder / name, ignore=ignored, dirs_exist_ok=True)
        shutil.copy(ROOT / "pyproject.toml", self.folder)

    def passes(self, fault: Fault) -> bool:
        """Run the tests of a fault; true where none fails."""
        tests = [f"tests/kernels/{fault.space}/{name}" for name in fault.tests.split()]
        code = self._run("pytest", "-q", "-x", "-n0", "-p", "no:cacheprovider", *tests, compiled=fault.compiled)
        if code not in (0, 1):
            raise SystemExit(f"the tests of {fault.name!r} cannot be run: exit code {code}")
        return code == 0

    def verdict(self, fault: Fault) -> str:
        """Result of verifying a small run."""
        (self.folder / "small.toml").write_text(SMALL[fault.space], encoding="utf-8")
        shutil.rmtree(self.folder / "out", ignore_errors=True)
        if self._run("boardspace", "run", "small.toml", "--out", "out", "--workers", "0", compiled=True):
            return "no run can be made"
        return "verify finds it" if self._run("boardspace", "verify", "out", compiled=True) else "verify finds nothing"

    def put(self, fault: Fault, back: bool = False) -> None:
        """Put a fault in, or take it out again."""
        for name, edits in fault.edits.items():
            path = self.folder / name
            text = path.read_text(encoding="utf-8")
            for before, after in edits.items():
                if not back and text.count(before) != 1:
                    raise SystemExit(f"{name}: {before!r} is there {text.count(before)} times, not once")
                text = text.replace(before, after)
            path.write_text((ROOT / name).read_text(encoding="utf-8") if back else text, encoding="utf-8")

    def _run(self, module: str, *arguments: str, compiled: bool) -> int:
        settings = {
            "PYTHONPATH": os.pathsep.join(str(self.folder / name) for name in ("kernels", "pipeline", "")),
            "PYTHONDONTWRITEBYTECODE": "1",
            "XDG_CACHE_HOME": str(self.folder.parent / "code"),
            "NUMBA_DISABLE_JIT": str(int(not compiled)),
        }
        with (self.folder.parent / "log").open("ab") as log:
            command = [sys.executable, "-m", module, *arguments]
            done = subprocess.run(command, cwd=self.folder, env={**os.environ, **settings}, stdout=log, stderr=log)
        return done.returncode


def main() -> None:
    """Draw faults, and print which of them the oracles find."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, required=True, help="the copy of this checkout, and a log")
    parser.add_argument("--verify", action="store_true", help="also verify small runs that have the faults; minutes")
    given = parser.parse_args()
    drawn = random.Random(given.seed).sample(FAULTS, min(given.count, len(FAULTS)))
    given.folder.mkdir(parents=True, exist_ok=True)
    copy, found = Copy(given.folder.resolve()), 0
    for fault in drawn:
        if not copy.passes(fault):
            raise SystemExit(f"{fault.tests} of {fault.space} fail without a fault; see {given.folder / 'log'}")
        copy.put(fault)
        noticed = not copy.passes(fault)
        verdict = f"; {copy.verdict(fault)}" if given.verify else ""
        copy.put(fault, back=True)
        found += noticed
        print(f"{'found' if noticed else 'NOT FOUND'}: {fault.space}: {fault.name}{verdict}", flush=True)
    print(f"{found} of {len(drawn)} found by the oracles, drawn from {len(FAULTS)} by {given.seed}")


if __name__ == "__main__":
    main()
