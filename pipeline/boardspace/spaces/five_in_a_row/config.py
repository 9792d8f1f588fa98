"""The ``[five_in_a_row]`` section of a run."""

from math import gcd
from typing import TYPE_CHECKING, NamedTuple

from pydantic import Field, model_validator

from boardspace.spec.deferred import deferred
from boardspace.spec.space import SpaceConfig

if TYPE_CHECKING:
    from boardspace_kernels.five_in_a_row import board, periodic
else:
    board, periodic = deferred("boardspace_kernels.five_in_a_row", "board", "periodic")

LARGEST_K = 13
LARGEST_SIDE = 256
WIDEST_STRIP = {2: 16, 3: 12, 4: 8, 5: 7, 6: 7}
"""By k, the widest strip whose states fit a worker; seven columns for k = 6 take 3.3 GB."""
WIDEST_STRIPS = ", ".join(f"{width} for k = {k}" for k, width in WIDEST_STRIP.items())


class SizedBoard(NamedTuple):
    """A board of ``rows`` x ``columns`` cells for lines of ``k``."""

    k: int
    rows: int
    columns: int

    @property
    def name(self) -> str:
        """Its name in paths; names sort like boards."""
        return f"k{self.k:02}-n{self.rows:04}-m{self.columns:04}"


ROWS_BEFORE_THE_CUT = 2


class SplitBoard(NamedTuple):
    """A board whose search is cut into ``parts`` after two rows, with strips of ``width`` columns (0 for lines
    alone)."""

    k: int
    rows: int
    columns: int
    width: int
    parts: int

    @property
    def board(self) -> SizedBoard:
        """The board alone."""
        return SizedBoard(self.k, self.rows, self.columns)

    @property
    def cut(self) -> int:
        """Cells decided before the search is cut."""
        return ROWS_BEFORE_THE_CUT * self.columns


class BoxOf(NamedTuple):
    """A box of three sides for lines of ``k``."""

    k: int
    a: int
    b: int
    c: int


class Square(NamedTuple):
    """All boards 1 <= columns <= rows <= ``side`` for lines of ``k``."""

    k: int
    side: int


class Strips(NamedTuple):
    """Strips of any length, ``k`` to ``width`` columns wide, for lines of ``k``."""

    k: int
    width: int


class WeightedColumns(NamedTuple):
    """Weights of a stone in each column of a strip of the plane, for lines of ``k``."""

    k: int
    weights: tuple[int, ...]


HEAVIEST = 109
"""Weight of all columns together: 600 rows of it are a number of 16 bits."""


