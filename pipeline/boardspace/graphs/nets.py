"""Squares at numbered places, for second rules: their drawing, the pieces that they are part of, and cycles of them.

Plain Python alone, as it goes with instances into a file that needs nothing installed.
"""

import re
from collections.abc import Iterable, Mapping, Sequence

SQUARE = 26
"""Pixels of a square's side."""


class Net:
    """Drawing whose signs stand at numbered places: the net of a cube, a ring, a board of any outline.

    lines: the drawing with ``{0}``, ``{1}`` ... at its places, the least number 0; all else is drawn as it is.
    colours: colours of signs in pictures, as SVG names them; a sign without one is white.

    >>> Net(" {0}\\n{1}{2}").text("abc")
    ' a\\nbc'
    """

    def __init__(self, lines: str, colours: Mapping[str, str] = {}) -> None:
        self.lines, self.colours = lines, colours

    def text(self, signs: Sequence[str]) -> str:
        """The drawing of the signs of all places, one letter each and no blank."""
        return self.lines.format(*signs)

    def signs(self, text: str) -> list[str]:
        """The signs of a drawing by their places, however it is spaced; ValueError where it is none.

        >>> Net(" {0}\\n{2}{1}").signs("a bc")
        ['a', 'c', 'b']
        """
        wanted, given = re.findall(r"\{\d+\}|\S", self.lines), "".join(text.split())
        places = {int(sign[1:-1]): at for at, sign in enumerate(wanted) if len(sign) > 1}
        drawn = [sign for at, sign in enumerate(given) if at not in places.values()]
        if len(given) != len(wanted) or drawn != [sign for sign in wanted if len(sign) == 1]:
            raise ValueError(f"{len(places)} signs are wanted, as in\n{re.sub(r'{[0-9]+}', '?', self.lines)}")
        return [given[at] for _, at in sorted(places.items())]

    def svg(self, signs: Sequence[str]) -> str:
        """The picture: a square of its sign's colour at each place; all else is left out."""
        squares, width = [], 0
        lines = self.lines.split("\n")
        for row, line in enumerate(lines):
            cells = re.findall(r"\{\d+\}|.", line)
            width = max(width, len(cells))
            for column, cell in enumerate(cells):
                if len(cell) > 1:
                    x, y, fill = column * SQUARE, row * SQUARE, self.colours.get(signs[int(cell[1:-1])], "white")
                    squares.append(
                        f'<rect x="{x + 1}" y="{y + 1}" width="{SQUARE - 2}" height="{SQUARE - 2}" rx="3" '
                        f'fill="{fill}" stroke="black"/>'
                    )
        size = f'width="{width * SQUARE}" height="{len(lines) * SQUARE}"'
        return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" {size}>', *squares, "</svg>\n"])


class Pieces:
    """Pieces of some squares each, which go from place to place and turn there, such as the corners of a cube.

    places: the squares of each place, each as a sequence of their numbers. A turn by one brings the first square of a
        piece to the second of its place, and the last to the first.
    solved: signs of all squares where every piece is at its own place; no two pieces have the same signs.

    >>> corners = Pieces([(0, 1, 2), (3, 4, 5)], "URFULB")
    >>> corners.signs([1, 0], [0, 1])
    ['U', 'L', 'B', 'F', 'U', 'R']
    >>> corners.read(list("ULBFUR"))
    ([1, 0], [0, 1])
    """

    def __init__(self, places: Sequence[Sequence[int]], solved: Sequence[str]) -> None:
        self.places = places
        self.names = ["".join(solved[square] for square in place) for place in places]

    def signs(self, order: Sequence[int], turns: Sequence[int]) -> list[str]:
        """The signs of all squares, where the place i has the piece ``order[i]``, turned by ``turns[i]``."""
        found = [""] * sum(map(len, self.places))
        for place, piece, turn in zip(self.places, order, turns, strict=True):
            for number, sign in enumerate(self.names[piece]):
                found[place[(number + turn) % len(place)]] = sign
        return found

    def read(self, signs: Sequence[str]) -> tuple[list[int], list[int]]:
        """The piece at each place, and its turn there; ValueError where a place has none, or one is there twice."""
        known = {
            name[len(name) - turn :] + name[: len(name) - turn]: (piece, turn)
            for piece, name in enumerate(self.names)
            for turn in range(len(name))
        }
        names = ["".join(signs[square] for square in place) for place in self.places]
        unknown = [name for name in names if name not in known]
        if unknown:
            raise ValueError(f"there is no piece {unknown[0]}, nor one that turns to it")
        found = [known[name] for name in names]
        order, turns = [piece for piece, _ in found], [turn for _, turn in found]
        if sorted(order) != list(range(len(order))):
            raise ValueError(f"the pieces {', '.join(names)} are not each there once")
        return order, turns


def cycled(things: Sequence[str], cycles: Iterable[Sequence[int]], times: int = 1) -> list[str]:
    """The things after each went to the next place of its cycle, so many times; negative numbers go back.

    >>> cycled("abcd", [(0, 1, 2)])
    ['c', 'a', 'b', 'd']
    """
    found = list(things)
    for cycle in cycles:
        for at, place in enumerate(cycle):
            found[place] = things[cycle[(at - times) % len(cycle)]]
    return found
