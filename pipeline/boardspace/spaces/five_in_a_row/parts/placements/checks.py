"""Re-derives the placements of all listed boards: each blocks, they are in order, and how many are alike."""

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from boardspace.spaces.five_in_a_row import rules
from boardspace.spaces.five_in_a_row.config import FiveInARowConfig, SizedBoard
from boardspace.spaces.five_in_a_row.parts.placements.packed import listed_placements
from boardspace.spaces.five_in_a_row.proved import key_of, named
from boardspace.spec.check import Faults, distinct, each_case
from boardspace.spec.equations import Columns, ReadColumns
from boardspace.spec.second_rules import symmetries
from boardspace.spec.space import Draw, Inputs

Bits = npt.NDArray[np.uint8]
AT_ONCE = 4_096
"""Placements that are looked at together."""


def make_listed(config: FiveInARowConfig, name: str, read: ReadColumns) -> Mapping[str, Columns]:
    """Where the placements of each board lie that is listed, board after board, by the rows of ``results``."""
    names = ("k", "rows", "columns", "placements")
    found = read("results", [*names, "listed"])
    own = {name: found[name][found["listed"]].astype(np.int64) for name in names}
    order = np.lexsort((own["columns"], own["rows"], own["k"]))
    own = {name: values[order] for name, values in own.items()}
    row_bytes = -(-own["columns"] // 8)
    sizes = own["placements"] * own["rows"] * row_bytes
    return {"listed": own | {"first_byte": np.cumsum(sizes) - sizes, "row_bytes": row_bytes}}


@each_case
def check_placements(config: FiveInARowConfig, inputs: Inputs, draw: Draw) -> Faults:
    """Every listed placement."""
    stones = {key_of(row): row["stones"] for row in inputs.table("results").to_pylist()}
    placements = listed_placements(inputs)
    for board, packed in placements.items():
        fault = _placements_fault(board, packed, stones.get(tuple(board), -1))
        yield f"placements of {named(board)}: {fault}" if fault else ""
    end = sum(packed.size for packed in placements.values())
    size = inputs.array("placements").shape[0] if placements else 0
    yield "" if size == end else f"the array has {size} bytes, the boards' placements {end}"


@each_case
def check_classes(config: FiveInARowConfig, inputs: Inputs, draw: Draw) -> Faults:
    """Placements up to symmetry, and that every image of one is one."""
    rows, carried = {key_of(row): row for row in inputs.table("results").to_pylist()}, set(map(tuple, config.carried))
    random = np.random.default_rng(draw.generator().integers(1 << 62))
    for board, packed in listed_placements(inputs).items():
        classes = _classes(np.unpackbits(packed, axis=2, count=board.columns), random)
        found = rows[tuple(board)]["classes"]
        yield "" if found == classes else f"{named(board)}: {classes} classes, its row has {found}"
    for key, row in rows.items():
        if key in carried and row["placements"] is not None and not row["listed"]:
            classes = _classes(rules.windows(key[1], key[2], key[0]), random)
            yield "" if row["classes"] == classes else f"{named(key)}: {classes} classes of windows"


def _placements_fault(board: SizedBoard, packed: Bits, stones: int) -> str:
    """The fault of a board's placements (n, rows, bytes): order, bits beyond the columns, stones, a free line."""
    flat = np.ascontiguousarray(packed).reshape(len(packed), -1)
    texts = flat.view(f"S{flat.shape[1]}").ravel()
    if (texts[1:] <= texts[:-1]).any():
        return "they are not in order, or not different"
    for low in range(0, len(packed), AT_ONCE):
        every = np.unpackbits(packed[low : low + AT_ONCE], axis=2)
        bits = every[:, :, : board.columns]
        if every[:, :, board.columns :].any():
            return "there are stones beyond the last column"
        if (bits.sum(axis=(1, 2), dtype=np.int64) != stones).any():
            return f"one has not {stones} stones"
        if _leaves_a_line(bits, board.k):
            return "one leaves a line free"
    return ""


def _leaves_a_line(bits: Bits, k: int) -> bool:
    """True where one of the placements (n, rows, columns) has k free cells in a row."""
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        height, width = bits.shape[1] - down * (k - 1), bits.shape[2] - abs(right) * (k - 1)
        if min(height, width) > 0:
            met = np.zeros((len(bits), height, width), bits.dtype)
            for cell in range(k):
                top, left = down * cell, cell if right > 0 else -right * (k - 1 - cell)
                met |= bits[:, top : top + height, left : left + width]
            if not met.all():
                return True
    return False


def _classes(bits: Bits, random: np.random.Generator) -> str:
    """The number of classes of placements (n, rows, columns) under the symmetries of the board, by fingerprints of 64
    bits: the sums of random numbers of the cells with stones. '' where an image of one is none of them."""
    numbers = random.integers(0, 1 << 63, bits[0].size, dtype=np.uint64)
    images = [_fingerprints(bits, numbers[np.array(image)]) for image in symmetries(bits.shape[1:])]
    own = np.sort(images[0])
    if any(not np.array_equal(np.sort(image), own) for image in images[1:]):
        return ""
    return str(len(distinct(np.minimum.reduce(images))))


def _fingerprints(bits: Bits, numbers: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """(n,): the sum, modulo 2**64, of the numbers of the cells with stones."""
    parts = range(0, len(bits), AT_ONCE)
    sums = [bits[low : low + AT_ONCE].reshape(-1, numbers.size).astype(np.uint64) @ numbers for low in parts]
    return np.concatenate(sums)
