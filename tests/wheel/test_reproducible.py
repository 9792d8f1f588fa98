"""The distribution is a function of its sources: anybody makes the same bytes of them, elsewhere, later, offline."""

import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.wheel.conftest import EPOCH

pytestmark = pytest.mark.wheel
NOWHERE = "http://127.0.0.1:9"


def unpacked(sdist: Path, folder: Path, mode: int, time: int) -> Path:
    """The sources of an sdist in a folder of their own, all files with other rights and of another time."""
    with tarfile.open(sdist) as archive:
        archive.extractall(folder, filter="data")
    (root,) = folder.iterdir()
    for path in root.rglob("*"):
        if path.is_file():
            path.chmod(mode)
        os.utime(path, (time, time))
    return root


def test_two_builds_have_the_same_bytes_wherever_and_whenever_they_are_made_and_need_no_network(
    built: Mapping[str, Path], builder: Path, tmp_path: Path
) -> None:
    """One of the checkout, with what it requires fetched for it; one of the same files as the sdist has them, with
    nothing but the requirements of the build there: neither build nor the backend asks anybody for more."""
    source = unpacked(built["sdist"], tmp_path / "another", 0o600, 1_700_000_000)
    (source / "PKG-INFO").unlink()  # the one file that the sdist has beyond the checkout
    offline = dict.fromkeys(("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"), NOWHERE)
    other = {"SOURCE_DATE_EPOCH": EPOCH, "TZ": "Asia/Shanghai", "PYTHONHASHSEED": "600", "PIP_NO_INDEX": "1"}
    command = [builder, "-m", "build", "--no-isolation", "--outdir", tmp_path / "dist", source]
    done = subprocess.run(
        [*_without_network(), *map(str, command)],
        env={**os.environ, **offline, **other},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    found = {file.name: file.read_bytes() for file in (tmp_path / "dist").iterdir()}
    assert found.keys() == {file.name for file in built.values()}
    assert [file.name for file in built.values() if found[file.name] != file.read_bytes()] == []


def _without_network() -> list[str]:
    """A command that runs another in a network namespace with nothing in it, where this machine allows that."""
    unshare = shutil.which("unshare")
    command = [str(unshare), "--map-root-user", "--net"]
    allowed = unshare and subprocess.run([*command, sys.executable, "-c", ""], capture_output=True, check=False)
    return command if allowed and allowed.returncode == 0 else []
