"""The toy space is plugged in for every test; the variable is inherited by the commands and workers tests start.

The pipeline is imported first because it chooses the folder of numba's cache, which all tests then share.
"""

import os

from hypothesis import settings

os.environ["BOARDSPACE_SPACES"] = "tests.toy"

import pipeline  # noqa: F401

# Kernels compile at their first call, and machines are busy: a test is right or wrong, not slow.
settings.register_profile("boardspace", deadline=None)
settings.register_profile("campaign", deadline=None, max_examples=2000)  # pytest --hypothesis-profile campaign
settings.load_profile("boardspace")
