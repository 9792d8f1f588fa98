"""Documents follow from the data: made again from a published dataset alone, they are what lies there."""

import hashlib
import json
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from boardspace.release.datasets import open_datasets
from boardspace.release.publish import publish
from boardspace.release.regenerate import documents, documents_compared, published_dataset
from boardspace.spec.citation import Citation
from boardspace.storage.deposits import Deposit
from boardspace.verify import Verification, verify
from tests.pipeline.publish.conftest import in_process
from tests.pipeline.publish.test_hostile_release import seal


@pytest.fixture(scope="module")
def dated(run: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release with a date, so with every document that there is. Do not change it."""
    folder = tmp_path_factory.mktemp("dated")
    said = Citation(date="2026-11-24", authors=("Ada Lovelace",))
    publish(run, folder, [], lambda _: None, deposit=Deposit(said), verified=True)
    return folder


@pytest.fixture
def copy(dated: Path, tmp_path: Path) -> Path:
    """The dataset of that release, alone."""
    return shutil.copytree(dated / "toy", tmp_path / "toy")


def forge(dataset: Path, name: str, change: Callable[[str], str]) -> None:
    """Alter a document, and its sum as well."""
    file, listing = dataset / name, dataset / "SHA256SUMS"
    before = file.read_text()
    after = change(before)
    assert after != before
    file.write_text(after)
    old, new = (hashlib.sha256(text.encode()).hexdigest() for text in (before, after))
    listing.write_text(listing.read_text().replace(old, new))


def compared(dataset: Path) -> Verification:
    """The dataset verified up to its structure, and its documents compared."""
    return documents_compared(verify(dataset, "structure"), dataset)


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("README.md", "Sums of two squares", "Sums of three squares"),
        ("README.md", "all pairs of roots tried", "nothing tried"),
        ("croissant.json", "Ada Lovelace", "Somebody else"),
        ("CITATION.cff", "Ada Lovelace", "Somebody else"),
        ("datapackage.json", '"size": ', '"size": 1'),
        ("datapackage.json", '"partial": ""', '"partial": "PARTIAL: 1 of 2"'),
    ],
)
def test_a_document_that_says_something_else_is_found_though_its_sum_is_right(
    copy: Path, name: str, old: str, new: str
) -> None:
    forge(copy, name, lambda text: text.replace(old, new, 1))
    assert verify(copy, "structure").faults == ()
    assert f"toy/{name}" in {fault.where for fault in compared(copy).faults}


def remake(dataset: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Alter the package, make all documents anew from it, and then the list of sums."""
    package = json.loads((dataset / "datapackage.json").read_text())
    change(package)
    (dataset / "datapackage.json").write_text(json.dumps(package))
    for name, text in documents(published_dataset(dataset)).items():
        (dataset / name).write_text(text)
    seal(dataset)


def say_of_sources(package: dict[str, Any], text: str) -> None:
    for resource in package["resources"]:
        resource["source"] = text


def test_work_that_no_stage_does_is_found_though_all_documents_say_it(copy: Path) -> None:
    remake(copy, lambda package: None)
    assert compared(copy).faults == ()
    remake(copy, lambda package: say_of_sources(package, "proved by hand, and checked by three referees"))
    assert all("work that no stage of the config does" in fault.what for fault in compared(copy).faults)
    assert compared(copy).faults


@pytest.mark.parametrize("row", [{"layout_id": 0, "code": 1}, {"layout_id": 99_999_999_999, "code": 1}])
def test_a_row_that_the_card_looks_up_is_one_of_the_table(
    every_space: Path, tmp_path: Path, row: Mapping[str, int]
) -> None:
    dataset = shutil.copytree(every_space / "klotski", tmp_path / "klotski")
    remake(dataset, lambda package: package["lookups"].update(main=row))
    (fault,) = compared(dataset).faults
    assert fault.what == "keeps a row to look up that main does not have"


def test_a_document_that_is_gone_with_its_sum_is_found(copy: Path) -> None:
    (copy / "CITATION.cff").unlink()
    listing = copy / "SHA256SUMS"
    listing.write_text("".join(line for line in listing.read_text().splitlines(True) if "CITATION" not in line))
    assert [fault.where for fault in compared(copy).faults] == ["toy/CITATION.cff"]


def test_what_another_version_wrote_is_not_compared_and_a_note_says_so(copy: Path) -> None:
    forge(copy, "datapackage.json", lambda text: text.replace('"writer": "', '"writer": "0'))
    forge(copy, "README.md", lambda text: f"{text}\n")
    result = compared(copy)
    assert result.faults == ()
    assert any("written by another version" in note for note in result.notes)


@pytest.mark.parametrize(
    ("name", "old", "new", "what"),
    [
        ("datapackage.json", 'parquet",\n   "rows": ', 'parquet",\n   "rows": 1', "rows"),
        ("datapackage.json", '"size": ', '"size": 1', "sizes"),
        ("datapackage.json", "sha256:", "sha256:0", "sums"),
        ("datapackage.json", "CC0-1.0", "CC-BY-4.0", "licences"),
        ("datapackage.json", '"partial": ""', '"partial": "PARTIAL: 1 of 2"', "parts of the space"),
        ("croissant.json", '"sha256": "', '"sha256": "0', "sums"),
        ("croissant.json", "cr:UInt", "cr:Int", "columns"),
        ("CITATION.cff", 'license: "CC0', 'license: "MIT', "licences"),
        ("CITATION.cff", "2026-11-24", "1926-11-24", "dates"),
    ],
)
def test_facts_in_documents_of_another_version_are_compared_with_the_data(
    copy: Path, name: str, old: str, new: str, what: str
) -> None:
    forge(copy, "datapackage.json", lambda text: text.replace('"writer": "', '"writer": "0'))
    assert compared(copy).faults == ()
    forge(copy, name, lambda text: text.replace(old, new, 1))
    (fault,) = compared(copy).faults
    assert (fault.where, fault.what) == (f"toy/{name}", f"says other {what} than the data")


@pytest.mark.parametrize("text", ["{}", "[" * 100_000, '{"writer": 1}'])
def test_a_hostile_package_ends_in_a_fault_or_a_note(copy: Path, text: str) -> None:
    result = verify(copy, "structure")
    (copy / "datapackage.json").write_text(text)
    told = documents_compared(result, copy)
    assert told.faults or told.notes != result.notes


def test_the_command_compares_and_so_does_the_api(copy: Path) -> None:
    assert in_process("verify", copy, "--level", "structure").exit_code == 0
    forge(copy, "README.md", lambda text: text.replace("Sums", "Sum", 1))
    done = in_process("verify", copy, "--level", "structure")
    assert done.exit_code == 1
    assert "README.md: is not what the data and datapackage.json make it" in done.output
    assert [fault.where for fault in open_datasets(copy)["toy"].verify().faults] == ["toy/README.md"]


def test_the_documents_of_every_space_are_made_again_as_they_are(every_space: Path) -> None:
    for entry in json.loads((every_space / "release.json").read_text())["datasets"]:
        folder = every_space / entry["name"]
        for name, text in documents(published_dataset(folder)).items():
            assert (folder / name).read_text() == text, f"{entry['name']}/{name}"
