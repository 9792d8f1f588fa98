"""Rectangles of pegs on an unbounded board: the fewest that can be left, and all positions of small ones."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from boardspace.spaces.board_division.config import BoardDivisionConfig
from boardspace.spaces.board_division.parts.rectangles.tables import JUMPS, MODULES, POSITIONS, REACH, RECTANGLES
from boardspace.spec.deferred import deferred
from boardspace.spec.space import Check, Part, Stage

if TYPE_CHECKING:
    from boardspace.spaces.board_division.parts.rectangles import checks, claims, compute
else:
    checks, claims, compute = deferred(__package__, "checks", "claims", "compute")


def stages(config: BoardDivisionConfig) -> Sequence[Stage]:
    """All independent of one another."""
    pegs = sum(m * n for m, n in config.large_rectangles)
    return (
        Stage(
            "values",
            "fewest pegs for every rectangle, and the bound from colours",
            compute.value_rectangles,
            compute.cut_values,
            bytes=config.values**2 * 2,
        ),
        Stage(
            "modules",
            "modules and endings found by search, strips of every height replayed",
            compute.list_modules,
            compute.cut_modules,
            bytes=5000,
        ),
        Stage(
            "replays",
            "every rectangle reduced and replayed",
            compute.replay_reductions,
            compute.cut_replays,
        ),
        Stage(
            "sequences",
            "jumps of small rectangles and of some large ones, replayed",
            compute.list_sequences,
            compute.cut_sequences,
            bytes=(pegs + config.sequences**4) // 2,
        ),
        Stage(
            "searches",
            "every position of small rectangles on the unbounded board",
            compute.search_positions,
            compute.cut_searches,
            bytes=config.search_pegs * 10_000,
        ),
    )


RECTANGLES_OF_PEGS = Part(
    name="rectangles",
    scope="sides of rectangles",
    stages=stages,
    tables=(RECTANGLES, MODULES, JUMPS, POSITIONS, REACH),
    claims=claims.measure,
    checks=(
        Check(
            "rectangle values",
            {"rectangles": ("m", "n", "fewest", "jumps", "colour_bound")},
            "the source's formula, and colours counted; rectangles of up to 9 pegs searched by the plain rules",
            checks.check_values,
        ),
        Check(
            "modules",
            {"modules": ("module", "jump", "row_num", "column_num", "direction")},
            "searched in the order of the plain rules, and played by them",
            checks.check_modules,
        ),
        Check(
            "jumps",
            {"jumps": ("m", "n", "jump", "row_num", "column_num", "direction")},
            "put together from modules searched anew; some sequences played by the plain rules",
            checks.check_jumps,
        ),
        Check(
            "positions",
            {
                "positions": ("m", "n", "pegs", "orbits", "positions", "stuck_orbits", "stuck_positions"),
                "reach": ("m", "n", "row_num", "column_num", "reached"),
            },
            "every position of rectangles of up to 18 pegs searched again, told apart by hashes",
            checks.check_positions,
        ),
    ),
)
