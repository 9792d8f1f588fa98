"""The Last Supper: its fewest moves, its solutions, the source's tables and what it says of searches."""

from typing import Any

from boardspace.spaces.solitaire.columns import slug
from boardspace.spaces.solitaire.config import Search
from boardspace.spaces.solitaire.source_solutions import (
    GAMES_AN_HOUR,
    LAST_SUPPER,
    MOVES,
    Measured,
    held,
    is_about_stated,
    listed,
    minimum,
    printed_moves,
    problem_named,
    replayed,
    rows,
    solution_counts,
    years_to_play,
)
from boardspace.spec.space import Inputs, Measurement

DEVIATIONS = 4


def last_supper(search: Search, inputs: Inputs) -> Measured:
    layers = rows(search.problem, "layers", inputs)
    yield "ls-solvable-15", replayed("last_supper_zhu", search, inputs)
    ninth = len(printed_moves("last_supper_zhu")[8].stops) - 1
    yield "ls-ninth-move", Measurement(ninth, "jumps of the ninth printed move")
    if search.forward >= 7:
        yield from _table_1(search, inputs)
        yield "ls-frontier-7", _after_seven(layers)
    if search.forward >= 9:
        yield "ls-beyond-7", _beyond_seven(layers)
    proved = minimum(search, inputs)
    yield "ls-minimum", proved
    if proved.value is None:
        return
    yield "ls-induction", _induction(search, inputs)
    yield "ls-solutions", _solutions(search, inputs)
    yield "ls-short-proof", _short_proof(search, inputs)
    yield "ls-both-sides", _both_sides(search, inputs, layers)
    yield "ls-two-sides", _two_sides(search, inputs, layers)
    made = sum(row["choices"] for row in layers)
    checked = rows(search.problem, "certificate", inputs, "certificates")[0]["results"]
    yield (
        "ls-fewer-decisions",
        Measurement(
            made + checked < 4e11, f"{made:,} moves made to the proof, {checked:,} results of moves to check it"
        ),
    )
    yield "ls-prize", _prize(made, checked)


def sampled_games(search: Search, inputs: Inputs) -> Measured:
    """Claims of the number of games of fewer than 15 moves where it is estimated: an interval, and the time to play
    them all."""
    if search.games < MOVES - 1:
        return
    estimates = [row for row in rows(search.problem, "games", inputs, "sequences") if 1 <= row["moves"] < MOVES]
    total = sum(row["sequences"] for row in estimates)
    error = sum(row["standard_error"] for row in estimates)
    low, high = (float(f"{total + sign * DEVIATIONS * error:.3g}") for sign in (-1, 1))
    evidence = (
        f"games of 1 to 14 moves, within {DEVIATIONS} standard errors; counted up to {search.forward} moves, then "
        "estimated from a sample of n = 200,000 random games. Its nearest power of ten is the stated one"
    )
    inside = is_about_stated(low) and is_about_stated(high)
    yield "ls-games", Measurement([low, high], evidence, held(inside), "sample")
    years = years_to_play(low)
    evidence = "the least number of games that ls-games allows, at 10^9 an hour; a sample of n = 200,000 random games"
    yield "ls-hundred-years", Measurement(int(years), evidence, held(years >= 100), "sample")
    evidence = "ls-games confines the number by a sample, which is no proof either; the config `game_lengths` counts it"
    yield "ls-games-reckoned", Measurement(None, evidence, "open", "sample")


def _table_1(search: Search, inputs: Inputs) -> Measured:
    table = [row for row in rows(search.problem, "layers", inputs, "ways_to_play") if 1 <= row["moves"] <= 7]
    value = {name: [row[name] for row in table] for name in ("sequences", "essential_sequences", "positions")}
    evidence = (
        "its figures are lost; table `ways_to_play` restores every reading of them for 1 to 7 moves: "
        f"{listed(row['sequences'] for row in table)} ways to play, "
        f"{listed(row['essential_sequences'] for row in table)} where isomorphic ones are one; "
        f"{listed(row['labelled_choices'] for row in table)} moves to try without, "
        f"{listed(row['choices'] for row in table)} with identifying positions; "
        f"{listed(row['labelled_positions'] for row in table)} positions without, "
        f"{listed(row['positions'] for row in table)} with it"
    )
    yield "ls-table-1", Measurement(value, evidence, "answered")


