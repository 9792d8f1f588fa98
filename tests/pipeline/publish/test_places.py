"""Places that a release may have, and what else lies there: nothing else is damaged, obeyed or vouched for."""

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import boardspace as package
from boardspace.spec.errors import BoardspaceError
from tests.pipeline.conftest import dataset_bytes
from tests.pipeline.publish.conftest import in_process, publish_quietly

HOSTILE = "x](http://evil.example) | <script>alert(1)</script> **y**\n# z `w` [a](b) _c_ \\"


@pytest.fixture
def two(run: Path, release: Path, tmp_path: Path) -> Path:
    """A release with a dataset of somebody else, ``zoo``, beside which ``toy`` is to be published."""
    folder = tmp_path / "release"
    shutil.copytree(release / "toy", folder / "zoo")
    for ending in (".tar", ".tar.sha256"):
        shutil.copy(release / f"toy{ending}", folder / f"zoo{ending}")
    return folder


def change_package(dataset: Path, change: Callable[[dict[str, Any]], object]) -> None:
    package = json.loads((dataset / "datapackage.json").read_text())
    change(package)
    (dataset / "datapackage.json").write_text(json.dumps(package))


@pytest.mark.parametrize("place", ["", "toy", "toy/new", "toy/sums", ".run", ".run/toy/new", "link", "link/a/b"])
def test_a_release_lies_in_no_run(run: Path, tmp_path: Path, place: str) -> None:
    out = shutil.copytree(run, tmp_path / "out")
    (tmp_path / "link").symlink_to(out / "toy")
    before = dataset_bytes(out)
    target = tmp_path / place if place.startswith("link") else out / place
    done = in_process("publish", out, "--out", target, "--verified")
    assert done.exit_code == 2, done.output
    assert "inside the run" in done.output or "is the folder of a run" in done.output
    assert dataset_bytes(out) == before


def test_a_release_lies_in_no_published_dataset(run: Path, release: Path, tmp_path: Path) -> None:
    there = shutil.copytree(release, tmp_path / "release")
    done = in_process("publish", run, "--out", there / "toy" / "more", "--verified")
    assert done.exit_code == 2
    assert "inside the published dataset" in done.output
    assert dataset_bytes(there) == dataset_bytes(release)


@pytest.mark.parametrize("lost", [".tar", ".tar.sha256"])
def test_an_archive_that_is_gone_is_made_again_and_that_of_another_dataset_asked_for(
    run: Path, release: Path, two: Path, lost: str
) -> None:
    publish_quietly(run, two)
    (two / f"toy{lost}").unlink()
    publish_quietly(run, two)
    assert (two / f"toy{lost}").read_bytes() == (release / f"toy{lost}").read_bytes()
    before = dataset_bytes(two)
    (two / f"zoo{lost}").unlink()
    done = in_process("publish", run, "--out", two, "--verified")
    assert done.exit_code == 2
    assert "zoo.tar: it, or its checksum beside it, is missing" in done.output
    assert dataset_bytes(two) == {name: content for name, content in before.items() if name != f"zoo{lost}"}


DAMAGED: list[Callable[[Path], object]] = [
    lambda dataset: (dataset / "datapackage.json").unlink(),
    lambda dataset: (dataset / "datapackage.json").write_text(""),
    lambda dataset: (dataset / "datapackage.json").write_text("[" * 100_000),
    lambda dataset: (dataset / "datapackage.json").write_text('{"title": 1, "title": 2}'),
    lambda dataset: (dataset / "datapackage.json").write_bytes(b"\xff"),
    lambda dataset: change_package(dataset, lambda package: package.update(title=5)),
    lambda dataset: change_package(dataset, lambda package: package.update(contributors=[{"title": {}}])),
    lambda dataset: change_package(dataset, lambda package: package.update(resources={"a": 1})),
    lambda dataset: change_package(dataset, lambda package: package["resources"][0].update(size="1e400")),
    lambda dataset: change_package(dataset, lambda package: package.update(citation=[])),
    lambda dataset: (dataset / "SHA256SUMS").write_text("torn"),
    lambda dataset: (dataset.parent / "zoo.tar.sha256").write_bytes(b"\xff"),
]


@pytest.mark.parametrize("damage", DAMAGED)
def test_a_damaged_dataset_of_others_is_named_before_anything_is_written(
    run: Path, two: Path, damage: Callable[[Path], object]
) -> None:
    damage(two / "zoo")
    before = dataset_bytes(two)
    done = in_process("publish", run, "--out", two, "--verified")
    assert done.exit_code == 2, done.output
    assert "zoo" in done.output
    assert dataset_bytes(two) == before


def test_texts_of_others_are_texts_on_the_pages_of_a_release(run: Path, two: Path) -> None:
    change_package(two / "zoo", lambda package: package.update(title=HOSTILE, partial=HOSTILE, version=HOSTILE))
    publish_quietly(run, two)
    for line in (two / "README.md").read_text().splitlines():
        assert not line.startswith("# z")
        assert not re.search(r"(?<!\\)(\]\(http|</?script|\*\*y|`w|\[a|_c)", line)
        assert line.count("|") - line.count(r"\|") in {0, 7}
    assert "<script" not in (two / "index.html").read_text()


def test_names_of_folders_may_be_any_bytes(run: Path, release: Path, tmp_path: Path) -> None:
    folder = tmp_path / "a\udcff"
    done = in_process("publish", run, "--out", folder, "--verified")
    assert done.exit_code == 0, done.output
    assert dataset_bytes(folder) == dataset_bytes(release)
    assert in_process("verify", folder).exit_code == 0
    assert in_process("claims", folder).exit_code == 0
    with pytest.raises(BoardspaceError, match="not UTF-8"):
        package.open(folder)["toy"].tables["sums"].count_rows()
