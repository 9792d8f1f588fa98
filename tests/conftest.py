"""The toy space is plugged in for every test; the variable is inherited by the commands and workers tests start."""

import os

os.environ["BOARDSPACE_SPACES"] = "tests.toy"
