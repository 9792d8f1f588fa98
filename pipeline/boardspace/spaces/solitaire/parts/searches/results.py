"""The results of searches, in a line for each problem: no claim may be about it."""

from collections.abc import Iterator, Sequence

from boardspace.spaces.solitaire.config import Search, SolitaireConfig
from boardspace.spaces.solitaire.problems import slug
from boardspace.spec.space import Inputs
from boardspace.spec.wording import counted


def results(config: SolitaireConfig, inputs: Inputs) -> Sequence[str]:
    """The fewest moves and the number of solutions of each search."""
    return list(_lines(config, inputs))


def _lines(config: SolitaireConfig, inputs: Inputs) -> Iterator[str]:
    for search in config.searches:
        yield f"{search.problem}: {_solved(search, inputs)}"


def _solved(search: Search, inputs: Inputs) -> str:
    proved = inputs.facts(f"{slug(search.problem)}.certificate")[0]["proved"]
    if proved is None:
        return f"no solution in up to {search.forward + search.backward} moves"
    counts = inputs.read(f"{slug(search.problem)}.solutions", "solution_counts").to_pylist()
    return (
        f"{counted(proved, 'move')} and no fewer, by a checked proof; {counted(counts[0]['solutions'], 'solution')} "
        f"up to symmetry and the order of moves, {counts[1]['solutions']:,} where the way round loops does not count"
    )
