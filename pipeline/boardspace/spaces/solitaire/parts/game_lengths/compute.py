"""Counts games by their length: a round of the stage makes the next layer of every problem.

A shard owns a range of the positions after k moves. It adds up what the shards of the layer before wrote for its range
and writes the results of the moves with the sequences that lead to each. From the last layer that is held two moves are
made without holding their results.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from boardspace.engine.shuffle import received, sample
from boardspace.spaces.solitaire.board_files import problem_params
from boardspace.spaces.solitaire.boards import problem_of
from boardspace.spaces.solitaire.columns import next_shards, shards_by_level, slug
from boardspace.spaces.solitaire.config import GameLengths, SolitaireConfig
from boardspace.spaces.solitaire.costs import rows_of_layers
from boardspace.spaces.solitaire.parts.game_lengths.part import GAME_LENGTHS, LAYERS, NEXT_SEQUENCES, last_held
from boardspace.spaces.solitaire.source_solutions import LAST_SUPPER, MOVES, held, is_about_stated, years_to_play
from boardspace.spec.space import Facts, Inputs, Measurement, Output, Shard
from boardspace_kernels.runs import Run, merge, total_ways
from boardspace_kernels.solitaire.moves import expand
from boardspace_kernels.solitaire.sequences import count_continuations, weighted_total
from boardspace_kernels.solitaire.tables import forward_tables


def cut_layers(config: SolitaireConfig, inputs: Inputs) -> list[Shard]:
    """The next layer of every problem: ranges with about ``rows_per_shard`` rows of what the layer before wrote."""
    done = inputs.named_facts(LAYERS)
    return [shard for section in config.game_lengths for shard in _next_layer(section, config, done)]


def _next_layer(section: GameLengths, config: SolitaireConfig, done: Mapping[str, Facts]) -> list[Shard]:
    layers = shards_by_level(slug(section.problem), done)
    moves = max(layers, default=-1) + 1
    if moves > last_held(section):
        return []
    folder = f"{slug(section.problem)}/moves={moves:02}"
    params = problem_params(section.problem, config.boards) | {"last": moves == last_held(section)}
    seconds = SECONDS_PER_LAST_ROW if params["last"] else SECONDS_PER_ROW
    return next_shards(layers.get(moves - 1, {}), folder, params, config.rows_per_shard, seconds)


def count_layer(config: SolitaireConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """One range of one layer, and the results of the moves from it."""
    problem = problem_of(params)
    before = received(inputs, LAYERS, NEXT_SEQUENCES, params, params["above"])
    runs = [Run(*columns) for columns in before]
    here = merge(runs, weighted=True) if runs else problem.root(problem.start, counted=True)
    assert here.ways is not None
    facts: dict[str, Any] = {
        "range": [params["low"], params["high"]],
        "positions": len(here.positions),
        "sequences": str(total_ways(here.ways)),
    }
    if params["last"]:
        tables = forward_tables(problem.board, problem.board.symmetries[:1])
        further = count_continuations(tables, here.positions)
        facts |= {name: str(weighted_total(here.ways, times)) for name, times in further._asdict().items()}
        return Output({NEXT_SEQUENCES.name: NEXT_SEQUENCES.from_rows([])}, facts=facts)
    after = expand(problem.forward, here).run
    rows = NEXT_SEQUENCES.from_columns(position=after.positions, ways=after.ways)
    return Output({NEXT_SEQUENCES.name: rows}, facts=facts | {"run": sample(after.positions)})


def total(config: SolitaireConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """The rows of every problem, by what the shards of its layers counted."""
    done = inputs.named_facts(LAYERS)
    sections = sorted(config.game_lengths, key=lambda section: slug(section.problem))
    rows = [row for section in sections for row in _rows_of(section, shards_by_level(slug(section.problem), done))]
    return Output({GAME_LENGTHS.name: GAME_LENGTHS.from_rows(rows)})


def _rows_of(section: GameLengths, layers: Mapping[int, Mapping[str, Facts]]) -> Iterator[dict[str, Any]]:
    """One row for each number of moves; none are left after a layer without moves."""
    last = last_held(section)
    for moves in range(section.moves + 1):
        shards = list(layers.get(min(moves, last), {}).values())
        name = ("sequences", "one", "two")[max(moves - last, 0)]
        yield {
            "problem": slug(section.problem),
            "moves": moves,
            "sequences": str(sum(int(facts[name]) for facts in shards)),
            "positions": None if moves > last else sum(facts["positions"] for facts in shards),
        }


SECONDS_PER_ROW = 2.4e-6
"""Of one core, for each row that a layer reads; fitted to the Last Supper with 15 moves, as what follows is."""
SECONDS_PER_LAST_ROW = 2.1e-6
BYTES_PER_ROW = 4


def seconds(config: SolitaireConfig) -> float:
    """About what the layers of all problems of a config take; 0 for problems whose rows nobody counted."""
    return sum(_seconds(_read(section), section) for section in config.game_lengths)


def longest(config: SolitaireConfig) -> float:
    """About what the longest shards of all layers take, one after the other, of the problem where that is longest."""
    most = config.rows_per_shard
    return max(_seconds([min(rows, most) for rows in _read(section)], section) for section in config.game_lengths)


def size(config: SolitaireConfig) -> int:
    """About what they write, in bytes."""
    return BYTES_PER_ROW * sum(sum(_read(section)[1:]) for section in config.game_lengths)


def _read(section: GameLengths) -> list[int]:
    """Rows that layers read, as far as they were counted: the start, then those that the layer before wrote."""
    return [1, *rows_of_layers(slug(section.problem))[: last_held(section)]]


def _seconds(rows: Sequence[int], section: GameLengths) -> float:
    """About what layers take that read so many rows."""
    if len(rows) <= last_held(section):
        return 0.0  # it goes on behind what was counted
    return sum(rows[:-1]) * SECONDS_PER_ROW + rows[-1] * SECONDS_PER_LAST_ROW


def measure_claims(config: SolitaireConfig, inputs: Inputs) -> dict[str, Measurement]:
    """Claims of the Last Supper's games, where they are counted up to 15 moves."""
    if not config.counts_games(LAST_SUPPER, MOVES):
        return {}
    rows = {
        row["moves"]: row for row in inputs.table("game_lengths").to_pylist() if row["problem"] == slug(LAST_SUPPER)
    }
    return dict(_measured([int(rows[moves]["sequences"]) for moves in range(MOVES + 1)]))


def _measured(sequences: list[int]) -> Iterator[tuple[str, Measurement]]:
    games = sum(sequences[1:MOVES])
    evidence = "games of 1 to 14 moves, all counted exactly. The nearest power of ten is the stated one"
    yield "ls-games", Measurement(games, evidence, held(is_about_stated(games)))
    years = years_to_play(games)
    yield (
        "ls-hundred-years",
        Measurement(int(years), "the games that ls-games counts, at 10^9 an hour", held(years >= 100)),
    )
    evidence = (
        f"the number is proved: {games:,} games of 1 to 14 moves, and {sequences[MOVES]:,} of 15; sequences of moves "
        "to every position after up to 13 moves added up, two more moves made from each"
    )
    yield "ls-games-reckoned", Measurement(games, evidence, "refuted")
