"""Does a folder, of a run or of a release, hold what it says?"""

from collections.abc import Sequence
from pathlib import Path

from boardspace.pipeline.verify.release import datasets_in, verify_release
from boardspace.pipeline.verify.result import LEVELS, Fault, Level, Verification
from boardspace.pipeline.verify.run import verify_run

__all__ = ["LEVELS", "Fault", "Level", "Verification", "verify"]


def verify(root: Path, level: Level, seed: int = 0, names: Sequence[str] = ()) -> Verification:
    """Check a folder, or its datasets ``names``, up to ``level``; ``seed`` chooses the logic level's sample of a run.

    A release is checked up to ``structure``: it holds no receipts, and the logic of a run is checked before publishing.
    """
    if datasets_in(root):
        return verify_release(root, level, names)
    return verify_run(root, level, seed, names)
