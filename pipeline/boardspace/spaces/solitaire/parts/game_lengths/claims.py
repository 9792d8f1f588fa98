"""Claims of the number of games of the Last Supper, and of the time to play them, where all are counted."""

from collections.abc import Iterator

from boardspace.spaces.solitaire.columns import slug
from boardspace.spaces.solitaire.config import SolitaireConfig
from boardspace.spaces.solitaire.source_solutions import LAST_SUPPER, MOVES, held, is_about_stated, years_to_play
from boardspace.spec.space import Inputs, Measurement


def measure(config: SolitaireConfig, inputs: Inputs) -> dict[str, Measurement]:
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
