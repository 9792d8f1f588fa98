"""A release in a bucket is signed, and says who made it, as one in a folder does."""

from collections.abc import Callable
from pathlib import Path

import pytest

from boardspace.storage.release_folder import MANIFEST, SIGNATURE
from tests.object_store.conftest import Bucket
from tests.object_store.test_bucket_run import invoke, run
from tests.pipeline.conftest import toy_config
from tests.pipeline.publish.test_signature import KEYGEN, WHO, allow, key_in

__all__ = ["toy_config"]
pytestmark = pytest.mark.skipif(KEYGEN is None, reason="OpenSSH is not here")


def test_a_release_in_a_bucket_is_signed_and_says_who_made_it(
    bucket: Bucket, toy_config: Callable[..., Path], tmp_path: Path
) -> None:
    key, release = key_in(tmp_path, "key"), f"{bucket.place}/release"
    signers = allow(key)
    run(toy_config(), bucket)
    invoke("publish", bucket.place, "--out", release, "--verified", "--sign", key)
    check = ("verify", release, "--level", "hashes", "--signer", signers)
    assert f"signed by {WHO} with ssh-ed25519" in invoke(*check)
    assert "give the release, which is signed" in invoke(
        "verify", f"{release}/toy", "--level", "hashes", "--signer", signers, code=2
    )
    bucket.put(f"release/{MANIFEST}", bucket.objects("release")[MANIFEST] + b"\n")
    assert "is not a signature of this release.json" in invoke(*check, code=1)
    invoke("publish", bucket.place, "--out", release, "--verified")
    assert SIGNATURE not in bucket.objects("release")
    invoke("sign", release, key)
    assert f"signed by {WHO}" in invoke(*check)
