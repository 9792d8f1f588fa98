"""A run into a bucket, on real servers: the same bytes as into a folder, and the same promises."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import boardspace as package
from boardspace.cli.main import cli
from boardspace.spec.errors import BoardspaceError
from boardspace.storage.blobs import map_blob, write_blob
from boardspace.storage.bucket import IN_PARTS, InBucket
from boardspace.storage.files import StorageError
from boardspace.storage.locations import BucketPath, located
from boardspace.storage.receipts import receipts_in
from boardspace.storage.run_folder import SpaceFolder
from tests.object_store.conftest import Bucket, reach
from tests.pipeline.conftest import boardspace, dataset_bytes, environment, toy_config

__all__ = ["toy_config"]
Config = Callable[..., Path]
RECEIPTS = ".run/toy/receipts/squares"
KINDS = ["table", "array", "receipt", "stage", "plan", "complete"]
SLOW_STEPS = [pytest.param(step, marks=pytest.mark.slow) for step in ("opened", "done")]


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The dataset of a run into a folder."""
    folder = tmp_path_factory.mktemp("undisturbed")
    (folder / "toy.toml").write_text("[toy]\n")
    invoke("run", folder / "toy.toml", "--out", folder / "out", "--workers", 0)
    return dataset_bytes(folder / "out" / "toy")


def invoke(*arguments: object, code: int = 0) -> str:
    """Run a command in this process; what it printed."""
    result = CliRunner().invoke(cli, [str(argument) for argument in arguments])
    assert result.exit_code == code, f"{result.output} {result.exception!r}"
    return result.output


def run(config: Path, bucket: Bucket, *options: object) -> None:
    """Run into the bucket, in this process."""
    invoke("run", config, "--out", bucket.place, "--workers", 0, *options)


def test_workers_that_share_no_folder_leave_the_same_objects_as_files(
    bucket: Bucket, toy_config: Config, undisturbed: dict[str, bytes]
) -> None:
    done = boardspace("run", toy_config(), "--out", bucket.place, "--workers", 2, env=bucket.env)
    assert done.returncode == 0, done.stderr
    assert bucket.objects("toy") == undisturbed
    assert ".run/lock" not in bucket.objects()


def test_a_job_array_in_a_bucket_leaves_the_same_objects(
    bucket: Bucket, toy_config: Config, undisturbed: dict[str, bytes]
) -> None:
    tasks = invoke("jobs", bucket.place, toy_config(), "--json")
    while json.loads(tasks)["tasks"]:
        invoke("shard", bucket.place, 0, "--of", 1)
        tasks = invoke("advance", bucket.place, "--json")
    assert bucket.objects("toy") == undisturbed
    assert "are those published" in invoke("check-shard", bucket.place, "toy/sums/0000000000")


def test_a_run_copied_out_of_a_bucket_is_a_run_in_a_folder(bucket: Bucket, toy_config: Config, tmp_path: Path) -> None:
    config = toy_config()
    run(config, bucket)
    for name, content in bucket.objects().items():
        (tmp_path / "out" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "out" / name).write_bytes(content)
    assert "0 faults" in invoke("verify", tmp_path / "out")
    assert (
        json.loads(invoke("run", config, "--out", tmp_path / "out", "--workers", 0, "--json"))["datasets"]["toy"][
            "skipped"
        ]
        == 9
    )


def test_a_finished_run_is_told_checked_opened_and_published_from_the_bucket(
    bucket: Bucket, toy_config: Config, tmp_path: Path
) -> None:
    config = toy_config()
    run(config, bucket)
    run(config, Bucket(f"{bucket.place}-other", bucket.env, bucket.upstream))
    invoke("run", config, "--out", tmp_path / "out", "--workers", 0)
    assert "toy: complete, 9 of 9 shards done" in invoke("status", bucket.place)
    assert invoke("claims", bucket.place) == invoke("claims", tmp_path / "out")
    assert "0 faults in 15 files" in invoke("verify", bucket.place)
    assert "0 faults in 15 files" in invoke("verify", f"{bucket.place}/toy", "--level", "hashes")
    invoke("publish", bucket.place, "--out", tmp_path / "from-bucket")
    invoke("publish", tmp_path / "out", "--out", tmp_path / "from-folder", "--verified")
    into_bucket = ("publish", bucket.place, "--out", f"{bucket.place}/release", "--verified")
    invoke(*into_bucket)
    released = dataset_bytes(tmp_path / "from-folder")
    assert dataset_bytes(tmp_path / "from-bucket") == released
    assert bucket.objects("release") == released
    assert "published before, unchanged" in invoke(*into_bucket)
    for place in (bucket.place, f"{bucket.place}/toy", f"{bucket.place}/release", f"{bucket.place}/release/toy"):
        toy = package.open(place)["toy"]
        assert toy.tables["sums"].count_rows() == 2698
        assert toy.tables["sums"].to_table().num_rows == 2698
        assert toy.arrays["ways"][25] == 4
        assert toy.claims["fermat"].verdict == "confirmed"
        assert toy.verify("hashes").faults == ()


