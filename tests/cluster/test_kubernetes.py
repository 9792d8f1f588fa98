"""The manifests of docs/clusters.md by the schemas of Kubernetes, and by one another; there is no such cluster."""

import tomllib
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import yaml

from tests.cluster.conftest import block
from tests.wheel.conftest import ROOT, Installation

pytestmark = pytest.mark.cluster


def manifests() -> list[dict[str, Any]]:
    """All of the page."""
    return list(yaml.safe_load_all(block("Kubernetes", "yaml")))


def pods() -> Iterator[dict[str, Any]]:
    """What each manifest but the service starts."""
    return (one["spec"]["template"]["spec"] for one in manifests() if "template" in one["spec"])


def test_they_are_valid_and_hold_no_field_that_there_is_not(installed: Installation, add: Callable[..., None]) -> None:
    add(installed.python, "kubernetes-validate")
    file = installed.folder / "boardspace.yaml"
    file.write_text(block("Kubernetes", "yaml"))
    installed.run("kubernetes-validate", "--strict", file)
    file.write_text(block("Kubernetes", "yaml").replace("claimName", "claim"))
    with pytest.raises(AssertionError, match="claim"):
        installed.run("kubernetes-validate", "--strict", file)


def test_what_is_mounted_is_there_and_what_is_there_is_used() -> None:
    for pod in pods():
        volumes = {volume["name"] for volume in pod["volumes"]}
        (container,) = pod["containers"]
        mounts = {mount["name"]: mount["mountPath"] for mount in container["volumeMounts"]}
        assert set(mounts) == volumes
        paths = [word for word in container["command"] if word.startswith("/")]
        assert {f"/{path.split('/')[1]}" for path in paths} <= set(mounts.values())


def test_the_service_leads_to_the_scheduler_that_workers_and_run_are_told_of() -> None:
    service, scheduler, worker, _ = manifests()
    assert service["spec"]["selector"] == scheduler["spec"]["template"]["metadata"]["labels"]
    address = f"tls://{service['metadata']['name']}:{service['spec']['ports'][0]['port']}"
    (container,) = worker["spec"]["template"]["spec"]["containers"]
    assert address in container["command"]
    client = tomllib.loads((ROOT / "configs/cluster/kubernetes.toml").read_text())
    assert client["scheduler"] == address
    assert "/" not in client["ca"] + client["cert"] + client["key"]  # beside the file, in the secret
