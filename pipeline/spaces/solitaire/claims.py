"""What the sources state about the Last Supper and the English board, measured on the finished stages."""

import tomllib
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boardspace.pipeline.space import Inputs, Measurement
from boardspace.pipeline.spaces.solitaire.boards import problem_of, problem_params
from boardspace.pipeline.spaces.solitaire.config import FeasibleSearch, Search, SolitaireConfig
from boardspace.pipeline.spaces.solitaire.frontiers import slug

if TYPE_CHECKING:
    from boardspace.kernels.solitaire.play import Move
    from boardspace.kernels.solitaire.problem import Problem

PRINTED = Path(__file__).with_name("printed.toml")
LAST_SUPPER = "french/last_supper"
CENTRAL = "english/central"

Measured = Iterator[tuple[str, Measurement]]


def measure(config: SolitaireConfig, inputs: Inputs) -> dict[str, Measurement]:
    """Measurements by claim id, of what the config covers."""
    by_problem: Mapping[str, Callable[[Search, Inputs], Measured]] = {LAST_SUPPER: _last_supper, CENTRAL: _central}
    found: dict[str, Measurement] = {}
    for search in config.searches:
        if search.problem in by_problem:
            found |= by_problem[search.problem](search, inputs)
    for feasible in config.feasible:
        if feasible == FeasibleSearch(problem=LAST_SUPPER, moves=14):
            found |= _feasible(feasible, inputs)
    if CENTRAL in config.levels:
        found |= _levels(inputs)
    return found


def _last_supper(search: Search, inputs: Inputs) -> Measured:
    yield "ls-solvable-15", _replayed("last_supper_zhu", search, inputs)
    yield "ls-minimum", _minimum(search, inputs)
    yield "ls-images", _images()
    layers = {(row["direction"], row["moves"]): row for row in _rows(search.problem, "layers", inputs)}
    if search.forward >= 7:
        table = [layers["forward", moves] for moves in range(1, 8)]
        evidence = (
            f"after 1 to 7 moves {_listed(row['positions'] for row in table)} positions; without identifying "
            f"isomorphic ones {_listed(row['labelled_positions'] for row in table)}; fewer moves do not lead to "
            f"{table[-1]['first']:,} of the last"
        )
        yield "ls-frontier-7", Measurement(table[-1]["positions"], evidence)
    both = min(search.forward, search.backward)
    sizes = [[layers[side, moves]["positions"] for moves in range(1, both + 1)] for side in ("forward", "backward")]
    evidence = f"after 1 to {both} moves {_listed(sizes[0])} positions forward and {_listed(sizes[1])} backward"
    yield "ls-backward-growth", Measurement(all(a < b for a, b in zip(*sizes, strict=True)), evidence)
    yield "ls-two-sides", _two_sides(search)
    if search.games >= 14:
        yield "ls-games", _games(search, inputs)
    yield "ls-one-goal-hole", _goal_holes(search, inputs)
    solutions = _essential(search, inputs)
    yield (
        "ls-solutions",
        Measurement(solutions.value, f"the printed one is one of them; {solutions.evidence}", "corrected"),
    )


def _central(search: Search, inputs: Inputs) -> Measured:
    yield "english-minimum", _minimum(search, inputs)
    bergholt = _replayed("english_bergholt", search, inputs)
    yield "english-bergholt", bergholt
    wan = _replayed("english_wan", search, inputs)
    numbers = {_sweeps(name, search, inputs) for name in ("english_bergholt", "english_wan")}
    yield "english-wan", Measurement(wan.value is True and len(numbers) == 2, wan.evidence)
    yield "english-only-two", _essential(search, inputs)