def test_a_published_dataset_is_not_replaced_by_another(bucket: Bucket, toy_config: Config) -> None:
    run(toy_config(), bucket)
    command = ("publish", bucket.place, "--out", f"{bucket.place}/release", "--verified")
    invoke(*command)
    before = bucket.objects("release")
    run(toy_config(roots=50), bucket, "--fresh")
    assert "is something else than this dataset" in refused(*command)
    assert bucket.objects("release") == before


def test_a_dataset_whose_publication_was_cut_off_is_not_there_until_it_is_finished(
    bucket: Bucket, toy_config: Config
) -> None:
    run(toy_config(), bucket)
    release = f"{bucket.place}/release"
    bucket.put("release/toy/sums/stranger.parquet", b"of another try")
    env = {**bucket.env, "BOARDSPACE_FAILPOINT": f"release-done@kill@{toy_config().with_name('token')}"}
    assert boardspace("publish", bucket.place, "--out", release, env=env).returncode == -signal.SIGKILL
    with pytest.raises(BoardspaceError, match="no complete dataset"):
        package.open(release)
    bucket.put("release/.publishing", b"")  # its owner is dead: what it held is not waited for here
    InBucket(BucketPath(f"{release}/.publishing")).remove()
    invoke("publish", bucket.place, "--out", release)
    assert package.open(release)["toy"].verify().faults == ()


@pytest.mark.slow
def test_a_release_tells_of_the_datasets_that_lie_in_the_bucket_whatever_its_manifest_said(
    bucket: Bucket, toy_config: Config, tmp_path: Path
) -> None:
    """One is added, one is deleted by hand, and a manifest is lost."""
    run(toy_config(), bucket)
    other = tmp_path / "other.toml"
    other.write_text("[board_division]\nspecial_boards = 1\nvalues = 5\nlines = 2\n")
    invoke("run", other, "--out", tmp_path / "other", "--workers", 0)
    release = f"{bucket.place}/release"

    def published(place: object) -> list[str]:
        invoke("publish", place, "--out", release)
        return [entry["name"] for entry in json.loads(bucket.objects()["release/release.json"])["datasets"]]

    assert published(bucket.place) == ["toy"]
    assert published(tmp_path / "other") == ["board_division", "toy"]
    both = bucket.objects("release")
    invoke("publish", tmp_path / "other", "--out", tmp_path / "release")
    invoke("publish", bucket.place, "--out", tmp_path / "release")
    assert dataset_bytes(tmp_path / "release") == both
    assert "0 faults" in invoke("verify", release)
    InBucket(BucketPath(f"{release}/release.json")).remove()
    assert published(bucket.place) == ["board_division", "toy"]
    assert bucket.objects("release") == both
    for name in both:
        if name.startswith("board_division"):
            InBucket(BucketPath(f"{release}/{name}")).remove()
    assert published(bucket.place) == ["toy"]
    assert package.open(release).keys() == {"toy"}


@pytest.mark.parametrize("step", ["checked", *SLOW_STEPS])
@pytest.mark.parametrize("kind", KINDS)
def test_a_run_killed_at_a_point_of_a_write_goes_on_to_the_same_bytes(
    bucket: Bucket, toy_config: Config, tmp_path: Path, kind: str, step: str
) -> None:
    """And computes no shard again but the one that was being written."""
    log = tmp_path / "log"
    config = toy_config(log=str(log))
    env = {**bucket.env, "BOARDSPACE_FAILPOINT": f"{kind}-{step}@kill@{tmp_path / 'token'}"}
    killed = boardspace("run", config, "--out", bucket.place, "--workers", 0, env=env)
    assert killed.returncode == -signal.SIGKILL
    run(config, bucket, "--break-lock")
    again = Counter(log.read_text().split()) - Counter(set(log.read_text().split()))
    assert again.total() == (kind in ("table", "array", "receipt") and (kind, step) != ("receipt", "done"))
    invoke("run", config, "--out", tmp_path / "out", "--workers", 0)
    assert bucket.objects("toy") == dataset_bytes(tmp_path / "out" / "toy")
    assert "0 faults" in invoke("verify", bucket.place)


