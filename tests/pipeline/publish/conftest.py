"""One finished run of the toy space and one release of it, for tests that only look."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from boardspace.cli.main import cli
from boardspace.engine.config import load_config
from boardspace.release.publish import Published, publish
from boardspace.spec.registry import spaces
from boardspace.storage import files
from tests.shared import made_once

SMALL = Path(__file__).with_name("small.toml")
SHIPPED = sorted(spaces().keys() - {"toy"})


@pytest.fixture(scope="session")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a finished run. Do not change it."""
    folder = tmp_path_factory.mktemp("run")
    config = folder / "toy.toml"
    config.write_text("[toy]\nroots = 120\n")
    done = in_process("run", config, "--out", folder / "out", "--workers", 0)
    assert done.exit_code == 0, done.output
    return folder / "out"


@pytest.fixture(scope="session")
def release(run: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release of that run. Do not change it."""
    folder = tmp_path_factory.mktemp("release")
    publish_quietly(run, folder)
    return folder


@pytest.fixture(scope="session")
def every_space(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release of every space that ships: as ``small.toml`` says, or else as the smoke run. Do not change it."""
    return made_once(tmp_path_factory, "every_space", _make_every_space) / "release"


def _make_every_space(folder: Path) -> None:
    small = load_config(str(SMALL)).spaces
    for name in SHIPPED:
        config = SMALL if name in small else "smoke"
        done = in_process("run", config, "--space", name, "--out", folder / "run", "--workers", 0)
        assert done.exit_code == 0, done.output
    publish_quietly(folder / "run", folder / "release")


def in_process(*arguments: object) -> Result:
    """Run the command in this process, which spares the start of another."""
    return CliRunner().invoke(cli, [str(argument) for argument in arguments])


def publish_quietly(run: Path, release: Path, verified: bool = True) -> list[Published]:
    """Publish all of a run; to verify it first, unless a test is about that, were nine tenths of the time."""
    return publish(run, release, [], lambda _: None, verified=verified)


@contextmanager
def armed(monkeypatch: pytest.MonkeyPatch, point: str, action: str, token: Path) -> Iterator[None]:
    """A failpoint of this process, armed once."""
    with monkeypatch.context() as patch:
        patch.setenv(files.FAILPOINT_VARIABLE, f"{point}@{action}@{token}")
        yield


def croissant_of(dataset: Path) -> Any:
    """A dataset as mlcroissant reads it, which takes a second to import: only where a test asks."""
    import mlcroissant

    return mlcroissant.Dataset(dataset / "croissant.json")
