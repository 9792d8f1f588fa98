"""Real runs of the toy space: configs on disk, the installed command in its own process."""

import atexit
import functools
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

import pytest

from boardspace.engine import fork_server
from tests.pipeline.finished import run_of
from tests.pipeline.template import Command, Template, read_by_imports
from tests.shared import made_once, plugged_in

ROOT = Path(__file__).resolve().parents[2]
Completed = subprocess.CompletedProcess[str]


@pytest.fixture
def toy_config(tmp_path: Path) -> Callable[..., Path]:
    """Writes a config with a ``[toy]`` section of the given keys and returns its path."""

    def write(name: str = "toy", **keys: Any) -> Path:
        path = tmp_path / f"{name}.toml"
        path.write_text("[toy]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in keys.items()))
        return path

    return write


@pytest.fixture
def growing() -> Iterator[None]:
    """Plugs in the space whose stage repeats, beside the toy space."""
    with plugged_in("tests.toy,tests.growing"):
        yield


TRIANGLE = """
[[solitaire.classes]]
board = "triangle15"
vacancies = [1, 5]
moves = true
shortest = true
hints = ["winning", "returning"]
"""
"""Classes of which all is asked that there is."""
CLASSES = f"""
[solitaire]
levels = ["triangle15/corner"]
{TRIANGLE}
[[solitaire.classes]]
board = "rectangle3x5"
vacancies = [8]
"""
"""These, and one without a solution of which bitmaps are asked."""


@pytest.fixture(scope="session")
def whole_classes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a finished run of ``CLASSES``. Do not change it."""
    return made_once(tmp_path_factory, "whole_classes", _make_classes) / "out"


def _make_classes(folder: Path) -> None:
    folder.mkdir()
    run_of(CLASSES, folder)


FOR_OTHERS = {
    *fork_server.ENVIRONMENT,  # set by Dask, as are the next four
    "MALLOC_TRIM_THRESHOLD_",
    "MKL_NUM_THREADS",
    "PYTHONHASHSEED",
    "__DASK_PARENT_PID",
    "PYGAME_HIDE_SUPPORT_PROMPT",  # by gymnasium
    "_RJEM_MALLOC_CONF",  # by polars
} - os.environ.keys()
"""Variables that libraries set, for processes that they start or for themselves, and leave in the process of the
tests."""


def environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment of a command under test: this checkout importable, plus ``extra``; pandas is not there. A command
    that a signal of its own ends says where each of its threads was."""
    own = {name: value for name, value in os.environ.items() if name not in FOR_OTHERS}
    checkout = os.pathsep.join(str(folder) for folder in (ROOT / "kernels", ROOT / "pipeline", ROOT))
    paths = [str(ROOT / "tests" / "without"), (extra or {}).get("PYTHONPATH", checkout)]
    return {**own, "PYTHONFAULTHANDLER": "1", **(extra or {}), "PYTHONPATH": os.pathsep.join(paths)}


USUAL = environment()
"""As it is before any test changes it."""


@functools.cache
def _template() -> Template:
    """The template of commands in the usual environment."""
    made = Template(USUAL)
    atexit.register(made.close)
    return made


BOARDSPACE = "boardspace.__main__"
"""The module of the command."""
PYTHON = "tests.pipeline.python_text"
"""Of Python's ``-c``."""


def started(
    program: str,
    *arguments: object,
    env: Mapping[str, str] | None = None,
    folder: Path | None = None,
    out: int | IO[str] = subprocess.DEVNULL,
    err: int | IO[str] = subprocess.DEVNULL,
) -> Command:
    """Start a program, the function ``main`` of a module, as a process of its own that has its imports done; ``env``
    has no variables that imports read."""
    with Path(os.devnull).open("w") as nowhere:
        streams = [nowhere if stream == subprocess.DEVNULL else stream for stream in (out, err)]
        numbers = [stream if isinstance(stream, int) else stream.fileno() for stream in streams]
        return _template().run(program, list(map(str, arguments)), environment(env), folder or Path.cwd(), *numbers)


def boardspace(*arguments: object, env: Mapping[str, str] | None = None, timeout: float = 600) -> Completed:
    """Run the command as a user would, in a process of its own, and return what it printed."""
    return _ended(BOARDSPACE, ["-m", "boardspace"], arguments, env, None, timeout)


def python(
    text: str, *arguments: object, env: Mapping[str, str] | None = None, folder: Path | None = None
) -> Completed:
    """Run a text as ``python -c`` would, in a process of its own that has the command's imports done."""
    return _ended(PYTHON, ["-c"], (text, *arguments), env, folder, 600)


def _ended(
    program: str,
    anew: list[str],
    arguments: Sequence[object],
    env: Mapping[str, str] | None,
    folder: Path | None,
    timeout: float,
) -> Completed:
    """What a program printed; Python takes ``anew`` where its imports would read other variables."""
    own, words = environment(env), list(map(str, arguments))
    if read_by_imports(own) != _template().environment:
        command = [sys.executable, *anew, *words]
        return subprocess.run(
            command, env=own, cwd=folder, capture_output=True, text=True, timeout=timeout, check=False
        )
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        code = started(program, *words, env=env, folder=folder, out=out, err=err).wait(timeout)
        for stream in (out, err):
            stream.seek(0)
        return Completed(words, code, out.read(), err.read())


def dataset_bytes(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, by its name relative to it."""
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}
