"""A small release with its site, made once; and one with Klotski arrays, as a release of the whole space has them."""

import shutil
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq

from boardspace.release.atlas.site import write_site
from boardspace.spaces.klotski.columns import CHUNK
from boardspace.spaces.klotski.parts.farthest.part import FARTHEST_NUM, FARTHEST_STEP
from boardspace.spaces.klotski.parts.layouts.part import GROUP_INDEX, GROUP_NUM
from boardspace.spaces.klotski.parts.solutions.part import MIN_SOLUTION_NUM, MIN_SOLUTION_STEP, SOLUTION_NUM
from boardspace.spec.space import Array, ArrayPart
from boardspace.storage.arrays import write_part
from boardspace.storage.files import sha256_of
from boardspace.storage.release_folder import RELEASE_DOCUMENTS, SUMS
from boardspace_kernels.klotski.scan import space_scan
from tests.pipeline.publish.conftest import in_process, publish_quietly

SMALL = Path(__file__).with_name("small.toml")
SHARD = 1 << 20
CLASSIC = 4_091_296
"""The id of the classic start, code 1A9BF0C00."""


def make_release(folder: Path) -> None:
    """Run ``small.toml`` and publish it as ``release``, with its site beside the data."""
    done = in_process("run", SMALL, "--out", folder / "run", "--workers", 0)
    assert done.exit_code == 0, done.output
    publish_quietly(folder / "run", folder / "release")
    write_site(folder / "release", folder / "release", None, lambda _: None)


FARTHEST = (FARTHEST_STEP, FARTHEST_NUM)
WITHOUT_FARTHEST = (GROUP_NUM, GROUP_INDEX, MIN_SOLUTION_STEP, MIN_SOLUTION_NUM, SOLUTION_NUM)
"""Arrays of a whole run whose budget pays for the farthest steps of no class."""


def with_arrays(release: Path, folder: Path, arrays: Sequence[Array] = (*WITHOUT_FARTHEST, *FARTHEST)) -> Path:
    """A copy of the release whose Klotski dataset also has arrays: of the shard that holds the classic start."""
    copy = Path(shutil.copytree(release, folder))
    dataset = copy / "klotski"
    rows = pq.read_table(dataset / "main").join(pq.read_table(dataset / "solution"), "layout_id").to_pydict()
    start = CLASSIC // SHARD * SHARD
    ids = np.array(rows["layout_id"])
    inside = (ids >= start) & (ids < start + SHARD)
    for array in arrays:
        values = np.zeros(SHARD, array.dtype)
        if array.name in rows:  # the farthest steps were not computed: 0 as in a run without them
            values[ids[inside] - start] = np.array(rows[array.name])[inside]
        part = ArrayPart(array, array.name, (space_scan().size,), (CHUNK,), (SHARD,), (start,), values)
        write_part(copy, "klotski", part, {})
    for other in [*copy.glob("klotski.tar*"), *(copy / name for name in RELEASE_DOCUMENTS)]:
        other.unlink()
    names = sorted(p.relative_to(dataset).as_posix() for p in dataset.rglob("*") if p.is_file() and p.name != SUMS)
    (dataset / SUMS).write_text("".join(f"{sha256_of(dataset / name)}  {name}\n" for name in names))
    write_site(copy, copy, None, lambda _: None)
    return copy
