"""The printed solutions of the source, read, and its reckoning of about 10^15 games of fewer than 15 moves.

Beside them what the finished stages say of the same problems, for claims.
"""

import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from boardspace.spaces.solitaire.board_files import problem_params
from boardspace.spaces.solitaire.boards import problem_of
from boardspace.spaces.solitaire.columns import slug
from boardspace.spaces.solitaire.config import Search
from boardspace.spec.space import Inputs, Measurement, Verdict
from boardspace_kernels.solitaire.play import Move, MoveError, Play, Problem, parse_solution

LAST_SUPPER = "french/last_supper"
CENTRAL = "english/central"

Measured = Iterator[tuple[str, Measurement]]


@cache
def source_texts() -> dict[str, Any]:
    """The file of what is printed."""
    return tomllib.loads(Path(__file__).with_name("source_solutions.toml").read_text(encoding="utf-8"))


@cache
def problem_named(name: str) -> Problem:
    """A problem of a shipped board."""
    return problem_of(problem_params(name))


def printed_moves(name: str) -> list[Move]:
    """A printed solution."""
    return parse_solution(Play(problem_named(source_texts()[name]["problem"]).board), source_texts()[name]["moves"])


def rows(problem: str, stage: str, inputs: Inputs, table: str = "layers") -> list[dict[str, Any]]:
    """The rows that one of a problem's stages wrote."""
    found: list[dict[str, Any]] = inputs.read(f"{slug(problem)}.{stage}", table).to_pylist()
    return found


def listed(numbers: Iterable[int]) -> str:
    """Numbers as text."""
    return ", ".join(f"{number:,}" for number in numbers)


def replayed(name: str, search: Search, inputs: Inputs) -> Measurement:
    """Replay a printed solution, and find which of all it is."""
    problem, moves = problem_named(search.problem), printed_moves(name)
    try:
        end = Play(problem.board).replay(problem.start, moves)[-1]
    except MoveError as error:
        return Measurement(False, str(error))
    if end != problem.goal:
        return Measurement(False, f"its {len(moves)} moves end with pegs on {problem.board.pegs(end)}")
    row = located(name, search, inputs)
    if row is None:
        return Measurement(True, f"replayed, {len(moves)} moves; not of the least length")
    return Measurement(
        True,
        f"replayed, {len(moves)} moves; solution {row['number']} of the table, number {row['sweeps']} where loop "
        f"directions are not told apart; one of the {row['orders']:,} orders in which its moves can be played",
    )


def located(name: str, search: Search, inputs: Inputs) -> dict[str, Any] | None:
    """The row of a printed solution, up to order and symmetry; None where it is not among the shortest."""
    problem = problem_named(search.problem)
    play = Play(problem.board)
    images = {tuple(sorted(move.image(row) for move in printed_moves(name))) for row in problem.group.tolist()}
    solutions = rows(search.problem, "solutions", inputs, "solutions")
    return next((row for row in solutions if tuple(sorted(parse_solution(play, row["moves"]))) in images), None)


def minimum(search: Search, inputs: Inputs) -> Measurement:
    """The length that was proved, by the certificate's own checker."""
    proved = inputs.facts(f"{slug(search.problem)}.certificate")[0]["proved"]
    if proved is None:
        depth = search.forward + search.backward
        return Measurement(None, f"no solution of up to {depth} moves exists: the frontiers do not meet", "refuted")
    row = rows(search.problem, "certificate", inputs, "certificates")[0]
    evidence = (
        f"table `certificates`: forward layers to {row['forward']} and backward layers to {row['backward']} do not "
        f"meet; a checker of its own made all moves of {row['positions']:,} positions and found all "
        f"{row['results']:,} results in the layers"
    )
    return Measurement(proved, evidence, basis="proof")


def solution_counts(search: Search, inputs: Inputs) -> tuple[int, str]:
    """The number of shortest solutions by the source's rule, and all ways to count them, that one first."""
    counts = rows(search.problem, "solutions", inputs, "solution_counts")
    if not counts:
        return 0, f"no solution of up to {search.forward + search.backward} moves"
    ways = "; ".join(f"{row['solutions']:,} {_rule_text(row)}" for row in counts)
    return counts[0]["solutions"], f"all listed and counted by every rule: {ways}"


def _rule_text(row: dict[str, Any]) -> str:
    names = {"ordered": "order of moves", "mirror": "symmetry", "loop": "way round loops"}
    same = [text for name, text in names.items() if not row[name]]
    text = f"up to {' and '.join(same)}" if same else "where everything counts"
    return f"{text} (the source's rule)" if row["rule"] == 1 else text


MOVES = 15
"""The source is about games of fewer moves."""
GAMES_AN_HOUR = 1e9
"""What an ordinary computer of its time can play, by the source."""
HOURS_A_YEAR = 365.25 * 24


def years_to_play(games: float) -> float:
    """Years that so many games take at 10^9 an hour."""
    return games / GAMES_AN_HOUR / HOURS_A_YEAR


def is_about_stated(games: float) -> bool:
    """True where the nearest power of ten is the stated 10^15."""
    return bool(10**14.5 <= games <= 10**15.5)


def held(true: bool) -> Verdict:
    """Verdict of a statement that is no equation."""
    return "confirmed" if true else "refuted"
