"""The verification's own reader of shards agrees with zarr, and takes no file that holds anything else."""

from pathlib import Path

import google_crc32c
import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numcodecs.zstd import compress

from boardspace.spec.space import Array, ArrayPart
from boardspace.storage.arrays import open_array, write_part
from boardspace.storage.digest import add
from boardspace.verify.arrays import NOWHERE, decoded, layout_of, shard_digest
from boardspace.verify.files import FileFaultError

AXIS = st.tuples(st.integers(1, 13), st.integers(1, 6), st.integers(1, 3))


@given(axes=st.lists(AXIS, min_size=1, max_size=3), dtype=st.sampled_from(["uint8", "int16", "uint64"]))
def test_shards_of_any_shape_decode_as_zarr_decodes_them(
    tmp_path_factory: pytest.TempPathFactory, axes: list[tuple[int, int, int]], dtype: str
) -> None:
    folder = tmp_path_factory.mktemp("shards")
    shape, chunk, chunks = zip(*axes, strict=True)
    shard = tuple(step * number for step, number in zip(chunk, chunks, strict=True))
    values = np.random.default_rng(0).integers(0, 100, shape).astype(dtype)
    array = Array("a", dtype, tuple(f"axis {i}" for i in range(len(shape))), "Numbers.")
    records = write_part(folder, "toy", ArrayPart(array, "a", shape, chunk, shard, (0,) * len(shape), values), {})
    group = folder / "toy" / "arrays.zarr"
    layout = layout_of(group / "a" / "zarr.json")
    seen = open_array(folder / "toy", "a")
    for name in layout.names():
        start = tuple(int(at) * step for at, step in zip(name.split("/")[1:], shard, strict=True))
        cells = tuple(min(step, size - low) for low, step, size in zip(start, shard, shape, strict=True))
        found = decoded(group / "a" / name, cells, shard, chunk, np.dtype(dtype))
        assert np.array_equal(found, seen[tuple(slice(low, low + n) for low, n in zip(start, cells, strict=True))])
    digests = [shard_digest(group, "a", name) for name in layout.names()]
    assert add(digests) == add(record.digest for record in records if record.digest)


def shard_file(folder: Path) -> Path:
    """Two chunks of four bytes, the last of which lies half outside; then two that lie outside."""
    array = Array("a", "uint8", ("place",), "Numbers.")
    part = ArrayPart(array, "a", (6,), (4,), (16,), (0,), np.arange(6, dtype=np.uint8))
    records = write_part(folder, "toy", part, {})
    return folder / next(record.path for record in records if record.array)


def summed(content: bytes) -> bytes:
    return content + int(google_crc32c.value(content)).to_bytes(4, "little")


def sealed(chunks: bytes, index: npt.NDArray[np.uint64]) -> bytes:
    return chunks + summed(index.astype("<u8").tobytes())


def test_chunks_that_lie_in_one_another_apart_or_outside_are_found(tmp_path: Path) -> None:
    path = shard_file(tmp_path)
    content = path.read_bytes()
    end = len(content) - 4 * 16 - 4
    index = np.frombuffer(content[end:-4], "<u8").reshape(4, 2).copy()
    assert sealed(content[:end], index) == content
    outside, twice, apart = index.copy(), index.copy(), index.copy()
    outside[3] = index[0]
    twice[1] = index[0]
    apart[1, 0] += 1
    for chunks, forged in ((content[:end], outside), (content[:end], twice), (content[:end] + b"x", apart)):
        path.write_bytes(sealed(chunks, forged))
        with pytest.raises(FileFaultError):
            decoded(path, (6,), (16,), (4,), np.dtype("uint8"))


def test_what_decodes_to_no_cell_of_the_array_is_found(tmp_path: Path) -> None:
    path = shard_file(tmp_path)
    for size in (4, 300_000):  # of one block, and of several

        def read(first: bytes, second: bytes, size: int = size) -> npt.NDArray[np.uint8]:
            places = np.array([[0, len(first)], [len(first), len(second)], [NOWHERE] * 2, [NOWHERE] * 2], np.uint64)
            path.write_bytes(sealed(first + second, places))
            return decoded(path, (size + 2,), (4 * size,), (size,), np.dtype("uint8"))

        noise = np.random.default_rng(1).integers(0, 256, size).astype("u1").tobytes()
        first, second = (compress(one, 3) for one in (noise, noise[:2] + bytes(size - 2)))
        assert read(summed(first), summed(second)).tobytes() == noise + noise[:2]
        skipped = (0x184D2A50).to_bytes(4, "little") + (5).to_bytes(4, "little") + b"hello"
        for more in (skipped, compress(b"", 3)):
            with pytest.raises(FileFaultError, match=r"byte 0\) holds more than its cells"):
                read(summed(first + more), summed(second))
        with pytest.raises(FileFaultError, match="beyond the array are not 0"):
            read(summed(first), summed(compress(noise[:2] + bytes(size - 3) + b"x", 3)))


def test_a_chunk_that_holds_more_or_less_than_its_metadata_promise_does_not_decode(tmp_path: Path) -> None:
    path = shard_file(tmp_path)
    group = path.parents[2]
    for length in (0, 3, 5, 1 << 20):
        packed = summed(pa.compress(bytes(length), codec="zstd", asbytes=True))
        places = np.array([[0, len(packed)], [len(packed), len(packed)], [NOWHERE] * 2, [NOWHERE] * 2], np.uint64)
        path.write_bytes(sealed(packed * 2, places))
        with pytest.raises(FileFaultError, match="does not decode"):
            shard_digest(group, "a", "c/0")
