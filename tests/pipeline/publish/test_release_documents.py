"""A release tells what is in it: one manifest over its datasets, and two pages made from it."""

import hashlib
import json
import re
import shutil
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest

from boardspace.release.datasets import open_datasets
from boardspace.verify import verify
from tests.pipeline.publish.conftest import SHIPPED, publish_quietly
from tests.pipeline.publish.serving import served

RELEASE_DOCUMENTS = ("release.json", "README.md", "index.html", "CITATION.cff")


class Links(HTMLParser):
    """The addresses that a page links, and what it loads."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.loaded: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Hear of a tag."""
        self.found += [value or "" for name, value in attrs if name == "href" and tag == "a"]
        self.loaded += [tag for name, _ in attrs if name == "src" or tag in {"script", "link"}]


@pytest.fixture
def copy(release: Path, tmp_path: Path) -> Path:
    return shutil.copytree(release, tmp_path / "release")


def test_the_manifest_says_of_each_dataset_what_its_files_say(release: Path) -> None:
    [entry] = json.loads((release / "release.json").read_text())["datasets"]
    files = [path for path in (release / "toy").rglob("*") if path.is_file()]
    assert (entry["name"], entry["files"]) == ("toy", len(files))
    assert entry["bytes"] == sum(path.stat().st_size for path in files)
    for named in (entry["sums"], entry["archive"]):
        assert named["sha256"] == hashlib.sha256((release / named["path"]).read_bytes()).hexdigest()
    assert [table["name"] for table in entry["tables"]] == ["sums", "claims"]
    assert all((release / path).is_file() for table in entry["tables"] for path in table["files"])


def test_the_page_links_files_that_are_there_and_loads_nothing(release: Path) -> None:
    page = Links((release / "index.html").read_text())
    here = [unquote(address) for address in page.found if not address.startswith("https://")]
    assert all((release / address).is_file() for address in here)
    assert {"toy/sums/0000.parquet", "toy/claims.parquet", "toy/README.md", "toy.tar", *RELEASE_DOCUMENTS[:2]} <= set(
        here
    )
    assert page.loaded == []


def test_the_readme_s_links_lead_to_files(release: Path) -> None:
    links = re.findall(r"\]\(([^)]*)\)", (release / "README.md").read_text())
    assert links
    assert all((release / link).is_file() for link in links)


def test_a_release_is_opened_over_http_by_its_manifest(release: Path) -> None:
    with served(release) as traffic:
        opened = open_datasets(traffic.url)
        assert list(opened) == ["toy"]
        assert "/release.json" in [path for path, _ in traffic.requests]
        assert opened["toy"].tables["sums"].count_rows() > 0


def test_a_dataset_added_later_joins_the_manifest(run: Path, release: Path, every_space: Path, tmp_path: Path) -> None:
    shutil.copytree(every_space, tmp_path / "release")
    publish_quietly(run, tmp_path / "release")
    entries = json.loads((tmp_path / "release" / "release.json").read_text())["datasets"]
    assert [entry["name"] for entry in entries] == [*SHIPPED, "toy"]
    assert entries[-1] == json.loads((release / "release.json").read_text())["datasets"][0]
    assert verify(tmp_path / "release", "hashes").faults == ()
    shutil.rmtree(tmp_path / "release" / "board_division")
    for archive in (tmp_path / "release").glob("board_division*"):
        archive.unlink()
    result = verify(tmp_path / "release", "hashes")
    assert result.faults == ()
    assert "board_division: release.json names it, and it is not here" in result.notes


@pytest.mark.parametrize("name", RELEASE_DOCUMENTS)
def test_any_altered_byte_of_the_front_is_found(copy: Path, name: str) -> None:
    good = (copy / name).read_bytes()
    for place in (0, len(good) // 3, len(good) // 2, len(good) - 1):
        (copy / name).write_bytes(good[:place] + bytes([good[place] ^ 1]) + good[place + 1 :])
        assert name in {fault.where for fault in verify(copy, "hashes").faults}


@pytest.mark.parametrize("text", ["[" * 100_000, "9" * 5000, "{}", '{"format": 2, "datasets": [1]}', "", "\0"])
def test_a_hostile_manifest_is_told(copy: Path, text: str) -> None:
    (copy / "release.json").write_text(text)
    assert [fault.where for fault in verify(copy, "hashes").faults] == ["release.json"]


def test_a_manifest_that_says_something_else_is_found_where_the_pages_follow_it(copy: Path) -> None:
    from boardspace.storage.release_documents import entries_in, release_documents

    entries = entries_in((copy / "release.json").read_bytes())
    entries[0]["sums"]["sha256"] = "0" * 64
    for name, content in release_documents(entries).items():
        (copy / name).write_bytes(content)
    assert [fault.where for fault in verify(copy, "hashes").faults] == ["release.json"]


def test_the_page_of_the_atlas_stays_when_the_same_is_published_again(run: Path, copy: Path) -> None:
    (copy / "atlas").mkdir()
    (copy / "atlas" / "index.json").write_text("{}")
    (copy / "index.html").write_text("<p>the atlas")
    publish_quietly(run, copy)
    assert (copy / "index.html").read_text() == "<p>the atlas"
    assert verify(copy, "hashes").faults == ()
