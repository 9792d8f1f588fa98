"""Whole numbers by their residues modulo primes, as many primes as a bound asks for."""

import math
from collections.abc import Sequence


def primes_beyond(bound: int, below: int = 1 << 31) -> list[int]:
    """The largest odd primes below ``below``, an even number up to 2^64, as many as it takes for their product to
    exceed ``bound``."""
    primes: list[int] = []
    candidate = below - 1
    while math.prod(primes) <= bound:
        if is_prime(candidate):
            primes.append(candidate)
        candidate -= 2
    return primes


WITNESSES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)
"""To one of these bases at least, every composite number below 3 * 10^23 fails the test (Sorenson and Webster 2015)."""


def is_prime(number: int) -> bool:
    """Return whether an odd number, of 3 to 2^64, is prime, by the test of Miller and Rabin, which is certain there."""
    # The lowest bit of number - 1 says how often it can be halved.
    twos = (number - 1 & 1 - number).bit_length() - 1
    return all(_passes(number, base, twos) for base in WITNESSES if number != base)


def _passes(number: int, base: int, twos: int) -> bool:
    """Return whether the powers of a base modulo a number, up to exponent number - 1 = 2^twos * odd, are those of a
    prime."""
    power = pow(base, number - 1 >> twos, number)
    if power in (1, number - 1):
        return True
    # Modulo a prime 1 has the roots 1 and -1 alone, so squaring comes to 1 by way of -1.
    return any((power := power * power % number) == number - 1 for _ in range(twos - 1))


def combined(residues: Sequence[int], primes: Sequence[int]) -> int:
    """The number below the product of these primes that has these residues: the Chinese remainder theorem."""
    product = math.prod(primes)
    others = [product // prime for prime in primes]
    terms = (r * other * pow(other, -1, p) for r, other, p in zip(residues, others, primes, strict=True))
    return sum(terms) % product
