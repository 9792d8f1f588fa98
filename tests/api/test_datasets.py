"""Datasets opened from Python: of a run, of a release, on disk and on a web server."""

import json
import pickle
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import boardspace
from boardspace.release.datasets import Datasets
from boardspace.release.publish import publish
from boardspace.spec.errors import BoardspaceError
from tests.pipeline.publish.serving import served

ROOTS = 60


@pytest.fixture(scope="module")
def run_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("run") / "toy run"
    boardspace.run({"toy": {"roots": ROOTS}}, folder, workers=0)
    return folder


@pytest.fixture(scope="module")
def release(run_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("release")
    publish(run_folder, folder, (), lambda text: None, verified=True)
    return folder


def check_toy(opened: Datasets) -> None:
    toy = opened["toy"]
    sums = {a * a + b * b for a in range(ROOTS) for b in range(ROOTS)}
    limit = (ROOTS - 1) ** 2 + 1
    found = toy.tables["sums"].to_table()
    assert found.column("sum").to_pylist() == sorted(value for value in sums if value < limit)
    assert toy.arrays["ways"][25] == 4
    assert [judged.claim for judged in toy.claims] == ["fermat", "all-squares", "open-question"]
    assert toy.claims["fermat"].verdict == "confirmed"
    assert toy.claims["open-question"].measured is None
    assert toy.columns("sums")[0].doc == "a^2 + b^2"
    assert set(toy.tables) == {"sums"}
    assert set(toy.arrays) == {"ways"}


def test_of_a_run(run_folder: Path) -> None:
    opened = boardspace.open(run_folder)
    check_toy(opened)
    verified = opened.verify("logic")
    assert not verified.faults
    assert verified.level == "logic"
    assert verified.seed is not None
    assert {one.dataset for one in verified.rederived} == {"toy"}
    assert verified.cases == sum(one.cases for one in verified.rederived) > 0


def test_of_one_dataset_of_a_run(run_folder: Path) -> None:
    check_toy(boardspace.open(run_folder / "toy"))


def test_of_a_release(release: Path) -> None:
    opened = boardspace.open(release)
    check_toy(opened)
    verified = opened.verify()
    assert not verified.faults
    assert any("what lies beside it" in note for note in verified.notes)


def test_on_a_web_server_whole_or_one(release: Path) -> None:
    with served(release) as traffic:
        check_toy(boardspace.open(traffic.url))
        check_toy(boardspace.open(f"{traffic.url}/toy/"))


def test_a_changed_file_on_a_web_server_is_found(release: Path, tmp_path: Path) -> None:
    with served(release) as traffic:
        opened = boardspace.open(traffic.url)
        assert not opened.verify("hashes").faults
        file = next((release / "toy" / "sums").iterdir())
        content = file.read_bytes()
        try:
            file.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
            (fault,) = opened.verify("hashes").faults
        finally:
            file.write_bytes(content)
    assert fault.where == f"toy/sums/{file.name}"


@pytest.mark.parametrize("place", ["nowhere", "."])
def test_where_there_is_none_it_is_said(place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(boardspace.BoardspaceError, match="no complete dataset here"):
        boardspace.open(place)


def test_names_that_are_not_there_are_told_with_those_that_are(run_folder: Path) -> None:
    opened = boardspace.open(run_folder)
    with pytest.raises(KeyError, match="there are: toy"):
        opened["klotski"]
    for ask in (opened["toy"].tables.__getitem__, opened["toy"].columns, opened["toy"].why):
        with pytest.raises(KeyError, match=r"there are: .*sums"):
            ask("cubes")


def test_a_notebook_shows_what_a_dataset_holds(run_folder: Path) -> None:
    toy = boardspace.open(run_folder)["toy"]
    assert "Sums of two squares" in toy._repr_html_()
    assert "<td>fermat" in toy.claims._repr_html_()


Config = Callable[..., Path]


def test_a_run_of_python_and_one_of_the_command_line_are_the_same(run_folder: Path, tmp_path: Path) -> None:
    config = tmp_path / "toy.toml"
    config.write_text(f"[toy]\nroots = {ROOTS}\n")
    again = boardspace.run(config, tmp_path / "out", workers=0)
    assert again["toy"].tables["sums"].to_table() == boardspace.open(run_folder)["toy"].tables["sums"].to_table()


class _Planted:
    """Unpickled, it leaves a file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, ...]:
        return Path.touch, (self.path,)


OLDER = {
    "zarr_format": 2,
    "shape": [1],
    "chunks": [1],
    "dtype": "|O",
    "compressor": None,
    "fill_value": None,
    "filters": [{"id": "vlen-utf8"}, {"id": "pickle"}],
    "order": "C",
}


def test_an_array_of_an_older_zarr_that_would_be_unpickled_is_not_opened(run_folder: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(run_folder, tmp_path / "copy"))
    array = copy / "toy/arrays.zarr/ways"
    (array / "zarr.json").unlink()
    (array / ".zarray").write_text(json.dumps(OLDER))
    (array / "0").write_bytes(pickle.dumps(_Planted(tmp_path / "planted")))
    with pytest.raises(BoardspaceError, match="no array"):
        boardspace.open(str(copy))["toy"].arrays["ways"]
    assert not (tmp_path / "planted").exists()


def test_an_array_with_a_codec_that_boardspace_does_not_write_is_not_opened(run_folder: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(run_folder, tmp_path / "copy"))
    metadata = copy / "toy/arrays.zarr/ways/zarr.json"
    metadata.write_text(metadata.read_text().replace('"zstd"', '"gzip"').replace('"checksum": false', '"unused": 1'))
    with pytest.raises(BoardspaceError, match=r"gzip|no array"):
        boardspace.open(str(copy))["toy"].arrays["ways"]
