"""The source's reckoning: about 10^15 games of fewer than 15 moves, and the time to play them all."""

from boardspace.spec.space import Verdict

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