def test_a_shard_whose_object_is_lost_or_shortened_is_done_again(
    bucket: Bucket, toy_config: Config, undisturbed: dict[str, bytes]
) -> None:
    config = toy_config()
    run(config, bucket)
    names = sorted(name for name in undisturbed if name.startswith("sums/"))
    InBucket(BucketPath(f"{bucket.place}/toy/{names[0]}")).remove()
    bucket.put(f"toy/{names[1]}", undisturbed[names[1]][:-1])
    run(config, bucket)
    assert bucket.objects("toy") == undisturbed


def test_what_verify_names_is_repaired(bucket: Bucket, toy_config: Config, undisturbed: dict[str, bytes]) -> None:
    config = toy_config()
    run(config, bucket)
    name = "sums/0000000000.parquet"
    content = undisturbed[name]
    bucket.put(f"toy/{name}", content[:100] + bytes([content[100] ^ 1]) + content[101:])
    assert f"toy/{name}" in invoke("verify", bucket.place, code=1)
    run(config, bucket, "--repair")
    assert bucket.objects("toy") == undisturbed
    assert "0 faults" in invoke("verify", bucket.place)


def test_what_no_receipt_names_is_swept_out_and_verify_names_it(
    bucket: Bucket, toy_config: Config, undisturbed: dict[str, bytes]
) -> None:
    config = toy_config()
    run(config, bucket)
    other = undisturbed["sums/0000000000.parquet"]
    bucket.put("toy/sums/9999999999.parquet", other)
    run(config, bucket)
    assert bucket.objects("toy") == undisturbed
    assert bucket.objects(".run/swept") == {"toy/sums/9999999999.parquet": other}
    bucket.put("toy/sums/9999999999.parquet", b"not ours")
    assert "no receipt names this file" in invoke("verify", bucket.place, code=1)


def test_what_no_run_wrote_is_neither_moved_nor_deleted(
    bucket: Bucket, toy_config: Config, undisturbed: dict[str, bytes]
) -> None:
    config = toy_config()
    bucket.put("thesis.txt", b"mine")
    assert "thesis.txt" in refused("run", config, "--out", bucket.place, "--workers", 0)
    bucket.remove("thesis.txt")
    run(config, bucket)
    for name in ("thesis.txt", "sums/mine.parquet"):
        bucket.put(f"toy/{name}", b"mine")
        for flags in ((), ("--fresh",), ("--keep",)):
            assert name in refused("run", config, "--out", bucket.place, "--workers", 0, *flags)
        assert bucket.objects("toy") == {**undisturbed, name: b"mine"}
        bucket.remove(f"toy/{name}")


def test_a_fresh_run_leaves_nothing_of_the_one_before(bucket: Bucket, toy_config: Config, tmp_path: Path) -> None:
    run(toy_config(), bucket)
    assert "another plan" in refused("run", toy_config(roots=50), "--out", bucket.place, "--workers", 0)
    run(toy_config(roots=50), bucket, "--fresh")
    invoke("run", toy_config(roots=50), "--out", tmp_path / "out", "--workers", 0)
    assert bucket.objects("toy") == dataset_bytes(tmp_path / "out" / "toy")


def test_each_attempt_at_a_bundle_has_a_file_of_its_own_and_finds_those_of_others(
    bucket: Bucket, toy_config: Config
) -> None:
    run(toy_config(), bucket)
    before = bucket.objects()[f"{RECEIPTS}/00000.0.jsonl"]
    (first, *_) = filter(None, receipts_in(before))
    attempt = SpaceFolder(BucketPath(bucket.place), "toy").attempt("squares", "00000")
    assert attempt.find(first.shard, first.work) == first
    assert attempt.find(first.shard, "of another plan") is None
    attempt.add(first.model_copy(update={"work": "of another plan"}))
    attempt.add(first.model_copy(update={"shard": "another"}))
    objects = bucket.objects()
    assert objects[f"{RECEIPTS}/00000.0.jsonl"] == before
    assert len(objects[f"{RECEIPTS}/00000.1.jsonl"].splitlines()) == 2


