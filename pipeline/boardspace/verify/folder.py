"""Verification of a folder, whichever it is: a run, a dataset of one, a release, a dataset of one, a bucket."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from boardspace.engine.plan import has_plan, planned_spaces, refuse_unknown
from boardspace.spec.arguments import names as listed
from boardspace.spec.arguments import of_kind, shown, switch
from boardspace.spec.check import Draw
from boardspace.spec.errors import BoardspaceError
from boardspace.storage.locations import BucketPath, Location, located, place
from boardspace.storage.mirror import local_copy
from boardspace.storage.release_folder import SUMS
from boardspace.storage.run_folder import goes_on
from boardspace.storage.stored import stored
from boardspace.verify.release import verify_release
from boardspace.verify.release_inputs import datasets_in
from boardspace.verify.result import LEVELS, Level, Verification
from boardspace.verify.run import verify_run
from boardspace.verify.signature import SignatureError, require_signers, with_signer

UNDER_WAY = "a run writes to this folder, so what is wrong may only be unfinished: verify it again when it has ended"


def verify(
    root: str | Location,
    level: Level,
    draw: Draw | None = None,
    names: Sequence[str] = (),
    processes: bool = False,
    signers: str | Path | None = None,
) -> Verification:
    """Check a folder, or its datasets ``names``, up to ``level``; ``draw`` chooses what the logic level tries. Without
    one it is drawn, and the result says by which seed.

    A folder with a plan is a run, whatever else lies in it, and one that the plan of the folder above names is a
    dataset of that run. Anything else with a dataset in it is a release, checked by its own files: it holds no
    receipts, so checks that need them are listed as skipped. The files of a bucket are copied into scratch
    and checked there. ``processes`` lets processes do it where that is worth it: a program that allows it has to
    guard its own start by ``if __name__ == "__main__"``.

    ``signers`` is a file of OpenSSH's allowed signers: one of them has to have signed the release. SignatureError where
    that cannot be checked, or the folder is a run, which nobody signs. BoardspaceError where an argument is none of
    these, or no dataset of a name lies there.
    """
    if level not in LEVELS:  # of a caller in Python
        raise BoardspaceError(f"level: one of {', '.join(LEVELS)} is wanted, not {shown(level)}")
    of_kind("draw", draw, (Draw, type(None)), "a Draw, such as Draw(seed=1),")
    of_kind("signers", signers, (str, Path, type(None)), "a file of allowed signers")
    root = located(place("root", root))
    names, processes = listed("names", names), switch("processes", processes)
    if isinstance(root, Path) and not root.is_dir():
        raise BoardspaceError(f"{root}: no folder; give that of a run, of a release, or of one of its datasets")
    signers = None if signers is None else Path(signers)
    draw = draw or Draw.at_random()
    under_way = goes_on(root.absolute().parent if _is_part_of_run(root) else root)
    found = _verified(root, level, draw, names, processes, signers)
    if under_way and found.faults:
        found = replace(found, notes=(UNDER_WAY, *found.notes))
    return replace(found, seed=draw.seed) if level == "logic" and not draw.everything else found


def _verified(
    root: Location, level: Level, draw: Draw, names: Sequence[str], processes: bool, signers: Path | None
) -> Verification:
    if signers is not None:
        require_signers(signers)
    if isinstance(root, BucketPath):
        whole = root.parent if _is_part_of_run(root) else root
        if signers is not None and stored(root / SUMS).exists():
            raise SignatureError(f"{root}: one dataset of a release in a bucket; give the release, which is signed")
        only = [root.name] if whole != root else () if stored(root / SUMS).exists() else names
        with local_copy(whole, only) as there:
            return _verified(there if whole == root else there / root.name, level, draw, names, processes, signers)
    part = _is_part_of_run(root)
    if not part and not has_plan(root) and (datasets := datasets_in(root)):
        refuse_unknown(root, names, [folder.resolve().name for folder in datasets])
        return with_signer(verify_release(root, level, names, draw, processes), root, signers)
    if signers is not None:
        raise SignatureError(f"{root}: no release, and nothing else is signed; give the folder of a release")
    if part:
        refuse_unknown(root, names, [root.absolute().name])
        root, names = root.absolute().parent, [root.absolute().name]
    elif planned := planned_spaces(root):
        refuse_unknown(root, names, planned)
    return verify_run(root, level, draw, names, processes)


def _is_part_of_run(root: Location) -> bool:
    """True where it is a dataset of the run that lies in the folder above."""
    if has_plan(root) or (isinstance(root, BucketPath) and not root.key):
        return False
    return root.absolute().name in planned_spaces(root.absolute().parent)
