"""A release: whole or not there, the same bytes each time, nothing in it that could not be checked."""

import getpass
import json
import os
import shutil
import signal
import socket
import subprocess
import tarfile
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardspace.release.dataset import PublishError
from boardspace.release.publish import publish
from boardspace.spec.errors import BoardspaceError
from boardspace.storage.complete import read_complete
from boardspace.storage.files import StorageError
from boardspace.storage.locations import inner_path
from boardspace.storage.receipts import FileRecord
from boardspace.storage.records import write_record
from boardspace.storage.release_folder import Copied, ReleaseFolder, publishing, read_sums
from boardspace.storage.run_folder import SpaceFolder
from tests.daily import daily
from tests.pipeline.conftest import boardspace, dataset_bytes
from tests.pipeline.forge import Forgery, campaigns
from tests.pipeline.publish.conftest import armed, in_process, publish_quietly

STEPS = ("opened", "written", "synced", "checked", "renamed", "done")
POINTS = [
    *(f"{kind}-{step}" for kind in ("release", "archive", "archive-sum", "release-documents") for step in STEPS),
    "release-gathered",
    "release-moved",
]
KILLED_AT = ["release-synced", "release-gathered", "release-moved", "archive-written", "archive-renamed"]


def sha256sum(folder: Path, listing: str) -> str:
    done = subprocess.run(
        ["sha256sum", "--check", "--strict", listing], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def copy_of(run: Path, folder: Path) -> Path:
    return shutil.copytree(run, folder / "out")


def test_sha256sum_checks_every_file_of_a_dataset_and_its_archive(release: Path) -> None:
    files = {name for name in dataset_bytes(release / "toy") if name != "SHA256SUMS"}
    assert {line.removesuffix(": OK") for line in sha256sum(release / "toy", "SHA256SUMS").splitlines()} == files
    assert sha256sum(release, "toy.tar.sha256") == "toy.tar: OK\n"


def test_a_release_holds_the_datasets_and_nothing_else(release: Path) -> None:
    front = {"release.json", "README.md", "index.html", "CITATION.cff"}
    assert {path.name for path in release.iterdir()} == {"toy", "toy.tar", "toy.tar.sha256", *front}
    assert {path.name for path in (release / "toy").iterdir()} == {
        *("README.md", "datapackage.json", "croissant.json", "dictionary.csv", "schemas", "claims.parquet"),
        *("COMPLETE", "SHA256SUMS", "CITATION.cff", "sums", "arrays.zarr"),
    }


def test_arrays_and_records_are_published_as_the_run_wrote_them_and_tables_row_by_row(run: Path, release: Path) -> None:
    there, published = dataset_bytes(run / "toy"), dataset_bytes(release / "toy")
    root = "arrays.zarr/zarr.json"  # it has the metadata of all that lies below, in a release
    assert published[root] != there[root]
    same = {name: content for name, content in there.items() if name != root and not name.startswith("sums/")}
    assert {name: published[name] for name in same} == same
    rows, joined = (pq.read_table(folder / "toy" / "sums") for folder in (run, release))
    assert len(list((run / "toy" / "sums").iterdir())) > len(list((release / "toy" / "sums").iterdir())) == 1
    assert joined.equals(rows)


def test_data_are_copies_that_outlive_the_run(run: Path, release: Path) -> None:
    name = "toy/COMPLETE"
    assert not (run / name).samefile(release / name)


def test_publishing_two_runs_of_one_config_gives_the_same_bytes(run: Path, release: Path, tmp_path: Path) -> None:
    config = run.parent / "toy.toml"
    assert in_process("run", config, "--out", tmp_path / "again", "--workers", 0).exit_code == 0
    done = in_process("publish", tmp_path / "again", "--out", tmp_path / "release", "--json")
    assert done.exit_code == 0, done.output
    assert [dataset["dataset"] for dataset in json.loads(done.stdout)] == ["toy"]
    assert dataset_bytes(tmp_path / "release") == dataset_bytes(release)


def test_the_archive_holds_the_folder_and_no_time_or_owner(release: Path, tmp_path: Path) -> None:
    with tarfile.open(release / "toy.tar") as archive:
        members = archive.getmembers()
        archive.extractall(tmp_path, filter="data")
    assert dataset_bytes(tmp_path / "toy") == dataset_bytes(release / "toy")
    assert [m.name for m in members] == sorted(m.name for m in members)
    assert {(m.mtime, m.uid, m.gid, m.uname, m.gname, m.mode) for m in members} == {(0, 0, 0, "", "", 0o644)}


def test_nothing_published_holds_a_time_a_host_or_a_path(run: Path, release: Path) -> None:
    secrets = {socket.gethostname(), f"{getpass.getuser()}@", str(run), str(release), str(Path.home()), str(Path.cwd())}
    for name, content in dataset_bytes(release).items():
        for secret in secrets - {"/"}:
            assert secret.encode() not in content, f"{name} holds {secret}"


def test_publishing_again_changes_nothing(run: Path, tmp_path: Path) -> None:
    [first] = publish_quietly(run, tmp_path)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    [second] = publish_quietly(run, tmp_path)
    assert (first.new, second.new) == (True, False)
    assert first.archive == second.archive
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")} == before


@pytest.mark.parametrize("lost", ["toy.tar.sha256", "toy/SHA256SUMS"])
def test_what_a_release_lacks_is_made_by_the_next_publication(run: Path, tmp_path: Path, lost: str) -> None:
    out = copy_of(run, tmp_path)
    publish_quietly(out, tmp_path / "release")
    whole = dataset_bytes(tmp_path / "release")
    if "/" in lost:
        shutil.rmtree(tmp_path / "release" / "toy")
    else:
        (tmp_path / "release" / lost).unlink()
    publish_quietly(out, tmp_path / "release")
    assert dataset_bytes(tmp_path / "release") == whole


def test_what_is_published_is_never_replaced_by_something_else(run: Path, release: Path, tmp_path: Path) -> None:
    config = tmp_path / "other.toml"
    config.write_text("[toy]\nroots = 7\n")
    assert in_process("run", config, "--out", tmp_path / "other", "--workers", 0).exit_code == 0
    before = dataset_bytes(release)
    done = in_process("publish", tmp_path / "other", "--out", release, "--verified")
    assert done.exit_code == 2
    assert "what is published is not changed" in done.output
    assert dataset_bytes(release) == before


def test_an_archive_that_differs_from_its_checksum_is_named(run: Path, tmp_path: Path) -> None:
    publish_quietly(run, tmp_path)
    archive = tmp_path / "toy.tar"
    archive.write_bytes(archive.read_bytes()[:-1] + b"x")
    with pytest.raises(StorageError, match=r"toy\.tar: differs from its checksum"):
        publish_quietly(run, tmp_path)


def test_an_incomplete_dataset_is_refused(run: Path, tmp_path: Path) -> None:
    out = copy_of(run, tmp_path)
    (out / "toy" / "COMPLETE").unlink()
    done = in_process("publish", out, "--out", tmp_path / "release")
    assert done.exit_code == 2
    assert "the run is not finished" in done.output
    assert not (tmp_path / "release").exists()


def test_a_run_that_is_not_finished_is_told_in_a_line(run: Path, tmp_path: Path) -> None:
    out = copy_of(run, tmp_path)
    (out / "toy" / "COMPLETE").unlink()
    records = sorted((out / ".run/toy/stages").iterdir())
    for record in records[1:]:
        record.unlink()
    done = in_process("verify", out, "--level", "hashes")
    assert done.exit_code == 1
    told = [line for line in done.output.splitlines() if "finished" in line]
    assert told == [f"toy/COMPLETE: missing: the run is not finished, 1 of {len(records)} stages are"]


def test_a_dataset_completed_by_another_plan_is_refused(run: Path, tmp_path: Path) -> None:
    out = copy_of(run, tmp_path)
    folder = SpaceFolder(out, "toy")
    complete = read_complete(folder)
    assert complete is not None
    write_record(folder.complete, complete.model_copy(update={"plan": "0" * 64}), "complete")
    with pytest.raises(PublishError, match="toy/COMPLETE: says something else than the plan"):
        publish_quietly(out, tmp_path / "release", verified=False)


def test_a_release_is_the_same_whatever_was_drawn_before_and_whether_it_was_verified_at_all(
    run: Path, release: Path, tmp_path: Path
) -> None:
    out = copy_of(run, tmp_path)
    for seed, options in enumerate(([], ["--verified"], [])):
        assert in_process("verify", out, "--seed", seed).exit_code == 0
        done = in_process("publish", out, "--out", tmp_path / f"release-{seed}", *options)
        assert done.exit_code == 0, done.output
        assert ("verifying" in done.output) == (not options)
        assert dataset_bytes(tmp_path / f"release-{seed}") == dataset_bytes(release)
    assert dataset_bytes(out) == dataset_bytes(run)


def test_nobody_can_foresee_what_a_publication_tries(run: Path, tmp_path: Path) -> None:
    said: list[str] = []
    for number in range(2):
        publish(run, tmp_path / f"release-{number}", [], said.append)
    seeds = [line for line in said if line.startswith("toy: verifying (--seed ")]
    assert len({*seeds}) == 2


def test_false_data_that_agree_with_all_records_are_not_published(run: Path, tmp_path: Path) -> None:
    out = copy_of(run, tmp_path)
    (campaign,) = campaigns(out, [])
    with campaign.forged(Forgery("sums", "ways", "all values")), pytest.raises(PublishError, match="toy: ways"):
        publish_quietly(out, tmp_path / "release", verified=False)
    assert not (tmp_path / "release").exists()


def test_it_is_told_how_far_verification_and_copies_are(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("boardspace.release.publish.REPORT_SECONDS", 0.0)
    said: list[str] = []
    publish(run, tmp_path, [], said.append)
    told = [tuple(map(int, line.split()[1:4:2])) for line in said if line.startswith("verified ")]
    assert told == sorted(told)
    done, size = told[-1]
    assert done == size
    assert any(line.startswith("toy: copied ") for line in said)
    assert len(told) > len(receipted(run))


def receipted(out: Path) -> list[Path]:
    """The data files of a run."""
    return [path for path in (out / "toy").rglob("*") if path.is_file() and path.name != "COMPLETE"]


def test_a_dataset_that_fails_verification_is_refused_and_the_file_named(run: Path, tmp_path: Path) -> None:
    out = copy_of(run, tmp_path)
    damaged = sorted((out / "toy" / "sums").iterdir())[1]
    damaged.write_bytes(damaged.read_bytes()[:-1])
    done = in_process("publish", out, "--out", tmp_path / "release")
    assert done.exit_code == 2
    assert f"toy/sums/{damaged.name}" in done.output
    assert not (tmp_path / "release").exists()


def test_damaged_claims_are_not_published(run: Path, tmp_path: Path) -> None:
    out = copy_of(run, tmp_path)
    claims = out / "toy" / "claims.parquet"
    content = claims.read_bytes()
    claims.write_bytes(content.replace(b"boardspace/toy", b"boardspace/joy"))
    with pytest.raises(PublishError, match=r"claims\.parquet: its content differs from its SHA-256"):
        publish_quietly(out, tmp_path / "release", verified=False)
    assert not (tmp_path / "release").exists()


def test_a_file_that_rots_after_its_verification_is_not_published(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.write_bytes(b"rotten")
    folder = ReleaseFolder(tmp_path / "release", "toy")
    with publishing(folder.root), pytest.raises(StorageError, match="source: differs from its receipt"):
        folder.put({"a": Copied(source, "0" * 64)})
    assert not any(folder.root.iterdir())


def test_a_name_that_the_run_does_not_hold_is_refused(run: Path, tmp_path: Path) -> None:
    with pytest.raises(BoardspaceError, match="no dataset 'chess' here; there are: toy"):
        publish(run, tmp_path / "release", ["chess"], lambda _: None)


def test_two_commands_do_not_publish_to_one_release_at_once(run: Path, tmp_path: Path) -> None:
    with publishing(tmp_path), pytest.raises(StorageError, match="another command is publishing here"):
        publish_quietly(run, tmp_path)
    publish_quietly(run, tmp_path)


@pytest.mark.parametrize("point", daily(POINTS, 3))
def test_a_disk_that_fails_at_any_point_leaves_nothing_that_looks_whole(
    run: Path, release: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, point: str
) -> None:
    with armed(monkeypatch, point, "ENOSPC", tmp_path / "token"), pytest.raises(StorageError):
        publish_quietly(run, tmp_path / "release")
    assert_nothing_looks_whole_that_is_not(tmp_path / "release", release)
    publish_quietly(run, tmp_path / "release")
    assert dataset_bytes(tmp_path / "release") == dataset_bytes(release)


@pytest.mark.parametrize("point", daily(KILLED_AT, 2))
def test_a_command_killed_at_any_point_is_finished_by_the_next(
    run: Path, release: Path, tmp_path: Path, point: str
) -> None:
    out = tmp_path / "release"
    killed = boardspace(
        "publish", run, "--out", out, env={"BOARDSPACE_FAILPOINT": f"{point}@kill@{tmp_path / 'token'}"}
    )
    assert killed.returncode == -signal.SIGKILL
    assert_nothing_looks_whole_that_is_not(out, release)
    publish_quietly(run, out)
    assert dataset_bytes(out) == dataset_bytes(release)


def assert_nothing_looks_whole_that_is_not(found: Path, whole: Path) -> None:
    """A folder, or an archive with a checksum, that has a dataset's name is what an undisturbed command leaves."""
    if (found / "toy").exists():
        assert dataset_bytes(found / "toy") == dataset_bytes(whole / "toy")
    if (found / "toy.tar.sha256").exists():
        assert (found / "toy.tar").read_bytes() == (whole / "toy.tar").read_bytes()


names = st.text(alphabet=st.sampled_from(["a", ".", "/", "\\", "\n", "é", "=", " "]), max_size=12)


@given(names)
def test_a_path_that_is_let_through_stays_in_its_folder(name: str) -> None:
    try:
        inner_path(name)
    except ValueError:
        return
    assert os.path.normpath(f"/folder/{name}") == f"/folder/{name}"
    assert "\n" not in name


@pytest.mark.parametrize("name", ["", "/etc/passwd", "..", "a/../../b", "a//b", "./a", "a/", "a\\..\\b", "a\nb", "a\0"])
def test_a_path_that_leads_elsewhere_is_refused_in_receipts_and_checksums(name: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="path"):
        FileRecord(path=name, bytes=0, sha256="0" * 64)
    listing = tmp_path / "SHA256SUMS"
    listing.write_text(f"{'0' * 64}  {name}\n")
    if "\n" not in name:
        with pytest.raises(ValueError, match="path"):
            read_sums(listing)


def test_a_run_whose_receipts_name_files_elsewhere_is_refused(run: Path, tmp_path: Path) -> None:
    out = copy_of(run, tmp_path)
    (tmp_path / "secret").write_text("not for the public")
    folder = SpaceFolder(out, "toy")
    record = folder.finished("sums")
    stranger = FileRecord.model_construct(path="toy/../../secret", bytes=18, sha256="0" * 64)
    receipt = record.receipts[0].model_copy(update={"files": [stranger]})
    write_record(folder.stage("sums"), record.model_copy(update={"receipts": [receipt]}), "stage")
    done = in_process("publish", out, "--out", tmp_path / "release")
    assert done.exit_code == 2
    assert not (tmp_path / "release").exists()
