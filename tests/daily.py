"""Cases of a rule that run every day, and those that run with the thorough tests."""

from collections.abc import Sequence
from typing import Any

import pytest


def daily(cases: Sequence[Any], every: int) -> list[Any]:
    """All cases of one parameter; of each so many, the first runs every day."""
    return [one if n % every == 0 else pytest.param(one, marks=pytest.mark.thorough) for n, one in enumerate(cases)]
