"""The line: every position of 1 x n pegs, and the argument that ceil(n/2) of them stay.

Pegs of a line never leave it, for a jump across it would need two pegs side by side across it. Call a peg untouched
until it jumps or is jumped over. While any are left,

    (1) the untouched pegs are consecutive;
    (2) left of them no two pegs are adjacent, and the two cells next to the leftmost untouched peg are empty;
    (3) the same on the right;

hence both pegs of the next jump are untouched: a touched one has no neighbour. Such a jump takes the outermost two on
one side and leaves one peg, so (1) to (3) hold again. The untouched pegs thus go in pairs, n // 2 jumps at most; after
that no two pegs are adjacent, and ceil(n/2) stay. With that only the jumps made on either side tell positions apart, so
there are about n^2/8 of them, and a search that knows nothing of the argument can visit all and check each step of it.

Positions are integers with one bit per cell, so that all jumps of a kind are found by three shifts. The line starts
2n cells from the end of the word, and n - 1 jumps of two cells cannot leave it. Source: the proof for m = 1 of the
source text, with its conditions and lemmas.
"""

from typing import NamedTuple

from boardspace_kernels.board_division.jumps import require_rectangle


class LineReached(NamedTuple):
    """Findings of a search of all positions of a line.

    positions: how many there are, untouched pegs marked.
    fewest: the fewest pegs of any.
    broken: positions with untouched pegs that break (1), (2) or (3).
    touched_jumps: jumps by or over a touched peg while untouched ones are left.
    late_jumps: such jumps when none is left.
    """

    positions: int
    fewest: int
    broken: int
    touched_jumps: int
    late_jumps: int


def holds_conditions(pegs: int, untouched: int) -> bool:
    """Return whether conditions (1), (2) and (3) hold; ``untouched`` is not 0."""
    first = untouched & -untouched
    beyond = untouched + first
    left, right = pegs & (first - 1), pegs & -beyond
    consecutive = untouched & beyond == 0
    apart = left & left << 1 == 0 and right & right << 1 == 0
    return consecutive and apart and not pegs & (first >> 1 | first >> 2 | beyond | beyond << 1)


def _jumps(pegs: int) -> list[tuple[int, int, int]]:
    """The cells (from, over, landing) of every jump along the line, as words with one bit each."""
    found = []
    left, right = pegs & pegs << 1 & ~(pegs << 2), pegs & pegs >> 1 & ~(pegs >> 2)
    while left:
        peg = left & -left
        found.append((peg, peg >> 1, peg >> 2))
        left ^= peg
    while right:
        peg = right & -right
        found.append((peg, peg << 1, peg << 2))
        right ^= peg
    return found


def search_line(n: int) -> LineReached:
    """Visit every position of a line of ``n`` pegs. Raises :class:`RectangleError` for n out of range."""
    require_rectangle(1, n)
    full = ((1 << n) - 1) << 2 * n
    level, pegs_left = {(full, full)}, n
    positions = broken = touched_jumps = late_jumps = 0
    while level:
        following = set()
        positions += len(level)
        fewest = pegs_left
        for pegs, untouched in level:
            broken += bool(untouched) and not holds_conditions(pegs, untouched)
            for peg, over, landing in _jumps(pegs):
                late_jumps += not untouched
                touched_jumps += bool(untouched) and untouched & (peg | over) != peg | over
                following.add((pegs & ~(peg | over) | landing, untouched & ~(peg | over)))
        level, pegs_left = following, pegs_left - 1
    return LineReached(positions, fewest, broken, touched_jumps, late_jumps)
