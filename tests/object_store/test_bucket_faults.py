"""Between the client and the store things go wrong; a run ends with the same bytes all the same, or says what it is."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from boardspace.storage.bucket import InBucket
from boardspace.storage.files import StorageError
from boardspace.storage.locations import BucketPath
from tests.object_store import servers
from tests.object_store.conftest import Bucket, reach
from tests.object_store.test_bucket_run import invoke, refused_in_a_line, undisturbed
from tests.pipeline.conftest import boardspace, toy_config

__all__ = ["toy_config", "undisturbed"]
Config = Callable[..., Path]


def every(step: int, fault: str, *methods: str) -> servers.Spoil:
    """Spoils each such request whose number is a multiple, but not the next one: it is the same, tried again."""

    def spoil(request: servers.Request) -> str:
        return fault if request.number % step == step - 1 and request.method in (methods or ("GET", "PUT")) else ""

    return spoil


@pytest.mark.parametrize("fault", ["busy", "reset", "lost", "torn", "half"])
def test_a_run_through_a_bad_network_leaves_the_same_bytes(
    bucket: Bucket, proxy: servers.Proxy, toy_config: Config, undisturbed: dict[str, bytes], fault: str
) -> None:
    methods = {"torn": ("PUT",), "half": ("GET",)}.get(fault, ())
    proxy.spoil = every(5, fault, *methods)
    invoke("run", toy_config(), "--out", bucket.place, "--workers", 0)
    assert proxy.spoilt[fault] >= 3
    proxy.spoil = lambda _: ""
    assert bucket.objects("toy") == undisturbed
    assert "0 faults" in invoke("verify", bucket.place)


@pytest.mark.slow
def test_a_store_that_is_gone_in_the_middle_is_told_in_a_line_and_the_run_goes_on_later(
    bucket: Bucket, proxy: servers.Proxy, toy_config: Config, undisturbed: dict[str, bytes]
) -> None:
    proxy.spoil = lambda request: "reset" if request.number > 25 else ""
    done = boardspace("run", toy_config(), "--out", bucket.place, "--workers", 0, env=proxy.environment, timeout=600)
    assert done.returncode == 2, done.stderr
    assert "the store does not answer" in done.stderr
    assert "Traceback" not in done.stderr
    proxy.spoil = lambda _: ""
    invoke("run", toy_config(), "--out", bucket.place, "--workers", 0, "--break-lock")
    assert bucket.objects("toy") == undisturbed


def test_bytes_that_change_on_the_way_up_are_refused_by_a_store_that_checks(
    bucket: Bucket, proxy: servers.Proxy, request: pytest.FixtureRequest
) -> None:
    """moto checks nothing, and then ``verify`` finds it; SeaweedFS refuses, as S3 does."""
    proxy.spoil = every(1, "flipped", "PUT")
    place = InBucket(BucketPath(f"{bucket.place}/object"))
    if request.node.callspec.params["server"] == "moto":
        place.write(lambda stream: stream.write(b"content"), lambda _: None, "table")
        assert bucket.objects()["object"] != b"content"
        return
    with pytest.raises(StorageError):
        place.write(lambda stream: stream.write(b"content"), lambda _: None, "table")
    assert "object" not in bucket.objects()


def test_every_upload_carries_a_checksum(bucket: Bucket, server: int, monkeypatch: pytest.MonkeyPatch) -> None:
    with servers.proxied(server) as proxy:
        reach(proxy.environment, monkeypatch)
        InBucket(BucketPath(f"{bucket.place}/a")).write(lambda stream: stream.write(b"x"), lambda _: None, "table")
        assert proxy.headers[-1]["x-amz-checksum-sha256"]


def test_a_shard_asks_for_its_receipt_once_and_writes_each_object_once(
    bucket: Bucket, proxy: servers.Proxy, toy_config: Config
) -> None:
    invoke("run", toy_config(), "--out", bucket.place, "--workers", 0)
    receipts = [
        request for request in proxy.requests if "/receipts/" in request.path and "list-type" not in request.path
    ]
    assert Counter(request.method for request in receipts) == {"GET": 9, "PUT": 9}
    puts = Counter(request.path for request in proxy.requests if request.method == "PUT")
    written = [path for path, count in puts.items() if count == 1]
    several = {path.rpartition("/")[2]: count for path, count in puts.items() if count > 1}
    assert len(written) == 9 + 4 + 4 + 4 + 1 + len(["plan", "COMPLETE", "squares", "sums", "claims"])
    assert several.pop("lock") >= 2  # put, seen to be kept, renewed
    assert several == {"zarr.json": 4}  # each part of an array writes the metadata, which are the same


@pytest.mark.slow
def test_a_finished_run_repeated_lists_its_files_asks_for_none_of_them_and_writes_nothing(
    bucket: Bucket, proxy: servers.Proxy, toy_config: Config
) -> None:
    config = toy_config()
    invoke("run", config, "--out", bucket.place, "--workers", 0)
    before = len(proxy.requests)
    invoke("run", config, "--out", bucket.place, "--workers", 0)
    repeated = proxy.requests[before:]
    assert {request.path.rpartition("/")[2] for request in repeated if request.method == "PUT"} == {"lock"}
    asked = [request.path for request in repeated if "list-type" not in request.path]
    assert not [path for path in asked if "/receipts/" in path or "/sums/" in path or "/intermediates/" in path]


def test_a_reader_may_read_and_is_told_that_it_may_not_write(
    server: int, bucket: Bucket, toy_config: Config, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    if request.node.callspec.params["server"] == "moto":
        pytest.skip("moto knows no rights")
    invoke("run", toy_config(), "--out", bucket.place, "--workers", 0)
    reach({"AWS_ACCESS_KEY_ID": "reader"}, monkeypatch)
    assert "0 faults" in invoke("verify", bucket.place)
    assert "may not do that" in refused_in_a_line("run", toy_config(), "--out", bucket.place, "--workers", 0)
    for changed in ({"AWS_ACCESS_KEY_ID": "nobody"}, {"AWS_SECRET_ACCESS_KEY": "wrong"}):
        reach({**bucket.env, **changed}, monkeypatch)
        assert "wrong credentials" in refused_in_a_line("run", toy_config(), "--out", bucket.place, "--workers", 0)


@pytest.mark.usefixtures("bucket")
def test_a_bucket_that_is_not_there_is_told(toy_config: Config, request: pytest.FixtureRequest) -> None:
    commands: list[tuple[object, ...]] = [("status", "s3://no-such-bucket/a"), ("verify", "s3://no-such-bucket/a")]
    if request.node.callspec.params["server"] == "moto":  # SeaweedFS makes buckets that are written to
        commands.append(("run", toy_config(), "--out", "s3://no-such-bucket/a", "--workers", 0))
    for command in commands:
        assert "there is no bucket s3://no-such-bucket" in refused_in_a_line(*command)
