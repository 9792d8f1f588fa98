"""The central game of the English board: its whole space by jumps."""

from collections.abc import Iterator, Sequence

from boardspace.spaces.solitaire.columns import slug
from boardspace.spaces.solitaire.config import SolitaireConfig
from boardspace.spaces.solitaire.source_solutions import CENTRAL, Measured, rows
from boardspace.spec.space import Inputs, Measurement


def measure(config: SolitaireConfig, inputs: Inputs) -> dict[str, Measurement]:
    """The levels of the central game, where the config has them."""
    return dict(_levels(inputs)) if CENTRAL in config.levels else {}


def _levels(inputs: Inputs) -> Measured:
    levels = rows(CENTRAL, "levels", inputs, "levels")[::-1]
    totals = {
        name: sum(row[name] for row in levels) for name in ("positions", "winning", "dead_ends", "labelled_winning")
    }
    evidence = (
        f"every level enumerated completely, {totals['positions']:,} positions; {totals['dead_ends']:,} dead ends"
    )
    yield "english-levels", Measurement([row["positions"] for row in levels], evidence)
    evidence = (
        f"jumps taken back from the goal, level by level; {totals['winning']:,} in all, {totals['labelled_winning']:,} "
        "without identifying isomorphic ones"
    )
    yield "english-winning", Measurement([row["winning"] for row in levels], evidence)
    evidence = "the sum of the orbits of all positions"
    yield "english-positions", Measurement(sum(row["labelled_positions"] for row in levels), evidence)


def results(config: SolitaireConfig, inputs: Inputs) -> Sequence[str]:
    """Numbers of positions that can be reached, of those that can win, and of dead ends."""
    return list(_lines(config, inputs))


def _lines(config: SolitaireConfig, inputs: Inputs) -> Iterator[str]:
    for problem in config.levels:
        rows = inputs.read(f"{slug(problem)}.levels", "levels").to_pylist()
        names = ("positions", "labelled_positions", "winning", "dead_ends")
        found, labelled, winning, dead = (sum(row[name] for row in rows) for name in names)
        yield (
            f"{problem}: {labelled:,} positions can be reached, {found:,} up to symmetry; from {winning:,} of these "
            f"the goal can be, {dead:,} are dead ends"
        )
