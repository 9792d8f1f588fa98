"""How long the campaigns are, and what they draw.

They are whole by default, a part of it with ``BOARDSPACE_CAMPAIGN=0.01``. They draw the same cases each time, others
with ``BOARDSPACE_SEED=anything``.
"""

import os
import random

import pytest

PART = float(os.environ.get("BOARDSPACE_CAMPAIGN", "1"))
SEED = os.environ.get("BOARDSPACE_SEED", "")
# The time limit of all other tests is for a few cases; thousands on a busy machine take longer.
LONG = pytest.mark.timeout(12 * 3600)


def cases(number: int) -> int:
    """So many cases, or the part of them that is asked for; at least one."""
    return max(1, round(number * PART))


def drawing(what: str) -> random.Random:
    """Draws the cases of one test."""
    return random.Random(f"{what} {SEED}" if SEED else what)
