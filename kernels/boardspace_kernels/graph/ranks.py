"""Permutations and combinations as numbers, for rules whose states are ranks.

A permutation of up to 16 things is a *word*: four bits a place, place 0 lowest. Its rank is its place among all
permutations in the order of their first place, then the second, and so on (Lehmer's code). Both ways take a few
instructions a place: the things that are left are a word as well, from which a nibble is taken out, or a mask of bits,
of which those below are counted.

Pieces that also turn where they are have a word of *twists*: how far each is turned, in so many ways. In most puzzles
every move leaves the sum of all twists a multiple of these ways, so the last twist follows from the others.

An even or an odd permutation follows from all its places but the last two, so it has half the rank.
"""

import numpy as np

from boardspace_kernels.bits import popcount
from boardspace_kernels.jit import kernel

_IDENTITY = np.uint64(0xFEDCBA9876543210)
_ONE, _FOUR, _NIBBLE = np.uint64(1), np.uint64(4), np.uint64(15)


@kernel
def nibble(word: np.uint64, place: int) -> int:
    """Thing at a place of a word."""
    return np.int64(word >> np.uint64(4 * place) & _NIBBLE)


@kernel
def with_nibble(word: np.uint64, place: int, thing: int) -> np.uint64:
    """The word with another thing, from 0 to 15, at a place."""
    at = np.uint64(4 * place)
    return word & ~(_NIBBLE << at) | np.uint64(thing) << at


@kernel
def reversed_prefix(word: np.uint64, length: int) -> np.uint64:
    """The word with its first ``length`` places in reverse order."""
    found = word
    for place in range(length):
        found = with_nibble(found, place, nibble(word, length - 1 - place))
    return found


@kernel
def taken_out(word: np.uint64, place: int) -> np.uint64:
    """The word without the thing at a place: those behind it move up, and a 0 comes in at the end."""
    below = (_ONE << np.uint64(4 * place)) - _ONE
    # `below` selects the places before the one that goes. All others come from a nibble further on.
    return word & below | (word >> _FOUR) & ~below


@kernel
def put_in(word: np.uint64, place: int, thing: int) -> np.uint64:
    """The word with a thing more at a place: those from there on move down, and what stood in place 15 is lost."""
    below = (_ONE << np.uint64(4 * place)) - _ONE
    return word & below | (word & ~below) << _FOUR | np.uint64(thing) << np.uint64(4 * place)


@kernel
def permuted(length: int, word: np.uint64, source: np.uint64) -> np.uint64:
    """The word whose thing at each place stood at the place that ``source`` has there."""
    found = np.uint64(0)
    for place in range(length):
        found |= np.uint64(nibble(word, nibble(source, place))) << np.uint64(4 * place)
    return found


@kernel
def twisted(ways: int, length: int, word: np.uint64, by: np.uint64) -> np.uint64:
    """The twists after each place was twisted further, by what ``by`` has there; all are below ``ways``."""
    found = np.uint64(0)
    for place in range(length):
        twist = nibble(word, place) + nibble(by, place)
        found |= np.uint64(twist - ways if twist >= ways else twist) << np.uint64(4 * place)
    return found


@kernel
def rank_twists(ways: int, length: int, word: np.uint64) -> np.uint64:
    """Rank of twists below ``ways`` whose sum is a multiple of it: the number that all but the last are digits of,
    place 0 lowest."""
    rank = np.uint64(0)
    # The last twist follows from the others, so it is no digit.
    for place in range(length - 2, -1, -1):
        rank = rank * np.uint64(ways) + np.uint64(nibble(word, place))
    return rank


@kernel
def unrank_twists(ways: int, length: int, rank: np.uint64) -> np.uint64:
    """The twists of a rank, as a word: ``length`` numbers below ``ways`` whose sum is a multiple of it."""
    base, word, total = np.uint64(ways), np.uint64(0), np.uint64(0)
    for place in range(length - 1):
        twist = rank % base
        word |= twist << np.uint64(4 * place)
        total += twist
        rank //= base
    return word | (base - total % base) % base << np.uint64(4 * (length - 1))


