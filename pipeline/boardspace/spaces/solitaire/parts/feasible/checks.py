"""The source's own search, its first moves made again by hand."""

from boardspace.spaces.solitaire.by_hand import Path, Position, ProblemByHand
from boardspace.spaces.solitaire.checking import joined
from boardspace.spaces.solitaire.config import FeasibleSearch, SolitaireConfig
from boardspace.spaces.solitaire.parts.feasible.names import table_stage
from boardspace.spec.space import Draw, Inputs, Outcome

MOST_POSITIONS = 100


def check_feasible(search: FeasibleSearch, problem: ProblemByHand, inputs: Inputs) -> Outcome:
    """The rows of the first moves, as long as few positions are feasible."""
    cases = 0
    positions = [problem.start]
    for row in inputs.read(table_stage(search), "feasible").to_pylist():
        if len(positions) > MOST_POSITIONS:
            break
        expected, children = _by_hand(problem, positions, row["move"], search.moves)
        cases += len(positions)
        wrong = [column for column, value in expected.items() if row[column] != value]
        if wrong:
            found = f"{row[wrong[0]]}, by hand {expected[wrong[0]]}"
            return Outcome(cases, cases, f"move {row['move']}: {wrong[0]} is {found}")
        positions = children
    return Outcome(cases, cases)


def _by_hand(
    problem: ProblemByHand, positions: list[Position], number: int, total: int
) -> tuple[dict[str, int | bool], list[Position]]:
    """The row of a move, and one position of each orbit that is feasible after it."""
    goal, needed = problem.goal, len(problem.goal) - (total - number)
    children: dict[int, Position] = {}
    each: list[tuple[int, int]] = []
    longest = gain = 0
    for position in positions:
        fewest: dict[Path, int] = {(cell,): len(position & goal) for cell in position}
        feasible = set(fewest)
        for path, after in problem.paths(position):
            filled, before = len(after & goal), path[:-1]
            gain = max(gain, filled - fewest[before])
            fewest[path] = min(filled, fewest[before])
            if before in feasible and filled >= needed - 1 and (len(after) > len(goal) or after == goal):
                feasible.add(path)
                longest = max(longest, len(path) - 1)
                if filled >= needed:
                    children.setdefault(problem.canonical(after), after)
        each.append((len(feasible) - len(position), len(fewest) - len(position)))
    row: dict[str, int | bool] = {
        "positions": len(positions),
        "variants": sum(variants for variants, _ in each),
        "most_variants": max((variants for variants, _ in each), default=0),
        "most_choices": max((choices for _, choices in each), default=0),
        "longest_chain": longest,
        "most_gain": gain,
        "children": len(children),
        "goal": problem.canonical(goal) in children,
    }
    return row, list(children.values())


def check_moves(config: SolitaireConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """The first moves of each search."""
    return joined(
        (search.problem, check_feasible(search, ProblemByHand(search.problem, config.boards), inputs))
        for search in config.feasible
    )