def test_large_objects_go_in_parts_and_come_by_ranges(bucket: Bucket) -> None:
    content = bytes(range(256)) * ((IN_PARTS >> 8) + 1)
    there = InBucket(BucketPath(f"{bucket.place}/large"))
    there.write(lambda stream: stream.write(content), lambda _: None, "table")
    assert there.size() == len(content)
    with there.table_file() as file:
        file.seek(len(content) - 300)
        assert file.read(1000) == content[-300:]
        file.seek(1 << 20)
        assert file.read(70_000) == content[1 << 20 : (1 << 20) + 70_000]


@pytest.mark.parametrize(
    ("changed", "place", "what"),
    [
        ({}, "s3://", "not a place in a bucket"),
        ({}, "s3:///prefix", "not a place in a bucket"),
        ({}, "s3://bucket/a/../b", "not a place in a bucket"),
        ({"AWS_ENDPOINT_URL": "http://127.0.0.1:9"}, "", "does not answer"),
        ({"AWS_ENDPOINT_URL": "nonsense"}, "", "not an address"),
    ],
)
def test_places_that_cannot_be_reached_are_told_in_a_line(
    bucket: Bucket,
    toy_config: Config,
    monkeypatch: pytest.MonkeyPatch,
    changed: dict[str, str],
    place: str,
    what: str,
) -> None:
    reach(changed, monkeypatch)
    assert what in refused_in_a_line("run", toy_config(), "--out", place or bucket.place, "--workers", 0)


def refused(*arguments: object) -> str:
    """What a command that a user can mend says on standard error."""
    result = CliRunner().invoke(cli, [str(argument) for argument in arguments])
    assert result.exit_code == 2, f"{result.output} {result.exception!r}"
    return result.stderr


def refused_in_a_line(*arguments: object) -> str:
    """The same, where it is no more than a line."""
    said = refused(*arguments)
    assert len(said.strip().splitlines()) == 1, said
    return said


def test_an_address_is_a_path_as_far_as_names_go() -> None:
    place = located("s3://bucket/runs/laptop")
    assert isinstance(place, BucketPath)
    assert str(place / "toy" / "main.parquet") == "s3://bucket/runs/laptop/toy/main.parquet"
    assert (place.bucket, place.key, place.name) == ("s3://bucket", "runs/laptop", "laptop")
    assert str(place.parent) == "s3://bucket/runs"
    assert str((place / "a" / "b").relative_to(place)) == "a/b"
    assert located("outputs/s3") == Path("outputs/s3")


@pytest.mark.parametrize("values", [np.arange(3000, dtype=np.uint16).reshape(3, 1000), np.empty((0, 4), np.int64)])
def test_a_blob_is_fetched_compared_with_its_receipt_and_mapped(bucket: Bucket, values: np.ndarray[Any, Any]) -> None:
    record = write_blob(BucketPath(bucket.place), "x/tiles.npy", "tiles", values)
    found = map_blob(BucketPath(f"{bucket.place}/x/tiles.npy"), record.sha256)
    assert (found.dtype, found.shape, found.tolist()) == (values.dtype, values.shape, values.tolist())
    content = bucket.objects()["x/tiles.npy"]
    bucket.put("x/other.npy", content[:-1] + bytes([content[-1] ^ 1]))
    with pytest.raises(StorageError, match=r"other\.npy: damaged"):
        map_blob(BucketPath(f"{bucket.place}/x/other.npy"), record.sha256)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_a_run_killed_again_and_again_with_its_workers_ends_with_the_same_bytes(
    bucket: Bucket, toy_config: Config, tmp_path: Path, seed: int
) -> None:
    config = toy_config(pause=0.3)
    moments = random.Random(seed)
    command = [sys.executable, "-m", "boardspace", "run", config, "--out", bucket.place, "--workers", "2"]
    for _ in range(4):
        quiet = subprocess.DEVNULL
        killed = subprocess.Popen(
            [*map(str, command), "--break-lock"],
            env=environment(bucket.env),
            stdout=quiet,
            stderr=quiet,
            start_new_session=True,
        )
        time.sleep(moments.uniform(1, 12))
        os.killpg(killed.pid, signal.SIGKILL)
        killed.wait()
    run(config, bucket, "--break-lock")
    invoke("run", config, "--out", tmp_path / "out", "--workers", 0)
    assert bucket.objects("toy") == dataset_bytes(tmp_path / "out" / "toy")
    assert "0 faults" in invoke("verify", bucket.place)
