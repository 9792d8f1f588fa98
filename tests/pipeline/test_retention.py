"""Blobs are dropped when nothing reads them any more, and made again where something does."""

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from boardspace.cli.main import cli
from boardspace.engine.outputs import most_bytes
from boardspace.spec.space import Output, Shard, Stage
from boardspace_kernels.solitaire.classes import layers
from tests.pipeline.conftest import dataset_bytes

CONFIG = """
[solitaire]
class_bytes = 128

[[solitaire.classes]]
board = "triangle10"
vacancies = [1]
moves = true
"""


class Killed(BaseException):
    """Ends a run at once."""


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The weights whose blocks are made, in turn; before ``Stop.at`` of them it ends."""
    weights: list[int] = []
    watch(monkeypatch, weights)
    monkeypatch.setattr(Stop, "at", -1)
    return weights


def watch(patch: pytest.MonkeyPatch, weights: list[int]) -> None:
    """Have the weights told here."""
    make_layer = layers.make_layer

    def watched(sweep: Any, sources: Any, roots: Any, weight: int, *ends: Any) -> Any:
        if len(weights) == Stop.at:
            raise Killed
        weights.append(weight)
        return make_layer(sweep, sources, roots, weight, *ends)

    patch.setattr("boardspace.spaces.solitaire.parts.classes.moves.make_layer", watched)


class Stop:
    """Before which layer the run is to end; -1: never."""

    at = -1


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[int]]:
    """The folder of a run, and the weights whose blocks were made. Do not change it."""
    folder, weights = tmp_path_factory.mktemp("whole"), list[int]()
    with pytest.MonkeyPatch.context() as patch:
        watch(patch, weights)
        assert run(folder).exit_code == 0
    return folder, weights


def run(folder: Path, *options: str) -> Any:
    (folder / "tiny.toml").write_text(CONFIG)
    arguments = ["run", str(folder / "tiny.toml"), "--out", str(folder / "out"), "--workers", "0", "--json", *options]
    return CliRunner().invoke(cli, arguments)


def blobs(folder: Path) -> list[str]:
    return sorted(
        path.name for path in (folder / "out").rglob("*.npy") if path.parent.name.startswith(("index", "rows"))
    )


def stages(folder: Path) -> set[str]:
    found = (folder / "out/.run/solitaire/stages").glob("triangle10-01.moves.*.json")
    return {path.stem for path in found}


@pytest.mark.thorough
def test_blocks_of_finished_weights_are_dropped_and_a_run_that_was_ended_goes_on(
    tmp_path: Path, whole: tuple[Path, list[int]], made: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    undisturbed, every = whole
    assert blobs(undisturbed) == []
    assert len(every) > len(set(every)) == 11  # some weights are made in parts

    ended = tmp_path
    monkeypatch.setattr(Stop, "at", 2 * len(every) // 3)
    with pytest.raises(Killed):
        run(ended)
    first = list(made)
    assert first == every[: len(first)]
    left = {int(name.split(".")[-1]) for name in stages(ended)}
    kept = {path.parent.parent.name for path in (ended / "out").rglob("rows-*/*.npy")}
    assert 0 < len(kept) < len(left)  # what nothing reads any more is gone before the run is over

    made.clear()
    monkeypatch.setattr(Stop, "at", -1)
    assert run(ended).exit_code == 0
    assert made == every[len(every) - len(made) :]
    assert len(made) < len(every) - len(first) + 10
    assert dataset_bytes(ended / "out/solitaire") == dataset_bytes(undisturbed / "out/solitaire")
    verified = CliRunner().invoke(cli, ["verify", str(ended / "out")])
    assert verified.exit_code == 0, verified.output

    made.clear()
    assert run(ended).exit_code == 0
    assert made == []  # nothing is lacking


@pytest.mark.parametrize(("where", "again"), [("solitaire/hardest", False), (".run/solitaire/intermediates", True)])
@pytest.mark.thorough
def test_what_was_dropped_is_made_again_where_a_reader_lost_its_files(
    tmp_path: Path, whole: tuple[Path, list[int]], made: list[int], where: str, again: bool
) -> None:
    """The tables need no blocks; a part of a weight does."""
    undisturbed, every = whole
    shutil.copytree(undisturbed / "out", tmp_path / "out")
    expected = dataset_bytes(tmp_path / "out/solitaire")
    lost = max((tmp_path / "out" / where).rglob("*.parquet"))
    lost.unlink()
    assert run(tmp_path).exit_code == 0
    assert made == (every if again else [])
    assert lost.exists()
    assert blobs(tmp_path) == []
    assert dataset_bytes(tmp_path / "out/solitaire") == expected
    verified = CliRunner().invoke(cli, ["verify", str(tmp_path / "out"), "--level", "structure"])
    assert verified.exit_code == 0, verified.output


def stage(name: str, size: int, *after: str, drops: bool = True, facts_only: tuple[str, ...] = ()) -> Stage:
    return Stage(name, "", _nothing, _no_shards, after, size, drops=drops, facts_only=facts_only)


def _nothing(config: Any, params: Any, inputs: Any) -> Output:
    return Output()


def _no_shards(config: Any, inputs: Any) -> list[Shard]:
    return []


def test_what_lies_on_the_disk_at_once_is_planned_by_what_is_dropped() -> None:
    """Each is dropped when the next is done; the last stage reads facts alone; what does not drop is there for good."""
    chain = [stage("a", 10), stage("b", 7, "a"), stage("c", 2, "b"), stage("d", 9, "c")]
    kept = stage("kept", 1, "a", "d", drops=False, facts_only=("a",))
    assert most_bytes({s.name: s for s in (*chain, kept)}) == 17
    assert most_bytes({s.name: s for s in (*chain[:3], stage("d", 20, "c"), kept)}) == 22
    reader = replace(kept, facts_only=())
    assert most_bytes({s.name: s for s in (*chain, reader)}) == 10 + 2 + 9
    assert most_bytes({s.name: replace(s, drops=False) for s in (*chain, kept)}) == 29


def test_a_plan_tells_what_lies_on_the_disk_at_once(tmp_path: Path) -> None:
    (tmp_path / "big.toml").write_text('[solitaire]\n[[solitaire.classes]]\nboard = "diamond"\nbitmaps = false\n')
    planned = CliRunner().invoke(cli, ["plan", str(tmp_path / "big.toml")])
    assert "MB of them at once" in planned.output
