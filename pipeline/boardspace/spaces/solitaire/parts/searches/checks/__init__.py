"""How ``boardspace verify`` re-derives searches: by arrays and by hand, from the board's picture."""

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from boardspace.spaces.solitaire.checking import joined
from boardspace.spaces.solitaire.config import SolitaireConfig
from boardspace.spaces.solitaire.parts.searches.checks import certificates, layers, solutions
from boardspace.spaces.solitaire.parts.searches.checks.layers import Frontiers
from boardspace.spaces.solitaire.problems import slug
from boardspace.spaces.solitaire.rules import ProblemByHand
from boardspace.spec.equations import ReadColumns
from boardspace.spec.space import Draw, Inputs, Outcome

Kept = TypeVar("Kept")
TABLES = ("layers", "ways_to_play", "sequences", "solutions", "solution_counts", "solution_steps", "certificates")


def check_frontiers(config: SolitaireConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Every layer of every search, and the tables that count them."""
    return _each(config, inputs, lambda frontiers: layers.check_whole(frontiers, inputs, draw))


def make_lengths(config: SolitaireConfig, name: str, read: ReadColumns) -> dict[str, dict[str, list[Any]]]:
    """The keys of all rows of ``sequences``: each length of the games of a search that counts more than its layers."""
    searches = (search for search in config.searches if search.games > search.forward)
    keys = sorted((slug(search.problem), moves) for search in searches for moves in range(search.games + 1))
    return {"sequences": {column: [key[at] for key in keys] for at, column in enumerate(("problem", "moves"))}}


def check_sequences(config: SolitaireConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Every row: the numbers, and then what the run's own draws say."""

    def both(frontiers: Frontiers) -> Outcome:
        """Check the sequences, and where they are right draw again."""
        outcome = layers.check_sequences(frontiers, inputs, draw)
        return outcome if outcome.fault else layers.check_drawn_again(frontiers, config, inputs, outcome)

    return _each(config, inputs, both)


def check_solutions(config: SolitaireConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Every solution."""
    return _each(config, inputs, lambda frontiers: solutions.check_whole(frontiers, inputs))


def check_certificates(config: SolitaireConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Every certificate."""
    return _each(config, inputs, lambda frontiers: certificates.check_whole(frontiers, config, inputs))


def _each(config: SolitaireConfig, inputs: Inputs, check: Callable[[Frontiers], Outcome]) -> Outcome:
    """A check of the frontiers of each search; and that no table has a problem that is none of them."""
    known = {slug(search.problem) for search in config.searches}
    for table in TABLES:
        others = set(inputs.table(table, columns=["problem"]).column("problem").to_pylist()) - known
        if others:
            return Outcome(1, 1, f"table {table}: no search is of {min(others)}")
    frontiers = _frontiers(_Same(config), _Same(inputs))
    return joined((found.search.problem, check(found)) for found in frontiers)


@dataclass(frozen=True, eq=False)
class _Same(Generic[Kept]):
    """An object that is equal to itself alone, whatever else has the same fields."""

    one: Kept

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.one is self.one

    def __hash__(self) -> int:
        return id(self.one)


@functools.lru_cache(maxsize=1)
def _frontiers(config: _Same[SolitaireConfig], inputs: _Same[Inputs]) -> list[Frontiers]:
    """The frontiers of all searches, read once in each process for all checks of a verification."""
    searches = [(search, ProblemByHand(search.problem, config.one.boards)) for search in config.one.searches]
    return Frontiers.all_of(searches, inputs.one)
