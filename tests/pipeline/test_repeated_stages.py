"""A stage that comes after itself goes on until a cut has no shards; resumed anywhere, it is the same."""

import json
import signal
from pathlib import Path

import pytest
from click.testing import CliRunner

from boardspace.cli.commands.status import stages_status
from boardspace.cli.main import cli
from boardspace.engine import loop
from boardspace.engine.config import validate
from boardspace.engine.events import SpaceSummary
from boardspace.engine.graph import InProcess
from boardspace.engine.plan import save_plan, work_of
from boardspace.engine.work import RunDataset
from boardspace.spec import registry
from boardspace.storage.run_folder import SpaceFolder
from boardspace.storage.stored import OnDisk
from boardspace.verify import verify
from boardspace.verify.records import finish_round
from tests.pipeline.conftest import boardspace, dataset_bytes
from tests.pipeline.test_engine import Recorder

PLUGINS = "tests.toy,tests.growing"
pytestmark = pytest.mark.usefixtures("growing")


def run_growing(root: Path, blobs: bool = False) -> tuple[SpaceSummary, Recorder]:
    work = work_of(validate({"growing": {"bound": 50, "blobs": blobs}}, "trial", "trial.toml"))
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
    assert {row.stage: (row.shards, row.done) for row in stages_status(tmp_path)}["levels"] == (rounds(tmp_path),) * 2


def test_a_stage_between_two_rounds_is_under_way_and_its_shards_are_counted_as_known(tmp_path: Path) -> None:
    work = work_of(validate({"growing": {"bound": 50}}, "trial", "trial.toml"))
    save_plan(tmp_path, work)
    dataset = RunDataset(tmp_path, "growing", work[0].plan.model_dump_json())
    finished: dict[str, str] = {}
    for _ in range(3):
        assert finish_round(dataset, dataset.stages()["levels"], finished)
        [levels, total, *_] = stages_status(tmp_path)
        assert (levels.state, levels.shards, total.state) == ("under way", None, "waits")
    told = CliRunner().invoke(cli, ["status", str(tmp_path)]).output.splitlines()
    assert told[0].startswith("growing: 0 of 3 stages finished, 3 of 3 shards done")


def files(root: Path) -> dict[str, tuple[int, int, bytes]]:
    """Inode, time of the last change and bytes of every file."""
    every = [path for path in root.rglob("*") if path.is_file()]
    return {str(path): (path.stat().st_ino, path.stat().st_mtime_ns, path.read_bytes()) for path in every}


@pytest.mark.parametrize("blobs", [False, True])
def test_a_complete_run_that_is_repeated_computes_and_writes_nothing(tmp_path: Path, blobs: bool) -> None:
    run_growing(tmp_path, blobs)
    before = files(tmp_path)
    summary, recorder = run_growing(tmp_path, blobs)
    assert summary.skipped == summary.shards == rounds(tmp_path) + 2
    assert [cut for cut in recorder.cut if cut[0] == "levels"] == [("levels", rounds(tmp_path), rounds(tmp_path))]
    assert files(tmp_path) == before
    assert verify(tmp_path, "logic").faults == ()


def test_a_stage_reads_no_more_for_its_hundredth_round_than_for_its_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, opened = OnDisk.read, list[Path]()

    def counted(file: OnDisk, most: int) -> bytes:
        """Read a file, and note it."""
        opened.append(file.path)
        return read(file, most)

    monkeypatch.setattr(OnDisk, "read", counted)
    run_growing(tmp_path)
    every = rounds(tmp_path)
    of_rounds = [path for path in opened if "levels" in path.parts and path.suffix in {".json", ".jsonl"}]
    assert len(of_rounds) <= 4 * every  # a receipt that is not there yet, the record before it is written and after


def test_blobs_that_the_next_round_alone_reads_are_deleted_after_it_and_others_after_their_last_reader(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there: list[list[str]] = []

    class Watching(Recorder):
        """Notes which blobs are there whenever a shard is done."""

        def shards_done(self, space: str, stage: str, shards: int) -> None:
            levels = tmp_path / ".run/growing/intermediates/levels"
            there.append(sorted(str(path.relative_to(levels)) for path in levels.rglob("*.npy")))

    work = work_of(validate({"growing": {"bound": 50, "blobs": True}}, "trial", "trial.toml"))
    save_plan(tmp_path, work)
    loop.run(work, tmp_path, InProcess(), Watching(), loop.Limits())
    of_rounds = there[: rounds(tmp_path)]
    assert all(len([name for name in names if name.startswith("last/")]) <= 2 for names in of_rounds)
    assert len([name for name in of_rounds[-1] if name.startswith("new/")]) == rounds(tmp_path)
    assert [*(tmp_path / ".run").rglob("*.npy")] == []


@pytest.mark.parametrize("lost", [0, 3, 5])
def test_a_round_whose_file_is_lost_is_made_again_from_the_rounds_before_it(tmp_path: Path, lost: int) -> None:
    """Where blobs were deleted, all rounds up to it are; those behind it keep their receipts."""
    for blobs in (False, True):
        root = tmp_path / str(blobs)
        run_growing(root, blobs)
        before = dataset_bytes(root / "growing")
        (root / "growing" / "numbers" / f"level={lost:03}" / "0.parquet").unlink()
        summary, _ = run_growing(root, blobs)
        assert summary.shards - summary.skipped == (lost + 1 if blobs else 1)
        assert dataset_bytes(root / "growing") == before
        assert verify(root, "logic").faults == ()
        assert not [*(root / ".run/growing").rglob("*.npy")]
        assert not (root / ".run/growing/rounds/levels").exists()


@pytest.mark.parametrize("point", ["receipt-done", "round-renamed", "stage-renamed"])
def test_a_run_killed_in_any_round_goes_on_to_the_same_bytes(tmp_path: Path, point: str) -> None:
    config = tmp_path / "growing.toml"
    config.write_text("[growing]\nbound = 50\nblobs = true\n")
    out = tmp_path / "out"
    for number in range(2):
        killed = boardspace(
            *("run", config, "--out", out, "--workers", 0),
            env={"BOARDSPACE_FAILPOINT": f"{point}@kill@{tmp_path / str(number)}", registry.PLUGINS: PLUGINS},
        )
        assert killed.returncode == -signal.SIGKILL
    run_growing(out, blobs=True)
    run_growing(tmp_path / "undisturbed", blobs=True)
    assert not [*(out / ".run").rglob("*.npy")]
    assert dataset_bytes(out / "growing") == dataset_bytes(tmp_path / "undisturbed" / "growing")


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