@kernel
def rank_permutation(length: int, word: np.uint64) -> np.uint64:
    """Rank of a permutation of 0 .. length - 1, length from 1 to 16."""
    rank, left = np.uint64(0), (_ONE << np.uint64(length)) - _ONE
    for place in range(length):
        bit = _ONE << np.uint64(nibble(word, place))
        # The digit of a place is how many of the things left are less than its own: below length - place.
        rank = rank * np.uint64(length - place) + popcount(left & (bit - _ONE))
        left &= ~bit
    return rank


@kernel
def unrank_permutation(length: int, rank: np.uint64) -> np.uint64:
    """The permutation of 0 .. length - 1 of a rank, as a word whose other places are 0."""
    weight = np.uint64(1)
    for factor in range(2, length):
        weight *= np.uint64(factor)  # (length - 1)!
    left, word = _IDENTITY, np.uint64(0)
    for place in range(length):
        digit = rank // weight
        rank -= digit * weight
        word |= (left >> (_FOUR * digit) & _NIBBLE) << np.uint64(4 * place)
        # What is left stays in ascending order, so the digit is the place of the thing in it.
        left = taken_out(left, np.int64(digit))
        if place < length - 2:
            weight //= np.uint64(length - 1 - place)
    return word


@kernel
def is_odd(length: int, word: np.uint64) -> bool:
    """True for an odd permutation of 0 .. length - 1."""
    inversions, seen = np.uint64(0), np.uint64(0)
    for place in range(length):
        thing = np.uint64(nibble(word, place))
        # Things that came earlier and are greater; `thing` itself was not seen yet.
        inversions += popcount(seen >> thing)
        seen |= _ONE << thing
    return inversions & _ONE == _ONE


@kernel
def rank_of_parity(length: int, word: np.uint64) -> np.uint64:
    """Rank among the permutations of the same parity, length at least 2."""
    # The last digit is always 0 and the one before it 0 or 1: one of these two permutations is even, the other odd.
    return rank_permutation(length, word) >> _ONE


@kernel
def unrank_of_parity(length: int, rank: np.uint64, odd: bool) -> np.uint64:
    """The even, or odd, permutation of a rank among those of its parity, length at least 2."""
    word = unrank_permutation(length, rank << _ONE)
    if is_odd(length, word) == odd:
        return word
    # A swap changes the parity, and that of the last two places leaves the rank as it is.
    last, before = nibble(word, length - 1), nibble(word, length - 2)
    return with_nibble(with_nibble(word, length - 1, before), length - 2, last)


@kernel
def binomial(n: int, k: int) -> np.uint64:
    """Number of ways to choose k of n things, n at most 67: all these are below 2^64."""
    if k < 0 or k > n:
        return np.uint64(0)
    found = np.uint64(1)
    for i in range(k):
        # C(n, i + 1) times i + 1 is divided, so there is no remainder. From n = 63 on that product may not fit in 64
        # bits, so the quotient and the remainder of what was found are multiplied one by one.
        whole, rest = found // np.uint64(i + 1), found % np.uint64(i + 1)
        found = whole * np.uint64(n - i) + rest * np.uint64(n - i) // np.uint64(i + 1)
    return found


@kernel
def rank_combination(mask: np.uint64) -> np.uint64:
    """Rank of a set of bits among all sets of as many bits, in the order of their numbers: the sum of binomials of its
    bits' places, the lowest one choosing 1."""
    rank, number = np.uint64(0), 0
    for place in range(64):
        if mask >> np.uint64(place) & _ONE:
            number += 1
            rank += binomial(place, number)
    return rank


@kernel
def unrank_combination(chosen: int, rank: np.uint64) -> np.uint64:
    """The set of ``chosen`` bits of a rank."""
    mask = np.uint64(0)
    for number in range(chosen, 0, -1):
        place = number - 1
        # The largest place whose binomial does not exceed the rank: with a lower one, the bits below could not make up
        # for what is missing.
        while place < 63 and binomial(place + 1, number) <= rank:
            place += 1
        rank -= binomial(place, number)
        mask |= _ONE << np.uint64(place)
    return mask
