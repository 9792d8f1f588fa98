"""Lines of pegs again: by the source's argument, and played as text."""

import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from boardspace.spaces.board_division.config import BoardDivisionConfig
from boardspace.spec.equations import Columns, ReadColumns

COLUMNS = ("positions", "fewest", "broken", "touched_jumps", "late_jumps")
PLAYED_PEGS = 80

JUMP_RIGHT, JUMP_LEFT = re.compile(r"(?=([ut][ut])\.)"), re.compile(r"(?=\.([ut][ut]))")
CONDITIONS = re.compile(r"(t?\.)*\.u+\.(\.t?)*")
"""The untouched pegs are consecutive, two empty cells on either side of them, and no two touched pegs adjacent."""


def make_lines(config: BoardDivisionConfig, name: str, read: ReadColumns) -> Mapping[str, Columns]:
    """Every line by formulas; those of up to 80 pegs by all their positions."""
    lengths = np.arange(1, config.lines + 1)
    made: dict[str, Any] = {column: np.zeros(len(lengths), np.int64) for column in COLUMNS}
    pairs = lengths // 2
    made |= {"fewest": lengths - pairs, "positions": (pairs + 1) * (pairs + 2) // 2}
    for n in range(1, min(PLAYED_PEGS, config.lines) + 1):
        for column, value in zip(COLUMNS, played(n), strict=True):
            made[column][n - 1] = value
    return {"lines": {"n": lengths} | made}


def played(n: int) -> tuple[int, int, int, int, int]:
    """All positions of a line as text, u for untouched pegs and t for touched ones: the values of :data:`COLUMNS`."""
    level, positions, broken, touched_jumps, late_jumps = {"." * n + "u" * n + "." * n}, 0, 0, 0, 0
    fewest = n
    while level:
        following = set()
        for line in level:
            broken += "u" in line and CONDITIONS.fullmatch(line) is None
            for pattern, right in ((JUMP_RIGHT, True), (JUMP_LEFT, False)):
                for found in pattern.finditer(line):
                    at = found.start()
                    late_jumps += "u" not in line
                    touched_jumps += "u" in line and found[1] != "uu"
                    following.add(line[:at] + ("..t" if right else "t..") + line[at + 3 :])
        positions += len(level)
        fewest = min(fewest, *(len(line) - line.count(".") for line in level))
        level = following
    return positions, fewest, broken, touched_jumps, late_jumps
