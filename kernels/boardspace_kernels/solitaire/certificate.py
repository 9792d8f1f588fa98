"""A certificate that a problem needs N moves, and a checker that trusts nothing.

The certificate is a claim (a board, a start, a goal, symmetries and a game of N moves) and layers F(0), ..., F(a) and
B(0), ..., B(b) of positions, with a + b = N - 1. Write G F for all images of positions of F under the symmetries. The
checker verifies, from the cells of the board alone, that

1. the symmetries are permutations of the holes that map jumps to jumps, keep start and goal, and form a group G;
2. F(0) holds the start, and every move from a position of F(k) leads into G F(k + 1);
3. B(0) holds the goal, and every move taken back from a position of B(k) leads into G B(k + 1);
4. no position of F(i) is in G B(j) where j = 0, or where i = a;
5. the game is one: its N moves lead from start to goal.

By 2 and induction, G F(k) holds every position that exactly k moves lead to: the images of a move are moves, so what is
shown for the positions of F(k) holds for their images. By 3, G B(k) holds every position from which exactly k moves
lead to the goal. A game of n < N moves would have after i = min(a, n) moves a position of both G F(i) and G B(n - i),
against 4. So N moves are needed, and by 5 they suffice. Layers may hold too much: that cannot make a false proof pass.

The conditions speak of one layer, or of two, at a time, and 2 and 3 of each position of a layer alone, so they can be
checked in parts; ``check_certificate`` checks them all.

A position here is a word without bits beyond the last hole. A word with such bits is no position, and would be fatal:
its images have lost them, so that as part of F(k + 1) it would stand for a position that it never meets as part of
F(a). Every step refuses such words, wherever they stand.

The checker shares no code with the search. It knows a board as a set of cells and works on whole arrays: for each hole
it keeps the positions in which a peg that is in the course of its move stands there.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Layer = NDArray[np.uint64]
Jump = tuple[int, int, int]

AXES = {"square": ((0, 1), (1, 0)), "triangular": ((0, 1), (1, 0), (1, 1))}
AT_ONCE = 1 << 17
PART = 11
"""Holes whose images are looked up together."""
IN_CACHE = 1 << 15
"""Positions whose images are looked up before those of others, so that they stay in the processor's cache."""


class CertificateError(ValueError):
    """The certificate does not prove its claim; the text says where it fails."""


class Claim(NamedTuple):
    """That the game, of ``len(game)`` moves, is a shortest one.

    grid: ``square`` or ``triangular``.
    cells: (row, column) of hole 0, 1, ....
    start: a position, hole i as bit i.
    goal: a position.
    symmetries: each a list of the holes that holes 0, 1, ... go to.
    game: for each move the holes its peg stood in.
    """

    grid: str
    cells: Sequence[tuple[int, int]]
    start: int
    goal: int
    symmetries: Sequence[Sequence[int]]
    game: Sequence[Sequence[int]]


class Proof(NamedTuple):
    """Findings of the verification: moves needed; positions expanded, and results of their moves found in the next
    layer."""

    moves: int
    positions: int
    results: int


def check_certificate(claim: Claim, forward: Sequence[Layer], backward: Sequence[Layer]) -> Proof:
    """Verify all five conditions; CertificateError names the first that fails, with the position or move at fault."""
    check_claim(claim)
    if not len(forward) or not len(backward):
        raise CertificateError("a side has no layers, not even the one to begin with")
    results = 0
    for layers, plays in ((forward, True), (backward, False)):
        check_root(claim, plays, layers[0])
        results += sum(check_step(claim, plays, *pair) for pair in pairwise(layers))
    check_lengths(claim, len(forward) - 1, len(backward) - 1)
    for i, layer in enumerate(forward):
        check_apart(claim, layer, backward[0])
        if i == len(forward) - 1:
            for other in backward[1:]:
                check_apart(claim, layer, other)
    return Proof(len(claim.game), sum(map(len, [*forward[:-1], *backward[:-1]])), results)


def check_claim(claim: Claim) -> None:
    """Conditions 1 and 5, and that the claim is one about positions of a board."""
    _check_integers(claim)
    jumps = jumps_of(claim)
    for name, position in (("start", claim.start), ("goal", claim.goal)):
        if not 0 <= position < 1 << len(claim.cells):
            raise CertificateError(f"the {name} {position:#x} has pegs outside the board's {len(claim.cells)} holes")
    check_symmetries(claim, jumps)
    _check_game(claim, jumps)


