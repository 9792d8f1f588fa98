"""All boards of a size: by their pieces, by levels, by labels of classes, and the hardest starts of groups.

Small boards ``boardspace verify`` makes anew, all of them, by :mod:`boardspace.spaces.rush_hour.rules`; of larger ones
it counts the boards of every set of pieces by a transfer over cells, makes drawn labels anew, and solves drawn starts.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from boardspace.spaces.rush_hour.columns import HARDEST, LABELS, LEVELS, METRICS, PIECES
from boardspace.spaces.rush_hour.config import RushHourConfig
from boardspace.spec.deferred import deferred
from boardspace.spec.equations import Balance, Is, Most, Over, Total
from boardspace.spec.space import Check, Part, Stage

if TYPE_CHECKING:
    from boardspace.spaces.rush_hour.parts.boards import checks, claims, compute
else:
    checks, claims, compute = deferred(__package__, "checks", "claims", "compute")

BYTES = {3: 20_000, 4: 100_000, 5: 3_000_000, 6: 1_200_000_000}
"""What a board's shards and tables take on the disk at once, by cells of a side, without walls."""


def stages(config: RushHourConfig) -> Sequence[Stage]:
    """The search, sums of what its shards find, and the tables."""
    size = int(sum(BYTES[board.n] * board.share for board in config.all_boards))
    sums, tables = "what many shards found, added up", "boards by pieces, levels and labels, and the hardest starts"
    search = "groups, least steps and least unit moves of all classes"
    return (
        Stage("search", search, compute.search_labels, compute.cut_labels, bytes=size, drops=True, gpu=True),
        Stage("sums", sums, compute.add_up, compute.cut_sums, ("search",), size // 20, drops=True),
        Stage("tables", tables, compute.make_table, compute.cut_tables, ("sums",), size // 20),
    )


def balances() -> Iterator[Balance]:
    """Sums of all labels, of all sets of pieces and of all levels, and their ends."""
    for name in ("classes", "boards", "groups", "solvable_groups", "solvable"):
        total = Total("sum", name)
        yield Balance(("board",), (Over("labels", total),), (Over("pieces", total),))
    for metric, _, most, _, starts, _ in METRICS:
        own, by = Is("metric", metric), ("board", "red_row")
        for name, of in (("solvable", "boards"), ("solvable_groups", "groups")):
            yield Balance(by, (Over("pieces", Total("sum", name)),), (Over("levels", Total("sum", of), own),))
        greatest = Over("pieces", Total("greatest", most))
        yield Balance(by, (Over("levels", Total("greatest", "moves"), own),), (greatest,))
        yield Balance(by, (Over("levels", Total("count"), own),), (replace(greatest, plus=1),))
        far = Over("levels", Total("sum", "boards", where=Most("moves")), own)
        for table in ("pieces", "labels"):
            yield Balance(("board",), (far,), (Over(table, Total("sum", starts, where=Most(most))),))


BOARDS = Part(
    name="boards",
    scope="boards",
    stages=stages,
    tables=(PIECES, LEVELS, LABELS, HARDEST),
    claims=claims.measure,
    results=claims.results,
    balances=tuple(balances()),
    checks=(
        Check(
            "boards by pieces",
            {"pieces": ("board", *PIECES.key, "boards"), "levels": ("board", *LEVELS.key, "boards")},
            "boards, and goals, of every row counted by a transfer over cells, which a weighted sum of all rows has to "
            "equal, at random weights",
            checks.check_boards,
        ),
    ),
)
