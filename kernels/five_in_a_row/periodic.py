"""From small boards to all boards: what a computed board proves of every larger one in its class modulo k.

Let L(N, M) be the stones of the best lattice window (see :mod:`.lattice`), so X <= L and L(N +
k, M) = L(N, M) + M.

Stones. The lowest k rows of an (N + k) x M board hold a stone in each of the M columns, and the N rows above need
X(N, M), so X(N + k, M) >= X(N, M) + M. Hence X = L on N x M implies X = L on (N + k) x M, and so on; and the same for
columns.

Placements. Suppose that X = L, that all optimal placements of N x M are lattice windows, that N >= k + 2 and M >= k,
and that all best cells are linear (row y has its stone at column s y + t modulo k). Take an optimal placement of (N +
k) x M. Its lowest k rows hold at least M stones and its upper N rows at least X(N, M), and there are exactly that
many in all, so the upper N rows are an optimal placement, a window of a lattice. By the same token so are the lowest
N rows. The two windows share N - k >= 2 rows of M >= k cells; one such row tells t, the next tells s, so they are
windows of one lattice, and the whole placement is a window of it. It has L stones, so it is one that the construction
finds. Hence the construction is complete for (N + k) x M too.

For k = 5 this carries the boards up to 11 x 11 to all boards, which the source states and does not prove: its
argument takes for granted that every 5 x 5 block of an optimal placement is a best cell.
"""

from collections.abc import Mapping
from dataclasses import dataclass

Sides = tuple[int, int]


@dataclass(frozen=True)
class Computed:
    """What an exhaustive search said of a board: is the lattice window optimal, and are all optimal placements
    windows?"""

    lattice_is_optimal: bool
    complete: bool


def base_of(k: int, sides: Sides) -> Sides:
    """The smallest board from which both stones and completeness may be carried to ``sides``: no side above 2k + 1."""
    return tuple(side if side < 2 * k + 2 else k + 2 + (side - k - 2) % k for side in sides)  # type: ignore[return-value]


def stones_from(k: int, sides: Sides, computed: Mapping[Sides, Computed]) -> Sides | None:
    """The smallest computed board that proves X = L for ``sides``, None where none does."""
    return min((base for base in _bases(k, sides, computed) if computed[base].lattice_is_optimal), default=None)


def completeness_from(k: int, sides: Sides, computed: Mapping[Sides, Computed]) -> Sides | None:
    """The smallest computed board that proves the construction complete for ``sides``, None where none does."""
    return min((base for base in _bases(k, sides, computed) if _carries(k, base, sides, computed[base])), default=None)


def _bases(k: int, sides: Sides, computed: Mapping[Sides, Computed]) -> list[Sides]:
    """The computed boards from which ``sides`` is reached by adding k rows or k columns at a time."""
    return [
        base
        for base in computed
        if all(k <= small <= large and (large - small) % k == 0 for small, large in zip(base, sides, strict=True))
    ]


def _carries(k: int, base: Sides, sides: Sides, found: Computed) -> bool:
    wide_enough = all(small == large or small >= k + 2 for small, large in zip(base, sides, strict=True))
    return found.lattice_is_optimal and found.complete and wide_enough
