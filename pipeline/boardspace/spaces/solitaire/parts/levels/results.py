"""The sizes of whole spaces, in a line for each problem."""

from collections.abc import Iterator, Sequence

from boardspace.spaces.solitaire.config import SolitaireConfig
from boardspace.spaces.solitaire.problems import slug
from boardspace.spec.space import Inputs


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
