"""Scopes of five in a row: how much of it a config covers.

There is no end of boards; the whole is that of version 1 of the dataset, as the config ``laptop`` has it.
"""

from collections.abc import Iterator
from functools import cache

from boardspace.spaces.five_in_a_row.config import BoxOf, FiveInARowConfig, SizedBoard, Square, Strips, WeightedColumns
from boardspace.spec.space import Scope

BOARDS, BOXES, CELLS, STRIPS = "boards", "boxes of three sides", "orders of best cells", "strips of any length"
PLANE = "lengths of lines in the plane"


@cache
def published() -> FiveInARowConfig:
    """The config of version 1, without the settings that change no extent. Not validated: that searches for proofs."""
    singles = ((3, 13, 13), (3, 14, 14), (3, 15, 15), (3, 16, 16), (11, 11, 11), (11, 12, 11), (11, 12, 12))
    boxes = ((2, 3, 3, 3), (2, 4, 4, 4), (3, 3, 3, 3), (3, 4, 3, 3), (3, 5, 3, 3), (3, 6, 3, 3))
    return FiveInARowConfig.model_construct(
        squares=tuple(Square(*s) for s in ((2, 18), (3, 12), (4, 11), (5, 25), (6, 11), (7, 20), (8, 11))),
        boards=tuple(SizedBoard(*board) for board in (*singles, (13, 13, 13), (13, 14, 13))),
        carried=(SizedBoard(5, 81, 81), SizedBoard(5, 193, 192)),
        boxes=tuple(BoxOf(*box) for box in boxes),
        cells=tuple(range(1, 14)),
        strips=tuple(Strips(*strip) for strip in ((2, 12), (3, 10), (4, 7), (5, 6))),
        plane=tuple(WeightedColumns(k, ()) for k in (2, 3, 4, 5, 6)),
    )


def _boards(config: FiveInARowConfig) -> list[str]:
    return list(dict.fromkeys(f"k = {b.k}, {b.rows} x {b.columns}" for b in _sized(config)))


def _sized(config: FiveInARowConfig) -> Iterator[SizedBoard]:
    for k, side in config.squares:
        yield from (SizedBoard(k, rows, columns) for rows in range(1, side + 1) for columns in range(1, rows + 1))
    yield from (*config.boards, *(split.board for split in config.split), *config.carried)


def _boxes(config: FiveInARowConfig) -> list[str]:
    return [f"k = {k}, {a} x {b} x {c}" for k, a, b, c in config.boxes]


def _cells(config: FiveInARowConfig) -> list[int]:
    return list(dict.fromkeys(config.cells))


def _strips(config: FiveInARowConfig) -> list[str]:
    return [f"k = {k}, {width} wide" for k, widest in config.strips for width in range(k, widest + 1)]


def _plane(config: FiveInARowConfig) -> list[int]:
    return [k for k, _ in config.plane]


SCOPES = (
    Scope(BOARDS, _boards, lambda: _boards(published())),
    Scope(BOXES, _boxes, lambda: _boxes(published())),
    Scope(CELLS, _cells, lambda: _cells(published())),
    Scope(STRIPS, _strips, lambda: _strips(published())),
    Scope(PLANE, _plane, lambda: _plane(published())),
)
