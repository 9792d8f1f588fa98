"""Does a folder, of a run or of a release, hold what it says?"""

from collections.abc import Sequence
from pathlib import Path

from boardspace.pipeline.plan import has_plan, planned_spaces
from boardspace.pipeline.verify.release import datasets_in, verify_release
from boardspace.pipeline.verify.result import LEVELS, Fault, Level, Verification
from boardspace.pipeline.verify.run import verify_run

__all__ = ["LEVELS", "Fault", "Level", "Verification", "verify", "verify_run"]


def verify(root: Path, level: Level, seed: int = 0, names: Sequence[str] = ()) -> Verification:
    """Check a folder, or its datasets ``names``, up to ``level``; ``seed`` chooses the logic level's sample of a run.

    A folder with a plan is a run, whatever else lies in it, and one that the plan of the folder above names is a
    dataset of that run. Anything else with a dataset in it is a release, checked up to ``structure``: it holds no
    receipts, and the logic of a run is checked before publishing.
    """
    if has_plan(root):
        return verify_run(root, level, seed, names)
    name, above = root.absolute().name, root.absolute().parent
    if name in planned_spaces(above):
        return verify_run(above, level, seed, [name])
    if datasets_in(root):
        return verify_release(root, level, names)
    return verify_run(root, level, seed, names)