def _after_seven(layers: list[dict[str, Any]]) -> Measurement:
    row = next(row for row in layers if (row["direction"], row["moves"]) == ("forward", 7))
    evidence = (
        f"positions after exactly 7 moves; without identifying isomorphic ones {row['labelled_positions']:,}; fewer "
        f"moves do not lead to {row['first']:,} of them"
    )
    return Measurement(row["positions"], evidence)


def _beyond_seven(layers: list[dict[str, Any]]) -> Measurement:
    further = [row for row in layers if row["direction"] == "forward" and row["moves"] > 7]
    held = ", ".join(f"{row['positions']:,} after {row['moves']}" for row in further)
    evidence = (
        f"{held}: of 8 bytes each, {further[-1]['positions'] * 8 / 1e6:.1f} MB for the last; to try all moves from all "
        f"labelled positions would be {further[-1]['labelled_choices'] / further[-1]['choices']:.1f} times as many"
    )
    return Measurement(False, evidence)


def _induction(search: Search, inputs: Inputs) -> Measurement:
    facts = inputs.facts(f"{slug(search.problem)}.proof")
    results = sum(fact["results"] for fact in facts)
    evidence = (
        f"the certificate's checker found every one of {results:,} results of moves from the layers among the images "
        "of the layer after: the step of the induction, for each layer"
    )
    return Measurement(results > 0, evidence, basis="proof")


def _solutions(search: Search, inputs: Inputs) -> Measurement:
    number, evidence = solution_counts(search, inputs)
    return Measurement(number, f"table `solutions` lists them, the printed one among them; {evidence}", "answered")


def _short_proof(search: Search, inputs: Inputs) -> Measurement:
    certificate = rows(search.problem, "certificate", inputs, "certificates")
    return Measurement(
        certificate[0]["positions"],
        "positions of the certificate whose moves were made: checked in seconds, too long to read. docs/last_supper.md "
        "proves 12 moves on half a page, and 15 by 171 weighings that leave 17,617 positions to branch from",
        "open",
        "proof",
    )


def _both_sides(search: Search, inputs: Inputs, layers: list[dict[str, Any]]) -> Measurement:
    ends = inputs.facts(f"{slug(search.problem)}.solutions")[0]["meeting"]
    held = sum(row["positions"] for row in layers)
    evidence = (
        f"layers of {ends[0]} moves from the start and {ends[1]} from the end meet first; both sides together hold "
        f"{held:,} positions, one of each orbit"
    )
    return Measurement(True, evidence)


def _two_sides(search: Search, inputs: Inputs, layers: list[dict[str, Any]]) -> Measurement:
    facts = inputs.facts(f"{slug(search.problem)}.solutions")[0]
    sequences = next(
        row for row in rows(search.problem, "solutions", inputs, "solution_counts") if row["ordered"] and row["mirror"]
    )
    held, labelled = (sum(row[name] for row in layers) for name in ("positions", "labelled_positions"))
    evidence = (
        f"all {len(problem_named(LAST_SUPPER).group)} symmetries keep start and end, so both sides kept one position "
        f"of each orbit, {held:,} instead of {labelled:,}, met at {facts['meeting'][0]} + {facts['meeting'][1]} moves, "
        f"and found all {sequences['solutions']:,} sequences of moves; the printed solution is one of them"
    )
    return Measurement(facts["length"] is None, evidence)


def _prize(made: int, checked: int) -> Measurement:
    """Published data hold no time, so only the work is counted, and priced at the source's own rate."""
    hours = (made + checked) / GAMES_AN_HOUR
    evidence = (
        f"no time is measured, since data hold none: {made:,} moves made by the search and {checked:,} by the checker, "
        f"which at the source's own rate, 10^9 positions an hour on a computer of 2009, are {hours:.2g} hours; "
        "`boardspace run` prints the seconds that it took"
    )
    return Measurement(made + checked, evidence, "open")
