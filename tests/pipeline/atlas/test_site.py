"""``boardspace atlas``: the index says what the files are, the page what the index is; damaged releases are refused."""

import hashlib
import json
import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
import zarr

from boardspace.release.atlas import site
from boardspace.release.atlas.index import LETTERS, index_dataset, lengths_text
from boardspace.release.atlas.site import AtlasError, write_site
from boardspace.release.regenerate import documents_compared
from boardspace.storage.files import TEMPORARY, StorageError
from boardspace.storage.release_folder import SERVICE_WORKER
from boardspace.verify import Verification, verify
from tests.pipeline.conftest import dataset_bytes
from tests.pipeline.publish.conftest import in_process

PAGE = '<meta content="@DATA@"><meta content="@CONNECT@"><script type="application/json">@INDEX@</script>'


@pytest.fixture(autouse=True)
def bundle(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A bundle as small as can be, so that these tests need no Node."""
    folder = tmp_path / "bundle"
    folder.mkdir()
    (folder / "index.html").write_text(PAGE)
    (folder / "app.js").write_text("1")
    (folder / SERVICE_WORKER).write_text("2")
    monkeypatch.setattr(site, "BUNDLE", folder)
    return folder


def written(published: Path, out: Path, data: str | None = None) -> Path:
    write_site(published, out, data, lambda _: None)
    return out


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_the_site_lies_beside_the_data_and_leaves_them_alone(release: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(release, tmp_path / "release"))
    (copy / "index.html").unlink()  # the page of a release makes room for that of the site
    before = {path: digest(path) for path in copy.rglob("*") if path.is_file()}
    done = in_process("atlas", copy)
    assert done.exit_code == 0, done.output
    assert {path: digest(path) for path in before} == before
    assert {p.relative_to(copy).as_posix() for p in copy.rglob("*") if p.is_file() and p not in before} == {
        "index.html",
        SERVICE_WORKER,
        *(f"atlas/{name}" for name in ("app.js", "toy.json")),
        *(f"atlas/toy.{part}.json" for part in ("tables", "documents", "grounds", "listing")),
    }
    assert in_process("verify", copy).exit_code == 0


def test_digests_lead_from_the_page_to_every_file(release: Path, tmp_path: Path) -> None:
    out = written(release, tmp_path / "site")
    page = (out / "index.html").read_text()
    assert re.findall('content="([^"]*)"', page) == ["./", "&#x27;self&#x27;"]
    (entry,) = embedded(page)
    assert entry["index"]["sha256"] == digest(out / "atlas/toy.json")
    assert entry["archive"]["sha256"] == digest(release / "toy.tar")
    index = json.loads((out / "atlas/toy.json").read_text())
    assert index["tables"]["sha256"] == digest(out / "atlas/toy.tables.json")
    tables = json.loads((out / "atlas/toy.tables.json").read_text())
    assert list(tables) == index["tables"]["names"] != []
    assert index["tables"]["own"] == {"claims": {**tables["claims"], "description": "", "values": None}}
    assert index["grounds"]["sha256"] == digest(out / "atlas/toy.grounds.json")
    assert index["listing"]["sha256"] == digest(out / "atlas/toy.listing.json")
    for path, size, sha256 in json.loads((out / "atlas/toy.listing.json").read_text()):
        assert (size, sha256) == ((out / "toy" / path).stat().st_size, digest(out / "toy" / path))
    assert index["documents"]["sha256"] == digest(out / "atlas/toy.documents.json")
    for path, (size, sha256) in json.loads((out / "atlas/toy.documents.json").read_text()).items():
        assert (size, sha256) == ((out / "toy" / path).stat().st_size, digest(out / "toy" / path))
    for table in tables.values():
        for path, size, sha256, rows, footer, footer_sha256, *ends in table["files"]:
            content = (out / "toy" / path).read_bytes()
            read = pq.read_table(out / "toy" / path, partitioning=None)
            assert (size, sha256, rows) == (len(content), digest(out / "toy" / path), read.num_rows)
            assert footer_sha256 == hashlib.sha256(content[-footer:]).hexdigest()
            keys = [sorted(read.column(name).to_pylist()) if rows else [None] for name in table["key"]]
            assert ends == [keys[0][0], keys[0][-1], [[one[0], one[-1]] for one in keys[1:]]]
    assert index["arrays"]
    for path, (shape, kind, _, shard, chunk, *codecs) in index["arrays"].items():
        array = zarr.open_array(out / "toy" / path, mode="r")
        assert (list(array.shape), array.dtype.name) == (shape, kind)
        assert (list(array.shards or ()), list(array.chunks)) == (shard, chunk)
        assert [names[-1] for names in codecs] == ["crc32c", "crc32c"]


def embedded(page: str) -> list[dict[str, Any]]:
    """The entries of the datasets that a page holds."""
    found = re.search('<script type="application/json">(.*)</script>', page)
    assert found
    return list(json.loads(found[1]))


def write_arrays(release: Path, names: Sequence[str], shards: int) -> Path:
    """A copy of the release with arrays of three chunks to a shard, the last shard without its last chunks."""
    for name in names:
        length, path = 15 * shards - 8, release / "toy/arrays.zarr" / name
        array = zarr.create_array(path, shape=(length,), dtype="u2", shards=(15,), chunks=(5,))
        array[:] = np.arange(length) * 7 % 1000 + 1
    dataset = release / "toy"
    files = sorted(path for path in dataset.rglob("*") if path.is_file() and path.name != "SHA256SUMS")
    (dataset / "SHA256SUMS").write_text("".join(f"{digest(p)}  {p.relative_to(dataset).as_posix()}\n" for p in files))
    return dataset


def test_lists_of_chunks_say_where_the_chunks_of_arrays_that_are_cut_alike_lie(release: Path, tmp_path: Path) -> None:
    dataset = write_arrays(Path(shutil.copytree(release, tmp_path / "copy")), ["a", "b"], 3)
    files = index_dataset(dataset).files
    (group,) = (one for one in json.loads(files["toy.json"])["chunks"] if "arrays.zarr/a" in one["arrays"])
    at = json.loads(files["toy.json"])["chunks"].index(group)
    assert group["arrays"] == ["arrays.zarr/a", "arrays.zarr/b"]
    for shard, listed in enumerate(group["files"]):
        text = files[f"toy.chunks.{at}.{shard}.json"]
        assert (listed["bytes"], listed["sha256"]) == (len(text), hashlib.sha256(text).hexdigest())
        for path, planes in json.loads(text).items():
            lengths = numbers(planes)
            assert lengths_text(lengths) == planes
            content = (dataset / path / "c" / str(shard)).read_bytes()
            entries = np.frombuffer(content[-(3 * 16 + 4) : -4], "<u8").reshape(3, 2)
            begins = np.cumsum([0, *lengths])[:-1]
            there = entries[:, 0] != 2**64 - 1
            assert [(begins[i], lengths[i]) for i in np.flatnonzero(there)] == [tuple(e) for e in entries[there]]
            assert not any(lengths[i] for i in np.flatnonzero(~there))


def numbers(planes: str) -> list[int]:
    """The numbers of a text of three planes of letters, the highest first."""
    many = len(planes) // 3
    high, middle, low = ([LETTERS.index(letter) for letter in planes[at : at + many]] for at in (0, many, 2 * many))
    return [4096 * one + 64 * two + three for one, two, three in zip(high, middle, low, strict=True)]


def test_a_list_with_a_chunk_that_is_too_long_for_its_text_is_left_to_the_shard() -> None:
    assert numbers(lengths_text([0, 63, 64, 4095, 4096, 2**18 - 1]) or "") == [0, 63, 64, 4095, 4096, 2**18 - 1]
    assert lengths_text([5, 2**18]) is None


def test_many_arrays_are_told_of_in_parts(release: Path, tmp_path: Path) -> None:
    names = [f"n{number:03}" for number in range(70)]
    dataset = write_arrays(Path(shutil.copytree(release, tmp_path / "copy")), names, 1)
    files = index_dataset(dataset).files
    detail = json.loads(files["toy.json"])
    assert not detail["arrays"]
    found = [json.loads(files[f"toy.arrays.{number}.json"]) for number in range(len(detail["parts"]))]
    assert [part["first"] for part in detail["parts"]] == [min(part) for part in found]
    assert {path for part in found for path in part} >= {f"arrays.zarr/{name}" for name in names}


@pytest.mark.parametrize("beside", [True, False])
@pytest.mark.parametrize("number", [1, 3, 8])
def test_the_same_command_goes_on_after_one_that_died_whatever_it_was_writing(
    release: Path, tmp_path: Path, beside: bool, number: int
) -> None:
    """A killed command leaves the file that it was writing under a temporary name, and all before it."""
    copy = Path(shutil.copytree(release, tmp_path / "release"))
    out = written(copy, copy if beside else tmp_path / "site")
    whole = dataset_bytes(out)
    made = [*sorted((out / "atlas").iterdir()), out / SERVICE_WORKER, out / "index.html"]
    for path in made[number:]:
        path.unlink()
    left = made[number - 1].rename(made[number - 1].with_name(f"{TEMPORARY}1"))
    if not beside:
        (out / "toy" / "sums" / f"{TEMPORARY}2").write_bytes(b"half")
    assert dataset_bytes(written(copy, out)) == whole
    assert not left.exists()


def test_the_same_release_makes_the_same_site(release: Path, tmp_path: Path) -> None:
    one, other = written(release, tmp_path / "one"), written(release, tmp_path / "other")
    names = sorted(path.relative_to(one) for path in one.rglob("*") if path.is_file())
    assert all((one / name).read_bytes() == (other / name).read_bytes() for name in names)
    written(release, one)
    assert sorted(path.relative_to(one) for path in one.rglob("*") if path.is_file()) == names


def test_data_at_another_address_are_not_copied(release: Path, tmp_path: Path) -> None:
    out = written(release, tmp_path / "site", "https://data.example.org/release/")
    assert not (out / "toy").exists()
    page = (out / "index.html").read_text()
    assert 'content="https://data.example.org/release/"' in page
    assert "&#x27;self&#x27; https://data.example.org" in page


def test_a_damaged_release_is_refused(release: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(release, tmp_path / "release"))
    file = next((copy / "toy").rglob("*.parquet"))
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)
    with pytest.raises(AtlasError, match=file.name):
        written(copy, tmp_path / "site")
    assert not (tmp_path / "site").exists()


def test_a_folder_without_datasets_is_refused(tmp_path: Path, release: Path) -> None:
    with pytest.raises(AtlasError, match="boardspace publish"):
        written(tmp_path, tmp_path / "site")
    with pytest.raises(AtlasError, match="boardspace publish"):
        written(release / "toy", tmp_path / "site")


def test_another_dataset_of_that_name_is_not_written_over(release: Path, tmp_path: Path) -> None:
    (tmp_path / "site" / "toy").mkdir(parents=True)
    (tmp_path / "site" / "toy" / "mine").write_text("kept")
    with pytest.raises(StorageError, match="--out"):
        written(release, tmp_path / "site")
    assert (tmp_path / "site" / "toy" / "mine").read_text() == "kept"


def test_an_installation_without_the_bundle_says_how_to_build_it(release: Path, tmp_path: Path, bundle: Path) -> None:
    shutil.rmtree(bundle)
    with pytest.raises(AtlasError, match="make atlas"):
        written(release, tmp_path / "site")


@pytest.mark.parametrize("name", ["atlas", "index.html", "atlas/toy.json"])
def test_nothing_is_written_through_a_link_that_lies_in_a_release(release: Path, tmp_path: Path, name: str) -> None:
    copy = Path(shutil.copytree(release, tmp_path / "release"))
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    link = copy / name
    link.parent.mkdir(exist_ok=True)
    link.unlink(missing_ok=True)
    link.symlink_to(elsewhere if name == "atlas" else elsewhere / "page")
    with pytest.raises((StorageError, AtlasError), match="link"):
        write_site(copy, copy, None, lambda _: None)
    assert not list(elsewhere.iterdir())
    done = in_process("verify", copy)
    assert done.exit_code == 1
    assert "symbolic link" in done.output


@pytest.fixture
def with_site(release: Path, tmp_path: Path) -> Path:
    """A release with its site."""
    copy = Path(shutil.copytree(release, tmp_path / "with_site"))
    return written(copy, copy)


def compared(release: Path) -> Verification:
    return documents_compared(verify(release, "structure"), release)


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("atlas/toy.tables.json", "claims", "claimed"),
        ("index.html", "Sums of two squares", "Sums of three squares"),
        ("index.html", 'content="./"', 'content="https://example.org/"'),
        ("index.html", "<script", "<p>The longest puzzle takes 9 steps.</p><script"),
    ],
)
def test_a_site_that_says_something_else_than_its_datasets_is_a_fault(
    with_site: Path, name: str, old: str, new: str
) -> None:
    assert compared(with_site).faults == ()
    path = with_site / name
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new, 1))
    assert [fault.where for fault in compared(with_site).faults] == [name]


def test_files_of_a_site_that_no_dataset_makes_are_named(with_site: Path) -> None:
    (with_site / "atlas" / "proof.json").write_text("{}")
    (with_site / "atlas" / "toy.grounds.json").unlink()
    assert {fault.where for fault in compared(with_site).faults} == {"atlas/proof.json", "atlas/toy.grounds.json"}


def test_a_site_of_another_bundle_or_without_one_here_is_noted(
    with_site: Path, bundle: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (bundle / "app.js").write_text("2")
    assert any("of another version, or altered" in note for note in compared(with_site).notes)
    monkeypatch.setattr(site, "BUNDLE", tmp_path / "none")
    result = compared(with_site)
    assert result.faults == ()
    assert any("this installation has no atlas" in note for note in result.notes)


def test_a_page_without_the_archive_that_was_left_out_of_a_download_is_sound(with_site: Path) -> None:
    for path in with_site.glob("toy.tar*"):
        path.unlink()
    assert compared(with_site).faults == ()


def test_a_site_whose_data_lie_elsewhere_says_where(release: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(release, tmp_path / "copy"))
    written(copy, copy, "https://example.org/data")
    assert compared(copy).faults == ()