def _feasible(search: FeasibleSearch, inputs: Inputs) -> Measured:
    rows = inputs.read(f"{slug(search.problem)}.feasible-{search.moves:02}", "feasible").to_pylist()
    positions, variants = (sum(row[name] for row in rows) for name in ("positions", "variants"))
    done = f"all variants of {positions:,} feasible positions, one of each orbit after each number of moves"
    yield "ls-feasible-search", Measurement(any(row["goal"] for row in rows), f"made {done}")
    evidence = (
        f"a count of the author's program, which met the same positions again and again after 7 moves; where each is "
        f"met once there are {variants:,} variants to make"
    )
    yield "ls-decisions", Measurement(variants, evidence, "open")
    where = _listed(row["move"] for row in rows if row["most_variants"] == _most(rows, "most_variants"))
    evidence = (
        f"the most of {done}, found at move {where}; a variant has feasible stops only: with any stops there are up to "
        f"{_most(rows, 'most_choices')}"
    )
    yield "ls-variants", Measurement(_most(rows, "most_variants"), evidence)
    where = _listed(row["move"] for row in rows if row["longest_chain"] == _most(rows, "longest_chain"))
    yield "ls-chain", Measurement(_most(rows, "longest_chain"), f"the most of {done}, found at move {where}")


def _levels(inputs: Inputs) -> Measured:
    rows = inputs.read(f"{slug(CENTRAL)}.levels", "levels").to_pylist()[::-1]
    totals = {
        name: sum(row[name] for row in rows) for name in ("positions", "winning", "dead_ends", "labelled_winning")
    }
    evidence = (
        f"every level enumerated completely, {totals['positions']:,} positions; {totals['dead_ends']:,} dead ends"
    )
    yield "english-levels", Measurement([row["positions"] for row in rows], evidence)
    evidence = (
        f"jumps taken back from the goal, level by level; {totals['winning']:,} in all, {totals['labelled_winning']:,} "
        "without identifying isomorphic ones"
    )
    yield "english-winning", Measurement([row["winning"] for row in rows], evidence)
    evidence = "the sum of the orbits of all positions"
    yield "english-positions", Measurement(sum(row["labelled_positions"] for row in rows), evidence)


def _minimum(search: Search, inputs: Inputs) -> Measurement:
    """The length that was proved, by the certificate's own checker."""
    proved = inputs.facts(f"{slug(search.problem)}.certificate")[0]["proved"]
    if proved is None:
        depth = search.forward + search.backward
        return Measurement(None, f"no solution of up to {depth} moves exists: the frontiers do not meet", "refuted")
    row = _rows(search.problem, "certificate", inputs, "certificates")[0]
    evidence = (
        f"forward layers to {row['forward']} and backward layers to {row['backward']} do not meet; a checker of its "
        f"own made all moves of {row['positions']:,} positions and found all {row['results']:,} results in the layers"
    )
    return Measurement(proved, evidence)


def _images() -> Measurement:
    """Whether the printed positions are the images of the first of them."""
    problem, printed = _problem(LAST_SUPPER), _printed()["images"]
    full = problem.board.full
    first, *others = (full ^ problem.board.position(empty) for empty in printed["empty"])
    images = {sum(1 << row[h] for h in range(len(row)) if first >> h & 1) for row in problem.group.tolist()}
    evidence = (
        f"{len(others)} printed, {len(set(others))} of them different; the board has {len(problem.group)} symmetries"
    )
    return Measurement(images == set(others), evidence)


def _two_sides(search: Search) -> Measurement:
    """Whether symmetries may not be used on both sides."""
    problem = _problem(search.problem)
    evidence = (
        f"all {len(problem.group)} symmetries of the board keep the start and the goal, so both sides of the search "
        "keep one position of each orbit and meet in them"
    )
    return Measurement(len(problem.group) == 1, evidence)


def _games(search: Search, inputs: Inputs) -> Measurement:
    rows = [row for row in _rows(search.problem, "games", inputs, "sequences") if 1 <= row["moves"] <= 14]
    total, error = (sum(row[name] for row in rows) for name in ("sequences", "standard_error"))
    evidence = (
        f"the games of 1 to 14 moves; counted up to {search.forward} moves, estimated beyond from random games with a "
        f"standard error of at most {error / total:.1%}"
    )
    return Measurement(float(f"{total:.3g}"), evidence, "confirmed" if f"{total:.0e}" == "1e+15" else "refuted")


