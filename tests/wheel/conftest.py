"""The distribution as a user gets it: built from the sdist, installed into an environment of its own, run elsewhere.

Nothing of the checkout is within reach: the current folder is another one, PYTHONPATH is unset, the caches are empty at
first. All environments share them: kernels are compiled once for each Python and versions of numba. The locked versions
on this Python alone find what the checkout compiled for this user, as kernels are kept by digests of their sources.
"""

import functools
import os
import re
import shlex
import shutil
import subprocess
import sys
import venv
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from uv import find_uv_bin

from boardspace_kernels import kernel_cache
from tests.shared import compile_kernels

ROOT = Path(__file__).resolve().parents[2]
FOREIGN = ("PYTHONPATH", "PYTHONHOME", "BOARDSPACE_SPACES", "NUMBA_CACHE_DIR", "VIRTUAL_ENV", "PYTEST_ADDOPTS")
PAGE = (ROOT / "docs" / "first_ten_minutes.md").read_text()
PYTHONS = ("3.11", "3.12", "3.13")
EPOCH = "1767225600"
"""The first second of 2026, which all builds are told."""
Completed = subprocess.CompletedProcess[str]


def environment(cache: Path) -> dict[str, str]:
    """Today's environment without what could lead to the checkout, and with caches in this folder."""
    kept = {name: value for name, value in os.environ.items() if name not in FOREIGN}
    return kept | {"XDG_CACHE_HOME": str(cache), "PYTHONNOUSERSITE": "1"}


@functools.cache
def interpreter(version: str) -> str | None:
    """The interpreter of a version on the path, or one of pyenv's, whose names on the path may lead nowhere."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for place in (shutil.which(f"python{version}"), *sorted(pyenv.glob(f"*/bin/python{version}"))):
        command = [str(place), "-c", "import ensurepip, venv"]
        if place is not None and subprocess.run(command, capture_output=True, check=False).returncode == 0:
            return str(place)
    return None


def newest_interpreter() -> str:
    """The newest Python that is here, of those that are tried."""
    return next(filter(None, map(interpreter, reversed(PYTHONS))), sys.executable)


@dataclass(frozen=True)
class Installation:
    """An environment with nothing but the wheel and what it depends on; ``folder`` is where its commands run."""

    prefix: Path
    folder: Path
    cache: Path
    variables: Mapping[str, str] = field(default_factory=dict)

    @property
    def python(self) -> Path:
        """Its interpreter."""
        return self.prefix / "bin" / "python"

    @property
    def environment(self) -> Mapping[str, str]:
        """For processes that are started by hand."""
        return {**environment(self.cache), **self.variables}

    def run(self, *command: object, timeout: float = 2400) -> Completed:
        """A program of the environment, by name, with its arguments; AssertionError with its output where it fails."""
        program, *arguments = map(str, command)
        done = subprocess.run(
            [str(self.prefix / "bin" / program), *arguments],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
        )
        assert done.returncode == 0, f"{' '.join(map(str, command))}\n{done.stdout}\n{done.stderr}"
        return done


def build(python: Path, source: Path, out: Path, *options: str) -> Sequence[Path]:
    """Build sdist, wheel or both of a source folder; the files, by kind."""
    out.mkdir()
    command = [str(python), "-m", "build", "--outdir", str(out), *options, str(source)]
    told = {**os.environ, "SOURCE_DATE_EPOCH": EPOCH}
    done = subprocess.run(command, env=told, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return sorted(out.iterdir())


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of caches of all environments, the kernels' and uv's."""
    return tmp_path_factory.mktemp("elsewhere") / "cache"


@pytest.fixture(scope="session")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the programs uv, uvx, pipx and cyclonedx-py, in an environment of their own."""
    prefix = tmp_path_factory.mktemp("tools") / "environment"
    venv.create(prefix)
    uv = [find_uv_bin(), "pip", "install", "-q", "--python", str(prefix / "bin" / "python")]
    subprocess.run([*uv, "uv", "pipx", "cyclonedx-bom"], check=True, capture_output=True)
    return prefix / "bin"


@pytest.fixture(scope="session")
def add(tools: Path, cache: Path) -> Callable[..., None]:
    """Installs requirements into the environment of an interpreter, by uv: an eighth of pip's time."""

    def install(python: Path, *requirements: object) -> None:
        command = [tools / "uv", "--cache-dir", cache / "uv", "pip", "install", "-q", "--python", python, *requirements]
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr

    return install


@pytest.fixture(scope="session")
def install(add: Callable[..., None], cache: Path) -> Callable[..., Installation]:
    """Installs requirements into a new environment of a Python, in a folder; it has no pip."""

    def make(python: str, folder: Path, *requirements: object) -> Installation:
        subprocess.run([python, "-m", "venv", "--without-pip", folder / "environment"], check=True)
        made = Installation(folder / "environment", folder, cache)
        add(made.python, *requirements)
        return made

    return make


@pytest.fixture(scope="session")
def builder(install: Callable[..., Installation], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of an environment with nothing but what a build requires, and uv."""
    return install(sys.executable, tmp_path_factory.mktemp("builder"), "hatchling>=1.27", "build[uv]").python


@pytest.fixture(scope="session")
def built(builder: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The sdist and the wheel made from it, each in an environment of its own."""
    files = build(builder, ROOT, tmp_path_factory.mktemp("built") / "dist", "--installer", "uv")
    return {"wheel" if file.suffix == ".whl" else "sdist": file for file in files}


@pytest.fixture(scope="session")
def installed(
    built: Mapping[str, Path], install: Callable[..., Installation], add: Callable[..., None], cache: Path
) -> Installation:
    """The wheel in a fresh environment of this Python, its dependencies by their hashes, which pip installs for `make
    env`. Kernels are those of this user, which tests of the checkout compile at the same time, or before."""
    installation = install(sys.executable, cache.parent, "--require-hashes", "-r", ROOT / "requirements.lock")
    add(installation.python, "--no-deps", built["wheel"])
    compile_kernels()
    return replace(installation, variables={kernel_cache.VARIABLE: str(kernel_cache.home().parent)})


@pytest.fixture(scope="session")
def printed(installed: Installation) -> dict[str, str]:
    """The outputs of the commands on the page of the first ten minutes, run in order in an empty folder, and then of
    its Python example. Its run compiles no kernel that the checkout has compiled."""
    beginner = replace(installed, folder=installed.folder / "first_ten_minutes")
    beginner.folder.mkdir()
    outputs = {}
    for language, text in re.findall(r"^```(sh|python)\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL):
        for line in text.splitlines() if language == "sh" else [text]:
            command = shlex.split(line) if language == "sh" else ["python", "-c", text]
            done = beginner.run(*command)
            assert "compiling the kernels of" not in done.stderr, done.stderr
            outputs[line] = done.stdout
    return outputs


@pytest.fixture(scope="session")
def smoke(installed: Installation, printed: dict[str, str]) -> Path:
    """The folder of the page's smoke run; its release lies beside it."""
    return installed.folder / "first_ten_minutes" / "first"
