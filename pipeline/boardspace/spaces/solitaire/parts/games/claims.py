"""Figures that others published of numbers of games, and by which rule of counting it holds."""

from collections.abc import Iterator

from boardspace.spaces.solitaire.config import SolitaireConfig
from boardspace.spec.space import Inputs, Measurement

CENTRE = ("english", 19)
FIFTEEN = "triangle15"
FIFTEEN_HOLES = (1, 2, 4, 5)
HEXAGON, HEXAGON_STARTS = "hexagon19", 4


def measure(config: SolitaireConfig, inputs: Inputs) -> dict[str, Measurement]:
    """Claims of the boards whose games this run counted."""
    if not config.games:
        return {}
    rows = {(row["board"], row["vacancy"]): row for row in inputs.table("games").to_pylist()}
    return dict(_central(rows)) | dict(_fifteen(rows)) | dict(_hexagon(rows))


def _central(rows: dict[tuple[str, int], dict[str, str]]) -> Iterator[tuple[str, Measurement]]:
    if CENTRE in rows:
        how = "sequences of jumps from the centre vacancy until no jump is possible, added up level by level"
        yield "games-english-central", Measurement(rows[CENTRE]["games"], how)
        yield "games-english-central-won", Measurement(rows[CENTRE]["won_in_vacancy"], how)


def _fifteen(rows: dict[tuple[str, int], dict[str, str]]) -> Iterator[tuple[str, Measurement]]:
    found = [rows[FIFTEEN, hole] for hole in FIFTEEN_HOLES if (FIFTEEN, hole) in rows]
    if len(found) == len(FIFTEEN_HOLES):
        games, won = ([int(row[name]) for row in found] for name in ("games", "won"))
        lost = [all_ - ended for all_, ended in zip(games, won, strict=True)]
        both = [all_ + ended for all_, ended in zip(games, won, strict=True)]
        yield (
            "games-fifteen",
            Measurement(
                games,
                f"of these games {won} end with one peg and {lost} do not; the stated numbers {both} count every won "
                "game twice",
                "corrected",
            ),
        )
        yield "games-fifteen-won", Measurement(won, "games that end with one peg, in any hole")


def _hexagon(rows: dict[tuple[str, int], dict[str, str]]) -> Iterator[tuple[str, Measurement]]:
    found = [row for (board, _), row in rows.items() if board == HEXAGON]
    if len(found) == HEXAGON_STARTS:
        games, won = (sum(int(row[name]) for row in found) for name in ("games", "won"))
        yield (
            "games-hexagon",
            Measurement(won, f"{games:,} games from the {len(found)} vacancies that symmetries leave"),
        )
