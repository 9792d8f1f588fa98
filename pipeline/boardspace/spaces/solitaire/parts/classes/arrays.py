"""Arrays of what is known of every position of a class: by number, in shards that are ranges of high parts."""

from collections.abc import Mapping, Sequence
from typing import Any

from numpy.typing import NDArray

from boardspace.spaces.solitaire.config import SolitaireConfig
from boardspace.spaces.solitaire.parts.classes.vacancy import Vacancy
from boardspace.spec.space import Array, ArrayPart, Inputs, Shard, cut_range

CHUNK_BYTES = 1 << 16
WORD_BYTES = 8
SECONDS_PER_BYTE = 1e-8


def array_path(vacancy: Vacancy, name: str) -> str:
    """Path of a published array."""
    return f"classes/{vacancy.slug}/{name}"


def cut_highs(
    vacancy: Vacancy, size: int, shard_bytes: int, config: SolitaireConfig, inputs: Inputs
) -> Sequence[Shard]:
    """Ranges of high parts, as many in each, of an array of ``size`` bytes; about ``shard_bytes`` of it a shard."""
    order = vacancy.order
    each = size // order.highs
    highs = 1 << max(0, min(shard_bytes // each, order.highs).bit_length() - 1)
    highs = max(highs, WORD_BYTES // each)  # whole words, of a small board
    return [
        Shard(f"{low:09}", {**vacancy.params, "begin": low, "end": high}, (high - low) * each * SECONDS_PER_BYTE)
        for low, high in cut_range(0, order.highs, highs)
    ]


def part_of(vacancy: Vacancy, array: Array, name: str, params: Mapping[str, Any], values: NDArray[Any]) -> ArrayPart:
    """The values of a range of high parts."""
    begin, end = params["begin"], params["end"]
    size = len(values)
    shape, offset = ((size * highs // (end - begin),) for highs in (vacancy.order.highs, begin))
    chunk = min(size, CHUNK_BYTES // values.itemsize)
    return ArrayPart(array, array_path(vacancy, name), shape, (chunk,), (size,), offset, values)
