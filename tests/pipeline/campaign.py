"""How long the campaigns are: whole by default, a part of it with ``BOARDSPACE_CAMPAIGN=0.01``."""

import os

import pytest

PART = float(os.environ.get("BOARDSPACE_CAMPAIGN", "1"))
# The time limit of all other tests is for a few cases; thousands on a busy machine take longer.
LONG = pytest.mark.timeout(12 * 3600)


def cases(number: int) -> int:
    """So many cases, or the part of them that is asked for; at least one."""
    return max(1, round(number * PART))
