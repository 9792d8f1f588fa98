"""A release that is cited and deposited: what whoever publishes says of it, and what places of deposit read."""

import json
import shutil
from pathlib import Path
from typing import Any

import frictionless
import pytest
import yaml

from boardspace.release.publish import publish
from boardspace.spec.citation import Citation, CitationError
from boardspace.storage.deposits import Deposit, DepositError, require_within_zenodo
from boardspace.storage.files import StorageError
from boardspace.verify import verify
from tests.pipeline.publish.conftest import croissant_of, in_process, publish_quietly

SAID = Citation(
    doi="10.5281/zenodo.1234567",
    url="https://example.org/release",
    date="2026-11-24",
    repository="https://example.org/code",
    authors=("Ada Lovelace", "俞 鑫"),
)


@pytest.fixture(scope="module")
def cited(run: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release with all that can be said of it, for both places of deposit. Do not change it."""
    folder = tmp_path_factory.mktemp("cited")
    publish(run, folder, [], lambda _: None, deposit=Deposit(SAID, ("zenodo", "huggingface")), verified=True)
    return folder


@pytest.fixture
def copy(cited: Path, tmp_path: Path) -> Path:
    return shutil.copytree(cited, tmp_path / "release")


def document(path: Path) -> Any:
    return json.loads(path.read_text())


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ({"doi": "https://doi.org/10.5281/zenodo.1"}, "write it as 10.5281"),
        ({"url": "example.org"}, "it begins with https://"),
        ({"repository": "git@example.org"}, "it begins with https://"),
        ({"date": "24.11.2026"}, "write year, month and day"),
        ({"date": "2026-02-30"}, "write year, month and day"),
        ({"authors": (" ",)}, "an author without a name"),
        ({"authors": ("A} B",)}, "braces"),
    ],
)
def test_what_no_citation_can_take_is_refused(said: dict[str, Any], text: str) -> None:
    with pytest.raises(CitationError, match=text):
        Citation(**said)


def test_the_command_says_it_all(run: Path, cited: Path, tmp_path: Path) -> None:
    options = ["--doi", SAID.doi, "--url", SAID.url, "--date", SAID.date, "--repository", SAID.repository]
    names = [option for author in SAID.authors for option in ("--author", author)]
    profiles = ["--profile", "zenodo", "--profile", "huggingface"]
    done = in_process("publish", run, "--out", tmp_path, "--verified", *options, *names, *profiles)
    assert done.exit_code == 0, done.output
    assert (tmp_path / "release.json").read_bytes() == (cited / "release.json").read_bytes()
    refused = in_process("publish", run, "--out", tmp_path / "other", "--date", "today")
    assert refused.exit_code != 0
    assert "2026-11-24" in refused.output


def test_the_digests_of_the_contents_are_those_of_a_release_that_says_nothing(release: Path, cited: Path) -> None:
    assert (cited / "toy" / "COMPLETE").read_bytes() == (release / "toy" / "COMPLETE").read_bytes()
    assert (cited / "toy" / "claims.parquet").read_bytes() == (release / "toy" / "claims.parquet").read_bytes()


def test_what_is_published_gets_no_doi_afterwards_in_silence(run: Path, copy: Path) -> None:
    with pytest.raises(StorageError, match="what is published is not changed"):
        publish_quietly(run, copy)
    [again] = publish(run, copy, [], lambda _: None, verified=True, deposit=Deposit(SAID))
    assert not again.new
    assert document(copy / "release.json")["profiles"] == ["huggingface", "zenodo"]


def test_mlcroissant_has_nothing_to_warn_of(cited: Path) -> None:
    issues = croissant_of(cited / "toy").metadata.ctx.issues
    assert (issues.errors, issues.warnings) == (set(), set())
    croissant = document(cited / "toy" / "croissant.json")
    assert [author["name"] for author in croissant["creator"]] == list(SAID.authors)
    assert "doi = {10.5281/zenodo.1234567}" in croissant["citeAs"]


def test_frictionless_finds_the_package_valid(cited: Path) -> None:
    report = frictionless.Package(cited / "toy" / "datapackage.json").validate()
    assert report.valid, report.flatten(["name", "message"])


@pytest.mark.parametrize("folder", [".", "toy"])
def test_citation_cff_names_authors_date_doi_and_addresses(cited: Path, folder: str) -> None:
    found = yaml.safe_load((cited / folder / "CITATION.cff").read_text())
    assert found["cff-version"] == "1.2.0"
    assert [author["name"] for author in found["authors"]] == list(SAID.authors)
    said = {name: str(found[name]) for name in ("doi", "url", "date-released", "repository-code")}
    assert list(said.values()) == [SAID.doi, SAID.url, SAID.date, SAID.repository]


def test_the_card_says_how_to_cite(cited: Path, release: Path) -> None:
    sentence = (
        "Ada Lovelace, 俞 鑫 (2026). Sums of two squares, version 1.0.0 [data set]. https://doi.org/10.5281/zenodo."
    )
    assert sentence in (cited / "toy" / "README.md").read_text()
    unsaid = (release / "toy" / "README.md").read_text()
    assert "The maintainers of toy. Sums of two squares, version 1.0.0 [data set]. boardspace/toy, plan " in unsaid


def test_every_table_of_the_card_says_source_extent_completeness_and_reliability(release: Path) -> None:
    text = (release / "toy" / "README.md").read_text()
    [section] = [part for part in text.split("\n## ") if part.startswith("Table `sums`")]
    assert "- Source: sums of two squares." in section
    assert "- Extent: what the config of the run covers: " in section
    assert "roots = 120" in section
    assert "- Completeness: complete by enumeration." in section
    assert "- Reliability: derived again by the checks `ways`." in section
    assert "\n- complete by enumeration: every case was made or counted.\n" in text
    assert "\n- `ways`: all pairs of roots tried.\n" in text


def test_release_json_has_the_facts_that_a_registry_asks_for(cited: Path, release: Path) -> None:
    [entry] = document(cited / "release.json")["datasets"]
    tables = {table["name"]: table for table in entry["tables"]}
    assert entry["objects"] == tables["sums"]["rows"] > 0
    assert tables["sums"]["labels"] == ["sum"]
    assert tables["sums"]["completeness"] == "enumeration"
    assert entry["authors"] == list(SAID.authors)
    assert entry["code"]["name"] == "boardspace"
    assert entry["cpu_seconds"] >= 0
    assert "cpu_seconds" not in document(release / "release.json")["datasets"][0], "without a date nothing holds a time"


@pytest.mark.parametrize(
    "name",
    [".zenodo.json", "CITATION.cff", "release.json", "README.md", "toy/CITATION.cff"],
)
def test_any_altered_byte_of_what_is_said_is_found(copy: Path, name: str) -> None:
    assert verify(copy, "hashes").faults == ()
    good = (copy / name).read_bytes()
    for place in (0, len(good) // 3, len(good) // 2, len(good) - 1):
        (copy / name).write_bytes(good[:place] + bytes([good[place] ^ 1]) + good[place + 1 :])
        assert name in {fault.where for fault in verify(copy, "hashes").faults}


def test_a_deposit_that_lost_its_metadata_is_found(copy: Path) -> None:
    (copy / ".zenodo.json").unlink()
    assert [fault.where for fault in verify(copy, "hashes").faults] == [".zenodo.json"]


def test_zenodo_reads_title_creators_licence_date_and_doi(cited: Path) -> None:
    found = document(cited / ".zenodo.json")
    assert (found["upload_type"], found["access_right"], found["license"]) == ("dataset", "open", "cc-zero")
    assert [creator["name"] for creator in found["creators"]] == list(SAID.authors)
    assert (found["publication_date"], found["doi"]) == (SAID.date, SAID.doi)


@pytest.mark.parametrize("sizes", [{f"{n}.tar": 1 for n in range(101)}, {"a.tar": 50 * 10**9, "b.tar": 1}])
def test_what_zenodo_does_not_take_is_refused(sizes: dict[str, int]) -> None:
    require_within_zenodo(dict(list(sizes.items())[:-1]))
    with pytest.raises(DepositError, match="Publish fewer datasets at once, with --space"):
        require_within_zenodo(sizes)


def test_a_page_without_the_list_of_tables_is_that_of_an_earlier_release_and_no_other_is(
    release: Path, tmp_path: Path
) -> None:
    page = (release / "README.md").read_text()
    assert page.startswith("---\npretty_name:")
    earlier = page.split("---\n\n", 1)[1]
    for number, (text, code) in enumerate(((earlier, 0), (earlier.replace("#", "##", 1), 1), (page[4:], 1))):
        copied = shutil.copytree(release, tmp_path / str(number))
        (copied / "README.md").write_text(text)
        done = in_process("verify", copied, "--level", "structure")
        assert done.exit_code == code, done.output


def test_the_front_matter_names_the_files_of_every_table(cited: Path) -> None:
    _, front, text = (cited / "README.md").read_text().split("---\n", 2)
    found = yaml.safe_load(front)
    assert found["license"] == "cc0-1.0"
    assert [config["config_name"] for config in found["configs"]] == ["toy-sums", "toy-claims"]
    for config in found["configs"]:
        [files] = config["data_files"]
        assert list(cited.glob(files["path"]))
    assert text.startswith("\n# Datasets of boardspace\n")


def test_the_card_of_a_dataset_names_the_files_of_its_tables_too(cited: Path) -> None:
    _, front, text = (cited / "toy" / "README.md").read_text().split("---\n", 2)
    first, *_ = configs = yaml.safe_load(front)["configs"]
    assert [config["config_name"] for config in configs] == ["sums", "claims"]
    assert [config["config_name"] for config in configs if config.get("default")] == [first["config_name"]]
    for config in configs:
        [files] = config["data_files"]
        assert list((cited / "toy").glob(files["path"]))
    assert text.startswith("\n# ")
