"""The fewest stones that leave no k cells in a row of a board free: the number, its proof, all placements.

>>> from boardspace import five_in_a_row
>>> print(five_in_a_row.fewest(6, 7))
X(6, 7, 5) = 8, 6 placements
proof: dual weights of the lines prove that fewer do not suffice; a search met every placement
floor(N M / k) = 8
"""

from boardspace.spaces.five_in_a_row.answers import Check, Structure, best_cells, check, structure
from boardspace.spaces.five_in_a_row.endless import Plane, Strip, least_of_the_plane, plane, strip
from boardspace.spaces.five_in_a_row.fewest import Fewest, fewest

__all__ = [
    "Check",
    "Fewest",
    "Plane",
    "Strip",
    "Structure",
    "best_cells",
    "check",
    "fewest",
    "least_of_the_plane",
    "plane",
    "strip",
    "structure",
]
