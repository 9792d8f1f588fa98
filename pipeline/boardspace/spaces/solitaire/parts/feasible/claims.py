"""The source's own search, by counting pegs on goal holes."""

from typing import Any

from boardspace.spaces.solitaire.config import FeasibleSearch, Search, SolitaireConfig
from boardspace.spaces.solitaire.parts.feasible.part import table_stage
from boardspace.spaces.solitaire.source_solutions import LAST_SUPPER, Measured, listed, problem_named, rows
from boardspace.spec.space import Inputs, Measurement


def measure(config: SolitaireConfig, inputs: Inputs) -> dict[str, Measurement]:
    """Measurements of the search through feasible positions of the Last Supper decides; with its frontiers more."""
    counting = FeasibleSearch(problem=LAST_SUPPER, moves=14)
    if counting not in config.feasible:
        return {}
    table = inputs.read(table_stage(counting), "feasible").to_pylist()
    found = dict(_measured(table))
    for search in config.searches:
        if search.problem == LAST_SUPPER:
            found |= _backward(table, search, inputs)
            found |= _necessary(table, search, inputs)
    return found


def _measured(table: list[dict[str, Any]]) -> Measured:
    positions, variants = (sum(row[name] for row in table) for name in ("positions", "variants"))
    done = f"all variants of {positions:,} feasible positions, one of each orbit after each number of moves"
    gain = _most(table, "most_gain")
    evidence = f"the most at any stop against any stop before, in all moves, with any stops, of {positions:,} positions"
    yield "ls-one-goal-hole", Measurement(gain, evidence)
    yield "ls-feasible-search", Measurement(any(row["goal"] for row in table), f"made {done}")
    evidence = (
        f"a count of the author's program, which met the same positions again and again after 7 moves; where each is "
        f"met once there are {variants:,} variants to make"
    )
    yield "ls-decisions", Measurement(variants, evidence, "open")
    where = listed(row["move"] for row in table if row["most_variants"] == _most(table, "most_variants"))
    evidence = (
        f"the most of {done}, found at move {where}; a variant has feasible stops only: with any stops there are up to "
        f"{_most(table, 'most_choices')}"
    )
    yield "ls-variants", Measurement(_most(table, "most_variants"), evidence)
    where = listed(row["move"] for row in table if row["longest_chain"] == _most(table, "longest_chain"))
    yield "ls-chain", Measurement(_most(table, "longest_chain"), f"the most of {done}, found at move {where}")


def _backward(table: list[dict[str, Any]], search: Search, inputs: Inputs) -> Measured:
    """Positions after j moves more: taken back from the end, and by counting from those after 7 moves."""
    layers = {row["moves"]: row for row in rows(search.problem, "layers", inputs) if row["direction"] == "backward"}
    moves = range(1, min(search.backward, 7) + 1)
    backward = [layers[j]["positions"] for j in moves]
    counting = [table[6 + j]["children"] for j in moves]
    labelled = sum(layers[j]["labelled_positions"] for j in moves)
    evidence = (
        f"orbits after 1 to {len(backward)} moves taken back: {listed(backward)}; after as many moves of counting, "
        f"which goes on from 7 moves: {listed(counting)}. Together {sum(backward):,} against {sum(counting):,}"
        f"{'' if labelled > sum(counting) else f', and {labelled:,} without identifying isomorphic ones'}; only the "
        "first steps back multiply faster"
    )
    yield "ls-backward-growth", Measurement(sum(backward) > sum(counting), evidence)


def _necessary(table: list[dict[str, Any]], search: Search, inputs: Inputs) -> Measured:
    """The proof's premise for all positions, and its conclusion for the solutions of the least length."""
    goal = problem_named(search.problem).goal
    steps = rows(search.problem, "solutions", inputs, "solution_steps")
    length = max((row["after"] for row in steps), default=-1) + 1
    left = [(row["child"] & goal).bit_count() - (goal.bit_count() - (length - 1 - row["after"])) for row in steps]
    evidence = (
        "a move fills at most one goal hole more (ls-one-goal-hole), so the holes left to fill may not outnumber the "
        f"moves; and all {len(steps):,} moves of the solutions in {length} moves lead to positions that such a count, "
        "for their length, allows"
    )
    yield (
        "ls-feasible-necessary",
        Measurement(_most(table, "most_gain") <= 1 and min(left, default=0) >= 0, evidence, basis="proof"),
    )


def _most(table: list[dict[str, Any]], name: str) -> int:
    return max(int(row[name]) for row in table)
