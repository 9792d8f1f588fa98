"""Games that end with one peg, by the hole that it is in."""

from collections.abc import Iterable

from boardspace_kernels.solitaire.board import Board
from boardspace_kernels.solitaire.games import Ways


def orbit_ends(board: Board, ways: Ways) -> list[tuple[int, int]]:
    """For each position of one peg the number of its hole, which stands for an orbit, and the games to all of these."""
    columns = (column.tolist() for column in ways)
    return [(board.pegs(position)[0], low + (high << 64)) for position, low, high in zip(*columns, strict=True)]


def survivors(board: Board, start: int, ends: Iterable[tuple[int, int]]) -> dict[int, int]:
    """The games to each hole, by its number: those to an orbit are shared equally among its holes."""
    group, found = board.stabiliser(start), dict[int, int]()
    for hole, number in ends:
        orbit = {board.labels[image] for image in group[:, board.labels.index(hole)].tolist()}
        found |= dict.fromkeys(orbit, number // len(orbit))
    return dict(sorted(found.items()))
