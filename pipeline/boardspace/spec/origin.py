"""Places in the code of spaces where an error came from: what the author of one looks for first."""

import linecache
import site
import sysconfig
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from boardspace.spec import registry

PIPELINE = Path(__file__).parents[1]
INSTALLED = tuple(
    {*site.getsitepackages(), site.getusersitepackages(), *(sysconfig.get_path(name) for name in ("stdlib", "purelib"))}
)
MOST_SHOWN = 8


class Frame(NamedTuple):
    """One line of a traceback.

    file, line: where it is.
    function: that it is of.
    code: text of the line.
    """

    file: str
    line: int
    function: str
    code: str

    def __str__(self) -> str:
        return f'  File "{self.file}", line {self.line}, in {self.function}\n    {self.code}'.rstrip()


def own_frames(error: BaseException) -> tuple[Frame, ...]:
    """The last frames of an error's traceback that are of a space, of kernels, or of nobody's library, in order."""
    packages = registry.packages()
    found = []
    for frame, line in traceback.walk_tb(error.__traceback__):
        file = frame.f_code.co_filename
        module = str(frame.f_globals.get("__name__", ""))
        if _is_own(module, file, packages):
            found.append(Frame(file, line, frame.f_code.co_name, linecache.getline(file, line).strip()))
    return tuple(found[-MOST_SHOWN:])


def plug_in_of(error: BaseException) -> Frame | None:
    """Place where code of a plug-in raised an error, or called what did; None where no plug-in had a part in it."""
    frames = [frame for frame in own_frames(error) if PIPELINE not in Path(frame.file).parents]
    kernels = [frame for frame in frames if "boardspace_kernels" in Path(frame.file).parts]
    rest = [frame for frame in frames if frame not in kernels]
    return rest[-1] if rest else None


def lines_of(frames: Sequence[Frame]) -> str:
    """Text of frames, as Python prints them, on lines of its own; '' without any."""
    return "".join(f"\n{frame}" for frame in frames)


def _is_own(module: str, file: str, packages: frozenset[str]) -> bool:
    top = module.partition(".")[0]
    if top == "boardspace":
        return module.startswith(("boardspace.spaces.", "boardspace.graphs."))
    if top == "boardspace_kernels" or top in packages:
        return True
    return not file.startswith(("<", *INSTALLED)) and PIPELINE.parent not in Path(file).parents
