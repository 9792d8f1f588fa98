"""A stage that comes after itself goes on until a cut has no shards; resumed anywhere, it is the same."""

import json
import signal
from pathlib import Path

import pytest
from click.testing import CliRunner

from boardspace.cli.main import cli
from boardspace.engine import loop
from boardspace.engine.config import validate
from boardspace.engine.events import SpaceSummary
from boardspace.engine.graph import InProcess
from boardspace.engine.plan import save_plan, work_of
from boardspace.engine.status import status
from boardspace.spec import registry
from boardspace.storage.run_folder import SpaceFolder
from boardspace.verify import verify
from tests.pipeline.conftest import boardspace, dataset_bytes
from tests.pipeline.test_engine import Recorder

PLUGINS = "tests.toy,tests.growing"
pytestmark = pytest.mark.usefixtures("growing")


def run_growing(root: Path) -> tuple[SpaceSummary, Recorder]:
    work = work_of(validate({"growing": {"bound": 50}}, "trial", "trial.toml"))
    save_plan(root, work)
    recorder = Recorder()
    return loop.run(work, root, InProcess(), recorder, loop.Limits())["growing"], recorder


def rounds(root: Path) -> int:
    return len(SpaceFolder(root, "growing").finished("levels").receipts)


def test_rounds_go_on_until_nothing_is_new_and_later_stages_see_all_of_them(tmp_path: Path) -> None:
    summary, recorder = run_growing(tmp_path)
    assert verify(tmp_path, "logic").faults == ()
    levels = [cut for cut in recorder.cut if cut[0] == "levels"]
    assert levels == [("levels", 1, 0)] * rounds(tmp_path) + [("levels", 0, 0)]
    assert rounds(tmp_path) > 5
    assert summary.shards == rounds(tmp_path) + 2  # the total and the claims
    [total] = SpaceFolder(tmp_path, "growing").finished("total").receipts
    assert total.facts == {"numbers": sum(r.rows for r in SpaceFolder(tmp_path, "growing").finished("levels").receipts)}
    assert {row.stage: (row.shards, row.done) for row in status(tmp_path)}["levels"] == (rounds(tmp_path),) * 2


def test_a_stage_between_two_rounds_is_under_way_and_its_shards_are_counted_as_known(tmp_path: Path) -> None:
    run_growing(tmp_path)
    folder = SpaceFolder(tmp_path, "growing")
    for gone in (folder.stage("levels"), folder.complete):
        Path(gone).unlink()
    [levels, total, *_] = status(tmp_path)
    assert (levels.state, levels.shards, total.state) == ("under way", None, "under way")
    told = CliRunner().invoke(cli, ["status", str(tmp_path)]).output.splitlines()
    assert told[0].startswith(f"growing: 0 of 3 stages finished, {levels.done + 2} of {levels.done + 2} shards done")


def test_a_second_run_computes_nothing(tmp_path: Path) -> None:
    run_growing(tmp_path)
    before = dataset_bytes(tmp_path / "growing")
    summary, _ = run_growing(tmp_path)
    assert summary.skipped == summary.shards
    assert dataset_bytes(tmp_path / "growing") == before


@pytest.mark.parametrize("point", ["receipt-done", "stage-renamed"])
def test_a_run_killed_in_any_round_goes_on_to_the_same_bytes(tmp_path: Path, point: str) -> None:
    config = tmp_path / "growing.toml"
    config.write_text("[growing]\nbound = 50\n")
    out = tmp_path / "out"
    for number in range(2):
        killed = boardspace(
            *("run", config, "--out", out, "--workers", 0),
            env={"BOARDSPACE_FAILPOINT": f"{point}@kill@{tmp_path / str(number)}", registry.PLUGINS: PLUGINS},
        )
        assert killed.returncode == -signal.SIGKILL
    run_growing(out)
    run_growing(tmp_path / "undisturbed")
    assert dataset_bytes(out / "growing") == dataset_bytes(tmp_path / "undisturbed" / "growing")


def test_a_lost_file_of_one_round_is_made_again(tmp_path: Path) -> None:
    run_growing(tmp_path)
    before = dataset_bytes(tmp_path / "growing")
    lost = tmp_path / "growing" / "numbers" / "level=003" / "0.parquet"
    lost.unlink()
    summary, _ = run_growing(tmp_path)
    assert summary.shards - summary.skipped >= 1
    assert dataset_bytes(tmp_path / "growing") == before


def test_two_workers_give_the_same_bytes(tmp_path: Path) -> None:
    config = tmp_path / "growing.toml"
    config.write_text("[growing]\nbound = 50\n")
    done = boardspace(
        "run", config, "--out", tmp_path / "out", "--workers", 2, "--json", env={registry.PLUGINS: PLUGINS}
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["datasets"]["growing"]["shards"] == rounds(tmp_path / "out") + 2
    run_growing(tmp_path / "here")
    assert dataset_bytes(tmp_path / "out" / "growing") == dataset_bytes(tmp_path / "here" / "growing")
