"""Checks of lines: every row by the source's argument, some lines played as text."""

import re

from boardspace.spaces.board_division.checking import Faults, difference
from boardspace.spaces.board_division.config import BoardDivisionConfig
from boardspace.spec.space import Draw, Inputs, Outcome, outcome

COLUMNS = ("positions", "fewest", "broken", "touched_jumps", "late_jumps")
WHOLE_PEGS = 24
LONGER_LINES = 6

JUMP_RIGHT, JUMP_LEFT = re.compile(r"(?=([ut][ut])\.)"), re.compile(r"(?=\.([ut][ut]))")
CONDITIONS = re.compile(r"(t?\.)*\.u+\.(\.t?)*")
"""The untouched pegs are consecutive, two empty cells on either side of them, and no two touched pegs adjacent."""


def check_lines(config: BoardDivisionConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Every line by formulas; short ones, and some longer ones, by all their positions."""
    return outcome(_lines(config, inputs, draw), of=config.lines)


def _lines(config: BoardDivisionConfig, inputs: Inputs, draw: Draw) -> Faults:
    lengths = range(1, config.lines + 1)
    pairs = [n // 2 for n in lengths]
    expected = {"n": lengths, "fewest": [n - n // 2 for n in lengths]}
    expected |= {"positions": [(pair + 1) * (pair + 2) // 2 for pair in pairs]}
    table = inputs.table("lines")
    fault = difference(
        table, {**expected, **dict.fromkeys(("broken", "touched_jumps", "late_jumps"), [0] * len(pairs))}
    )
    if fault:
        yield fault
        return
    yield from ("" for _ in lengths)
    longer = [n for n in lengths if n > WHOLE_PEGS]
    for n in [*lengths[:WHOLE_PEGS], *(longer[number] for number in draw.choose(len(longer), LONGER_LINES))]:
        found = tuple(table.column(name)[n - 1].as_py() for name in COLUMNS)
        if found != played(n):
            yield f"line of {n}: {dict(zip(COLUMNS, played(n), strict=True))}, the table has {found}"


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
