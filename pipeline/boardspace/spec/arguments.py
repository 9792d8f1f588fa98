"""Arguments of public functions: one of another kind is refused with its name, what is wanted, and what was given."""

import operator
import reprlib
from collections.abc import Callable, Iterable
from typing import Any

from boardspace.spec.errors import BoardspaceError

LARGEST = (1 << 63) - 1
"""Largest whole number that is passed on: what is computed with it is at least a number of 64 bits."""
Progress = Callable[[str], None]
"""It is called with a line of text on how far something is."""


class _Shown(reprlib.Repr):
    """Short text of any value. Python refuses to write numbers of more than 4,300 digits."""

    def repr_int(self, x: int, level: int) -> str:
        """Text of a number; of a very large one how many bits it has."""
        return repr(x) if abs(x) <= LARGEST else f"a number of {x.bit_length()} bits"


_shown = _Shown()
_shown.maxother = _shown.maxstring = 60


def shown(value: Any) -> str:
    """A value in a few words, for messages; of a number of many digits its length."""
    return _shown.repr(value)


def whole(name: str, value: Any) -> int:
    """The whole number that an argument is, Python's or NumPy's; BoardspaceError where it is none, or beyond 64 bits.

    >>> whole("rows", 5)
    5
    """
    try:
        number = operator.index(value)
    except TypeError:
        raise BoardspaceError(f"{name}: a whole number is wanted, not {shown(value)}") from None
    if isinstance(value, bool):
        raise BoardspaceError(f"{name}: a whole number is wanted, not {value}")
    if abs(number) > LARGEST:
        raise BoardspaceError(f"{name}: {shown(number)} is too large")
    return number


def within(name: str, value: Any, least: int, most: int) -> int:
    """The whole number that an argument is; BoardspaceError where it is none, or not from ``least`` to ``most``."""
    number = whole(name, value)
    if not least <= number <= most:
        raise BoardspaceError(f"{name}: {number:,} is not from {least:,} to {most:,}")
    return number


def seed_of(value: Any) -> int | None:
    """The number by which something is drawn; None draws anew each time. BoardspaceError where it is neither."""
    return None if value is None else within("seed", value, 0, LARGEST)


def between(name: str, value: Any, least: int, most: int, such_as: tuple[int, int]) -> tuple[int, int]:
    """The fewest and the most that an argument is, both from ``least`` to ``most``; BoardspaceError where it is not."""
    try:
        low, high = value
    except (TypeError, ValueError):
        raise BoardspaceError(f"{name}: the fewest and the most, such as {such_as}, not {shown(value)}") from None
    low, high = within(name, low, least, most), within(name, high, least, most)
    if low > high:
        raise BoardspaceError(f"{name}: {low} is more than {high}")
    return low, high


def text(name: str, value: Any, such_as: str) -> str:
    """The text that an argument is; BoardspaceError, with an example, where it is none or holds a zero byte."""
    if not isinstance(value, str) or "\0" in value:
        raise BoardspaceError(f"{name}: a text such as {such_as!r} is wanted, not {shown(value)}")
    return value


def of_kind(name: str, value: Any, kinds: type | tuple[type, ...], wanted: str) -> None:
    """BoardspaceError, with what is wanted, where an argument is of none of these types."""
    if not isinstance(value, kinds):
        raise BoardspaceError(f"{name}: {wanted} is wanted, not {shown(value)}")


def names(name: str, value: Any) -> tuple[str, ...]:
    """The texts that an argument lists; BoardspaceError, with an example, where it is one text, or no list of them."""
    if isinstance(value, str) or not isinstance(value, Iterable) or any(not isinstance(one, str) for one in value):
        raise BoardspaceError(f"{name}: a list of texts such as ['klotski'] is wanted, not {shown(value)}")
    return tuple(value)


def switch(name: str, value: Any) -> bool:
    """The truth value that an argument is; BoardspaceError where it is another value."""
    if not isinstance(value, bool):
        raise BoardspaceError(f"{name}: True or False is wanted, not {shown(value)}")
    return value


def listener(value: Progress | None) -> Progress | None:
    """The function that is called with lines on progress, or none; BoardspaceError where it cannot be called."""
    if value is not None and not callable(value):
        raise BoardspaceError(f"progress: a function that takes a line of text is wanted, not {shown(value)}")
    return value
