"""Permutations and twists as numbers in plain Python, for second rules: the ranks of
``boardspace_kernels.graph.ranks``, found by other means."""

from collections.abc import Iterable, Sequence
from math import factorial


def permutation(length: int, rank: int) -> list[int]:
    """The permutation of 0 .. length - 1 of a rank, in the order of their places.

    >>> permutation(3, 3)
    [1, 2, 0]
    """
    left, found = list(range(length)), []
    for remaining in range(length, 0, -1):
        place, rank = divmod(rank, factorial(remaining - 1))
        found.append(left.pop(place))
    return found


def rank_of(things: Sequence[int]) -> int:
    """The rank of a permutation of any different numbers.

    >>> rank_of([1, 2, 0])
    3
    """
    left, rank = sorted(things), 0
    for thing in things:
        place = left.index(thing)
        rank = rank * len(left) + place
        del left[place]
    return rank


def twists(ways: int, length: int, rank: int) -> list[int]:
    """The twists of a rank: numbers below ``ways`` whose sum is a multiple of it.

    >>> twists(3, 3, 5)
    [2, 1, 0]
    """
    found = [rank // ways**place % ways for place in range(length - 1)]
    return [*found, -sum(found) % ways]


def rank_of_twists(ways: int, turned: Sequence[int]) -> int:
    """The rank of twists whose sum is a multiple of ``ways``.

    >>> rank_of_twists(3, [2, 1, 0])
    5
    """
    return sum(twist * ways**place for place, twist in enumerate(turned[:-1]))


def word_of(things: Iterable[int]) -> int:
    """The word that kernels take for a list of numbers from 0 to 15: four bits each, the first lowest.

    >>> hex(word_of([1, 2, 0]))
    '0x21'
    """
    return sum(thing << 4 * place for place, thing in enumerate(things))


def is_odd(things: Sequence[int]) -> bool:
    """True for an odd permutation, by its cycles.

    >>> is_odd([1, 0, 2])
    True
    """
    places, cycles = {thing: place for place, thing in enumerate(sorted(things))}, 0
    seen: set[int] = set()
    for start in range(len(things)):
        cycles += start not in seen
        while start not in seen:
            seen.add(start)
            start = places[things[start]]
    return (len(things) - cycles) % 2 == 1


def permutation_of_parity(length: int, rank: int, odd: bool) -> list[int]:
    """The even, or odd, permutation of a rank among those of its parity.

    >>> permutation_of_parity(3, 1, odd=True)
    [1, 0, 2]
    """
    found = permutation(length, 2 * rank)
    if is_odd(found) != odd:
        found[-2:] = found[:-3:-1]
    return found