def check_lengths(claim: Claim, a: int, b: int) -> None:
    """That layers up to F(a) and B(b) are the ones that the claim needs."""
    if a + b != len(claim.game) - 1:
        raise CertificateError(
            f"layers up to {a} and {b} moves prove {a + b + 1} moves, the game has {len(claim.game)}"
        )


def check_root(claim: Claim, plays: bool, layer: Layer) -> None:
    """That F(0) holds the start (``plays``), or B(0) the goal."""
    root = claim.start if plays else claim.goal
    if not np.any(_positions(claim, layer) == np.uint64(root)):
        raise CertificateError(f"{_side(plays)} layer 0 does not hold {root:#x}, where it has to begin")


def check_step(claim: Claim, plays: bool, layer: Layer, following: Layer) -> int:
    """Condition 2 (``plays``) or 3, for the positions of ``layer``, any part of F(k) or B(k), uint64 (p).

    following: uint64 (q), all of the layer after it. Returns how many results of moves were found in it.
    """
    images = _all_images(claim, following)
    steps = [(a, b, c, True) if plays else (c, b, a, False) for a, b, c in jumps_of(claim)]
    layer = _positions(claim, layer)
    found = 0
    for begin in range(0, len(layer), AT_ONCE):
        results = list(results_of(layer[begin : begin + AT_ONCE], len(claim.cells), steps))
        # Looked up all at once: the closer words lie to one another, the quicker each is found.
        # In place of equal results one is looked up, but all of them are counted.
        different = _distinct(np.concatenate(results)) if results else layer[:0]
        missing = different[~_is_in(different, images)]
        if len(missing):
            raise CertificateError(
                f"a move {_side(plays)} leads to {int(missing[0]):#x}, which the next layer does not hold"
            )
        found += sum(map(len, results))
    return found


def check_apart(claim: Claim, forward: Layer, backward: Layer) -> None:
    """Condition 4 for one F(i), or a part of it, and one B(j)."""
    images, forward = _all_images(claim, backward), _positions(claim, forward)
    shared = forward[_is_in(forward, images)]
    if len(shared):
        raise CertificateError(f"{int(shared[0]):#x} is in a forward and a backward layer that must not meet")


def _side(plays: bool) -> str:
    return "forward" if plays else "backward"


def _positions(claim: Claim, layer: Layer) -> Layer:
    """The layer itself, where it holds positions of the board and nothing else."""
    if layer.dtype != np.uint64 or layer.ndim != 1:
        raise CertificateError(f"a layer is {layer.ndim} dimensions of {layer.dtype}; it has to be one of uint64")
    highest = int(layer.max(initial=0))
    if highest >> len(claim.cells):
        raise CertificateError(f"a layer holds {highest:#x}, with pegs outside the board's {len(claim.cells)} holes")
    return layer


def _check_integers(claim: Claim) -> None:
    """That every number of the claim is an integer: in a document from elsewhere 1.0 or true would pass for 1."""
    lists = (*claim.cells, (claim.start, claim.goal), *claim.symmetries, *claim.game)
    for number in (number for numbers in lists for number in numbers):
        if type(number) is not int:
            raise CertificateError(f"the claim holds {number!r} where an integer has to stand")


def jumps_of(claim: Claim) -> list[Jump]:
    """(from, over, to) of every jump, by the cells alone."""
    hole = {tuple(cell): number for number, cell in enumerate(claim.cells)}
    pairs = all(len(cell) == 2 for cell in claim.cells)
    if not pairs or len(hole) != len(claim.cells) or not 0 < len(hole) <= 64 or claim.grid not in AXES:
        raise CertificateError("the board is not a set of 1 to 64 cells of a square or triangular grid")
    lines = [
        [hole.get((row + step * down, column + step * right)) for step in (-1, 0, 1)]
        for row, column in claim.cells
        for down, right in AXES[claim.grid]
    ]
    whole = [(a, b, c) for a, b, c in lines if a is not None and b is not None and c is not None]
    # Axes are given one way, so each line of three holes is also read the other way.
    return whole + [(c, b, a) for a, b, c in whole]


