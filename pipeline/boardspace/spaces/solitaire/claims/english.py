"""The central game of the English board: its shortest solutions, and its whole space by jumps."""

from boardspace.spaces.solitaire.claims.printed import (
    CENTRAL,
    Measured,
    located,
    minimum,
    replayed,
    rows,
    solution_counts,
)
from boardspace.spaces.solitaire.config import Search
from boardspace.spec.space import Inputs, Measurement


def central_claims(search: Search, inputs: Inputs) -> dict[str, Measurement]:
    """What a search for the shortest solutions decides."""
    return dict(_central(search, inputs))


def level_claims(inputs: Inputs) -> dict[str, Measurement]:
    """What the levels by pegs decide."""
    return dict(_levels(inputs))


def _central(search: Search, inputs: Inputs) -> Measured:
    yield "english-bergholt", replayed("english_bergholt", search, inputs)
    yield "english-minimum", minimum(search, inputs)
    wan = replayed("english_wan", search, inputs)
    found = [located(name, search, inputs) for name in ("english_bergholt", "english_wan")]
    kinds = {row["sweeps"] for row in found if row is not None}
    yield "english-wan", Measurement(wan.value is True and len(kinds) == 2, wan.evidence)
    number, evidence = solution_counts(search, inputs)
    corrected = f"only where the way round a closed loop does not count either; {evidence}"
    yield "english-only-two", Measurement(number, corrected, "confirmed" if number == 2 else "corrected")
    every = {row["sweeps"] for row in rows(search.problem, "solutions", inputs, "solutions")}
    evidence = (
        f"up to the way round loops there are {len(every)}, and the two printed ones are number "
        f"{' and '.join(map(str, sorted(kinds)))} of them"
    )
    yield "english-which-two", Measurement(kinds == every, evidence)


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
