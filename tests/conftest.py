"""The toy space is plugged in for every test; the variable is inherited by the commands and workers tests start.

The pipeline is imported first because it chooses the folder of numba's cache, which all tests then share.
"""

import os

os.environ["BOARDSPACE_SPACES"] = "tests.toy"

import pipeline  # noqa: F401
