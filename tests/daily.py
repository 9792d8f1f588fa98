"""Cases of a rule that run every day, and those that run with the thorough tests."""

from collections.abc import Sequence
from typing import Any

import pytest


def daily(cases: Sequence[Any], every: int, *, several: bool = False) -> list[Any]:
    """All cases of one parameter, or of ``several``; of each so many, the first runs every day."""
    values = [case if several else (case,) for case in cases]
    marks = [() if n % every == 0 else pytest.mark.thorough for n in range(len(values))]
    return [pytest.param(*some, marks=mark) for some, mark in zip(values, marks, strict=True)]
