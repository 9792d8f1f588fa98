"""The central game of the English board: its shortest solutions, and its whole space by jumps."""

from boardspace.spaces.solitaire.config import Search
from boardspace.spaces.solitaire.source_solutions import Measured, located, minimum, replayed, rows, solution_counts
from boardspace.spec.space import Inputs, Measurement


def central_claims(search: Search, inputs: Inputs) -> dict[str, Measurement]:
    """Measurements of a search for the shortest solutions."""
    return dict(_central(search, inputs))


def _central(search: Search, inputs: Inputs) -> Measured:
    yield "english-bergholt", replayed("english_bergholt", search, inputs)
    yield "english-minimum", minimum(search, inputs)
    wan = replayed("english_wan", search, inputs)
    found = [located(name, search, inputs) for name in ("english_bergholt", "english_wan")]
    kinds = {row["sweeps"] for row in found if row is not None}
    yield "english-wan", Measurement(wan.value is True and len(kinds) == 2, wan.evidence)
    number, evidence = solution_counts(search, inputs)
    corrected = f"only where moves with the same ends that take the same pegs are one as well; {evidence}"
    yield "english-only-two", Measurement(number, corrected, "confirmed" if number == 2 else "corrected")
    every = {row["sweeps"] for row in rows(search.problem, "solutions", inputs, "solutions")}
    evidence = (
        f"where such moves are one there are {len(every)}, and the two printed ones are number "
        f"{' and '.join(map(str, sorted(kinds)))} of them"
    )
    yield "english-which-two", Measurement(kinds == every, evidence)
