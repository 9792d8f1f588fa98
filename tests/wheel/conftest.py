"""The distribution as a user gets it: built from the sdist, installed into an environment of its own, run elsewhere.

Nothing of the checkout is within reach: the current folder is another one, PYTHONPATH is unset, the kernels' cache is
empty at first. All environments share that cache: kernels are compiled once for each Python and versions of numba.
"""

import os
import shutil
import subprocess
import sys
import venv
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOREIGN = ("PYTHONPATH", "PYTHONHOME", "BOARDSPACE_SPACES", "NUMBA_CACHE_DIR", "VIRTUAL_ENV")
PYTHONS = ("3.11", "3.12", "3.13")
HELP_OF_EVERY_COMMAND = """
import click
from click.testing import CliRunner
from boardspace.cli.main import cli

def walk(command, path, context):
    done = CliRunner().invoke(cli, [*path, "--help"])
    assert done.exit_code == 0 and done.output.startswith("Usage: "), (path, done.output, done.exception)
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            walk(command.get_command(context, name), [*path, name], context)

walk(cli, [], click.Context(cli))
"""
Completed = subprocess.CompletedProcess[str]


def environment(cache: Path) -> dict[str, str]:
    """Today's environment without what could lead to the checkout, and with caches in this folder."""
    kept = {name: value for name, value in os.environ.items() if name not in FOREIGN}
    return kept | {"XDG_CACHE_HOME": str(cache), "PYTHONNOUSERSITE": "1"}


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

    @property
    def python(self) -> Path:
        """Its interpreter."""
        return self.prefix / "bin" / "python"

    @property
    def environment(self) -> Mapping[str, str]:
        """For processes that are started by hand."""
        return environment(self.cache)

    def run(self, *command: object, timeout: float = 900) -> Completed:
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


def build(source: Path, out: Path, *kinds: str) -> Sequence[Path]:
    """Build sdist, wheel or both of a source folder in isolation; the files, by kind."""
    out.mkdir()
    command = [sys.executable, "-m", "build", "--outdir", str(out), *kinds, str(source)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return sorted(out.iterdir())


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The sdist and the wheel made from it."""
    files = build(ROOT, tmp_path_factory.mktemp("built") / "dist")
    return {"wheel" if file.suffix == ".whl" else "sdist": file for file in files}


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of caches of all environments, the kernels' and uv's."""
    return tmp_path_factory.mktemp("elsewhere") / "cache"


@pytest.fixture(scope="session")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the programs uv, uvx, pipx and cyclonedx-py, in an environment of their own."""
    prefix = tmp_path_factory.mktemp("tools") / "environment"
    venv.create(prefix, with_pip=True)
    pip = [str(prefix / "bin" / "pip"), "install", "-q", "uv", "pipx", "cyclonedx-bom"]
    subprocess.run(pip, check=True, capture_output=True)
    return prefix / "bin"


@pytest.fixture(scope="session")
def install(tools: Path, cache: Path) -> Callable[..., Installation]:
    """Installs requirements into a new environment of a Python, in a folder, by uv: an eighth of pip's time."""

    def make(python: str, folder: Path, *requirements: object) -> Installation:
        subprocess.run([python, "-m", "venv", folder / "environment"], check=True)
        made = Installation(folder / "environment", folder, cache)
        command = [tools / "uv", "--cache-dir", cache / "uv", "pip", "install", "-q", "--python", made.python]
        done = subprocess.run(list(map(str, [*command, *requirements])), capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return made

    return make


@pytest.fixture(scope="session")
def installed(built: Mapping[str, Path], cache: Path) -> Installation:
    """The wheel in a fresh environment, its dependencies by their hashes, as pip installs them."""
    folder = cache.parent
    subprocess.run([newest_interpreter(), "-m", "venv", folder / "environment"], check=True)
    installation = Installation(folder / "environment", folder, cache)
    installation.run("python", "-m", "pip", "install", "-q", "--require-hashes", "-r", ROOT / "requirements.lock")
    installation.run("python", "-m", "pip", "install", "-q", "--no-deps", built["wheel"])
    return installation
