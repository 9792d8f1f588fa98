"""The distribution as a user gets it: built from the sdist, installed into an environment of its own, run elsewhere.

Nothing of the checkout is within reach: the current folder is another one, PYTHONPATH is unset, the kernels' cache is
empty. Dependencies are those of requirements.lock.
"""

import os
import subprocess
import sys
import venv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOREIGN = ("PYTHONPATH", "PYTHONHOME", "BOARDSPACE_SPACES", "NUMBA_CACHE_DIR", "VIRTUAL_ENV")
Completed = subprocess.CompletedProcess[str]


def environment(home: Path) -> dict[str, str]:
    """Today's environment without what could lead to the checkout, and with caches of its own."""
    kept = {name: value for name, value in os.environ.items() if name not in FOREIGN}
    return kept | {"XDG_CACHE_HOME": str(home / "cache"), "PYTHONNOUSERSITE": "1"}


@dataclass(frozen=True)
class Installation:
    """An environment with nothing but the wheel and what it depends on; ``folder`` is where its commands run."""

    prefix: Path
    folder: Path

    @property
    def python(self) -> Path:
        """Its interpreter."""
        return self.prefix / "bin" / "python"

    @property
    def environment(self) -> Mapping[str, str]:
        """For processes that are started by hand."""
        return environment(self.folder)

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
def installed(built: Mapping[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Installation:
    """The wheel in a fresh environment, its dependencies by their hashes."""
    folder = tmp_path_factory.mktemp("elsewhere")
    prefix = folder / "environment"
    venv.create(prefix, with_pip=True)
    installation = Installation(prefix, folder)
    installation.run("python", "-m", "pip", "install", "-q", "--require-hashes", "-r", ROOT / "requirements.lock")
    installation.run("python", "-m", "pip", "install", "-q", "--no-deps", built["wheel"])
    return installation
