"""What the files of the distribution hold."""

import shutil
import subprocess
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.wheel.conftest import ROOT, build

pytestmark = pytest.mark.wheel
DATA = {"configs/laptop.toml", "configs/boards/french.toml", "configs/cluster/tls.toml", "py.typed"}


def contents(wheel: Path) -> dict[str, bytes]:
    """The files of a wheel by name."""
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_the_wheel_installs_two_names(built: Mapping[str, Path]) -> None:
    names = {name.split("/")[0].split("-")[0] for name in contents(built["wheel"])}
    assert names == {"boardspace", "boardspace_kernels"}


def test_the_wheel_holds_all_modules_and_data(built: Mapping[str, Path]) -> None:
    names = set(contents(built["wheel"]))
    for top in (ROOT / "kernels", ROOT / "pipeline"):
        files = {p.relative_to(top).as_posix() for kind in ("*.py", "*.toml", "*.md") for p in top.rglob(kind)}
        assert files
        assert files <= names
    assert {f"boardspace/{file}" for file in DATA} <= names
    assert not any(name.split("/")[0] in {"tests", "benchmarks"} for name in names)


def test_the_sdist_and_the_checkout_make_the_same_wheel(
    built: Mapping[str, Path], builder: Path, tmp_path: Path
) -> None:
    source = tmp_path / "checkout"  # a build leaves files beside what it builds
    leave_out = shutil.ignore_patterns(".*", "outputs", "build", "site", "*.egg-info", "__pycache__", "node_modules")
    shutil.copytree(ROOT, source, symlinks=True, ignore=leave_out)
    (direct,) = build(builder, source, tmp_path / "direct", "--no-isolation", "--wheel")
    assert contents(direct) == contents(built["wheel"])


def test_a_build_without_the_atlas_says_so(builder: Path, tmp_path: Path) -> None:
    source = tmp_path / "checkout"
    leave_out = shutil.ignore_patterns(".*", "outputs", "build", "site", "bundle", "tests", "node_modules")
    shutil.copytree(ROOT, source, ignore=leave_out)
    command = [builder, "-m", "build", "--no-isolation", "--wheel", "--outdir", tmp_path / "out", source]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=True)
    assert "THE ATLAS IS MISSING" in done.stdout + done.stderr


def test_the_sdist_holds_no_links(built: Mapping[str, Path]) -> None:
    with tarfile.open(built["sdist"]) as archive:
        assert not [member.name for member in archive if member.issym() or member.islnk()]


def test_the_wheel_carries_the_atlas_so_that_nobody_needs_node(built: Mapping[str, Path]) -> None:
    bundle = ROOT / "pipeline/boardspace/release/atlas/bundle"
    assert (bundle / "index.html").is_file(), "make atlas comes first"
    wheel = contents(built["wheel"])
    for file in bundle.iterdir():
        assert wheel[f"boardspace/release/atlas/bundle/{file.name}"] == file.read_bytes()
