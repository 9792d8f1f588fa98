"""Solutions that are not listed, found from those that are: a few moves in the middle are made again in all other ways.

Of a class that is too large to be played whole nobody knows all shortest solutions without a search. But from a listed
solution one can go over to others: between two of its positions that are three moves apart all sequences of moves are
found, by two moves from the one and one taken back from the other. Each has to make a listed solution again, and none
may be shorter. A window is a listed solution with the position where such a part begins.
"""

from collections.abc import Iterator

from boardspace.spaces.solitaire.rules import GameByHand, Path, Position
from boardspace.spaces.solitaire.shortest_by_hand import Notation, ShortestByHand
from boardspace.spec.space import Draw

LENGTH = 3
DRAWN = 20
"""Windows of a problem."""
Solution = tuple[str, ...]


def window_fault(
    hand: GameByHand, start: Position, listed: list[Solution], solutions: ShortestByHand, draw: Draw
) -> str:
    """The fault of a drawn window that a solution is not listed, or that it can be shorter; or ''."""
    notation, index = Notation(hand), {cell: hole for hole, cell in enumerate(hand.cells)}
    each = max(1, len(listed[0]) - LENGTH + 1)
    for window in draw.choose(each * len(listed), DRAWN):
        number, begin = divmod(window, each)
        moves = listed[number]
        positions = _played(hand, start, moves)
        kept = [notation.stops(move) for move in (*moves[:begin], *moves[begin + LENGTH :])]
        last = min(begin + LENGTH, len(moves))
        for paths in _ways(hand, positions[begin], positions[last]):
            if len(paths) < last - begin:
                return f"solution {number + 1} is not the shortest: {last - begin} moves can be {len(paths)}"
            made = [tuple(index[cell] for cell in path) for path in paths]
            if solutions.least_image([*kept, *made]) is None:
                return f"a solution like solution {number + 1}, but for {last - begin} moves, is not listed"
    return ""


def _played(hand: GameByHand, start: Position, moves: Solution) -> list[Position]:
    """The positions of a solution, the start first."""
    positions = [start]
    for move in moves:
        after = hand.after(positions[-1], move)
        assert after is not None, "solutions are replayed before"
        positions.append(after)
    return positions


def _ways(hand: GameByHand, begin: Position, end: Position) -> Iterator[tuple[Path, ...]]:
    """All sequences of one move to three from one position to another."""
    before: dict[Position, list[Path]] = {}
    for path, earlier in hand.paths(end, back=True):
        before.setdefault(earlier, []).append(path[::-1])
    yield from ((path,) for path in before.get(begin, ()))
    for one, first in hand.paths(begin):
        if len(first) <= len(end):
            continue
        yield from ((one, path) for path in before.get(first, ()))
        for two, second in hand.paths(first):
            yield from ((one, two, path) for path in before.get(second, ()))
