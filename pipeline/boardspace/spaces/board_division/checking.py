"""What the checks of this space share."""

from collections.abc import Iterator

SAMPLE = 20
SEARCHED_PEGS = 9

Faults = Iterator[str]


def unless(right: bool, fault: str) -> str:
    """'' where it is right, else the fault."""
    return "" if right else fault
