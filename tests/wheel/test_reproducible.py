"""The distribution is a function of its sources: anybody makes the same bytes of them, elsewhere, later, offline."""

import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.wheel.conftest import build

pytestmark = pytest.mark.wheel
EPOCH = "1767225600"
"""The first second of 2026."""
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


def bytes_of(files: list[Path]) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in files}


def test_two_builds_have_the_same_bytes_wherever_and_whenever_they_are_made(
    built: Mapping[str, Path], builder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", EPOCH)
    found = []
    for name, mode, time, zone in (("one", 0o644, 1, "UTC"), ("another", 0o600, 1_700_000_000, "Asia/Shanghai")):
        monkeypatch.setenv("TZ", zone)
        monkeypatch.setenv("PYTHONHASHSEED", str(mode))
        source = unpacked(built["sdist"], tmp_path / name, mode, time)
        found.append(bytes_of(list(build(builder, source, tmp_path / f"{name}-dist", "--no-isolation"))))
    assert sorted(found[0]) == sorted(found[1])
    assert len(found[0]) == 2
    assert [name for name in found[0] if found[0][name] != found[1][name]] == []


def test_the_sdist_makes_the_wheel_without_a_network(built: Mapping[str, Path], builder: Path, tmp_path: Path) -> None:
    """With nothing but the requirements of the build there; neither build nor the backend asks anybody for more."""
    source = unpacked(built["sdist"], tmp_path / "source", 0o644, 1)
    offline = dict.fromkeys(("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"), NOWHERE)
    command = [builder, "-m", "build", "--wheel", "--no-isolation", "--outdir", tmp_path / "dist"]
    done = subprocess.run(
        [*_without_network(), *map(str, command), str(source)],
        env={**os.environ, **offline, "PIP_NO_INDEX": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,) = (tmp_path / "dist").iterdir()
    assert wheel.read_bytes() == built["wheel"].read_bytes()


def _without_network() -> list[str]:
    """A command that runs another in a network namespace with nothing in it, where this machine allows that."""
    unshare = shutil.which("unshare")
    command = [str(unshare), "--map-root-user", "--net"]
    allowed = unshare and subprocess.run([*command, sys.executable, "-c", ""], capture_output=True, check=False)
    return command if allowed and allowed.returncode == 0 else []
