"""Statements about whole position classes: which problems from one vacancy to one survivor can be solved, and in how
many positions this still can be done."""

from collections.abc import Iterator
from typing import Any

from boardspace.spaces.solitaire.config import SolitaireConfig
from boardspace.spaces.solitaire.parts.classes import triangle_claims
from boardspace.spaces.solitaire.parts.classes.vacancy import Vacancy, vacancies
from boardspace.spec.space import Inputs, Measurement

CENTRE = 19
CORNER = 1
HALF = 17


def measure(config: SolitaireConfig, inputs: Inputs) -> dict[str, Measurement]:
    """Measurements on the classes of the English board, of the board of 37 holes and of boards with six directions, as
    far as the config has them."""
    found = dict(triangle_claims.measure(config, inputs))
    for classes in config.classes:
        chosen = vacancies(classes, config.boards)
        central = [vacancy for vacancy in chosen if vacancy.hole == CENTRE]
        if classes.board == "english" and central and classes.bitmaps:
            found |= dict(_english_centre(central[0], inputs))
        if classes.board == "english" and not classes.vacancies:
            found["english-problems"] = _problems(chosen, inputs)
        if classes.board == "french" and central:
            found["french-centre"] = _no_survivor(central[0], inputs)
        corner = [vacancy for vacancy in chosen if vacancy.hole == CORNER]
        if classes.board == "french" and corner:
            found["french-corner-positions"] = _corner_positions(corner[0], inputs)
            if classes.moves:
                found["french-corner-moves"] = _fewest_moves(corner[0], inputs)
            if classes.shortest:
                found["french-corner-solutions"] = _shortest_solutions(corner[0], inputs)
    return found


def _english_centre(vacancy: Vacancy, inputs: Inputs) -> Iterator[tuple[str, Measurement]]:
    levels = inputs.read(f"{vacancy.slug}.levels", "class_levels").to_pylist()
    total = sum(row["winning_in_vacancy"] for row in levels)
    upper = sum(row["winning_in_vacancy"] for row in levels if row["pegs"] >= HALF)
    evidence = (
        f"the orbits with {HALF} or more pegs of the {total:,} from which one peg in the "
        "centre can be reached, counted on the bitmap of the class; those with fewer pegs are their complements"
    )
    yield "english-half", Measurement(upper, evidence)
    total = sum(row["labelled_positions"] for row in levels)
    orbits = sum(row["positions"] for row in levels)
    yield "english-class", Measurement(total, f"counted on the bitmap of the class; {orbits:,} up to symmetry")


def _problems(chosen: list[Vacancy], inputs: Inputs) -> Measurement:
    """Number of solvable problems that differ by more than a symmetry."""
    rows = _rows(chosen[0], inputs)
    board = chosen[0].board
    images = board.symmetries.tolist()

    def orbits(pairs: list[tuple[int, int]]) -> int:
        """Number of pairs up to the symmetries of the board."""
        holes = [(board.hole(vacancy), board.hole(survivor)) for vacancy, survivor in pairs]
        return len({min((image[a], image[b]) for image in images) for a, b in holes})

    possible = [(row["vacancy"], row["survivor"]) for row in rows if row["same_class"]]
    solvable = [(row["vacancy"], row["survivor"]) for row in rows if row["solvable"]]
    evidence = (
        f"of {len(rows):,} pairs of a vacancy and a survivor {len(possible)} have the same parities, "
        f"{orbits(possible)} up to symmetry; {len(solvable)} of them are in the bitmaps of what can be reached"
    )
    return Measurement(orbits(solvable), evidence)


def _no_survivor(vacancy: Vacancy, inputs: Inputs) -> Measurement:
    """The single pegs that the central vacancy leads to."""
    levels = inputs.read(f"{vacancy.slug}.levels", "class_levels").to_pylist()
    fewest, total = min(row["pegs"] for row in levels), sum(row["labelled_positions"] for row in levels)
    survivors = [row["survivor"] for row in _rows(vacancy, inputs) if row["solvable"] and row["vacancy"] == CENTRE]
    evidence = (
        f"no single peg has the parities of the start; all {total:,} positions that can be reached, "
        f"{sum(row['positions'] for row in levels):,} up to symmetry, have {fewest} pegs or more"
    )
    return Measurement(len(survivors), evidence)


def _corner_positions(vacancy: Vacancy, inputs: Inputs) -> Measurement:
    """Number of positions that a corner leads to; the number printed is of something else."""
    levels = inputs.read(f"{vacancy.slug}.levels", "class_levels").to_pylist()
    evidence = (
        "counted on the bitmap of the class; what is stated are pairs of a position and the peg that moved last: those "
        "have the sizes of levels that are printed beside it, as far as a test lists them by definition, to six jumps"
    )
    return Measurement(sum(row["labelled_positions"] for row in levels), evidence, verdict="corrected")


def _fewest_moves(vacancy: Vacancy, inputs: Inputs) -> Measurement:
    """The least moves from a vacancy to one peg."""
    rows = [row for row in _rows(vacancy, inputs) if row["vacancy"] == vacancy.hole and row["solvable"]]
    survivors = ", ".join(f"{row['survivor']} in {row['moves']}" for row in rows)
    evidence = f"least moves to all positions of the class; to a last peg on {survivors}"
    return Measurement(min(row["moves"] for row in rows), evidence)


def _shortest_solutions(vacancy: Vacancy, inputs: Inputs) -> Measurement:
    """Number of solutions with the least moves of all survivors, by the rule that gives the number printed."""
    listed = inputs.read(f"{vacancy.slug}.shortest", "class_solutions").to_pylist()
    least = min(row["length"] for row in listed)
    shortest = [row for row in listed if row["length"] == least]
    by_ends = {(row["survivor"], _moves_by_ends(row["moves"])) for row in shortest}
    counts = inputs.read(f"{vacancy.slug}.shortest", "problem_solutions").to_pylist()

    def counted(*rule: bool) -> int:
        """Number of solutions of the least length by a rule: ordered, mirror, loop."""
        of_rule = (row for row in counts if (row["ordered"], row["mirror"], row["loop"]) == rule)
        return sum(row["solutions"] for row in of_rule if row["moves"] == least)

    evidence = (
        f"all solutions of {least} moves, in whatever order, where a move is known by the holes in which its peg began "
        "and ended and by its number of jumps; the page does not say what makes two of them one, this rule gives its "
        f"number. By all holes of each move there are {counted(False, True, True):,}, by ends and pegs taken "
        f"{counted(False, True, False):,}, and {counted(True, True, True):,} sequences"
    )
    return Measurement(len(by_ends), evidence)


def _moves_by_ends(text: str) -> tuple[tuple[str, str, int], ...]:
    """The moves of a solution, in no order, each by the holes of its ends and its number of jumps."""
    paths = [move.split("==>") for move in text.split(", ")]
    return tuple(sorted((path[0], path[-1], len(path) - 1) for path in paths))


def _rows(vacancy: Vacancy, inputs: Inputs) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = inputs.read(f"{vacancy.board_name}.problems", "problems").to_pylist()
    return rows
