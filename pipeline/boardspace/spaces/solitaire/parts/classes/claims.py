"""Statements about whole position classes: which problems from one vacancy to one survivor can be solved, how fast, and
in how many positions this still can be done.

On triangles and the hexagon a problem stands for its images under the symmetries of the board. Bell names the holes of
15 by a column and a row; his a1, b3, a4, d4 and c5 are 1, 5, 7, 10 and 13 here.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from boardspace.spaces.solitaire.config import Classes, SolitaireConfig
from boardspace.spaces.solitaire.parts.classes.vacancy import Vacancy, vacancies
from boardspace.spec.space import Inputs, Measurement

TRIANGLES = ("triangle10", "triangle15", "triangle21", "triangle28")
ALL_SOLVABLE = ("triangle21", "triangle28")
FIFTEEN = "triangle15"
HEXAGON = "hexagon19"
LARGEST = "triangle36"
CATALOGUE = ((1, 1), (7, 1), (13, 1), (13, 5), (1, 13), (5, 13), (7, 13), (13, 13), (1, 7), (7, 7), (10, 7), (13, 7))
"""Vacancy and survivor of each problem of 15 holes that Bell's catalogue has a length for, in its order."""

Row = dict[str, Any]
Pair = tuple[int, int]


def measure_triangles(config: SolitaireConfig, inputs: Inputs) -> Iterator[tuple[str, Measurement]]:
    """Measurements on the boards all of whose vacancies the config has, up to symmetry."""
    whole = {section.board: section for section in config.classes if not section.vacancies}
    problems = {board: _Problems(section, config, inputs) for board, section in whole.items()}
    if HEXAGON in problems:
        allowed = len(problems[HEXAGON].possible)
        evidence = f"the bitmaps of what each vacancy leads to; parities allow {allowed}, up to symmetry"
        yield "hexagon-problems", Measurement(len(problems[HEXAGON].solvable), evidence)
    if FIFTEEN in problems:
        yield from _fifteen(problems[FIFTEEN])
    if problems.keys() >= set(TRIANGLES):
        chosen = [problems[board] for board in TRIANGLES]
        pairs = [len(board.possible) for board in chosen]
        how = "pairs of a vacancy and a survivor with the same parities, one of each that symmetries map to one another"
        yield "triangles-possible", Measurement(pairs, how)
        if all(board.section.moves for board in chosen):
            moves = [min(row["moves"] for row in board.solvable.values()) for board in chosen]
            yield "triangles-moves", Measurement(moves, "least moves to all positions of every class of each board")
    if problems.keys() >= set(ALL_SOLVABLE):
        solvable = [len(problems[board].solvable) for board in ALL_SOLVABLE]
        yield "triangles-solvable", Measurement(solvable, "of the pairs that parities allow, those that jumps connect")
    if LARGEST in problems:
        pairs = [len(problems[LARGEST].possible), len(problems[LARGEST].solvable)]
        yield "triangle36-solvable", Measurement(pairs, "all positions that each of eight vacancies leads to")


class _Problems:
    """The problems of a board, one of each that symmetries map to one another."""

    def __init__(self, section: Classes, config: SolitaireConfig, inputs: Inputs) -> None:
        self.section, self.inputs = section, inputs
        self.vacancies: list[Vacancy] = vacancies(section, config.boards)
        board = self.vacancies[0].board
        self._images = [
            dict(zip(board.labels, (board.labels[hole] for hole in image), strict=True))
            for image in board.symmetries.tolist()
        ]
        self.every = _rows(self.vacancies[0], inputs)
        self.rows: Mapping[Pair, Row] = {self.least(row["vacancy"], row["survivor"]): row for row in self.every}

    def least(self, vacancy: int, survivor: int) -> Pair:
        return min((image[vacancy], image[survivor]) for image in self._images)

    @property
    def possible(self) -> Mapping[Pair, Row]:
        return {pair: row for pair, row in self.rows.items() if row["same_class"]}

    @property
    def solvable(self) -> Mapping[Pair, Row]:
        return {pair: row for pair, row in self.rows.items() if row["solvable"]}

    def solved(self) -> Measurement:
        """Measure the number of problems that are solvable, with those that symmetries map to one another in words."""
        possible, solvable = (sum(row[name] for row in self.every) for name in ("same_class", "solvable"))
        evidence = (
            f"of {len(self.every):,} pairs of a vacancy and a survivor {possible} have the same parities, "
            f"{len(self.possible)} up to symmetry; {solvable} of them are in the bitmaps of what can be reached"
        )
        return Measurement(len(self.solvable), evidence)

    def solutions(self, loop: bool) -> Mapping[Pair, int]:
        """Numbers of shortest solutions up to order and symmetry; ``loop``: the way of a move counts."""
        found: dict[Pair, int] = {}
        for vacancy in self.vacancies:
            for row in self.inputs.read(f"{vacancy.slug}.shortest", "problem_solutions").to_pylist():
                if (row["ordered"], row["mirror"], row["loop"]) == (False, False, loop):
                    found[self.least(row["vacancy"], row["survivor"])] = row["solutions"]
        return found


def _fifteen(problems: _Problems) -> Iterator[tuple[str, Measurement]]:
    pairs = [len(problems.possible), len(problems.solvable)]
    yield "fifteen-problems", Measurement(pairs, "the bitmaps of what each of four vacancies leads to")
    keys = [problems.least(*pair) for pair in CATALOGUE]
    if problems.section.moves:
        moves = [problems.rows[key]["moves"] for key in keys]
        yield "fifteen-moves", Measurement(moves, "least moves to all positions that each of four vacancies leads to")
    if problems.section.shortest:
        one, both = ([problems.solutions(loop)[key] for key in keys] for loop in (False, True))
        evidence = (
            "solutions up to the order of moves and symmetry, where moves with the same ends that take the same pegs "
            f"are one, {sum(one)} together; where such moves count by themselves there are {both}, {sum(both)} together"
        )
        yield "fifteen-solutions", Measurement(one, evidence)


CENTRE = 19
CORNER = 1
HALF = 17


def measure(config: SolitaireConfig, inputs: Inputs) -> dict[str, Measurement]:
    """Measurements on the classes of the English board, of the board of 37 holes and of boards with six directions, as
    far as the config has them."""
    found = dict(measure_triangles(config, inputs))
    for classes in config.classes:
        chosen = vacancies(classes, config.boards)
        central = [vacancy for vacancy in chosen if vacancy.hole == CENTRE]
        if classes.board == "english" and central and classes.bitmaps:
            found |= dict(_english_centre(central[0], inputs))
        if classes.board == "english" and not classes.vacancies:
            found["english-problems"] = _Problems(classes, config, inputs).solved()
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
