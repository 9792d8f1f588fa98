"""Sequences of the OEIS as b-files: a line for each term, and above them what they are and which command made them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count, takewhile
from math import isqrt

from boardspace.oeis.submission import bfile_lines
from boardspace.spaces.five_in_a_row.fewest import FOREVER, fewest
from boardspace.spec.errors import BoardspaceError
from boardspace_kernels.five_in_a_row.best_cells import best_cells
from boardspace_kernels.five_in_a_row.board import Board
from boardspace_kernels.five_in_a_row.structure import count_classes


@dataclass(frozen=True)
class Sequence:
    """A sequence: the index of its first term, its definition, the term at an index, and the side of its board."""

    offset: int
    definition: str
    term: Callable[[int], int]
    side: Callable[[int], int]


def _fewest(n: int, m: int, k: int) -> tuple[int, int]:
    found = fewest(n, m, k, seconds=FOREVER)
    return found.stones, found.count


def _most(n: int, m: int) -> int:
    """Most cells of an n x m board with no three in a row."""
    return n * m - _fewest(n, m, 3)[0]


def on_antidiagonal(index: int) -> tuple[int, int]:
    """The board at a place, from 1, of the list (1, 1), (1, 2), (2, 1), (1, 3), (2, 2), (3, 1), ..."""
    diagonal = (isqrt(8 * index - 7) + 1) // 2
    row = index - diagonal * (diagonal - 1) // 2
    return row, diagonal + 1 - row


def _best_cells(n: int) -> int:
    return len(best_cells(2 * n + 1))


def _classes(n: int, k: int) -> int:
    """Optimal placements of a square up to its symmetries."""
    return count_classes(Board((n, n), k), fewest(n, n, k, seconds=FOREVER).placements())


PUBLISHED = {
    "A181018": Sequence(
        1,
        "Most 1s in an n X n binary matrix with no three in a row, horizontally, vertically or diagonally",
        lambda n: _most(n, n),
        lambda n: n,
    ),
    "A181019": Sequence(
        1,
        "Most 1s in an n X k binary matrix with no three in a row, triangle by antidiagonals",
        lambda i: _most(*on_antidiagonal(i)),
        lambda i: sum(on_antidiagonal(i)) - 1,
    ),
    "A018807": Sequence(
        0,
        "Ways to place n^2 nonattacking kings on a 2n X 2n board: fewest stones against two in a row",
        lambda n: _fewest(2 * n, 2 * n, 2)[1] if n else 1,  # no king on no board
        lambda n: 2 * n,
    ),
    "A007705": Sequence(
        0,
        "Ways to place 2n+1 nonattacking queens on a (2n+1) X (2n+1) torus: best cells of that order",
        _best_cells,
        lambda n: 2 * n + 1,
    ),
}


def of_length(k: int) -> dict[str, Sequence]:
    """Sequences for lines of ``k`` cells, for squares and, by antidiagonals, for all boards, by names of our own."""

    def squares(definition: str, term: Callable[[int], int]) -> Sequence:
        """A sequence with a term for each square board."""
        return Sequence(1, f"{definition} an n X n board, k = {k}", term, lambda n: n)

    def triangle(definition: str, which: int) -> Sequence:
        """A sequence with a term for each board, by antidiagonals."""
        return Sequence(
            1,
            f"{definition} an n X m board, k = {k}, triangle by antidiagonals",
            lambda i: _fewest(*on_antidiagonal(i), k)[which],
            lambda i: sum(on_antidiagonal(i)) - 1,
        )

    stones, ways = "Fewest stones that leave no k cells in a row free on", "Ways to place the fewest such stones on"
    return {
        "fewest": squares(stones, lambda n: _fewest(n, n, k)[0]),
        "placements": squares(ways, lambda n: _fewest(n, n, k)[1]),
        "classes": squares(f"{ways[:-3]}, up to symmetry, on", lambda n: _classes(n, k)),
        "fewest-triangle": triangle(stones, 0),
        "placements-triangle": triangle(ways, 1),
    }


def lines(name: str, side: int, k: int) -> Iterator[str]:
    """The lines of a b-file, for boards with sides up to ``side``; every term by a proof of its own. ``k`` is for the
    sequences of :func:`of_length`.

    Raises:
        BoardspaceError: a name that is none of them nor of :data:`PUBLISHED`.
    """
    own = of_length(k)
    if name not in PUBLISHED and name not in own:
        raise BoardspaceError(f"--bfile {name}: known are {', '.join([*PUBLISHED, *own])}")
    sequence = PUBLISHED[name] if name in PUBLISHED else own[name]
    indices = list(takewhile(lambda n: sequence.side(n) <= side, count(sequence.offset)))
    last = indices[-1] if indices else sequence.offset - 1
    command = f"boardspace five table --bfile {name}{f' -k {k}' if name in own else ''} --side {side}"
    terms = ((n, sequence.term(n)) for n in indices)
    return bfile_lines(name, sequence.definition, command, (sequence.offset, last), terms)
