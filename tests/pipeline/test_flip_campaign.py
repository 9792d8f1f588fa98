"""The long campaign: a flipped bit of any kind of file, in a run or a release, is found and the file named."""

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from boardspace.cli.main import cli
from boardspace.release.publish import publish
from boardspace.verify import verify
from tests.pipeline.campaign import LONG, cases, drawing

pytestmark = LONG
FLIPS = 5000
OF_A_RUN = (
    "plan.json",
    "toy/COMPLETE",
    "toy/claims.parquet",
    "toy/sums/*",
    "toy/arrays.zarr/zarr.json",
    "toy/arrays.zarr/ways/zarr.json",
    "toy/arrays.zarr/ways/c/*",
    ".run/toy/stages/*",
    ".run/toy/receipts/*/*",
    ".run/toy/intermediates/*/*/*",
)
OF_A_RELEASE = (
    "release.json",
    "README.md",
    "index.html",
    "toy.tar",
    "toy.tar.sha256",
    "toy/SHA256SUMS",
    "toy/COMPLETE",
    "toy/README.md",
    "toy/*.json",
    "toy/*.csv",
    "toy/schemas/*",
    "toy/claims.parquet",
    "toy/sums/*",
    "toy/arrays.zarr/zarr.json",
    "toy/arrays.zarr/ways/zarr.json",
    "toy/arrays.zarr/ways/c/*",
)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("finished")
    (folder / "toy.toml").write_text("[toy]\nroots = 12\nshards = 2\n")
    arguments = ["run", str(folder / "toy.toml"), "--out", str(folder / "run"), "--workers", "0"]
    assert CliRunner().invoke(cli, arguments).exit_code == 0
    publish(folder / "run", folder / "release", [], lambda _: None)
    return folder


def said(folder: Path) -> str:
    """What verify says: the places of its faults, or that it cannot read the plan."""
    result = CliRunner().invoke(cli, ["verify", str(folder), "--level", "hashes"])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exc_info
    assert result.exit_code in {1, 2}, result.output
    return result.output


def flip(path: Path, bit: int) -> None:
    with path.open("r+b") as stream:
        stream.seek(bit // 8)
        byte = stream.read(1)[0]
        stream.seek(bit // 8)
        stream.write(bytes([byte ^ 1 << bit % 8]))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("part", "pattern"),
    [*(("run", name) for name in OF_A_RUN), *(("release", name) for name in OF_A_RELEASE)],
)
def test_a_flipped_bit_of_any_kind_of_file_is_found(finished: Path, tmp_path: Path, part: str, pattern: str) -> None:
    folder = shutil.copytree(finished / part, tmp_path / part)
    files = sorted(folder.glob(pattern))
    chance = drawing(f"{part} {pattern}")
    assert files
    for _ in range(cases(FLIPS)):
        path = chance.choice(files)
        bit = chance.randrange(8 * path.stat().st_size)
        flip(path, bit)
        found = said(folder)  # in SHA256SUMS, the file whose sum is another one may be blamed
        assert path.name in found or path.name == "SHA256SUMS", f"bit {bit} of {path}"
        flip(path, bit)
    assert verify(folder, "logic").faults == ()
