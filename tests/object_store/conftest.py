"""A bucket on a real server for every test, reached as a user would reach it: by variables of the environment."""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

import boto3
import obstore
import obstore.store
import pytest

from boardspace.storage import objects
from tests.object_store import servers

SERVERS = [  # one by default: the store that people run, where it is installed
    pytest.param(
        "seaweedfs", marks=pytest.mark.skipif(not servers.has_seaweedfs(), reason="SeaweedFS is not installed")
    ),
    pytest.param("moto", marks=[pytest.mark.slow] if servers.has_seaweedfs() else []),
]
_NUMBERS = itertools.count()


@dataclass(frozen=True)
class Bucket:
    """A place in a bucket that no other test uses; ``env`` is what reaches it, ``upstream`` the server's port."""

    place: str
    env: dict[str, str]
    upstream: int

    def objects(self, below: str = "") -> dict[str, bytes]:
        """Every object below a prefix of the place, by its name relative to it, read past all of our own code."""
        store = obstore.store.from_url(self.place, config=_config(self.upstream), client_options={"allow_http": True})
        names = [meta["path"] for page in obstore.list(store, below or None) for meta in page]
        start = len(below) + 1 if below else 0
        return {name[start:]: bytes(obstore.get(store, name).bytes()) for name in names}

    def put(self, name: str, content: bytes) -> None:
        """Put an object, past all of our own code."""
        store = obstore.store.from_url(self.place, config=_config(self.upstream), client_options={"allow_http": True})
        obstore.put(store, name, content)

    def remove(self, name: str) -> None:
        """Delete an object, past all of our own code."""
        store = obstore.store.from_url(self.place, config=_config(self.upstream), client_options={"allow_http": True})
        obstore.delete(store, name)


def _config(port: int) -> dict[str, str]:
    return {name.lower(): value for name, value in servers.environment_of(port).items()}


@pytest.fixture(scope="session", params=SERVERS)
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port of a server that holds a bucket."""
    started = servers.moto() if request.param == "moto" else servers.seaweedfs(tmp_path_factory.mktemp("s") / "weed")
    with started as port:
        make_bucket(port)
        yield port


@pytest.fixture
def bucket(server: int, monkeypatch: pytest.MonkeyPatch) -> Bucket:
    """A place of its own for a test; this process is set up to reach it, too."""
    env = servers.environment_of(server)
    reach(env, monkeypatch)
    return Bucket(f"s3://{servers.BUCKET}/place-{next(_NUMBERS)}", env, server)


@pytest.fixture
def proxy(server: int, bucket: Bucket, monkeypatch: pytest.MonkeyPatch) -> Iterator[servers.Proxy]:
    """A proxy before the server, which this process now goes through."""
    with servers.proxied(server) as between:
        reach(between.environment, monkeypatch)
        yield between


def reach(env: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Set this process up as a command with these variables would be."""
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    objects.client.cache_clear()


def make_bucket(port: int) -> None:
    """Make the bucket of all tests."""
    client = boto3.client(
        "s3",
        endpoint_url=f"http://{servers.LOOPBACK}:{port}",
        aws_access_key_id=servers.KEY,
        aws_secret_access_key=servers.SECRET,
        region_name="us-east-1",
    )
    client.create_bucket(Bucket=servers.BUCKET)
