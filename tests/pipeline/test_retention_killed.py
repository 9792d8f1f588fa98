"""Real SIGKILLs in the middle of a sweep that drops its blocks: the same command goes on to the same bytes, from the
blocks that are left."""

import json
import signal
from collections.abc import Callable, Iterator
from contextlib import suppress
from fnmatch import fnmatch
from pathlib import Path

import psutil
import pytest
from click.testing import CliRunner

from boardspace.cli.main import cli
from tests.pipeline.conftest import PYTHON, dataset_bytes, started
from tests.pipeline.forging import receipt_lines
from tests.pipeline.template import Command
from tests.shared import wait_until

CONFIG = """
[solitaire]
class_bytes = 128

[[solitaire.classes]]
board = "triangle10"
vacancies = [1]
moves = true
"""
SWEPT = "triangle10-01.moves.*"
MIDDLE = 5  # stages of the 11 of the sweep

# Runs a config on two workers. In the middle of the sweep nothing follows until the file HELD is gone again.
HELD = "held"
HOLDING = f"""
import sys, time
from fnmatch import fnmatch
from pathlib import Path
from boardspace.engine.config import load_config
from boardspace.engine.events import Listener
from boardspace.engine.run import Workers, run

class Holding(Listener):
    cut = 0

    def stage_cut(self, space, stage, shards, done):
        self.cut += fnmatch(stage.name, "{SWEPT}")
        if self.cut == {MIDDLE} + 1:
            held = Path(sys.argv[1], "{HELD}")
            held.touch()
            while held.exists():
                time.sleep(0.01)
            self.cut += 1

if __name__ == "__main__":
    folder = Path(sys.argv[1])
    run(load_config(str(folder / "tiny.toml")), folder / "out", Workers(count=2), listener=Holding())
"""


def arguments(folder: Path, workers: int) -> list[str]:
    (folder / "tiny.toml").write_text(CONFIG)
    return ["run", str(folder / "tiny.toml"), "--out", str(folder / "out"), "--workers", str(workers)]


def finished_stages(folder: Path) -> set[str]:
    return {path.stem for path in (folder / "out/.run/solitaire/stages").glob(f"{SWEPT}.json")}


def receipts(folder: Path) -> set[str]:
    """Those of the sweep; a shard that is made again gets another."""
    return {line for line in receipt_lines(folder / "out/.run/solitaire") if fnmatch(stage_of(line), SWEPT)}


def stage_of(line: str) -> str:
    return str(json.loads(line)["record"]["stage"])


def stages_with_blocks(folder: Path) -> set[str]:
    blocks = (folder / "out/.run/solitaire/intermediates").glob(f"{SWEPT}/rows-*/*.npy")
    return {path.parent.parent.name for path in blocks}


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    folder = tmp_path_factory.mktemp("undisturbed")
    result = CliRunner().invoke(cli, arguments(folder, 0))
    assert result.exit_code == 0, result.output
    return dataset_bytes(folder / "out/solitaire")


@pytest.fixture
def held(tmp_path: Path) -> Iterator[Command]:
    """A run on two workers in the middle of its sweep: some blocks are dropped already, some are needed still."""
    arguments(tmp_path, 2)
    with (tmp_path / "errors").open("w") as errors:
        run = started(PYTHON, HOLDING, tmp_path, err=errors)
    wait_until((tmp_path / HELD).exists)
    yield run
    with suppress(psutil.NoSuchProcess):
        kill_all(run)


def workers_of(run: Command) -> list[psutil.Process]:
    """They are children of a server that forks them."""
    return [child for server in psutil.Process(run.number).children() for child in server.children()]


def kill_all(run: Command) -> None:
    """The command, its workers and whatever else it started."""
    process = psutil.Process(run.number)
    for one in [*process.children(recursive=True), process]:
        one.kill()


def kill_the_command(run: Command) -> None:
    """Its workers end by themselves."""
    workers = workers_of(run)
    assert workers
    run.send_signal(signal.SIGKILL)
    assert not psutil.wait_procs(workers, timeout=300)[1]


@pytest.mark.parametrize("kill", [kill_all, pytest.param(kill_the_command, marks=pytest.mark.slow)])
def test_a_killed_run_goes_on_from_the_blocks_that_are_left_whatever_the_workers(
    held: Command, tmp_path: Path, undisturbed: dict[str, bytes], kill: Callable[[Command], None]
) -> None:
    kill(held)
    assert held.wait() == -signal.SIGKILL
    stages, made = finished_stages(tmp_path), receipts(tmp_path)
    assert not (tmp_path / "out/solitaire/COMPLETE.json").exists()
    assert stages - stages_with_blocks(tmp_path)  # blocks that nothing needs any more: they are not made again

    done = CliRunner().invoke(cli, arguments(tmp_path, 0))
    assert done.exit_code == 0, done.output
    after = receipts(tmp_path)
    assert made < after
    assert stages_with_blocks(tmp_path) == set()
    assert dataset_bytes(tmp_path / "out/solitaire") == undisturbed
    verified = CliRunner().invoke(cli, ["verify", str(tmp_path / "out"), "--level", "structure"])
    assert verified.exit_code == 0, verified.output


@pytest.mark.slow
def test_workers_that_are_killed_cost_their_shards_and_nothing_else(
    held: Command, tmp_path: Path, undisturbed: dict[str, bytes]
) -> None:
    """Both, in the middle of the sweep: others take their places, and the command ends as if nothing had been."""
    made, workers = receipts(tmp_path), workers_of(held)
    assert len(workers) >= 2
    for worker in workers:
        worker.kill()
    (tmp_path / HELD).unlink()
    assert held.wait(300) == 0, (tmp_path / "errors").read_text()
    after = receipts(tmp_path)
    assert made < after
    assert stages_with_blocks(tmp_path) == set()
    assert dataset_bytes(tmp_path / "out/solitaire") == undisturbed
