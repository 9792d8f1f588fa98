"""What the source states about the Last Supper and the English board, measured on the finished stages."""

import tomllib
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from pipeline.space import Inputs, Measurement
from pipeline.spaces.solitaire.boards import build_board, build_problem, load_board
from pipeline.spaces.solitaire.config import Search, SolitaireConfig
from pipeline.spaces.solitaire.frontiers import slug, stage_name

PRINTED = Path(__file__).with_name("printed.toml")
LAST_SUPPER = "french/last_supper"
CENTRAL = "english/central"


def measure(config: SolitaireConfig, inputs: Inputs) -> dict[str, Measurement]:
    """Measurements by claim id, of what the config covers."""
    found: dict[str, Measurement] = {}
    for search in config.searches:
        if search.problem == LAST_SUPPER:
            found |= dict(_last_supper(search, inputs))
        if search.problem == CENTRAL:
            found |= dict(_central(search, inputs))
    if CENTRAL in config.levels:
        found |= dict(_levels(inputs))
    return found


def _last_supper(search: Search, inputs: Inputs) -> Iterator[tuple[str, Measurement]]:
    yield "ls-solvable-15", _replayed("last_supper_zhu", search, inputs)
    yield "ls-minimum", _minimum(search, inputs)
    if search.forward >= 7:
        layer = _layer(search, inputs, 7)
        evidence = (
            f"counted layer by layer; {layer['labelled_positions']:,} without identifying isomorphic positions, "
            f"{layer['first']:,} of the {layer['positions']:,} not reached by fewer moves"
        )
        yield "ls-frontier-7", Measurement(layer["positions"], evidence)
    found = _essential(search, inputs, loop=True)
    yield "ls-solutions", replace(found, verdict="corrected")


def _central(search: Search, inputs: Inputs) -> Iterator[tuple[str, Measurement]]:
    yield "english-minimum", _minimum(search, inputs)
    yield "english-bergholt", _replayed("english_bergholt", search, inputs)
    yield "english-wan", _replayed("english_wan", search, inputs)
    yield "english-only-two", _essential(search, inputs, loop=False)


def _levels(inputs: Inputs) -> Iterator[tuple[str, Measurement]]:
    rows = inputs.read(f"{slug(CENTRAL)}.levels", "levels").to_pylist()
    evidence = f"sum over {len(rows) + 1} levels, the empty board's included, each enumerated completely"
    yield "english-positions", Measurement(sum(row["labelled_positions"] for row in rows), evidence)
    yield "english-orbits", Measurement(sum(row["positions"] for row in rows), evidence)


def _minimum(search: Search, inputs: Inputs) -> Measurement:
    """The length that was proved, by the certificate's own checker."""
    proved = inputs.facts(f"{slug(search.problem)}.certificate")[0]["proved"]
    if proved is None:
        depth = search.forward + search.backward
        return Measurement(None, f"no solution of up to {depth} moves exists: the frontiers do not meet", "refuted")
    row = inputs.read(f"{slug(search.problem)}.certificate", "certificates").to_pylist()[0]
    evidence = (
        f"forward layers to {row['forward']} and backward layers to {row['backward']} do not meet; a checker of its "
        f"own made all moves of {row['positions']:,} positions and found all {row['results']:,} results in the layers"
    )
    return Measurement(proved, evidence)


def _replayed(name: str, search: Search, inputs: Inputs) -> Measurement:
    """Whether a printed solution is one, and which of all it is."""
    from kernels.solitaire.play import MoveError, Play, parse_solution

    printed = _printed()[name]
    board_name, problem_name = printed["problem"].split("/")
    text = load_board(board_name)
    board = build_board(board_name, text)
    problem = build_problem(board, text.problems[problem_name].start, text.problems[problem_name].goal)
    play = Play(board)
    moves = parse_solution(play, printed["moves"])
    try:
        end = play.replay(problem.start, moves)[-1]
    except MoveError as error:
        return Measurement(False, str(error))
    if end != problem.goal:
        return Measurement(False, f"its {len(moves)} moves end with pegs on {board.pegs(end)}")
    return Measurement(True, f"replayed, {len(moves)} moves; {_located(search, inputs, play, moves, problem)}")


def _located(search: Search, inputs: Inputs, play: Any, moves: list[Any], problem: Any) -> str:
    rows = inputs.read(f"{slug(search.problem)}.solutions", "solutions").to_pylist()
    if not rows or rows[0]["length"] != len(moves):
        return "not of the least length"
    from kernels.solitaire.play import parse_solution

    images = {tuple(sorted(move.image(row) for move in moves)) for row in problem.group.tolist()}
    for row in rows:
        if tuple(sorted(parse_solution(play, row["moves"]))) in images:
            number, orders = row["number"], row["orders"]
            return f"solution {number} of {len(rows)} up to order and symmetry, one of its {orders:,} orders"
    return "not among the solutions found"


def _essential(search: Search, inputs: Inputs, loop: bool) -> Measurement:
    """The number of shortest solutions up to order and symmetry, and all other ways to count them."""
    rows = inputs.read(f"{slug(search.problem)}.solutions", "solution_counts").to_pylist()
    if not rows:
        return Measurement(0, f"no solution of up to {search.forward + search.backward} moves")
    value = next(r["solutions"] for r in rows if not r["order"] and not r["mirror"] and r["loop"] == loop)
    ways = "; ".join(
        f"{row['solutions']:,} where "
        + (", ".join(name for name in ("order", "mirror", "loop") if row[name]) or "none of order, mirror, loop")
        + (" count" if sum(row[name] for name in ("order", "mirror", "loop")) != 1 else " counts")
        for row in rows
    )
    return Measurement(value, f"all listed; {ways}")


def _layer(search: Search, inputs: Inputs, moves: int) -> dict[str, int]:
    facts = inputs.facts(stage_name(search.problem, "forward", moves))
    return {name: sum(f[name] for f in facts) for name in ("positions", "labelled_positions", "first")}


@cache
def _printed() -> dict[str, Any]:
    return tomllib.loads(PRINTED.read_text(encoding="utf-8"))