def check_symmetries(claim: Claim, jumps: list[Jump]) -> None:
    """CertificateError where the symmetries are no group of maps of jumps to jumps that keep start and goal."""
    group = {tuple(symmetry) for symmetry in claim.symmetries}
    holes = list(range(len(claim.cells)))
    if tuple(holes) not in group:
        raise CertificateError("the symmetries lack the identity")
    for symmetry in group:
        if sorted(symmetry) != holes:
            raise CertificateError(f"symmetry {symmetry} is not a permutation of the holes")
        if {(symmetry[a], symmetry[b], symmetry[c]) for a, b, c in jumps} != set(jumps):
            raise CertificateError(f"symmetry {symmetry} does not map jumps to jumps")
        for position in (claim.start, claim.goal):
            if sum(1 << symmetry[h] for h in holes if position >> h & 1) != position:
                raise CertificateError(f"symmetry {symmetry} does not keep start and goal")
    # A finite set of permutations that has all its products has all inverses, too.
    if any(tuple(one[h] for h in other) not in group for one in group for other in group):
        raise CertificateError("the symmetries do not form a group")


def _check_game(claim: Claim, jumps: list[Jump]) -> None:
    over = {(a, c): b for a, b, c in jumps}
    position = claim.start
    for number, stops in enumerate(claim.game, 1):
        if len(stops) < 2:
            raise CertificateError(f"move {number} of the game has no jump")
        for a, c in pairwise(stops):
            if (a, c) not in over or position & (1 << a | 1 << over[a, c] | 1 << c) != 1 << a | 1 << over[a, c]:
                raise CertificateError(f"move {number} of the game: no jump from hole {a} to hole {c} in {position:#x}")
            position ^= 1 << a | 1 << over[a, c] | 1 << c
    if position != claim.goal:
        raise CertificateError(f"the game ends at {position:#x}, not at the goal")


def results_of(layer: Layer, holes: int, steps: list[tuple[int, int, int, bool]]) -> Iterator[Layer]:
    """The results of all moves; each step is (from, over, to, whether the hole gone over has to hold a peg)."""
    standing = {h: [layer[layer >> np.uint64(h) & np.uint64(1) == 1]] for h in range(holes)}
    # Each jump takes a peg off, or puts one back, so the rounds end.
    while standing:
        landed: dict[int, list[Layer]] = {}
        for begin, over, end, full in steps:
            three = np.uint64(1 << begin | 1 << over | 1 << end)
            pattern = np.uint64(1 << begin | full << over)
            for positions in standing.get(begin, ()):
                after = positions[positions & three == pattern] ^ three
                if len(after):
                    landed.setdefault(end, []).append(after)
        # However a peg came to a hole, it goes on alike: so equal positions are joined here, one array for each hole.
        standing = {end: [_distinct(np.concatenate(parts))] for end, parts in landed.items()}
        yield from (results for (results,) in standing.values())


def _distinct(positions: Layer) -> Layer:
    """The positions in ascending order, without repeats."""
    # In place, as all callers give an array of their own.
    positions.sort()
    return positions[np.concatenate([[True], positions[1:] != positions[:-1]])]


def _all_images(claim: Claim, layer: Layer) -> Layer:
    """G F(k) or G B(k) of a whole layer: all images of its positions, ascending; a position may be there twice."""
    flat = images_of(_positions(claim, layer), claim.symmetries).ravel()
    flat.sort()
    return flat


def images_of(layer: Layer, symmetries: Sequence[Sequence[int]]) -> Layer:
    """uint64 (symmetries, p): the images of positions of the board, uint64 (p)."""
    images = np.zeros((len(symmetries), len(layer)), dtype=np.uint64)
    for row, symmetry in zip(images, symmetries, strict=True):
        tables = [_part_images(symmetry[low : low + PART]) for low in range(0, len(symmetry), PART)]
        # Each part of the layer passes through all tables while it is in the cache. The rows are views of ``images``.
        for begin in range(0, len(layer), IN_CACHE):
            positions, part = layer[begin : begin + IN_CACHE], row[begin : begin + IN_CACHE]
            for number, table in enumerate(tables):
                part |= table.take((positions >> np.uint64(PART * number) & np.uint64(len(table) - 1)).view(np.int64))
    return images


def _part_images(holes: Sequence[int]) -> Layer:
    """uint64 (2^PART): for each set of so many holes the set of the holes that these go to."""
    sets = np.arange(1 << PART, dtype=np.uint64)
    images = np.zeros_like(sets)
    # Of the last part, which may have fewer holes, the bits above are never set: such words were refused.
    for bit, hole in enumerate(holes):
        images |= (sets >> np.uint64(bit) & np.uint64(1)) << np.uint64(hole)
    return images


def _is_in(positions: Layer, ascending: Layer) -> NDArray[np.bool_]:
    if not len(ascending):
        return np.zeros(len(positions), dtype=np.bool_)
    places = np.minimum(np.searchsorted(ascending, positions), len(ascending) - 1)
    return np.equal(ascending[places], positions)
