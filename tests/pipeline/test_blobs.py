"""Blobs that later stages read: written whole with a receipt, mapped read-only, and found out when they are altered."""

import mmap
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from boardspace.spec.space import Output
from boardspace.storage.blobs import map_blob, write_blob
from boardspace.storage.files import StorageError
from boardspace.storage.receipts import Receipt, stage_record
from boardspace.storage.run_folder import FinishedStages, SpaceFolder, write_stage
from tests.toy import SPACE

VALUES = np.arange(24, dtype=np.uint16).reshape(6, 4)


def finished(root: Path, values: np.ndarray[Any, Any] = VALUES) -> FinishedStages:
    """A stage ``blocks`` of one shard that left the values."""
    folder = SpaceFolder(root, "toy")
    files = folder.write_output(SPACE, "blocks", "a/0001", Output(blobs={"tiles": values}), "plan")
    receipt = Receipt(stage="blocks", shard="a/0001", work="", files=files, facts={}, seconds=0)
    write_stage(folder, stage_record("blocks", {"a/0001": receipt}))
    return FinishedStages(folder, SPACE)


def test_a_later_stage_maps_what_a_shard_left(tmp_path: Path) -> None:
    found = finished(tmp_path).blob("blocks", "tiles", "a/0001")
    assert issubclass(type(found.base), mmap.mmap)
    assert found.dtype == VALUES.dtype
    assert np.array_equal(found, VALUES)
    assert not found.flags.writeable


def test_an_array_without_elements_can_be_left(tmp_path: Path) -> None:
    assert finished(tmp_path, VALUES[:0]).blob("blocks", "tiles", "a/0001").shape == (0, 4)


def test_a_blob_that_no_receipt_names_is_an_error(tmp_path: Path) -> None:
    for shard, name in (("a/0002", "tiles"), ("a/0001", "lists")):
        with pytest.raises(StorageError, match=f"{shard}.*{name}"):
            finished(tmp_path).blob("blocks", name, shard)


def test_a_torn_blob_is_an_error_that_names_it(tmp_path: Path) -> None:
    record = write_blob(tmp_path, "x/tiles.npy", "tiles", VALUES)
    path = tmp_path / record.path
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(StorageError, match=r"tiles\.npy: damaged"):
        map_blob(path, record.sha256)


@pytest.mark.parametrize("written", [np.array([None]), np.asfortranarray(VALUES)])
def test_a_file_of_objects_or_columns_is_no_blob(tmp_path: Path, written: np.ndarray[Any, Any]) -> None:
    np.save(tmp_path / "x.npy", written, allow_pickle=True)
    with pytest.raises(StorageError, match=r"x\.npy: damaged"):
        map_blob(tmp_path / "x.npy", "")


def test_objects_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="holds numbers"):
        write_blob(tmp_path, "x/tiles.npy", "tiles", np.array([None]))


def test_blobs_are_listed_with_their_hash_and_are_no_part_of_the_dataset(tmp_path: Path) -> None:
    inputs = finished(tmp_path)
    (file,) = inputs.folder.finished("blocks").receipts[0].files
    assert (file.blob, file.table, file.array, len(file.sha256)) == ("tiles", "", "", 64)
    assert file.path == ".run/toy/intermediates/blocks/tiles/a/0001.npy"
    assert not Path(inputs.folder.dataset).exists()
