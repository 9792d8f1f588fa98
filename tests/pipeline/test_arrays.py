"""Arrays are written shard by shard, and the parts make the same array as one writer would."""

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from boardspace.spec.registry import space_named
from boardspace.spec.space import Array, ArrayPart
from boardspace.storage.arrays import consolidated, metadata_of, open_array, write_part
from boardspace.verify.arrays import check_metadata
from tests.pipeline.conftest import dataset_bytes

GRID = Array("k={k}/grid", "uint16", ("row", "column"), "A grid.")
VALUES = np.arange(70, dtype=np.uint16).reshape(7, 10)


def part(low: int, high: int) -> ArrayPart:
    return ArrayPart(GRID, "k=5/grid", (7, 10), (2, 5), (4, 10), (low, 0), VALUES[low:high])


def test_parts_in_any_order_make_the_same_files_as_one_part(tmp_path: Path) -> None:
    write_part(tmp_path / "one", "toy", part(0, 7), {"dataset": "toy"})
    for piece in (part(4, 7), part(0, 4)):
        write_part(tmp_path / "two", "toy", piece, {"dataset": "toy"})
    assert dataset_bytes(tmp_path / "one") == dataset_bytes(tmp_path / "two")
    assert np.array_equal(open_array(tmp_path / "two" / "toy", "k=5/grid")[:], VALUES)


def test_a_part_that_would_overwrite_a_neighbour_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="whole shards of 4"):
        write_part(tmp_path, "toy", part(2, 6), {})
    outside = dataclasses.replace(part(4, 7), start=(8, 0))
    with pytest.raises(ValueError, match="size 7"):
        write_part(tmp_path, "toy", outside, {})


@pytest.mark.parametrize(
    ("values", "words"),
    [
        (VALUES.astype(np.float64), "fractions"),
        (VALUES.astype(np.int64) - 1, "do not fit"),
        (VALUES.astype(np.int64) << 10, "do not fit"),
    ],
)
def test_values_that_would_change_in_the_dtype_of_the_array_are_refused(
    tmp_path: Path, values: npt.NDArray[Any], words: str
) -> None:
    with pytest.raises(ValueError, match=f"k=5/grid: .*{words}"):
        write_part(tmp_path, "toy", dataclasses.replace(part(0, 7), values=values), {})


def test_a_flipped_bit_does_not_decode(tmp_path: Path) -> None:
    records = write_part(tmp_path, "toy", part(0, 7), {})
    path = tmp_path / next(record.path for record in records if record.array)
    content = bytearray(path.read_bytes())
    content[3] ^= 1
    path.write_bytes(content)
    with pytest.raises((ValueError, RuntimeError)):
        open_array(tmp_path / "toy", "k=5/grid")[:]


def test_every_group_above_an_array_can_be_opened(tmp_path: Path) -> None:
    import zarr

    write_part(tmp_path, "toy", part(0, 7), {})
    group = zarr.open_group(tmp_path / "toy" / "arrays.zarr", mode="r")
    assert sorted(group["k=5"]) == ["grid"]


@pytest.mark.parametrize(
    ("shape", "chunks", "shards"),
    [
        ((70,), (4,), (16,)),
        ((1,), (4,), (4,)),
        ((64,), (4,), (64,)),
        ((7, 10), (2, 5), (4, 10)),
        ((13, 9), (2, 3), (10, 9)),
        ((9, 12), (1, 2), (6, 12)),
        ((5, 6, 7), (2, 1, 3), (4, 3, 9)),
    ],
)
@pytest.mark.parametrize("dtype", ["uint8", "int16", "uint64", "bool", "float32"])
def test_the_files_are_those_that_zarr_writes(
    shape: tuple[int, ...], chunks: tuple[int, ...], shards: tuple[int, ...], dtype: str, tmp_path: Path
) -> None:
    import zarr
    from zarr.codecs import Crc32cCodec, ZstdCodec

    values = np.random.default_rng(7).integers(0, 100, shape).astype(dtype)
    values[: shape[0] // 2] = 0  # chunks of nothing but the fill value are written too
    array = Array("grid", dtype, tuple("abc"[: len(shape)]), "A grid of \u00e9.")
    write_part(tmp_path, "toy", ArrayPart(array, "grid", shape, chunks, shards, (0,) * len(shape), values), {"x": "y"})
    theirs = zarr.create_array(
        tmp_path / "theirs",
        shape=shape,
        dtype=dtype,
        chunks=chunks,
        shards=shards,
        compressors=(ZstdCodec(level=3), Crc32cCodec()),
        fill_value=0,
        dimension_names=array.dims,
        attributes={"x": "y", "description": array.doc, "unit": ""},
        config={"write_empty_chunks": True},
    )
    theirs[...] = values
    assert dataset_bytes(tmp_path / "toy/arrays.zarr/grid") == dataset_bytes(tmp_path / "theirs")


def test_settings_of_the_user_for_zarr_change_no_byte(tmp_path: Path) -> None:
    import zarr

    write_part(tmp_path / "plain", "toy", part(0, 7), {"dataset": "toy"})
    with zarr.config.set({"json_indent": 4, "array.write_empty_chunks": True, "array.order": "F"}):
        write_part(tmp_path / "other", "toy", part(0, 7), {"dataset": "toy"})
    assert dataset_bytes(tmp_path / "plain") == dataset_bytes(tmp_path / "other")


def test_what_zarr_before_3_1_wrote_of_numbers_of_one_byte_is_accepted(tmp_path: Path) -> None:
    space = space_named("five_in_a_row")
    array = next(array for array in space.arrays if array.dtype == "uint8")
    path = tmp_path / array.name / "zarr.json"
    text = metadata_of(array, (7,), (2,), (4,), {})
    older = text.replace(b'"name": "bytes"', b'"name": "bytes", "configuration": {"endian": "little"}', 1)
    path.parent.mkdir()
    for content in (text, older):
        path.write_bytes(content)
        check_metadata(tmp_path, array.name, space, {})


def test_metadata_are_consolidated_as_zarr_python_does(tmp_path: Path) -> None:
    import zarr

    write_part(tmp_path, "toy", part(0, 7), {"dataset": "toy"})
    other = dataclasses.replace(GRID, name="grid")
    write_part(tmp_path, "toy", dataclasses.replace(part(0, 7), array=other, path="grid"), {"dataset": "toy"})
    group = tmp_path / "toy" / "arrays.zarr"
    found = {path.parent.relative_to(group).as_posix(): path.read_bytes() for path in group.rglob("zarr.json")}
    del found["."]
    with pytest.warns(UserWarning, match="not part in the Zarr format 3 specification"):
        zarr.consolidate_metadata(group)
    assert consolidated(found) == (group / "zarr.json").read_bytes()