class FiveInARowConfig(SpaceConfig):
    """Extent of each part of the dataset."""

    squares: tuple[Square, ...] = Field(
        (Square(5, 25),), description=f"[k, side], k from 2 to {LARGEST_K}: every board with sides up to this"
    )
    boards: tuple[SizedBoard, ...] = Field(
        (), description=f"and these single boards, each [k, rows, columns], k from 2 to {LARGEST_K}"
    )
    split: tuple[SplitBoard, ...] = Field(
        (), description="hard boards, each [k, rows, columns, strip width, parts]: counted by many workers"
    )
    carried: tuple[SizedBoard, ...] = Field((), description="[k, rows, columns]: proved from a small board")
    boxes: tuple[BoxOf, ...] = Field(
        (), description=f"boxes of three sides, each [k, a, b, c], k from 2 to {LARGEST_K}"
    )
    strips: tuple[Strips, ...] = Field((), description="[k, width]: strips of any length, of all widths from k to this")
    plane: tuple[WeightedColumns, ...] = Field(
        (),
        description="[k, [weights]]: a lower bound for the density of patterns of the plane, by a strip whose columns "
        "have these weights, together up to 109",
    )
    cells: tuple[int, ...] = Field((5, 7, 11, 13), description="orders of the best cells to list")
    listed: int = Field(
        20_000, ge=1, le=1_000_000, description="placements are published for boards with up to this many"
    )
    recounted: int = Field(
        2_000_000, ge=0, description="placements are counted a second time, by another method, up to so many states"
    )
    refuted_conflicts: int = Field(
        0,
        ge=0,
        le=1_000_000_000,
        description="where only a search proves a minimum, a SAT solver is asked for another proof and gives up at the "
        "first restart after so many conflicts; 0: it is not asked; more needs boardspace[sat]",
    )
    memory_mb: int = Field(4000, ge=64, le=1_000_000, description="memory that the search of one board may take, in MB")

    @property
    def searched_boards(self) -> int:
        """Number of boards that are searched whole."""
        return sum(side * (side + 1) // 2 for _, side in self.squares) + len(self.boards)

    @model_validator(mode="after")
    def _boards_exist(self) -> "FiveInARowConfig":
        self._refuse_sizes()
        self._refuse_splits()
        for _, side in self.squares:
            if not 1 <= side <= 64:
                raise ValueError(f"squares: side {side}; it may be 1 to 64")
        _refuse_out_of_reach(self)
        for large in self.carried:
            _refuse_without_base(self, large)
        self._refuse_boards_twice()
        self._refuse_strips()
        self._refuse_weights()
        if any(not 1 <= n <= 13 for n in self.cells):
            raise ValueError("cells are listed for n = 1 to 13")
        return self

    @property
    def _single_boards(self) -> list[SizedBoard]:
        return [*self.boards, *(split.board for split in self.split), *self.carried]

    def _refuse_sizes(self) -> None:
        for _, rows, columns in self._single_boards:
            if not 1 <= columns <= rows <= LARGEST_SIDE:
                raise ValueError(f"{rows} x {columns}: boards have 1 <= columns <= rows <= {LARGEST_SIDE}")
        lengths = [*(board.k for board in self._single_boards), *(k for k, _ in self.squares)]
        for k in [*lengths, *(box.k for box in self.boxes)]:
            if not 2 <= k <= LARGEST_K:
                raise ValueError(f"k = {k}; it may be 2 to {LARGEST_K}")

    def _refuse_splits(self) -> None:
        for split in self.split:
            if (split.width and not split.k <= split.width <= split.columns) or not 1 <= split.parts <= 4096:
                raise ValueError(f"split {tuple(split)}: width is 0 or k to the columns, parts 1 to 4096")
            if split.rows <= ROWS_BEFORE_THE_CUT:
                raise ValueError(
                    f"split {tuple(split)}: a search is cut after {ROWS_BEFORE_THE_CUT} rows, so there must be more; "
                    "put the board among the boards"
                )

    def _refuse_boards_twice(self) -> None:
        single, sides = self._single_boards, dict(self.squares)
        twice = [tuple(board) for board in single if board.rows <= sides.get(board.k, 0) or single.count(board) > 1]
        twice += [(k, side) for k, side in self.squares if [other for other, _ in self.squares].count(k) > 1]
        if twice:
            raise ValueError(f"{twice[0]}: a board or a k is there twice")
        if any(not 1 <= min(box[1:]) <= max(box[1:]) <= 6 for box in self.boxes):
            raise ValueError("boxes have sides 1 to 6")

    def _refuse_strips(self) -> None:
        if any(not 2 <= k <= width <= WIDEST_STRIP.get(k, 0) for k, width in self.strips):
            raise ValueError(f"strips are k columns wide or more, at most {WIDEST_STRIPS}")
        for name, each in (("strips", self.strips), ("plane", self.plane)):
            if len({k for k, _ in each}) < len(each):
                raise ValueError(f"{name}: a k is there twice")

    def _refuse_weights(self) -> None:
        for k, weights in self.plane:
            if not 2 <= k <= len(weights) <= WIDEST_STRIP.get(k, 0):
                raise ValueError(
                    f"plane: {len(weights)} weights for k = {k}; strips are k columns wide or more, at most "
                    f"{WIDEST_STRIPS}"
                )
            if min(weights) < 0 or not 1 <= sum(weights) <= HEAVIEST:
                raise ValueError(
                    f"plane: weights {list(weights)}; each is 0 or more, together they are 1 to {HEAVIEST}"
                )


def _refuse_out_of_reach(config: FiveInARowConfig) -> None:
    """Refuse a config with a board to be searched that is too large; the ValueError names it and the limit."""
    searched = [*config.boards, *(split.board for split in config.split)]
    for k, rows, columns in [*searched, *((k, side, side) for k, side in config.squares)]:
        board.refuse_out_of_reach(board.Board((rows, columns), k))


def _refuse_without_base(config: FiveInARowConfig, large: SizedBoard) -> None:
    """Refuse a carried board that no board of the config can prove; the ValueError names a board to add."""
    k, *sides = large
    if gcd(k, 6) != 1 or large.columns < k:
        raise ValueError(
            f"carried {tuple(large)}: a board is proved from a smaller one by best cells, for k = 5, 7, 11 and 13, "
            "where no side is below k; put it among the boards"
        )
    computed = {
        (n, m) for of, side in config.squares if of == k for n in range(1, side + 1) for m in range(1, side + 1)
    }
    for of, rows, columns in config.boards:
        if of == k:
            computed |= {(rows, columns), (columns, rows)}
    if not periodic.bases(k, (large.rows, large.columns), computed):
        nearest = sorted((k + side % k for side in sides), reverse=True)
        longer = sorted(periodic.base_of(k, (large.rows, large.columns)), reverse=True)
        counted = "" if nearest == longer else f", or {[k, *longer]}, from which the number of placements may follow"
        raise ValueError(
            f"carried {tuple(large)}: it follows from a searched board with sides smaller by multiples of {k}, "
            f"and none is here: add {[k, *nearest]} to the boards{counted}"
        )