def _goal_holes(search: Search, inputs: Inputs) -> Measurement:
    rows = _rows(search.problem, "solutions", inputs, "solution_steps")
    goal = _problem(search.problem).goal
    gains = [(row["child"] & goal).bit_count() - (row["position"] & goal).bit_count() for row in rows]
    evidence = (
        "only the hole in which a move ends is filled by it; the largest gain of the "
        f"{len(rows):,} moves of all shortest solutions"
    )
    return Measurement(max(gains, default=0), evidence)


def _replayed(name: str, search: Search, inputs: Inputs) -> Measurement:
    """Whether a printed solution is one, and which of all it is."""
    from boardspace.kernels.solitaire.play import MoveError, Play

    problem, moves = _problem(search.problem), _printed_moves(name)
    try:
        end = Play(problem.board).replay(problem.start, moves)[-1]
    except MoveError as error:
        return Measurement(False, str(error))
    if end != problem.goal:
        return Measurement(False, f"its {len(moves)} moves end with pegs on {problem.board.pegs(end)}")
    row = _located(name, search, inputs)
    if row is None:
        return Measurement(True, f"replayed, {len(moves)} moves; not of the least length")
    return Measurement(
        True,
        f"replayed, {len(moves)} moves; solution {row['number']} of the table, number {row['sweeps']} where loop "
        f"directions are not told apart; one of the {row['orders']:,} orders in which its moves can be played",
    )


def _sweeps(name: str, search: Search, inputs: Inputs) -> int | None:
    row = _located(name, search, inputs)
    return None if row is None else int(row["sweeps"])


def _located(name: str, search: Search, inputs: Inputs) -> dict[str, Any] | None:
    """The row of a printed solution, up to order and symmetry."""
    from boardspace.kernels.solitaire.play import Play, parse_solution

    problem = _problem(search.problem)
    play = Play(problem.board)
    images = {tuple(sorted(move.image(row) for move in _printed_moves(name))) for row in problem.group.tolist()}
    rows = _rows(search.problem, "solutions", inputs, "solutions")
    return next((row for row in rows if tuple(sorted(parse_solution(play, row["moves"]))) in images), None)


def _essential(search: Search, inputs: Inputs) -> Measurement:
    """The number of shortest solutions where nothing tells them apart but what is done, and all other ways to count."""
    rows = _rows(search.problem, "solutions", inputs, "solution_counts")
    if not rows:
        return Measurement(0, f"no solution of up to {search.forward + search.backward} moves")
    ways = "; ".join(f"{row['solutions']:,} {_told_apart(row)}" for row in rows)
    return Measurement(rows[0]["solutions"], f"all listed; {ways}")


def _told_apart(row: Mapping[str, Any]) -> str:
    names = {"order": "the order of moves", "mirror": "symmetry", "loop": "the way round a loop"}
    told = [text for name, text in names.items() if row[name]]
    return f"told apart by {' and '.join(told)}" if told else "up to order, symmetry and the way round loops"


def _rows(problem: str, stage: str, inputs: Inputs, table: str = "layers") -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = inputs.read(f"{slug(problem)}.{stage}", table).to_pylist()
    return rows


def _most(rows: list[dict[str, Any]], name: str) -> int:
    return max(int(row[name]) for row in rows)


def _listed(numbers: Any) -> str:
    return ", ".join(f"{number:,}" for number in numbers)


@cache
def _problem(name: str) -> "Problem":
    return problem_of(problem_params(name))


def _printed_moves(name: str) -> "list[Move]":
    from boardspace.kernels.solitaire.play import Play, parse_solution

    printed = _printed()[name]
    return parse_solution(Play(_problem(printed["problem"]).board), printed["moves"])


@cache
def _printed() -> dict[str, Any]:
    return tomllib.loads(PRINTED.read_text(encoding="utf-8"))
